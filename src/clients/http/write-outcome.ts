import { OutcomeUnknown, Refused, type UpstreamError } from '../errors.ts';
import type { Failure } from './exchange.ts';

/** Redirects that ask for the same request elsewhere, so that it was not performed here. The others may follow it. */
const elsewhere: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * The error a write that failed ends with: what went wrong where it is sure that nothing was performed, else an
 * OutcomeUnknown around it. A status of 500 and above may come after the work was done.
 */
export function failureOfWrite(failure: Failure): UpstreamError {
  const { error, mayHaveBeenSent } = failure;
  return mayHaveBeenSent && !saysNotPerformed(error) ? new OutcomeUnknown(error) : error;
}

function saysNotPerformed(error: UpstreamError): boolean {
  if (!(error instanceof Refused)) return false;
  const status = error.refusal.status ?? 0;
  return elsewhere.has(status) || (status >= 400 && status < 500 && status !== 408);
}
