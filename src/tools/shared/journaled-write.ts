import * as z from 'zod';
import { type CallContext, ConflictingWrite } from '../../company/call-context.ts';
import { whileCallLasts } from '../../company/deadline.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import type { Translator } from '../../messages/index.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import type { Intent, Journal, Outcome, OutcomeStatus, Scope } from '../../writes/journal.ts';
import { outcomeOfFailure } from '../../writes/outcome.ts';

/** Output schema common to writes. */
export const writeOutcomeShape = () => ({
  status: z.enum(['confirmation_required', 'done', 'partly', 'refused', 'not_sent', 'unknown']),
  reason: z.enum(['preview_changed', 'token_spent', 'token_expired', 'declined']).optional(),
  preview: z.string().optional(),
  confirmation_token: z.string().optional(),
  expires_at: z.string().optional(),
});

/** Argument that returns a preview's token. */
export const confirmationToken = () => z.string().min(1).optional().describe("After the person's yes");

const GRACE_MS = 5_000;

/** Aborts a write some seconds after the caller disconnects, so that a pending reply still yields the outcome. */
export function abortAfterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = () => void setTimeout(() => late.abort(), GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}

/** Outcome of a failed write, and the failure in words. */
export function failedWrite(
  error: unknown,
  translator: Translator,
): { readonly status: Exclude<OutcomeStatus, 'done'>; readonly words: string } {
  const explained = explainFailure(error, translator);
  return {
    status: outcomeOfFailure(error, explained !== undefined),
    words: explained ?? reportUnexpected(error, translator),
  };
}

/** If the journal fails here, only the intent remains and reads as unknown; the answer stands. */
async function recordOutcome(
  journal: Journal,
  id: string,
  outcomes: readonly Outcome[],
  { translator }: CallContext,
): Promise<void> {
  try {
    await journal.finish(id, outcomes);
  } catch (error) {
    if (!(error instanceof RecordUnusable)) throw error;
    console.error(explainFailure(error, translator));
  }
}

export interface JournaledWrite<Result> {
  readonly intent: Intent;
  /** Earlier writes it would repeat or contradict. */
  readonly scope: Scope;
  /** Ids of the earlier writes shown in the preview. */
  readonly known: ReadonlySet<string>;
  /** Sends it; failures are results. */
  send(): Promise<Result>;
  outcomesOf(result: Result): readonly Outcome[];
}

/**
 * Journals the intent, sends the write and journals the outcome, even past the call's deadline: `answered` is then
 * undefined and `settled` continues.
 * @throws RecordUnusable when the intent can't be stored, ConflictingWrite when another write came first; nothing
 * was sent then
 */
export async function journaledWrite<Result>(
  { intent, scope, known, send, outcomesOf }: JournaledWrite<Result>,
  context: CallContext,
): Promise<{ readonly answered: Result | undefined; readonly settled: Promise<Result> }> {
  const { journal } = await context.company.writeGuards();
  const id = await journal.begin(intent);
  if ((await journal.conflicting(id, scope, known)).length > 0) {
    await recordOutcome(journal, id, [{ status: 'not_sent' }], context);
    throw new ConflictingWrite();
  }
  const settled = send().then(async (result) => {
    await recordOutcome(journal, id, outcomesOf(result), context);
    return result;
  });
  return { answered: await whileCallLasts(settled, context), settled };
}
