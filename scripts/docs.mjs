// Writes what is made of the program itself: the tools of both READMEs, the settings of docs/setup.md, the rooms of
// docs/architecture.md, the snapshot of the tools and what they cost, the registry's entry and the bundle's manifest. `--check` only says whether they are current. Run
// with `npm run docs`.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { architectureParts } from './docs-architecture.mjs';
import { bundleManifest, serverJson } from './docs-published.mjs';
import { tokensTable, toolsSnapshot } from './docs-tools.mjs';

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
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('DFE_'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [here('dist/docfiscal-mcp.cjs'), '--language', language],
    env: Object.fromEntries(inherited),
  });
  const client = new Client({ name: 'docfiscal-docs', version: '1.0.0' });
  await client.connect(transport);
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

const code = (text) => `\`${text}\``;

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function settingsTable(rows, head) {
  return table(
    head,
    rows.map((row) => [
      code(row.variable),
      row.flag === undefined ? '' : code(row.flag),
      row.help,
      row.default ?? '',
    ]),
  );
}

function toolsTable(tools, { tools: head, kinds, language }) {
  return table(
    head,
    tools.map(({ name, title, description, annotations }) => [
      code(name),
      language === 'en' ? description : title,
      annotations.readOnlyHint ? kinds.read : annotations.destructiveHint ? kinds.write : kinds.save,
    ]),
  );
}

/** Puts a text between the markers of a name. */
function fillIn(page, name, text, file) {
  const between = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
  if (!between.test(page)) throw new Error(`${file} has no markers for ${name}`);
  return page.replace(between, (_whole, opening, closing) => `${opening}\n\n${text}\n\n${closing}`);
}

/** The parts of a README, and those of the page on setting the program up. */
async function partsIn(readme) {
  const { settingRows } = await load('src/cli/help.ts');
  const { language } = readme;
  const tools = toolsTable(await listTools(language), readme);
  return {
    readme: { tools },
    setup: { settings: settingsTable(settingRows(language), readme.settings) },
  };
}

async function pageParts() {
  const reader = await load('test/support/source-files.ts');
  return architectureParts(reader.filesBelow(here('src')), reader);
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
  ['docs/tools.snapshot.json', toolsSnapshot(listed)],
  ['server.json', asFile(serverJson(settings))],
  ['bundle/manifest.json', asFile(bundleManifest(settings, listed))],
  ['docs/tools.md', await withParts('docs/tools.md', { tokens: tokensTable(listed) })],
  ['docs/architecture.md', await withParts('docs/architecture.md', await pageParts())],
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
