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

const requests = new AsyncLocalStorage<Observed>();

/** Serves a request: the calls made meanwhile are noted in its record. */
export function serveObserved<T>(observed: Observed, serve: () => T): T {
  return requests.run(observed, serve);
}

/** Notes which tool the request calls and what became of it. */
export function noteCall(tool: string, outcome: CallOutcome): void {
  Object.assign(requests.getStore() ?? {}, { tool, outcome });
}

/** Notes a call of a service. */
export function noteExchange({ status, ms }: Exchanged): void {
  const observed = requests.getStore();
  if (observed === undefined) return;
  observed.upstreamCalls += 1;
  observed.upstreamMs += ms;
  if (status !== undefined) observed.upstreamStatus = status;
}
