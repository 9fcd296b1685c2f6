import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

const writes = join(import.meta.dirname, '../../src/writes');

/** Bundles a script that imports from `src/writes` (as `writes/…`) into a file that a bare Node process can run. */
export async function bundle(script: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: script, resolveDir: writes, loader: 'ts' },
    alias: { writes },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
}

/** A child process whose standard output is read by lines. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line, undefined at the end of output. */
  nextLine(): Promise<string | undefined>;
  send(line: string): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

export function start(script: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let rest = '';
  let isOver = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const waiter = waiting.shift();
      if (waiter === undefined) lines.push(line);
      else waiter(line);
    }
  });
  child.stdout.on('end', () => {
    isOver = true;
    for (const waiter of waiting.splice(0)) waiter(undefined);
  });
  child.stdin.on('error', () => undefined);
  return {
    process: child,
    ended,
    nextLine: () => {
      const line = lines.shift();
      if (line !== undefined || isOver) return Promise.resolve(line);
      return new Promise((resolve) => waiting.push(resolve));
    },
    send: (line) => {
      child.stdin.write(`${line}\n`);
    },
  };
}
