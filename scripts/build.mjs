// Bundles the program into one executable file with a source map.
//
// V8 looks through every function of a file when it starts, called or not, but passes quickly over comments. So the
// parts that the first answer needs are code, and every other part (HTTP client, XML, archive, sandbox …) is a comment
// in an empty function, whose source is compiled when it is first asked for. `npm run bench` shows what a start costs.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, transform } from 'esbuild';

const outfile = 'dist/docfiscal-mcp.cjs';
const target = 'node20.18';

/** The SDK's smaller validator of JSON Schemas, instead of the one that compiles them: ours are checked by zod. */
const smallValidator = {
  name: 'small-validator',
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: `
        export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
        export { default as process } from 'node:process';`,
      resolveDir: '.',
    }));
  },
};

/** Where parts are cut, esbuild gives a CommonJS package no named exports; this names those of its own. */
const namedExports = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(undici|pg)$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'named-exports' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named-exports' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter(
        (name) => /^[A-Za-z_]\w*$/.test(name) && name !== 'default',
      );
      return { contents: `export { default, ${names.join(', ')} } from '${path}';`, resolveDir: '.' };
    });
  },
};

/** The program cut at every `import()`: parts that share what they have in common, as CommonJS functions' bodies. */
async function cutIntoParts() {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    splitting: true,
    platform: 'node',
    target,
    format: 'esm',
    minify: true,
    sourcemap: 'inline',
    write: false,
    metafile: true,
    outdir: 'dist',
    logLevel: 'warning',
    external: ['libsql', 'pg-native'],
    plugins: [smallValidator, namedExports],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return Promise.all(
    Object.entries(metafile.outputs).map(async ([path, { imports, entryPoint = '' }]) => {
      const name = basename(path);
      const { code, map } = await transform(texts.get(name), {
        format: 'cjs',
        target,
        minify: true,
        supported: { 'dynamic-import': false },
        sourcemap: 'external',
        sourcefile: name,
      });
      const needs = imports
        .filter(({ kind }) => kind === 'import-statement')
        .map((one) => basename(one.path));
      return { name, entryPoint, needs, code: code.replace(/^#!.*\n/, ''), map: JSON.parse(map) };
    }),
  );
}

/** The names of the parts that serving over stdio needs before the first call. */
function neededAtStart(parts) {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const found = new Set();
  const visit = (name) => {
    if (found.has(name) || !byName.has(name)) return;
    found.add(name);
    byName.get(name).needs.forEach(visit);
  };
  for (const { name, entryPoint } of parts) {
    if (entryPoint === 'src/index.ts' || entryPoint === 'src/server/stdio.ts') visit(name);
  }
  return found;
}

/** Stands for the end of a comment in the code of a part that is a comment. */
const commentEnd = '*\\0/';

const head = `#!/usr/bin/env node
'use strict';
const parts = Object.create(null);
const comments = Object.create(null);
const loaded = Object.create(null);
function compile(name) {
  const code = String(comments[name]).slice('function () {/*'.length, -'*/}'.length);
  const parameters = ['require', 'module', 'exports'];
  return require('node:vm').compileFunction(code.replaceAll(${JSON.stringify(commentEnd)}, '*/'), parameters, { filename: name });
}
function load(name) {
  if (name in loaded) return loaded[name].exports;
  const module = { exports: {} };
  loaded[name] = module;
  const body = parts[name] ?? compile(name);
  body((id) => (id.startsWith('./') ? load(id.slice(2)) : require(id)), module, module.exports);
  return module.exports;
}
`;

/** Node reads a file of ASCII alone at once; what is not (in a pattern, say) means the same escaped. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Puts the parts into one file, and the source maps of those that are code into one map. */
function assemble(parts) {
  const atStart = neededAtStart(parts);
  const sections = [];
  let text = head;
  for (const { name, code, map } of parts) {
    if (!atStart.has(name)) {
      if (code.includes(commentEnd)) throw new Error(`${name} contains ${commentEnd}`);
      text += `comments[${JSON.stringify(name)}] = function () {/*${code.replaceAll('*/', commentEnd)}*/};\n`;
      continue;
    }
    // `(function` makes V8 compile at once, instead of looking through the code now and compiling it when called.
    text += `parts[${JSON.stringify(name)}] = (function (require, module, exports) {\n`;
    sections.push({ offset: { line: text.split('\n').length - 1, column: 0 }, map });
    text += `${code}});\n`;
  }
  const entry = parts.find(({ entryPoint }) => entryPoint === 'src/index.ts');
  text += `load(${JSON.stringify(entry.name)});\n//# sourceMappingURL=${basename(outfile)}.map\n`;
  return { text: inAscii(text), map: JSON.stringify({ version: 3, file: basename(outfile), sections }) };
}

const { text, map } = assemble(await cutIntoParts());
await mkdir('dist', { recursive: true });
for (const [path, content, mode] of [
  [`${outfile}.map`, map, 0o644],
  [outfile, text, 0o755],
]) {
  // Renamed into place, so that a program that starts meanwhile finds the old file or the new one.
  await writeFile(`${path}.part`, content, { mode });
  await rename(`${path}.part`, path);
}
