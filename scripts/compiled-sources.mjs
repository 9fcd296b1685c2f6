// Compiles each file of `src` to one that Node imports itself, for the tests. The test runner would transform them one
// by one, in every worker, and turn each use of an import into a look-up: a tenth of the tests' CPU time.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { viewModules } from './views.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src') + sep;

/** The views run in a host's window, and are built into pages. */
const isOfProgram = (path) =>
  path.startsWith(sources) && path.endsWith('.ts') && !path.startsWith(join(sources, 'views') + sep);

/** Files of ours stay files of their own, beside each other as they are in `src`. */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.+\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.mjs'), external: true },
    );
  },
};

/** Compiles `src` into a folder that is removed when this process ends. */
export async function compileSources() {
  const caches = join(root, 'node_modules/.cache');
  await mkdir(caches, { recursive: true });
  const folder = await mkdtemp(join(caches, 'sources-of-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const names = await readdir(sources, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => join(sources, name)).filter(isOfProgram),
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    outdir: folder,
    outbase: sources,
    outExtension: { '.js': '.mjs' },
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
    loader: { '.xml': 'text', '.md': 'text' },
    plugins: [viewModules, apart],
  });
  return folder;
}

/** A plugin for the test runner, so that tests import the compiled files. */
export function compiledSources() {
  let folder;
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    async resolveId(id, importer) {
      const path = importer && id.startsWith('.') ? resolve(dirname(importer), id) : '';
      if (!isOfProgram(path)) return undefined;
      folder ??= compileSources();
      return { id: join(await folder, relative(sources, path).replace(/\.ts$/, '.mjs')), external: true };
    },
  };
}
