import { setTimeout as sleep } from 'node:timers/promises';

/**
 * PostgreSQL 15, appendix A: 08 failed connection, 40001 and 40P01 serialisation failure and deadlock, 53300 too many
 * connections, 57P01 to 57P03 shutdown or start.
 */
const lost = /^(?:57P0[12]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const undone = /^(?:40001|40P01)$/;
const without = /^(?:53300|57P03|POOL_BUSY|ECONNREFUSED)$/;

/** Code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether the connection was lost in use, so the transaction's outcome is unknown. */
export function wasLost(error: unknown): boolean {
  return lost.test(codeOf(error));
}

/** Whether a transaction was rolled back by a conflict and may be retried. */
export function wasUndone(error: unknown): boolean {
  return undone.test(codeOf(error));
}

/** Whether a connection may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return without.test(codeOf(error));
}

/** Adds a code to errors of the library's own. */
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

export interface RetryPolicy {
  /** Whether a retry may succeed. */
  isPassing(error: unknown): boolean;
  /** First pause; it doubles, with jitter, up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** No attempt starts later than this after the first. */
  readonly forMs: number;
}

/** Retries by a policy. @throws what the last attempt threw */
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
