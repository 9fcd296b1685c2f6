import { setImmediate as letOthersRun } from 'node:timers/promises';
import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  InputRequiredResult,
  ListToolsResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isInputRequiredResult,
  requireScopes,
} from '@modelcontextprotocol/server';
import type { Scope } from '../config/scopes.ts';
import type { Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import type { CallContext, FileLinks } from '../services/call-context.ts';
import { beginCallTime, withinCall } from '../services/call-time.ts';
import { BadArguments, Unfulfilled } from '../services/failures.ts';
import { askedBy, type CallOutcome, firstOf, noteCall, type Observed } from '../services/observation.ts';
import type { Served } from '../services/served.ts';
import type { Services } from '../services/services.ts';
import { answerResult } from './answer-result.ts';
import { checkArguments, normalizeArguments, partlyRight, type WhoTakes } from './arguments.ts';
import { type Conversation, confirm } from './confirmation.ts';
import type { Tool } from './definition.ts';
import { failureResult } from './failure.ts';
import { withinMessage } from './message-size.ts';
import { advertised } from './portable-schema.ts';
import { type CallingClient, isShownViews, viewMeta } from './views.ts';

/** Hints follow from what a tool does; every tool reaches a service that carries text by strangers. */
const hints: Readonly<Record<Tool['kind'], ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  save: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

/** Whether a tool changes something upstream. */
export function isWriting({ kind }: Tool): boolean {
  return kind === 'write' || kind === 'replace';
}

/** Why a configuration leaves a tool out: it is of no chosen group, or writes where nothing may be written. */
function reasonAgainst(
  tool: Tool,
  { readOnly, toolsets }: Pick<Settings, 'readOnly' | 'toolsets'>,
): 'failure.read_only' | 'failure.other_toolset' | undefined {
  if (readOnly && isWriting(tool)) return 'failure.read_only';
  return toolsets.includes(tool.group) ? undefined : 'failure.other_toolset';
}

/** Every notification must be further than the one before, also while nothing was completed between them. */
const SMALLEST_STEP = 0.001;

function progressOf({ mcpReq }: ServerContext): CallContext['progress'] {
  const token = mcpReq._meta?.progressToken;
  let last = -1;
  return async (done, total, message) => {
    if (token === undefined || mcpReq.signal.aborted) return;
    last = Math.max(done, last + SMALLEST_STEP);
    const params = { progressToken: token, progress: last, total, message };
    // A client that has gone cannot be told; the call's own signal ends the work.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** A modern request carries its client's name and capabilities itself; a legacy client declared them once. */
function clientOf(server: McpServer, { mcpReq, http }: ServerContext): CallingClient {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const implementation = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  return {
    capabilities: capabilities ?? server.server.getClientCapabilities(),
    name: (implementation ?? server.server.getClientVersion())?.name,
    isLocal: http === undefined,
  };
}

/** A call of a tool: its arguments as they came, and checked. */
interface Called {
  readonly tool: Tool;
  readonly raw: unknown;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * The arguments of a call, as the tool takes them.
 * @throws BadArguments with all that is wrong with them, each by itself and all together
 */
async function checkedArguments(
  { alsoWrong, ...tool }: Tool,
  raw: unknown,
  whoTakes: WhoTakes,
  translator: Translator,
  contextFor: (args: Readonly<Record<string, unknown>>) => CallContext,
): Promise<Record<string, unknown>> {
  const schema = tool.input();
  try {
    return checkArguments(raw, schema, translator, whoTakes);
  } catch (error) {
    if (!(error instanceof BadArguments) || alsoWrong === undefined) throw error;
    const alsoOf = async () => {
      const given = partlyRight(raw, schema);
      try {
        return await alsoWrong(given, contextFor(given.args));
      } catch (other) {
        // Whose call it is can't be told, perhaps because of what is malformed.
        if (other instanceof Unfulfilled) return [];
        throw other;
      }
    };
    throw new BadArguments([...new Set([...error.reasons, ...(await alsoOf())])]);
  }
}

async function callTool(
  { tool, raw, args }: Called,
  context: CallContext,
  conversation: Conversation,
): Promise<CallToolResult | InputRequiredResult> {
  if ('run' in tool) {
    // Each of these takes some milliseconds for a large answer.
    const answer = await withinCall(tool.run(args, context), context);
    await letOthersRun();
    const result = answerResult(answer, context.translator);
    await letOthersRun();
    return result;
  }
  const { confirmation_token: token, ...given } = normalizeArguments(raw, tool.input());
  const replan = () => withinCall(tool.plan(args, context), context);
  const pending = {
    tool,
    args: given,
    token: typeof token === 'string' ? token : undefined,
    plan: await replan(),
    replan,
  };
  return confirm(pending, context, conversation);
}

/** What may be done with a tool: a caller without the scope is challenged for it and not shown the tool. */
function scopeOf({ kind }: Tool): Scope {
  if (kind === 'write') return 'manifestation:write';
  return kind === 'replace' ? 'account:write' : 'documents:read';
}

/** By language; over HTTP every request would otherwise make it again. */
const described = new WeakMap<Tool, Map<string, ReturnType<typeof describeIn>>>();

function describe(tool: Tool, translator: Translator) {
  const ofTool = described.get(tool) ?? new Map<string, ReturnType<typeof describeIn>>();
  described.set(tool, ofTool);
  const known = ofTool.get(translator.language) ?? describeIn(tool, translator);
  ofTool.set(translator.language, known);
  return known;
}

function describeIn(tool: Tool, translator: Translator) {
  const title = translator.tell(`tool.${tool.name}` as MessageKey, {});
  return {
    title,
    description: tool.description,
    inputSchema: advertised(tool.input, 'input'),
    outputSchema: advertised(tool.output, 'output'),
    annotations: { title, ...hints[tool.kind] },
  };
}

/** What is told of tools, which over HTTP every request would otherwise make again. */
const listed = new WeakMap<readonly Tool[], Map<string, object[]>>();

function listOf(
  tools: readonly Tool[],
  shown: readonly Tool[],
  translator: Translator,
  hasViews: boolean,
): object[] {
  const lists = listed.get(tools) ?? new Map<string, object[]>();
  listed.set(tools, lists);
  const name = [translator.language, hasViews, ...shown.map((tool) => tool.name)].join();
  const list =
    lists.get(name) ??
    shown.map((tool) => {
      const { inputSchema, outputSchema, ...told } = describe(tool, translator);
      const [input, output] = [inputSchema, outputSchema].map((one) => one['~standard'].jsonSchema.input());
      const _meta = viewMeta(tool, hasViews);
      return { name: tool.name, ...told, inputSchema: input, outputSchema: output, ...(_meta && { _meta }) };
    });
  lists.set(name, list);
  return list;
}

/** A call whose files are linked to. */
export interface LinkedCall {
  readonly tool: string;
  /** As they came, in the form that the tool takes; made when a file is linked to. */
  readonly args: () => Readonly<Record<string, unknown>>;
  readonly principal: string;
  readonly services: Services;
}

export type LinksOf = (call: LinkedCall) => FileLinks;

/** The tools that a caller is shown: those that the configuration has and its scopes allow. */
export function shownTools(
  tools: readonly Tool[],
  settings: Pick<Settings, 'readOnly' | 'toolsets'>,
  scopes: readonly Scope[],
): readonly Tool[] {
  return tools.filter(
    (tool) => reasonAgainst(tool, settings) === undefined && scopes.includes(scopeOf(tool)),
  );
}

export interface Registering {
  /** What the caller may do. */
  readonly scopes: readonly Scope[];
  readonly linksOf?: LinksOf | undefined;
  /** Those that may be called of the server. */
  readonly registered: readonly Tool[];
  /** What the one request led to that the server is made for. */
  readonly observed?: Observed | undefined;
}

/**
 * Registers the tools on a server. All of a tool's safety is decided here, from its kind. One that the configuration
 * leaves out or the caller may not use is not listed; a call of it is answered with why.
 */
export function registerTools(
  server: McpServer,
  tools: readonly Tool[],
  served: Served,
  { scopes, linksOf, registered, observed }: Registering,
): void {
  const { translator, settings } = served;
  const whoTakes: WhoTakes = (argument) =>
    tools
      .filter((tool) => reasonAgainst(tool, settings) === undefined)
      .filter((tool) => Object.hasOwn(tool.input().shape, argument))
      .map(({ name }) => name);
  for (const tool of registered) {
    const reason = reasonAgainst(tool, settings);
    const note = (outcome: CallOutcome): void => {
      if (observed !== undefined) noteCall(observed, tool.name, outcome);
    };
    const allow = (against: typeof reason): void => {
      if (against !== undefined) throw new Unfulfilled(against, { tool: tool.name, group: tool.group });
    };
    server.registerTool(
      tool.name,
      {
        ...describe(tool, translator),
        ...(reason === undefined ? { scopeChallenge: requireScopes(scopeOf(tool)) } : {}),
      },
      async (raw: unknown, mcp: ServerContext) => {
        const time = beginCallTime();
        const caller = askedBy(observed, mcp.mcpReq.signal);
        const principal = mcp.http?.authInfo?.clientId ?? 'local';
        const client = clientOf(server, mcp);
        try {
          allow(reason);
          if (!scopes.includes(scopeOf(tool))) {
            throw new Unfulfilled('failure.scope', { scope: scopeOf(tool) });
          }
          const contextFor = (args: Readonly<Record<string, unknown>>): CallContext => {
            const services = served.forCall(args, isWriting(tool));
            allow(reasonAgainst(tool, services.settings));
            const given = () => normalizeArguments(raw, tool.input());
            return {
              services,
              translator: services.translator,
              signal: firstOf(caller, time.over),
              caller,
              time,
              principal,
              links: linksOf?.({ tool: tool.name, args: given, principal, services }),
              hasViews: isShownViews(services.settings.apps, client),
              progress: progressOf(mcp),
            };
          };
          const args = await checkedArguments(tool, raw, whoTakes, translator, contextFor);
          const context = contextFor(args);
          await letOthersRun();
          const conversation = { mcp, elicitation: client.capabilities?.elicitation };
          const answered = await callTool({ tool, raw, args }, context, conversation);
          const result = isInputRequiredResult(answered)
            ? answered
            : withinMessage(answered, !('run' in tool), translator);
          note('isError' in result && result.isError === true ? 'tool_error' : 'ok');
          return result;
        } catch (error) {
          note(caller.aborted ? 'cancelled' : 'tool_error');
          return failureResult(error, tool, translator);
        } finally {
          time.end();
        }
      },
    );
  }
  // In the place of the SDK's own, which makes every schema again for every request.
  server.server.setRequestHandler('tools/list', (_request, mcp) => ({
    tools: listOf(
      tools,
      shownTools(tools, settings, scopes),
      translator,
      isShownViews(settings.apps, clientOf(server, mcp)),
    ) as ListToolsResult['tools'],
  }));
}
