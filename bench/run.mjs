// Runs one benchmark: `npm run bench -- list 50` bundles bench/list.ts, and the SDK's server as a yardstick, and runs it in
// a process of its own. `all` runs each with the arguments of docs/performance.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const all = [
  ['start'],
  ['http'],
  ['documents'],
  ['archive', '100000'],
  ['collect', '12', 'file'],
  ['list', '50'],
  ['list', '1000'],
  ['files', '20000', '100000'],
  ['reconcile', '125000'],
];
const [name = 'start', ...rest] = process.argv.slice(2);
const runs = name === 'all' ? all : [[name, ...rest]];
const repository = join(import.meta.dirname, '..');
const cache = join(repository, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
// Inside the repository, so that packages with machine code are found.
const folder = mkdtempSync(join(cache, 'bench-'));
const plain = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outdir: folder,
  outExtension: { '.js': '.cjs' },
  logLevel: 'error',
  loader: { '.xml': 'text' },
};
try {
  await build({
    ...plain,
    entryPoints: [join(import.meta.dirname, 'sdk-server.ts')],
    minify: true,
    banner: { js: "require('node:module').enableCompileCache?.();" },
  });
  for (const [benchmark, ...args] of runs) {
    const entryPoints = [join(import.meta.dirname, `${benchmark}.ts`)];
    await build({ ...plain, entryPoints, external: ['libsql', 'pg-native', 'pdfkit'] });
    const options = { cwd: repository, stdio: 'inherit' };
    const { status } = spawnSync(process.execPath, [join(folder, `${benchmark}.cjs`), ...args], options);
    if (status !== 0) throw new Error(`${benchmark} ended with ${status}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
