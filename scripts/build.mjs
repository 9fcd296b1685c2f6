// Bundles the program into one executable file with a source map.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const outfile = 'dist/docfiscal-mcp.cjs';
// CommonJS, because there Node's own modules are loaded on first use too; an ES module loads them all at start.
const settings = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
};

/**
 * V8 looks through every function of a file at start, called or not; through the text of a string it just passes.
 * So the parts that the first answer does not need travel as text and are compiled on first use. Only parts whose
 * classes nobody outside compares may be kept so: packages, and the sandbox.
 */
const onFirstUse = {
  name: 'on-first-use',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^undici$|^oauth4webapi$|\/sandbox\/index\.ts$/ }, async (found) => {
      if (found.pluginData === 'resolved' || found.kind !== 'dynamic-import') return undefined;
      const { resolveDir, importer, kind } = found;
      const { path } = await resolve(found.path, { resolveDir, importer, kind, pluginData: 'resolved' });
      return { path, namespace: 'on-first-use' };
    });
    onLoad({ filter: /.*/, namespace: 'on-first-use' }, async ({ path }) => {
      const { outputFiles } = await build({ ...settings, entryPoints: [path], write: false });
      const name = path.replace(/.*[\\/](?:node_modules|src)[\\/]/, '');
      return {
        contents: `const { compileFunction } = require('node:vm');
          const source = ${JSON.stringify(outputFiles[0].text)};
          const parameters = ['require', 'module', 'exports'];
          compileFunction(source, parameters, { filename: ${JSON.stringify(name)} })(require, module, exports);`,
      };
    });
  },
};

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

await rm('dist', { recursive: true, force: true });
const { warnings } = await build({
  ...settings,
  entryPoints: ['src/index.ts'],
  outfile,
  sourcemap: 'linked',
  legalComments: 'linked',
  plugins: [onFirstUse, smallValidator],
});
if (warnings.length > 0) process.exit(1);
await chmod(outfile, 0o755);
