import { vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Finished } from './built-program.ts';
import { listenToComplaints } from './in-process.ts';

let before: Promise<unknown> = Promise.resolve();

/** What a command of the program's does and says, within this process: one after the other, and none that serves. */
export function runInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  // All of them share the process's own standard output.
  const finished = before.then(() => runAlone(args, env));
  before = finished.catch(() => undefined);
  return finished;
}

async function runAlone(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Finished> {
  const complaints = listenToComplaints();
  let stdout = '';
  const writing = vi.spyOn(process.stdout, 'write').mockImplementation((words) => {
    stdout += words;
    return true;
  });
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await run(args, env);
    const stderr = complaints.text();
    return { code: Number(process.exitCode ?? 0), stdout, stderr: stderr && `${stderr}\n` };
  } finally {
    process.exitCode = exitCode;
    writing.mockRestore();
    complaints.stop();
  }
}
