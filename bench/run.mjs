// Runs one benchmark: `node bench/run.mjs documents` bundles bench/documents.ts and runs it in a process of its own.
// Without a name it is that of the start; `all` runs every one (bench/all.mjs).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const [name = 'start', ...rest] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name)) {
  console.error('usage: node bench/run.mjs [benchmark] [arguments]');
  process.exit(2);
}
/** What needs no bundling. */
const script = join(import.meta.dirname, `${name}.mjs`);
if (existsSync(script)) {
  const { status } = spawnSync(process.execPath, [script, ...rest], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const repository = join(import.meta.dirname, '..');
const cache = join(repository, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
// Inside the repository, so that packages with machine code are found.
const folder = mkdtempSync(join(cache, 'bench-'));
try {
  const outfile = join(folder, `${name}.cjs`);
  const entry = join(import.meta.dirname, `${name}.ts`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql', 'pg-native', 'pdfkit'],
    logLevel: 'error',
  });
  const run = spawnSync(process.execPath, ['--expose-gc', outfile, ...rest], {
    stdio: 'inherit',
    cwd: repository,
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
