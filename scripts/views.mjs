// Builds the view of src/views: one HTML page that contains its styles and script, as hosts require.
// The program imports it as `view:page`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const apps = fileURLToPath(new URL('../src/views/', import.meta.url));
const NAMED = /^view:page$/;

/** Style sheets of the views as one text. */
async function styleOf(...names) {
  const sheets = names.map((name) => readFile(join(apps, `${name}.css`), 'utf8'));
  const { code } = await transform((await Promise.all(sheets)).join('\n'), { loader: 'css', minify: true });
  return code.trim();
}

/** The page that shows every answer. */
export async function viewHtml() {
  const [style, { outputFiles }] = await Promise.all([
    styleOf('style', 'sheet'),
    build({
      entryPoints: [join(apps, 'main.ts')],
      bundle: true,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      write: false,
      logLevel: 'warning',
    }),
  ]);
  const script = outputFiles[0].text.trim();
  if (/<\/script/i.test(script) || /<\/style/i.test(style))
    throw new Error('the page would end its own element');
  return [
    '<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>docfiscal</title><style>${style}</style></head>`,
    `<body><main id="view"></main><script>${script}</script></body></html>`,
  ].join('');
}

const moduleText = async () =>
  `export const html = ${JSON.stringify(await viewHtml())};
   export const style = ${JSON.stringify(await styleOf('style'))};`;

/** For the builder of the program. */
export const viewModules = {
  name: 'views',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NAMED }, ({ path }) => ({ path, namespace: 'view' }));
    onLoad({ filter: NAMED, namespace: 'view' }, async () => ({ contents: await moduleText() }));
  },
};

/** For the runner of tests. */
export const viewModulesOfTests = {
  name: 'views',
  enforce: 'pre',
  resolveId: (id) => (NAMED.test(id) ? `\0${id}` : undefined),
  load: (id) => (NAMED.test(id.replace('\0', '')) ? moduleText() : undefined),
};
