import { NotUnderstood, Refused, TimedOut, Unreachable } from '../../clients/errors.ts';

/** Refusals that every other window would meet too. */
const hopelessStatuses: readonly (number | undefined)[] = [401, 403, 404, 405, 407];

/** A connection that stood and broke: the size of one reply can do that, and the next one may come through. */
const brokenOff: readonly string[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROXY_502', 'PROXY_504'];

/** Whether the failure is the service's as a whole, so that no other window is worth asking for. */
export function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return !brokenOff.includes(error.code);
  return error instanceof Refused && hopelessStatuses.includes(error.refusal.status);
}

/** Whether a smaller window may succeed: the service took too long, sent too much, broke off or said no to it. */
export function mayBeTooLarge(error: unknown): boolean {
  const isSize =
    error instanceof TimedOut ||
    error instanceof Refused ||
    error instanceof NotUnderstood ||
    error instanceof Unreachable;
  return isSize && !isHopeless(error);
}
