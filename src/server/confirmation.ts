import {
  type CallToolResult,
  type ClientCapabilities,
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
import { answerResult, sentences, textOf } from '../tools/shared/definition.ts';
import type { UnsentReason } from '../tools/shared/journaled-write.ts';
import { RecordUnusable } from '../writes/data-folder.ts';
import type { ConfirmedCall } from '../writes/tokens.ts';

const LONGEST_THINKING_MS = 600_000;
/** Shorter than reading takes: the host dismissed the form without showing it. */
const QUICKEST_READING_MS = 1_000;
/** Forms shown in a row when the facts change while a person reads. */
const MOST_FORMS = 3;

/** Name of the form in a modern client's input responses. */
const FORM = 'confirm';

/** Response to the form, by a person or by the host for them. */
interface FormAnswer {
  /** `unanswered`: timed out; `failed`: the host could not ask. */
  readonly action: 'accept' | 'decline' | 'cancel' | 'unanswered' | 'failed';
  readonly content?: Record<string, unknown> | undefined;
}

function formOf(message: string, { say }: Translator) {
  const title = say('confirmation.form_title');
  const description = say('confirmation.form_description');
  const confirm = { type: 'boolean' as const, title, description, default: false };
  const requestedSchema = { type: 'object' as const, properties: { confirm }, required: ['confirm'] };
  return { message, requestedSchema };
}

const isTicked = ({ action, content }: FormAnswer): boolean =>
  action === 'accept' && content?.confirm === true;

/**
 * Asks a legacy client, whose form is a request of its own. The SDK would do this as well, but reports failures and
 * timeouts in its own words, without saying what was sent.
 */
async function askAtOnce(form: ReturnType<typeof formOf>, { mcpReq }: ServerContext): Promise<FormAnswer> {
  const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
  const options = { timeout: LONGEST_THINKING_MS, signal: mcpReq.signal };
  try {
    return await mcpReq.send(request, options);
  } catch (error) {
    if (mcpReq.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
    const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return { action: isTimeout ? 'unanswered' : 'failed' };
  }
}

export interface PendingWrite {
  readonly tool: string;
  /** Arguments, perhaps with a token. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Plans it from the current state. */
  plan(): Promise<Plan<object>>;
}

type Result = CallToolResult | InputRequiredResult;
type Way = 'form' | 'token';

/**
 * The only path to a write: a form if the client has forms, otherwise a preview with a token for one use, bound to
 * tool, arguments, caller and preview. Nothing is sent without confirmation. Source: docs/writes.md,
 * docs/decisions/confirmation.md.
 * @param elicitation from the request's envelope or the handshake; undefined if the client has no forms
 */
export async function confirm(
  write: PendingWrite,
  context: CallContext,
  mcp: ServerContext,
  elicitation: ClientCapabilities['elicitation'],
): Promise<Result> {
  const { company, translator, principal } = context;
  const { say } = translator;
  const isFormOnly = company.settings.confirmation === 'form';
  const { confirmation_token: given, ...args } = write.given;
  let plan = await write.plan();
  let forms = 0;
  const { tokens } = await company.writeGuards();

  /** The facts that a confirmation is bound to. */
  async function callBy(way: Way): Promise<ConfirmedCall> {
    const shown = { preview: plan.preview, rests_on: plan.rests_on, sent_as: await company.sentAs() };
    return { tool: `${write.tool}/${way}`, args, principal, shown };
  }

  async function askByForm(remark?: string): Promise<Result> {
    forms += 1;
    const message = textOf(remark === undefined ? plan.preview : [remark, '', ...plan.preview]);
    const form = formOf(message, translator);
    const { token } = await tokens.mint(await callBy('form'));
    if (mcp.mcpReq.envelope !== undefined) {
      return inputRequired({ requestState: token, inputRequests: { [FORM]: inputRequired.elicit(form) } });
    }
    const answer = await context.deadline.pause(askAtOnce(form, mcp));
    // The form may have been open for minutes.
    if (isTicked(answer)) plan = await write.plan();
    return concludeForm(token, answer);
  }

  async function askByToken(opening: string, reason?: UnsentReason): Promise<Result> {
    const { preview } = plan;
    const { token, expiresAt } = await tokens.mint(await callBy('token'));
    const how = say('confirmation.how', { token, until: translator.clock(expiresAt) });
    const structured = {
      status: 'confirmation_required',
      reason,
      preview: textOf(preview),
      confirmation_token: token,
      expires_at: expiresAt,
    };
    return answerResult({ structured, text: [opening, '', ...preview, '', how] }, translator);
  }

  function notSent(text: readonly string[], reason: UnsentReason): Result {
    const structured = { status: 'not_sent', reason, preview: textOf(plan.preview) };
    return answerResult({ structured, text }, translator);
  }

  /** Shows a new preview when the confirmed one is outdated. */
  async function showAnew(way: Way, remark: string, reason: UnsentReason): Promise<Result> {
    if (way === 'form' && forms < MOST_FORMS) return askByForm(remark);
    return isFormOnly ? notSent([remark, '', ...plan.preview], reason) : askByToken(remark, reason);
  }

  /** Spends the token and performs the write; sends nothing if the signed facts changed. */
  async function perform(way: Way, token: string): Promise<Result> {
    const spending = await tokens.spend(token, await callBy(way));
    if (!spending.ok) {
      const { reason, clockWentBack } = spending;
      const words = sentences(say(`confirmation.${reason}`), clockWentBack && say('confirmation.clock_back'));
      const remark = words.join(' ');
      if (reason === 'used') return notSent([remark], 'token_spent');
      if (reason === 'expired') return showAnew(way, remark, 'token_expired');
      if (reason === 'preview_changed') return showAnew(way, remark, 'preview_changed');
      throw new Unfulfilled(`confirmation.${reason}`);
    }
    if (context.caller.aborted) throw new Unfulfilled('confirmation.client_gone');
    try {
      return answerResult(await plan.perform(), translator);
    } catch (error) {
      if (error instanceof RecordUnusable) throw error;
      if (!(error instanceof ConflictingWrite)) {
        const reference = reportUnexpected(error, translator);
        throw new Unfulfilled('confirmation.failed_after_yes', { reference });
      }
      plan = await write.plan();
      return showAnew(way, say('confirmation.preview_changed'), 'preview_changed');
    }
  }

  /**
   * Anything but an accepted, ticked form is a refusal and uses the form up. A token may follow only a form that was
   * never shown (the host failed, or dismissed it faster than anyone reads), never a decline.
   */
  async function concludeForm(token: string, answer: FormAnswer): Promise<Result> {
    if (isTicked(answer)) return perform('form', token);
    const { action } = answer;
    const spending = await tokens.spend(token, await callBy('form'));
    const no = say(`confirmation.${action === 'accept' ? 'cancel' : action}`);
    // Only the token knows when the form was sent; it is signed and travels through the client.
    const wasTooQuick =
      action === 'cancel' && spending.ok && company.now() - spending.mintedAt < QUICKEST_READING_MS;
    if (isFormOnly || !(wasTooQuick || action === 'failed')) return notSent([no], 'declined');
    return askByToken(wasTooQuick ? `${no} ${say('confirmation.not_shown')}` : no);
  }

  if (typeof given === 'string' && !isFormOnly) return perform('token', given);
  // An empty capability means forms, the only kind when it was introduced.
  if (elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)) {
    const { mcpReq } = mcp;
    const token = mcpReq.requestState<unknown>();
    if (typeof token !== 'string' || mcpReq.inputResponses === undefined) return askByForm();
    forms = MOST_FORMS - 1;
    const response = inputResponse(mcpReq.inputResponses, FORM);
    return concludeForm(token, response.kind === 'elicit' ? response : { action: 'cancel' });
  }
  if (isFormOnly) throw new Unfulfilled('confirmation.form_needed');
  return askByToken(say('preview.nothing_sent'));
}
