import type { Exchanged } from '../clients/http/client.ts';

export type { Exchanged } from '../clients/http/client.ts';
export { askedBy, firstOf } from '../clients/http/signals.ts';

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

/** Writes down which tool a request calls and what became of it. */
export function noteCall(observed: Observed, tool: string, outcome: CallOutcome): void {
  observed.tool = tool;
  observed.outcome = outcome;
}

/** Writes down a call of a service. */
export function noteExchange(observed: Observed, { status, ms }: Exchanged): void {
  observed.upstreamCalls += 1;
  observed.upstreamMs += ms;
  if (status !== undefined) observed.upstreamStatus = status;
}
