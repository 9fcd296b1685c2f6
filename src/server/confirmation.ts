import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type CallContext, ConflictingWrite, type Plan } from '../company/call-context.ts';
import { reportUnexpected, Unfulfilled } from '../company/failures.ts';
import type { Translator } from '../messages/index.ts';
import { answerResult, textOf } from '../tools/shared/answer-result.ts';
import type { WriteTool } from '../tools/shared/definition.ts';
import { RecordUnusable } from '../writes/data-folder.ts';
import type { ConfirmedCall, Tokens } from '../writes/tokens.ts';

export interface ElicitationCapability {
  readonly form?: unknown;
  readonly url?: unknown;
}

const LONGEST_THINKING_MS = 600_000;

/** Name of the form in a modern client's input responses. */
const FORM = 'confirm';

/** An empty capability means forms, the only kind when it was introduced. */
function hasForms(capability: ElicitationCapability | undefined): boolean {
  return capability !== undefined && (capability.form !== undefined || capability.url === undefined);
}

/** Response to the form, by a person or by the host for them. */
export interface FormAnswer {
  /** `unanswered`: timed out; `failed`: the host could not ask. */
  readonly action: 'accept' | 'decline' | 'cancel' | 'unanswered' | 'failed';
  readonly isTicked: boolean;
}

function formOf(message: string, translator: Translator) {
  return {
    message,
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
 * Asks a legacy client, whose form is a request of its own. The SDK would do this as well, but reports failures and
 * timeouts in its own words, without saying what was sent.
 */
async function askAtOnce(form: ReturnType<typeof formOf>, { mcpReq }: ServerContext): Promise<FormAnswer> {
  const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
  try {
    const { action, content } = await mcpReq.send(request, {
      timeout: LONGEST_THINKING_MS,
      signal: mcpReq.signal,
    });
    return { action, isTicked: action === 'accept' && content?.confirm === true };
  } catch (error) {
    if (mcpReq.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
    const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return { action: isTimeout ? 'unanswered' : 'failed', isTicked: false };
  }
}

/** Reads a modern client's response, which comes with the repeated call. */
function answerIn({ mcpReq }: ServerContext): FormAnswer {
  const response = inputResponse(mcpReq.inputResponses, FORM);
  if (response.kind !== 'elicit') return { action: 'cancel', isTicked: false };
  const { action, content } = response;
  return { action, isTicked: action === 'accept' && content?.confirm === true };
}

/** A write awaiting confirmation. */
export interface Pending {
  readonly tool: WriteTool;
  /** Arguments without the token. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly plan: Plan<object>;
  /** Plans again from the current state. */
  replan(): Promise<Plan<object>>;
}

type Way = 'form' | 'token';

/** Forms shown in a row when the facts change while a person reads. */
const MOST_FORMS = 3;

export interface Conversation {
  readonly mcp: ServerContext;
  /** From the request's envelope or the handshake. */
  readonly elicitation: ElicitationCapability | undefined;
}

/** Shorter than reading takes: the host dismissed the form without showing it. */
const QUICKEST_READING_MS = 1_000;

/** The facts that a confirmation is bound to: caller, tool, arguments, preview and settings. */
async function callOf({ tool, args, plan }: Pending, way: Way, context: CallContext): Promise<ConfirmedCall> {
  const { principal, company } = context;
  const shown = { preview: plan.preview, rests_on: plan.rests_on, sent_as: await company.sentAs() };
  return { tool: `${tool.name}/${way}`, args, principal, shown };
}

type Reason = 'preview_changed' | 'token_spent' | 'token_expired' | 'declined';

interface Asking {
  readonly pending: Pending;
  readonly tokens: Tokens;
  readonly context: CallContext;
  readonly conversation: Conversation;
}

async function askByForm(
  asking: Asking,
  remark = '',
  formsLeft = MOST_FORMS,
): Promise<CallToolResult | InputRequiredResult> {
  const { pending, tokens, context, conversation } = asking;
  const { preview } = pending.plan;
  const message = textOf(remark === '' ? preview : [remark, '', ...preview]);
  const form = formOf(message, context.translator);
  const { token } = await tokens.mint(await callOf(pending, 'form', context));
  const { mcp } = conversation;
  if (mcp.mcpReq.envelope === undefined) {
    const answer = await context.deadline.pause(askAtOnce(form, mcp));
    // The form may have been open for minutes.
    const plan = answer.isTicked ? await pending.replan() : pending.plan;
    return concludeForm({ ...asking, pending: { ...pending, plan } }, token, answer, formsLeft - 1);
  }
  return inputRequired({
    requestState: token,
    inputRequests: { [FORM]: inputRequired.elicit(form) },
  });
}

async function askByToken(
  { pending, tokens, context }: Asking,
  opening: string,
  reason?: Reason,
): Promise<CallToolResult> {
  const { preview } = pending.plan;
  const { token, expiresAt } = await tokens.mint(await callOf(pending, 'token', context));
  const how = context.translator.say('confirmation.how', {
    token,
    until: context.translator.clock(expiresAt),
  });
  return answerResult(
    {
      structured: {
        status: 'confirmation_required',
        reason,
        preview: textOf(preview),
        confirmation_token: token,
        expires_at: expiresAt,
      },
      text: [opening, '', ...preview, '', how],
    },
    context.translator,
  );
}

function answerNotSent(
  { pending, context }: Asking,
  text: readonly string[],
  reason: Reason,
): CallToolResult {
  const { preview } = pending.plan;
  return answerResult(
    { structured: { status: 'not_sent', reason, preview: textOf(preview) }, text },
    context.translator,
  );
}

/** Shows a new preview when the confirmed one is outdated. */
function showAnew(
  asking: Asking,
  way: Way,
  remark: string,
  reason: Reason,
  formsLeft: number,
): Promise<CallToolResult | InputRequiredResult> {
  if (way === 'form' && formsLeft > 0) return askByForm(asking, remark, formsLeft);
  if (asking.context.company.settings.confirmation === 'any') return askByToken(asking, remark, reason);
  return Promise.resolve(answerNotSent(asking, [remark, '', ...asking.pending.plan.preview], reason));
}

/** Spends the token and performs the write; sends nothing if the signed facts changed. */
async function spendAndPerform(
  asking: Asking,
  way: Way,
  token: string,
  formsLeft: number,
): Promise<CallToolResult | InputRequiredResult> {
  const { pending, tokens, context } = asking;
  const { translator } = context;
  const spending = await tokens.spend(token, await callOf(pending, way, context));
  if (!spending.ok) {
    const { reason, clockWentBack } = spending;
    const remark = [
      translator.say(`confirmation.${reason}`),
      ...(clockWentBack ? [translator.say('confirmation.clock_back')] : []),
    ].join(' ');
    if (reason === 'used') return answerNotSent(asking, [remark], 'token_spent');
    if (reason === 'expired') return showAnew(asking, way, remark, 'token_expired', formsLeft);
    if (reason === 'preview_changed') return showAnew(asking, way, remark, 'preview_changed', formsLeft);
    throw new Unfulfilled(`confirmation.${reason}`);
  }
  if (context.caller.aborted) throw new Unfulfilled('confirmation.client_gone');
  try {
    return answerResult(await pending.plan.perform(), translator);
  } catch (error) {
    if (error instanceof RecordUnusable) throw error;
    if (error instanceof ConflictingWrite) {
      const now = { ...asking, pending: { ...pending, plan: await pending.replan() } };
      return showAnew(now, way, translator.say('confirmation.preview_changed'), 'preview_changed', formsLeft);
    }
    throw new Unfulfilled('confirmation.failed_after_yes', {
      reference: reportUnexpected(error, translator),
    });
  }
}

/**
 * Anything but an accepted, ticked form is a refusal and uses the form up. A token may follow only a form that was
 * never shown (the host failed, or dismissed it faster than anyone reads), never a decline.
 */
async function concludeForm(
  asking: Asking,
  token: string,
  { action, isTicked }: FormAnswer,
  formsLeft: number,
): Promise<CallToolResult | InputRequiredResult> {
  const { pending, tokens, context } = asking;
  const { translator, company } = context;
  if (isTicked) return spendAndPerform(asking, 'form', token, formsLeft);
  const spending = await tokens.spend(token, await callOf(pending, 'form', context));
  const no = translator.say(action === 'accept' ? 'confirmation.unticked' : `confirmation.${action}`);
  // Only the token knows when the form was sent; it is signed and travels through the client.
  const wasTooQuick =
    action === 'cancel' && spending.ok && company.now() - spending.mintedAt < QUICKEST_READING_MS;
  if ((wasTooQuick || action === 'failed') && company.settings.confirmation === 'any') {
    const opening = wasTooQuick ? `${no} ${translator.say('confirmation.not_shown')}` : no;
    return askByToken(asking, opening);
  }
  return answerNotSent(asking, [no], 'declined');
}

/**
 * The only path to a write: a form if the client has forms, otherwise a preview with a token for one use, bound to
 * tool, arguments, caller and preview. Nothing is sent without confirmation. Source: docs/writes.md,
 * docs/decisions/confirmation.md.
 */
export async function confirm(
  pending: Pending,
  context: CallContext,
  conversation: Conversation,
): Promise<CallToolResult | InputRequiredResult> {
  const { company, translator } = context;
  const { tokens } = await company.writeGuards();
  const asking = { pending, tokens, context, conversation };
  const isFormOnly = company.settings.confirmation === 'form';
  if (pending.token !== undefined && !isFormOnly) {
    return spendAndPerform(asking, 'token', pending.token, 0);
  }
  if (hasForms(conversation.elicitation)) {
    const { mcpReq } = conversation.mcp;
    const token = mcpReq.requestState<string>();
    if (token === undefined || mcpReq.inputResponses === undefined) return askByForm(asking);
    return concludeForm(asking, token, answerIn(conversation.mcp), 1);
  }
  if (isFormOnly) throw new Unfulfilled('confirmation.form_needed');
  return askByToken(asking, translator.say('preview.nothing_sent'));
}
