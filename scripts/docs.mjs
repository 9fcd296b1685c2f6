// Writes the settings and tool tables of both READMEs from the program itself; `--check` only says whether they
// are current. Run with `npm run docs`.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const readmes = [
  {
    file: 'README.md',
    language: 'en',
    settings: ['Variable', 'Flag', 'Meaning', 'Default'],
    tools: ['Tool', 'What it does', 'Kind'],
    kinds: { read: 'read', write: '**write**' },
  },
  {
    file: 'README.pt-BR.md',
    language: 'pt-BR',
    settings: ['Variável', 'Opção', 'Significado', 'Padrão'],
    tools: ['Ferramenta', 'O que faz', 'Tipo'],
    kinds: { read: 'leitura', write: '**escrita**' },
  },
];

/** The declaration of the settings, from the source that the program is built of. */
async function loadSettingRows() {
  const { outputFiles } = await build({
    entryPoints: [here('src/commands/help.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  const { settingRows } = await import(`data:text/javascript;base64,${source}`);
  return settingRows;
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
      annotations.readOnlyHint ? kinds.read : kinds.write,
    ]),
  );
}

/** Puts a text between the markers of a name. */
function fillIn(page, name, text, file) {
  const between = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
  if (!between.test(page)) throw new Error(`${file} has no markers for ${name}`);
  return page.replace(between, (_whole, opening, closing) => `${opening}\n\n${text}\n\n${closing}`);
}

const isCheck = process.argv.includes('--check');
const settingRows = await loadSettingRows();
let stale = 0;
for (const readme of readmes) {
  const path = here(readme.file);
  const before = await readFile(path, 'utf8');
  const rows = settingRows(readme.language);
  const withSettings = fillIn(before, 'settings', settingsTable(rows, readme.settings), readme.file);
  const tools = toolsTable(await listTools(readme.language), readme);
  const after = fillIn(withSettings, 'tools', tools, readme.file);
  if (after === before) continue;
  stale += 1;
  if (isCheck) console.error(`${readme.file} is not current: run npm run docs`);
  else await writeFile(path, after);
}
if (isCheck && stale > 0) process.exitCode = 1;
else console.log(isCheck ? 'docs are current' : `docs written (${stale} changed)`);
