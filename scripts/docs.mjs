// Generates docs from the program: the tools of both READMEs, the settings of docs/setup.md, the snapshot of the tools
// with their cost, the registry's entry and the bundle's manifest. `--check` only reports whether they are current.
// Run with `npm run docs`.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleManifest, serverJson } from './docs-published.mjs';
import { install } from './install.mjs';
import { connect, fillIn } from './shown.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const readmes = [
  {
    file: 'README.md',
    setup: 'docs/setup.md',
    language: 'en',
    settings: ['Variable', 'Flag', 'Meaning', 'Default'],
    tools: ['Tool', 'What it does', 'Kind'],
    kinds: { read: 'read', save: 'saves a file', write: '**write**' },
  },
  {
    file: 'README.pt-BR.md',
    setup: 'docs/setup.pt-BR.md',
    language: 'pt-BR',
    settings: ['Variável', 'Opção', 'Significado', 'Padrão'],
    tools: ['Ferramenta', 'O que faz', 'Tipo'],
    kinds: { read: 'leitura', save: 'salva arquivo', write: '**altera dados**' },
  },
];

/** A module of TypeScript, with all it imports. */
async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [here(path)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}

/** The tools as the built program lists them. */
async function listTools(language) {
  const client = await connect(['--language', language]);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Tokens (o200k_base) of the tool definitions, which hosts send to the model in every session: per tool and in all. */
function tokensTable(listed) {
  install(here('tools'));
  const require = createRequire(here('tools/package.json'));
  const { countTokens } = require('gpt-tokenizer/encoding/o200k_base');
  const cost = (value) => countTokens(JSON.stringify(value));
  const told = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const rows = told.map((tool) => {
    const schema = cost(tool.inputSchema);
    return [`\`${tool.name}\``, ...[cost(tool) - schema, schema, cost(tool)].map(String)];
  });
  const head = ['tool', 'name and description', 'arguments', 'tokens'];
  return `${table(head, rows)}\n| **all** | | | **${cost(told)}** |`;
}

/** The parts of a README, and those of the page on setting the program up. */
async function partsIn({ language, tools: toolsHead, settings: settingsHead, kinds }) {
  const { settingRows } = await load('src/cli/help.ts');
  const settings = settingRows(language).map(({ variable, flag, help, default: usual = '' }) => [
    `\`${variable}\``,
    flag === undefined ? '' : `\`${flag}\``,
    help,
    usual,
  ]);
  const tools = (await listTools(language)).map(({ name, title, description, annotations }) => [
    `\`${name}\``,
    language === 'en' ? description : title,
    annotations.readOnlyHint ? kinds.read : annotations.destructiveHint ? kinds.write : kinds.save,
  ]);
  return { readme: { tools: table(toolsHead, tools) }, setup: { settings: table(settingsHead, settings) } };
}

/** A page with parts between markers. */
async function withParts(file, parts) {
  const page = await readFile(here(file), 'utf8');
  return Object.entries(parts).reduce((text, [name, part]) => fillIn(text, name, part, file), page);
}

const { settings } = await load('src/config/settings.ts');
const asFile = (value) => `${JSON.stringify(value, null, 2)}\n`;
const listed = await listTools('en');
const pages = new Map([
  ['docs/tools.snapshot.json', asFile(listed)],
  ['server.json', asFile(serverJson(settings))],
  ['bundle/manifest.json', asFile(bundleManifest(settings, listed))],
  ['docs/tools.md', await withParts('docs/tools.md', { tokens: tokensTable(listed) })],
]);
for (const readme of readmes) {
  const parts = await partsIn(readme);
  pages.set(readme.file, await withParts(readme.file, parts.readme));
  pages.set(readme.setup, await withParts(readme.setup, parts.setup));
}

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [file, after] of pages) {
  const before = await readFile(here(file), 'utf8').catch(() => '');
  if (after === before) continue;
  stale += 1;
  if (isCheck) console.error(`${file} is not current: run npm run docs`);
  else await writeFile(here(file), after);
}
if (isCheck && stale > 0) process.exitCode = 1;
else console.log(isCheck ? 'docs are current' : `docs written (${stale} changed)`);
