import { hostname } from 'node:os';

/** Enough to tell whether the process that wrote a line may still be at work. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in milliseconds since 1970: tells it from a later one with the same pid. */
  readonly started: number;
  readonly host: string;
}

/** The identity of the process that asks. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: Math.round(performance.timeOrigin), host: hostname() };
}

/** Whether a process may be alive. One on another host cannot be looked at, so it may. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  const self = thisProcess();
  if (identity.host !== self.host) return true;
  if (identity.pid === self.pid) return identity.started === self.started;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    // EPERM is said of a living process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
