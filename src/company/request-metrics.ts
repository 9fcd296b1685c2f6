import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchanged } from '../clients/http/exchange.ts';

export type { Exchanged } from '../clients/http/exchange.ts';

export type CallOutcome = 'ok' | 'tool_error' | 'cancelled';

/** Metrics of one request, filled while it is served; never holds arguments, names or keys. */
export interface Observed {
  tool?: string;
  outcome?: CallOutcome;
  upstreamCalls: number;
  /** Total duration of calls to the services in milliseconds, overlaps counted twice. */
  upstreamMs: number;
  /** Status of the last answered call. */
  upstreamStatus?: number;
}

const requests = new AsyncLocalStorage<Observed>();

/** Serves a request and records its calls. */
export function serveObserved<T>(observed: Observed, serve: () => T): T {
  return requests.run(observed, serve);
}

/** Records the tool and its outcome. */
export function noteCall(tool: string, outcome: CallOutcome): void {
  Object.assign(requests.getStore() ?? {}, { tool, outcome });
}

/** Records a call to a service. */
export function noteExchange({ status, ms }: Exchanged): void {
  const observed = requests.getStore();
  if (observed === undefined) return;
  observed.upstreamCalls += 1;
  observed.upstreamMs += ms;
  if (status !== undefined) observed.upstreamStatus = status;
}
