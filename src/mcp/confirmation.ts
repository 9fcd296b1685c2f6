import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Translator } from '../messages/index.ts';
import type { Plan } from '../services/answer.ts';
import type { CallContext } from '../services/call-context.ts';
import { reportUnexpected, Unfulfilled } from '../services/failures.ts';
import { DataFolderUnusable } from '../writes/data-folder.ts';
import type { ConfirmedCall, Tokens } from '../writes/tokens.ts';
import { answerResult } from './answer-result.ts';
import type { WriteTool } from './definition.ts';

/** What a client said it can do. */
interface ElicitationCapability {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** A write that waits for a person's yes. */
export interface Pending {
  readonly tool: WriteTool;
  /** The arguments as given, without the token. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly plan: Plan<object>;
}

/** The client's side of the conversation. */
export interface Conversation {
  readonly mcp: ServerContext;
  /** Capabilities of the client, from the request's envelope or from the handshake. */
  readonly elicitation: ElicitationCapability | undefined;
}

/** Quicker than a person can read a preview: such a dismissal was the host's, and the form was never shown. */
const QUICKEST_READING_MS = 1_000;
/** As long as a confirmation token works. */
const LONGEST_THINKING_MS = 600_000;
const FORM = 'confirm';

/** An empty capability means forms: only they existed when it was introduced. */
function hasForms(capability: ElicitationCapability | undefined): boolean {
  return capability !== undefined && (capability.form !== undefined || capability.url === undefined);
}

/**
 * Who the yes is for: the caller, and whose writes to which services they are. Programs that share a data folder with
 * other settings would send something else with the same arguments.
 */
function principalOf({ principal, services: { settings } }: CallContext): string {
  const { url, user, cnpj, eventTemplate, accountUrl, accountUser, accountOauthClientId } = settings;
  const sends = [url, user, cnpj, eventTemplate, accountUrl, accountUser, accountOauthClientId];
  return JSON.stringify([principal, ...sends]);
}

function callOf({ tool, args }: Pending, way: 'form' | 'token', context: CallContext): ConfirmedCall {
  return { tool: `${tool.name}/${way}`, args, principal: principalOf(context) };
}

/** What a person, or the host in their place, did with the form. */
interface FormAnswer {
  /** `unanswered`: nobody did anything in time; `failed`: the host could not ask. */
  readonly action: 'accept' | 'decline' | 'cancel' | 'unanswered' | 'failed';
  readonly isTicked: boolean;
  /** When the form was sent, in milliseconds since 1970. */
  readonly askedAt: number;
}

function formOf({ plan }: Pending, translator: Translator) {
  return {
    message: plan.preview,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        confirm: {
          type: 'boolean' as const,
          title: translator.say('confirmation.form_title'),
          description: translator.say('confirmation.form_description'),
          default: false,
        },
      },
      required: ['confirm'],
    },
  };
}

/**
 * Asks a client of the first era, whose form is a request of its own. The SDK could do this from the same answer as
 * in the modern era, but would tell a form that failed or ran out of time in its own words, without what was sent.
 */
async function askAtOnce(
  form: ReturnType<typeof formOf>,
  { mcpReq }: ServerContext,
  askedAt: number,
): Promise<FormAnswer> {
  const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
  try {
    const { action, content } = await mcpReq.send(request, {
      timeout: LONGEST_THINKING_MS,
      signal: mcpReq.signal,
    });
    return { action, isTicked: action === 'accept' && content?.confirm === true, askedAt };
  } catch (error) {
    if (mcpReq.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
    const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return { action: isTimeout ? 'unanswered' : 'failed', isTicked: false, askedAt };
  }
}

async function askByForm(
  pending: Pending,
  tokens: Tokens,
  context: CallContext,
  { mcp }: Conversation,
): Promise<CallToolResult | InputRequiredResult> {
  const form = formOf(pending, context.translator);
  const { token } = await tokens.mint(callOf(pending, 'form', context));
  const askedAt = context.services.now();
  if (mcp.mcpReq.envelope === undefined) {
    return concludeForm(pending, token, await askAtOnce(form, mcp, askedAt), tokens, context);
  }
  return inputRequired({
    requestState: `${token}.${askedAt}`,
    inputRequests: { [FORM]: inputRequired.elicit(form) },
  });
}

async function askByToken(
  pending: Pending,
  tokens: Tokens,
  context: CallContext,
  opening: string,
  status: 'confirmation_required' | 'refused' = 'confirmation_required',
): Promise<CallToolResult> {
  const { preview } = pending.plan;
  const { token, expiresAt } = await tokens.mint(callOf(pending, 'token', context));
  const how = context.translator.say('confirmation.how', { token, expires_at: expiresAt });
  return answerResult(
    {
      structured: { status, preview, confirmation_token: token, expires_at: expiresAt },
      text: [opening, preview, how].join('\n\n'),
    },
    context.translator,
  );
}

async function spendAndPerform(
  pending: Pending,
  way: 'form' | 'token',
  token: string,
  tokens: Tokens,
  context: CallContext,
): Promise<CallToolResult> {
  const spending = await tokens.spend(token, callOf(pending, way, context));
  if (!spending.ok) throw new Unfulfilled(`confirmation.${spending.reason}`);
  if (context.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
  try {
    return answerResult(await pending.plan.perform(), context.translator);
  } catch (error) {
    if (error instanceof DataFolderUnusable) throw error;
    throw new Unfulfilled('confirmation.failed_after_yes', {
      reference: reportUnexpected(error, context.translator),
    });
  }
}

/** Everything but a ticked, accepted form is a no, and a no uses the form up. */
async function concludeForm(
  pending: Pending,
  token: string,
  { action, isTicked, askedAt }: FormAnswer,
  tokens: Tokens,
  context: CallContext,
): Promise<CallToolResult> {
  const { translator, services } = context;
  if (isTicked) return spendAndPerform(pending, 'form', token, tokens, context);
  await tokens.spend(token, callOf(pending, 'form', context));
  const no = translator.say(action === 'accept' ? 'confirmation.unticked' : `confirmation.${action}`);
  const wasDismissed = action === 'cancel' || action === 'decline';
  const wasTooQuick = wasDismissed && services.now() - askedAt < QUICKEST_READING_MS;
  const wasNotShown = wasTooQuick || action === 'failed';
  if (wasNotShown && services.settings.confirmation === 'any') {
    const opening = wasTooQuick ? `${no} ${translator.say('confirmation.not_shown')}` : no;
    return askByToken(
      pending,
      tokens,
      context,
      opening,
      action === 'decline' ? 'refused' : 'confirmation_required',
    );
  }
  return answerResult(
    { structured: { status: 'refused', preview: pending.plan.preview }, text: no },
    translator,
  );
}

/** The answer that a modern client sends with the call repeated. */
function answerTo(state: string, { mcpReq }: ServerContext): { token: string; answer: FormAnswer } {
  const [token = '', askedAt] = state.split('.');
  const response = inputResponse(mcpReq.inputResponses, FORM);
  const action = response.kind === 'elicit' ? response.action : 'cancel';
  const isTicked =
    response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true;
  return { token, answer: { action, isTicked, askedAt: Number(askedAt) } };
}

/**
 * The one path on which every write goes: a form where the client has forms, else a preview with a token that works
 * once, for this tool, these arguments and this caller. Nothing is sent without a yes given on one of them.
 * Source: docs/writes.md, docs/decisions/confirmation.md.
 */
export async function confirm(
  pending: Pending,
  context: CallContext,
  conversation: Conversation,
): Promise<CallToolResult | InputRequiredResult> {
  const { services, translator } = context;
  const { tokens } = await services.writeGuards();
  const isFormOnly = services.settings.confirmation === 'form';
  if (pending.token !== undefined && !isFormOnly) {
    return spendAndPerform(pending, 'token', pending.token, tokens, context);
  }
  if (hasForms(conversation.elicitation)) {
    const state = conversation.mcp.mcpReq.requestState<string>();
    const isAnswered = conversation.mcp.mcpReq.inputResponses !== undefined;
    if (state === undefined || !isAnswered) return askByForm(pending, tokens, context, conversation);
    const { token, answer } = answerTo(state, conversation.mcp);
    return concludeForm(pending, token, answer, tokens, context);
  }
  if (isFormOnly) throw new Unfulfilled('confirmation.form_needed');
  return askByToken(pending, tokens, context, translator.say('preview.nothing_sent'));
}
