import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  isInputRequiredResult,
  type ListToolsResult,
  type McpServer,
  requireScopes,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CallContext, FileLinks } from '../company/call-context.ts';
import { type Company, noticeDue } from '../company/company.ts';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { startDeadline, withinCall } from '../company/deadline.ts';
import { BadArguments, failureWords, Unfulfilled } from '../company/failures.ts';
import type { Scope, Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { checkArguments, normalizeArguments } from '../tools/shared/arguments.ts';
import {
  answerResult,
  type CallingClient,
  inRevision,
  isShownViews,
  LINKS_AND_FORMS,
  type Tool,
  textOf,
  viewMeta,
  withinLimit,
} from '../tools/shared/definition.ts';
import { confirm } from './confirmation.ts';

type Kind = readonly [scope: Scope, isReading: boolean, isDestructive: boolean, isIdempotent: boolean];

/** By kind: the scope without which callers don't see the tool, and its hints. */
const kinds: Readonly<Record<Tool['kind'], Kind>> = {
  read: ['documents:read', true, false, true],
  save: ['documents:read', false, false, false],
  write: ['manifestation:write', false, true, false],
  replace: ['account:write', false, true, true],
};

const scopeOf = ({ kind }: Tool): Scope => kinds[kind][0];

export const isWriting = (tool: Tool): boolean => scopeOf(tool) !== 'documents:read';

/** Why a configuration excludes a tool: its group is not chosen, or it writes in read-only mode. */
function reasonAgainst(
  tool: Tool,
  { readOnly, toolsets }: Pick<Settings, 'readOnly' | 'toolsets'>,
): 'failure.read_only' | 'failure.other_toolset' | undefined {
  if (readOnly && isWriting(tool)) return 'failure.read_only';
  return toolsets.includes(tool.group) ? undefined : 'failure.other_toolset';
}

export function shownTools(
  tools: readonly Tool[],
  settings: Pick<Settings, 'readOnly' | 'toolsets'>,
  scopes: readonly Scope[],
): readonly Tool[] {
  return tools.filter(
    (tool) => reasonAgainst(tool, settings) === undefined && scopes.includes(scopeOf(tool)),
  );
}

/** Accepts any arguments: `listTools` advertises the real schemas, and calls are checked by them. */
const anyObject = () => ({ type: 'object' });
const anyArguments = {
  '~standard': {
    version: 1 as const,
    vendor: 'docfiscal-mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: anyObject, output: anyObject },
  },
};

/** Schemas made: over HTTP a server is created per request, and building them takes milliseconds. */
const made = new WeakMap<z.ZodObject, PortableSchema>();

function schemaOf(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const known = made.get(schema) ?? portableSchema(schema, side);
  made.set(schema, known);
  return known;
}

/** Answers `tools/list`. Every tool is open-world: the service carries text by strangers. */
function listTools(shown: readonly Tool[], translator: Translator, hasViews: boolean): ListToolsResult {
  const tools = shown.map((tool) => {
    const title = translator.tell(`tool.${tool.name}` as MessageKey, {});
    const _meta = viewMeta(tool, hasViews);
    const [, readOnlyHint, destructiveHint, idempotentHint] = kinds[tool.kind];
    return {
      name: tool.name,
      title,
      description: tool.description,
      annotations: { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true },
      inputSchema: schemaOf(tool.input(), 'input'),
      outputSchema: schemaOf(tool.output(), 'output'),
      ...(_meta && { _meta }),
    };
  });
  return { tools: tools as unknown as ListToolsResult['tools'] };
}

/** Keywords accepted by every host; other constraints are checked when the call arrives. */
const portableKeywords = new Set(
  'type description properties required items enum maximum maxItems'.split(' '),
);

/** A JSON Schema node reduced to those keywords. */
interface PortableSchema {
  readonly type: string;
  readonly [keyword: string]: unknown;
}

/**
 * Reduces a zod object to a JSON Schema that every host accepts: no `$schema`, `$ref`, combinators, formats,
 * patterns, defaults, `additionalProperties` or exclusive bounds. Calls are validated against the zod object itself.
 * Source: docs/hosts.md, S1 to S8.
 */
export function portableSchema(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const { $schema: _, ...portable } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'throw',
    override({ jsonSchema }) {
      for (const keyword of Object.keys(jsonSchema)) {
        if (!portableKeywords.has(keyword)) delete jsonSchema[keyword];
      }
      if (Number(jsonSchema.maximum) >= Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return portable as PortableSchema;
}

/**
 * Error result: one paragraph with what happened, whether anything changed upstream and what to do next. Without
 * structured content, since clients validate it against the output schema even on errors.
 */
export function failureResult(error: unknown, tool: Tool, translator: Translator): CallToolResult {
  const words =
    error instanceof BadArguments
      ? translator.say('argument.refused', { tool: tool.name, reasons: error.reasons.join('; ') })
      : failureWords(error, translator);
  // Confirmation errors state themselves what was sent.
  const isSaid =
    error instanceof BadArguments || (error instanceof Unfulfilled && /^confirmation\./.test(error.key));
  const text = isSaid ? words : `${words} ${translator.say('failure.nothing_changed')}`;
  const said = withinLimit(textOf([text]), translator.say('answer.error_cut'));
  return { content: [{ type: 'text', text: said }], isError: true };
}

/** Bytes; hosts close the connection at 10 MB. Source: docs/hosts.md, Results. */
const LARGEST_MESSAGE = 8_000_000;

export function isLarger(message: unknown, limit = LARGEST_MESSAGE): boolean {
  return Buffer.byteLength(JSON.stringify(message)) > limit;
}

const FRAME = 10_000;

/**
 * Fits a result into a message: unchanged, without view data, or as an error that explains how to get it in parts.
 * The outcome of a write is in its text, which is kept.
 */
function withinMessage(result: CallToolResult, isWrite: boolean, translator: Translator): CallToolResult {
  if (!isLarger(result, LARGEST_MESSAGE - FRAME)) return result;
  const { _meta: forView, ...answer } = result;
  if (forView !== undefined) return withinMessage(answer, isWrite, translator);
  const text = { type: 'text', text: translator.say('failure.answer_too_large') } as const;
  const kept = isWrite ? result.content.filter(({ type }) => type === 'text') : [];
  return { content: [...kept, text], isError: true };
}

/** Progress must increase with every notification, even without completed work. */
const SMALLEST_STEP = 0.001;

function progressOf({ mcpReq }: ServerContext): CallContext['progress'] {
  const token = mcpReq._meta?.progressToken;
  let last = -1;
  return async (done, total, message) => {
    if (token === undefined || mcpReq.signal.aborted) return;
    last = Math.max(done, last + SMALLEST_STEP);
    const params = { progressToken: token, progress: last, total, message };
    // Progress is best effort: the call's own signal reports a disconnect.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Revision of HTTP clients that send none. Source: MCP 2025-06-18, Transports, Protocol Version Header. */
const UNSAID_REVISION = '2025-03-26';

/** Modern requests carry the client's name and capabilities; legacy clients declared them at the handshake. */
function clientOf(server: McpServer, { mcpReq, http }: ServerContext): CallingClient {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const header = http?.req?.headers.get('mcp-protocol-version');
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const implementation = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  return {
    capabilities: capabilities ?? server.server.getClientCapabilities(),
    name: (implementation ?? server.server.getClientVersion())?.name,
    isLocal: http === undefined,
    revision: server.server.getNegotiatedProtocolVersion() ?? header ?? UNSAID_REVISION,
  };
}

export interface LinkedCall {
  readonly tool: string;
  /** Normalised arguments, serialised when a link is created. */
  readonly args: () => Readonly<Record<string, unknown>>;
  readonly principal: string;
  readonly company: Company;
}

export type LinksOf = (call: LinkedCall) => FileLinks;

export type CallOutcome = 'ok' | 'tool_error' | 'cancelled';

export interface ToolServing {
  readonly resolver: CompanyResolver;
  /** All tools, for error messages. */
  readonly tools: readonly Tool[];
  readonly scopes: readonly Scope[];
  readonly linksOf?: LinksOf | undefined;
  /** Called with every call's outcome. */
  readonly onCall?: ((tool: string, outcome: CallOutcome) => void) | undefined;
}

/** Handles a call: permission, arguments, company, and a result the client accepts. */
async function answerCall(
  tool: Tool,
  raw: unknown,
  { mcp, client, deadline }: { mcp: ServerContext; client: CallingClient; deadline: CallContext['deadline'] },
  { resolver, tools, scopes, linksOf }: ToolServing,
): Promise<CallToolResult | InputRequiredResult> {
  const { translator, settings } = resolver;
  const caller = mcp.mcpReq.signal;
  const allow = (reason: ReturnType<typeof reasonAgainst>): void => {
    if (reason !== undefined) throw new Unfulfilled(reason, { tool: tool.name, group: tool.group });
  };
  allow(reasonAgainst(tool, settings));
  if (!scopes.includes(scopeOf(tool))) throw new Unfulfilled('failure.scope', { scope: scopeOf(tool) });
  const whoTakes = (argument: string) =>
    tools
      .filter((one) => reasonAgainst(one, settings) === undefined)
      .filter((one) => Object.hasOwn(one.input().shape, argument))
      .map(({ name }) => name);
  const args = checkArguments(raw, tool.input(), translator, whoTakes);
  const company = resolver.forCall(args, isWriting(tool));
  allow(reasonAgainst(tool, company.settings));
  const principal = mcp.http?.authInfo?.clientId ?? 'local';
  const given = () => normalizeArguments(raw, tool.input());
  const context: CallContext = {
    company,
    translator: company.translator,
    signal: AbortSignal.any([caller, deadline.over]),
    caller,
    deadline,
    principal,
    links: linksOf?.({ tool: tool.name, args: given, principal, company }),
    hasViews: isShownViews(company.settings.apps, client),
    isDue: noticeDue(company.notices, principal, company.now),
    progress: progressOf(mcp),
  };
  let result: CallToolResult | InputRequiredResult;
  if ('run' in tool) {
    result = answerResult(await withinCall(tool.run(args, context), context), context.translator);
  } else {
    const plan = () => withinCall(tool.plan(args, context), context);
    // Clients of older revisions have no forms, whatever they declare.
    const elicitation = client.revision >= LINKS_AND_FORMS ? client.capabilities?.elicitation : undefined;
    result = await confirm({ tool: tool.name, given: given(), plan }, context, mcp, elicitation);
  }
  if (isInputRequiredResult(result)) return result;
  return withinMessage(inRevision(result, client.revision), isWriting(tool), translator);
}

/**
 * Registers tools. Safety is decided here, by a tool's kind. A tool that the configuration or the scopes exclude is
 * not listed; calling it answers with the reason.
 */
export function registerTools(server: McpServer, registered: readonly Tool[], serving: ToolServing): void {
  const { resolver, tools, scopes, onCall } = serving;
  const { translator, settings } = resolver;
  for (const tool of registered) {
    const isThere = reasonAgainst(tool, settings) === undefined;
    const scopeChallenge = isThere && { scopeChallenge: requireScopes(scopeOf(tool)) };
    const entry = { inputSchema: anyArguments, ...scopeChallenge };
    server.registerTool(tool.name, entry, async (raw: unknown, mcp: ServerContext) => {
      const deadline = startDeadline();
      try {
        const result = await answerCall(tool, raw, { mcp, client: clientOf(server, mcp), deadline }, serving);
        onCall?.(tool.name, 'isError' in result && result.isError === true ? 'tool_error' : 'ok');
        return result;
      } catch (error) {
        onCall?.(tool.name, mcp.mcpReq.signal.aborted ? 'cancelled' : 'tool_error');
        return failureResult(error, tool, translator);
      } finally {
        deadline.end();
      }
    });
  }
  // The SDK would build every schema again for every request.
  server.server.setRequestHandler('tools/list', (_request, mcp) => {
    const hasViews = isShownViews(settings.apps, clientOf(server, mcp));
    return listTools(shownTools(tools, settings, scopes), translator, hasViews);
  });
}
