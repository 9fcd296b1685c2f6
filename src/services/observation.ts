import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchanged } from '../clients/http/client.ts';

export type { Exchanged } from '../clients/http/client.ts';

/** What became of a call of a tool, seen from outside. */
export type CallOutcome = 'ok' | 'tool_error' | 'cancelled';

/** What one request of a client led to; filled while it is served, and never with arguments, names or keys. */
export interface Observed {
  tool?: string;
  outcome?: CallOutcome;
  upstreamCalls: number;
  /** Milliseconds that calls of the services took, one after the other or side by side. */
  upstreamMs: number;
  /** Of the last call that was answered. */
  upstreamStatus?: number;
}

const observing = new AsyncLocalStorage<Observed>();

/** Runs work whose calls are written down in `observed`. */
export function observe<T>(observed: Observed, work: () => Promise<T>): Promise<T> {
  return observing.run(observed, work);
}

/** Writes down which tool the request under way calls and what became of it; nothing where nobody observes. */
export function noteCall(tool: string, outcome: CallOutcome): void {
  const observed = observing.getStore();
  if (observed === undefined) return;
  observed.tool = tool;
  observed.outcome = outcome;
}

/** Writes down a call of a service. */
export function noteExchange({ status, ms }: Exchanged): void {
  const observed = observing.getStore();
  if (observed === undefined) return;
  observed.upstreamCalls += 1;
  observed.upstreamMs += ms;
  if (status !== undefined) observed.upstreamStatus = status;
}
