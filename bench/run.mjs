// Runs one benchmark: `node bench/run.mjs documents` bundles bench/documents.ts and runs it in a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !/^[a-z-]+$/.test(name)) {
  console.error('usage: node bench/run.mjs <benchmark> [arguments]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
try {
  const outfile = join(folder, `${name}.cjs`);
  const entry = join(import.meta.dirname, `${name}.ts`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const repository = join(import.meta.dirname, '..');
  const run = spawnSync(process.execPath, ['--expose-gc', outfile, ...rest], {
    stdio: 'inherit',
    cwd: repository,
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
