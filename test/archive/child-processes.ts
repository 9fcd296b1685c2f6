import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

const repository = join(import.meta.dirname, '../..');

/**
 * Bundles a script that imports `archive`, `generated-documents` into a file that a bare Node process runs. The native
 * part of the engine stays where it is installed.
 */
export async function bundleScript(script: string, outfile: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: repository, loader: 'ts' },
    alias: {
      archive: join(repository, 'src/archive/archive.ts'),
      'generated-documents': join(import.meta.dirname, 'generated-documents.ts'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql', 'pg'],
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('nothing was bundled');
  const engine = import.meta.resolve('libsql');
  await writeFile(outfile, file.text.replaceAll('import("libsql")', `import(${JSON.stringify(engine)})`));
}

export interface Child {
  readonly process: ChildProcess;
  /** The lines it has written so far. */
  readonly lines: readonly string[];
  /** Resolves once it has written so many lines, or has ended. */
  wrote(lines: number): Promise<void>;
  readonly ended: Promise<number | null>;
}

export function startChild(script: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { lines: number; resolve: () => void }[] = [];
  let isOver = false;
  const wake = () => {
    for (const { lines: wanted, resolve } of waiting) if (isOver || lines.length >= wanted) resolve();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      isOver = true;
      wake();
      resolve(code);
    }),
  );
  const wrote = (wanted: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ lines: wanted, resolve });
      wake();
    });
  return { process: child, lines, wrote, ended };
}
