import * as z from 'zod';
import { type CallContext, ConflictingWrite } from '../../company/call-context.ts';
import { whileCallLasts } from '../../company/deadline.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import type { Translator } from '../../messages/index.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import type { Intent, JournalEntry, Outcome, Scope } from '../../writes/journal.ts';
import { outcomeOfFailure } from '../../writes/outcome.ts';
import { texts } from './definition.ts';

const unsentReasons = ['preview_changed', 'token_spent', 'token_expired', 'declined'] as const;

export type UnsentReason = (typeof unsentReasons)[number];

export const writeOutcomeShape = () => ({
  status: z.enum(['confirmation_required', 'done', 'partly', 'refused', 'not_sent', 'unknown']),
  reason: z.enum(unsentReasons).optional(),
  ...texts('preview', 'confirmation_token', 'expires_at'),
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
export function failedWrite(error: unknown, translator: Translator) {
  const explained = explainFailure(error, translator);
  return {
    status: outcomeOfFailure(error, explained !== undefined),
    words: explained ?? reportUnexpected(error, translator),
  };
}

export interface JournaledWrite<Result> {
  readonly intent: Intent;
  /** Earlier writes it would repeat or contradict. */
  readonly scope: Scope;
  /** Those shown in the preview. */
  readonly known: readonly JournalEntry[];
  /** Sends it; failures are results. */
  send(): Promise<Result>;
  outcomesOf(result: Result): readonly Outcome[];
  /** Runs once the outcome is in the journal. */
  afterwards?(result: Result): Promise<void>;
}

/**
 * Journals the intent, sends the write and journals the outcome, even past the call's deadline: undefined is returned
 * then, and the reply is still awaited.
 * @throws RecordUnusable when the intent can't be stored, ConflictingWrite when another write came first; nothing
 * was sent then
 */
export async function journaledWrite<Result>(
  { intent, scope, known, send, outcomesOf, afterwards }: JournaledWrite<Result>,
  context: CallContext,
): Promise<Result | undefined> {
  const { translator } = context;
  const { journal } = await context.company.writeGuards();
  const id = await journal.begin(intent);
  /** If the journal fails here, only the intent remains and reads as unknown; the answer stands. */
  const record = (outcomes: readonly Outcome[]) =>
    journal.finish(id, outcomes).catch((error: unknown) => {
      if (!(error instanceof RecordUnusable)) throw error;
      console.error(explainFailure(error, translator));
    });
  if ((await journal.conflicting(id, scope, known)).length > 0) {
    await record([{ status: 'not_sent' }]);
    throw new ConflictingWrite();
  }
  const settled = send().then(async (result) => {
    await record(outcomesOf(result));
    return result;
  });
  const answered = await whileCallLasts(settled, context);
  const over = settled.then((result) => afterwards?.(result));
  if (answered === undefined) over.catch((error: unknown) => reportUnexpected(error, translator));
  else await whileCallLasts(over, context);
  return answered;
}
