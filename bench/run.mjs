// Runs one benchmark: `node bench/run.mjs documents` bundles bench/documents.ts and runs it in a process of its own.
// Without a name it is that of the start; `all` runs every one (bench/all.mjs).
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runNode } from './child.mjs';

const [name = 'start', ...rest] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name)) {
  console.error('usage: node bench/run.mjs [benchmark] [arguments]');
  process.exit(2);
}
/** One that a signal ended can say nothing itself. */
async function run(args, options) {
  const status = await runNode(args, options);
  if (status > 128) console.error(`${name}: ended by a signal, status ${status}`);
  return status;
}

/** What needs no bundling. */
const script = join(import.meta.dirname, `${name}.mjs`);
if (existsSync(script)) process.exit(await run([script, ...rest]));

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
    loader: { '.xml': 'text' },
  });
  process.exitCode = await run(['--expose-gc', outfile, ...rest], { cwd: repository });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
