import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** A folder for one test, removed by the returned function. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'docfiscal-test-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  return { path, remove, [Symbol.dispose]: remove };
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end, with an input that ends at once. */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: cleanEnvironment(env) });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
