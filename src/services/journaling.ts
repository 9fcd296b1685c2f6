import type { Journal, Outcome } from '../writes/journal.ts';
import { RecordUnusable } from '../writes/unusable.ts';
import type { CallContext } from './call-context.ts';
import { explainFailure } from './failures.ts';

/**
 * Writes down what became of a write. A journal that fails at this point keeps the intent without an outcome, which
 * reads as unknown later; what happened is still told now.
 */
export async function recordOutcome(
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
