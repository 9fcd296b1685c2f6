import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsBehindTests } from './ending.ts';
import { until } from './passing-time.ts';

/** The built file, as it is published. `npm test` builds it first. */
export const program = fileURLToPath(new URL('../../dist/docfiscal-mcp.cjs', import.meta.url));

/** The machine's environment without anything that would configure the program. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^DFE_|_proxy$|^node_options$/i.test(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...more };
}

/** A folder that is removed after the test or the file. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'docfiscal-test-'));
  endsBehindTests(() => rmSync(path, { recursive: true, force: true }));
  return { path };
}

/** Starts the built program. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnvironment(env) });
  const exit = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  }) as [() => string, () => string];
  // Writing to a program that has ended is no mistake of the test.
  child.stdin.on('error', () => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    /** Bytes as they are, e.g. half a message. */
    write: (bytes: string | Uint8Array) => void child.stdin.write(bytes),
    endInput: () => void child.stdin.end(),
    /** Standard output as it comes, and all of it so far. */
    output: child.stdout,
    stdout,
    stderr,
    /** Waits for words on standard output or error; fails if it ends without them. */
    says: (words: string) =>
      until(() => {
        if (stdout().includes(words) || stderr().includes(words)) return true;
        if (hasEnded()) throw new Error(`it ended without "${words}": ${stderr()}`);
        return false;
      }),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    hasEnded,
    /** Its exit code; null if a signal ended it. */
    ended: async () => (await exit)[0],
    /** Ends it, if it still runs. */
    close: endsBehindTests(async () => {
      if (!hasEnded()) child.kill('SIGKILL');
      await exit;
    }),
  };
}

export interface Finished {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end, with an input that ends at once. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Finished> {
  const running = startProgram(args, env);
  running.write(input);
  running.endInput();
  const code = await running.ended();
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
