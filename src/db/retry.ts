import { setTimeout as sleep } from 'node:timers/promises';

/**
 * PostgreSQL 15, appendix A: 08 a failed connection, 40001 and 40P01 a transaction undone by another, 53300 too many
 * connections, 57P01 to 57P03 a server that ends or starts.
 */
const lost = /^(?:57P0[12]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const undone = /^(?:40001|40P01)$/;
const without = /^(?:53300|57P03|POOL_BUSY|ECONNREFUSED)$/;

/** The code of an error; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether the connection ended while it was in use: what a transaction did last is not known then. */
export function wasLost(error: unknown): boolean {
  return lost.test(codeOf(error));
}

/** Whether a transaction met another and was undone for it: the same may be done again from its beginning. */
export function wasUndone(error: unknown): boolean {
  return undone.test(codeOf(error));
}

/** Whether a moment later there may well be a connection. */
export function isPassing(error: unknown): boolean {
  return without.test(codeOf(error));
}

/** An error with its code: the library has none for what it finds itself. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== '') return error;
  if (/^timeout exceeded when trying to connect/.test(error.message)) {
    return Object.assign(new Error('no connection is free'), { code: 'POOL_BUSY' });
  }
  const isLost = /^Connection terminated|connection error and is not queryable|was closed and is not/.test(
    error.message,
  );
  return isLost ? Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' }) : error;
}

/** When an attempt is repeated, and for how long. */
export interface RetryPolicy {
  /** Whether a later attempt may succeed. */
  isPassing(error: unknown): boolean;
  /** The pause after the first attempt; it doubles, with jitter, up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** No attempt begins later than this after the first. */
  readonly forMs: number;
}

/** Repeats an attempt by a policy. @throws what the last attempt threw */
export async function retrying<T>(policy: RetryPolicy, attempt: () => Promise<T>): Promise<T> {
  const { firstPauseMs, longestPauseMs = policy.forMs, forMs } = policy;
  const end = performance.now() + forMs;
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!policy.isPassing(error) || performance.now() + pause > end) throw error;
    }
    await sleep(pause / 2 + (Math.random() * pause) / 2);
  }
}
