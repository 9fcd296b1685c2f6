import { lastingFor } from '../clients/http/signals.ts';

const GRACE_MS = 5_000;

/**
 * The end of a write under way whose caller went away: not at once, because cut off it would leave its outcome
 * unknown, while a reply on its way still tells it.
 */
export function afterGrace(signal: AbortSignal): AbortSignal {
  const late = lastingFor(signal);
  const begin = () => void setTimeout(() => late.abort(), GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}
