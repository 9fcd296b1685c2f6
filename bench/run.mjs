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
/** The status that a program of Node ends with; one that a signal ended, which can say nothing itself, is told of. */
function run(args, options) {
  const { status, signal, error } = spawnSync(process.execPath, args, { stdio: 'inherit', ...options });
  if (status === null) console.error(`${name}: ended by ${signal ?? error?.message}`);
  return status ?? 1;
}

/** What needs no bundling. */
const script = join(import.meta.dirname, `${name}.mjs`);
if (existsSync(script)) process.exit(run([script, ...rest]));

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
  process.exitCode = run(['--expose-gc', outfile, ...rest], { cwd: repository });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
