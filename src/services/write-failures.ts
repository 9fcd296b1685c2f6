import type { Translator } from '../messages/index.ts';
import { type FailedOutcome, outcomeOfFailure } from '../writes/outcome.ts';
import { explainFailure, reportUnexpected } from './failures.ts';

/** What became of a write that an error ended, and what happened in the person's language. */
export interface FailedWrite {
  readonly status: FailedOutcome;
  readonly words: string;
}

/** Every error that can end a write; one that nobody foresaw is told on standard error by a reference. */
export function failedWrite(error: unknown, translator: Translator): FailedWrite {
  const explained = explainFailure(error, translator);
  return {
    status: outcomeOfFailure(error, explained !== undefined),
    words: explained ?? reportUnexpected(error, translator),
  };
}
