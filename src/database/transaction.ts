import { wasLost } from './connection-errors.ts';
import { type Lane, mostConnections } from './databases.ts';

/** A call answers within 45 seconds: what a transaction waits for has to end before. Milliseconds. */
export const longestLockWait = 10_000;
export const longestStatement = 30_000;

/**
 * Tries again where the connection had ended before the work began: all that are idle may have, and one more.
 * @param attempt tells when its work begins
 */
export async function replacingEnded<T>(lane: Lane, attempt: (begins: () => void) => Promise<T>): Promise<T> {
  let hasBegun = false;
  for (let ended = 0; ; ended += 1) {
    try {
      return await attempt(() => {
        hasBegun = true;
      });
    } catch (error) {
      if (hasBegun || !wasLost(error) || ended > mostConnections[lane]) throw error;
    }
  }
}
