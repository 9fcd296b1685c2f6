import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/**
 * Runs a program of Node to its end; whoever stops us stops it. Gives its status, which is 128 and the signal's number
 * where a signal ended it.
 */
export async function runNode(args, options) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', ...options });
  const handOn = (signal) => child.kill(signal);
  process.on('SIGINT', handOn).on('SIGTERM', handOn);
  try {
    const [status, signal] = await once(child, 'exit');
    return status ?? 128 + constants.signals[signal];
  } finally {
    process.off('SIGINT', handOn).off('SIGTERM', handOn);
  }
}

/** Whether a program ended because it was told to, by Ctrl+C or a time-out. */
export function isStopped(status) {
  return status === 128 + constants.signals.SIGINT || status === 128 + constants.signals.SIGTERM;
}
