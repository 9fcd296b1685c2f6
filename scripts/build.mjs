// Builds the program into `dist/`: an entry and the parts it loads on first use, each with its source map.
// Alternatives: docs/decisions/build.md; `npm run bench` measures a start.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { viewModules } from './views.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const target = 'node20.18';
/** Files that the running program reads from its own folder. */
const external = ['libsql', 'pg-native'];
const smaller = { minifyWhitespace: true, minifySyntax: true };

/** Modules that the answer to `initialize` needs. */
const atStart = ['src/server/server.ts', 'src/cli/run.ts'].map((path) => join(root, path));

/**
 * Keeps the modules of the start in one part, instead of a part for each set of importers: every late part is loaded by
 * a module that imports all of them.
 */
const startTogether = {
  name: 'start-together',
  setup({ onResolve, onLoad, resolve }) {
    const resolving = Symbol('resolving');
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === resolving) return undefined;
      const options = { kind: 'import-statement', resolveDir, importer, pluginData: resolving };
      return { ...(await resolve(path, options)), namespace: 'part' };
    });
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
      contents: [
        ...atStart.map((one) => `import ${JSON.stringify(one)};`),
        `export * from ${JSON.stringify(path)};`,
      ].join('\n'),
      resolveDir: root,
    }));
  },
};

/**
 * Splits the program at every `import()`; code that parts share gets parts of its own. Writes nothing. The metafile
 * lists the sources of each part, as paths from the repository's root.
 */
export function bundle() {
  return build({
    absWorkingDir: root,
    entryPoints: { 'docfiscal-mcp': 'src/index.ts' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target,
    // The only format that esbuild splits.
    format: 'esm',
    ...smaller,
    legalComments: 'none',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    metafile: true,
    outdir: 'dist',
    // Templates of the sandbox, and skills.
    loader: { '.xml': 'text', '.md': 'text' },
    outExtension: { '.js': '.cjs' },
    chunkNames: 'part-[name]-[hash]',
    logLevel: 'warning',
    external,
    alias: {
      // Its UMD build hides its imports from esbuild.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      // The build for ECMAScript modules needs its own URL, which parts don't have.
      pdfkit: join(root, 'node_modules/pdfkit/js/pdfkit.js'),
      // Without its writers of files.
      qrcode: 'qrcode/lib/core/qrcode.js',
      '@modelcontextprotocol/server/_shims': join(root, 'scripts/sdk-shims.mjs'),
    },
    plugins: [viewModules, startTogether],
  });
}

/** A part as CommonJS, which Node loads sooner than modules, and its map back to the sources. */
async function asCommonJs({ path, text }) {
  const name = basename(path);
  const { code, map } = await transform(text, {
    format: 'cjs',
    target,
    ...smaller,
    supported: { 'dynamic-import': false },
    minifyIdentifiers: true,
    sourcemap: 'external',
    sourcesContent: false,
    sourcefile: name,
  });
  return [
    { name: `${name}.map`, content: map, mode: 0o644 },
    {
      name,
      content: `${code}//# sourceMappingURL=${name}.map\n`,
      mode: code.startsWith('#!') ? 0o755 : 0o644,
    },
  ];
}

/** The fonts that are drawn with, where pdfkit looks for them: under `#standard-fonts/` of the package it runs in. */
async function buildFonts() {
  const names = ['Helvetica', 'HelveticaBold', 'TimesRoman', 'TimesBold'];
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [name, `pdfkit/standard-fonts/${name}`])),
    bundle: true,
    platform: 'node',
    target,
    format: 'cjs',
    ...smaller,
    outExtension: { '.js': '.cjs' },
    conditions: ['require'],
    outdir: 'dist/fonts',
  });
  const imports = { '#standard-fonts/*': './fonts/*.cjs' };
  await writeFile(`${dist}package.json`, `${JSON.stringify({ imports })}\n`);
}

async function buildDist() {
  const { outputFiles } = await bundle();
  const files = (await Promise.all(outputFiles.map(asCommonJs))).flat();
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  for (const { name, content, mode } of files) await writeFile(`${dist}${name}`, content, { mode });
  await buildFonts();
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) await buildDist();
