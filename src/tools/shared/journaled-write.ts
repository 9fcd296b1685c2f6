import { Forestalled } from '../../company/answer.ts';
import type { CallContext } from '../../company/call-context.ts';
import { whileCallLasts } from '../../company/deadline.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import type { Translator } from '../../messages/index.ts';
import type { Intent, Journal, Outcome, Scope } from '../../writes/journal.ts';
import { type FailedOutcome, outcomeOfFailure } from '../../writes/outcome.ts';
import { RecordUnusable } from '../../writes/unusable.ts';

const GRACE_MS = 5_000;

/** Aborts a write some seconds after its caller went away, so that a reply on its way still says the outcome. */
export function abortAfterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = () => void setTimeout(() => late.abort(), GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}

/** The outcome of a write that failed, and the failure in words. */
export function failedWrite(
  error: unknown,
  translator: Translator,
): { readonly status: FailedOutcome; readonly words: string } {
  const explained = explainFailure(error, translator);
  return {
    status: outcomeOfFailure(error, explained !== undefined),
    words: explained ?? reportUnexpected(error, translator),
  };
}

/** A journal that fails here keeps the intent alone, which reads as unknown later; the answer stands. */
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

/** A write that is sent once. */
export interface JournaledWrite<Result> {
  readonly intent: Intent;
  /** The earlier writes that it would repeat or contradict. */
  readonly scope: Scope;
  /** Ids of the earlier writes in the preview. */
  readonly known: ReadonlySet<string>;
  /** Sends it; a failure is a result, too. */
  send(): Promise<Result>;
  outcomesOf(result: Result): readonly Outcome[];
}

/**
 * Sends a write whose intent is in the journal before and whose outcome is after, also where the call has to answer
 * before the reply is there: `answered` is undefined then, and `settled` goes on.
 * @throws RecordUnusable where the intent could not be written, Forestalled where another write to the same came
 *   first; nothing was sent then
 */
export async function journaledWrite<Result>(
  { intent, scope, known, send, outcomesOf }: JournaledWrite<Result>,
  context: CallContext,
): Promise<{ readonly answered: Result | undefined; readonly settled: Promise<Result> }> {
  const { journal } = await context.company.writeGuards();
  const id = await journal.begin(intent);
  if ((await journal.forestalling(id, scope, known)).length > 0) {
    await recordOutcome(journal, id, [{ status: 'not_sent' }], context);
    throw new Forestalled();
  }
  const settled = send().then(async (result) => {
    await recordOutcome(journal, id, outcomesOf(result), context);
    return result;
  });
  return { answered: await whileCallLasts(settled, context), settled };
}
