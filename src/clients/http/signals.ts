/**
 * Who asked for work, by the signal that ends it: so it is known for whom a service was called, however deep. Node's
 * asynchronous storage would know without being told, and makes every promise of the process dearer for it: of a short
 * call's processor time that was a sixth (Node 20 and 22).
 */
const askers = new WeakMap<AbortSignal, object>();

/** The same signal, of work that somebody asked for. */
export function askedBy(asker: object | undefined, signal: AbortSignal): AbortSignal {
  if (asker !== undefined) askers.set(signal, asker);
  return signal;
}

/** Who asked for the work that a signal ends; undefined where it isn't known. */
export function askerOf(signal: AbortSignal | undefined): object | undefined {
  return signal && askers.get(signal);
}

/** Aborted as soon as one of them is; whoever asked for the first one's work asked for this. */
export function firstOf(signal: AbortSignal, ...others: readonly AbortSignal[]): AbortSignal {
  return askedBy(askers.get(signal), AbortSignal.any([signal, ...others]));
}

/** For work that goes on when a signal is aborted, and was asked for by the same. */
export function lastingFor(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  askedBy(askers.get(signal), controller.signal);
  return controller;
}
