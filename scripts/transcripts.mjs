// Makes the transcripts in the guides: commands and conversations that really take place, against the sandbox,
// whose year ends on the day this runs. Run with `npm run transcripts`. Those of README and of
// docs/guides/first-answer.md are typed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, connect, fillIn, program, rowsOf, textOf } from './shown.mjs';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-guides-'));
const home = join(folder, 'home');
const WIDTH = 110;

/** Names for the machine's own folders in a page. */
const shown = (text, most) => rowsOf(text.replaceAll(home, '~').trimEnd(), WIDTH, most).join('\n');

function run(args, env) {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: cleanEnv({ HOME: home, ...env }),
    encoding: 'utf8',
  });
  return `${stderr}${stdout}`;
}

/** A command and its output. */
const command = (line, args, env, most) => `$ ${line}\n${shown(run(args, env), most)}`;

/** A conversation with the program: each turn is a question in both languages and how many rows of the answer are shown. */
async function converse(language, args, env, talk) {
  const client = await connect(args, { HOME: home, DFE_LANGUAGE: language, ...env });
  const ask = async ([portuguese, english], tool, given, most = 8) => {
    const result = await client.callTool({ name: tool, arguments: given });
    const words = [language === 'en' ? english : portuguese, shown(textOf(result), most)].join('\n');
    return { words, data: result.structuredContent ?? {} };
  };
  try {
    return await talk(ask, client);
  } finally {
    await client.close();
  }
}

/** The steps of a month closing with the answer of one, pending manifestations, a preview and an export. */
function closing(language) {
  const env = { DFE_DOWNLOAD_DIR: join(home, 'Downloads') };
  return converse(language, ['--demo'], env, async (ask, client) => {
    const { messages } = await client.getPrompt({ name: 'month_closing', arguments: {} });
    const steps = [];
    for (const [, words, tool, json] of messages[0].content.text.matchAll(
      /^(\d+\. .*)\n\s*→ (\w+) (\{.*\})$/gm,
    )) {
      const turn = tool === 'check_documents' && (await ask([words, words], tool, JSON.parse(json), 7));
      steps.push(turn ? turn.words : words);
    }
    const first = ['— O que vence primeiro?', '— What falls due first?'];
    const pending = await ask(first, 'list_pending_manifestations', { limit: 5 }, 5);
    const open = pending.data.pending.find(({ status }) => status === 'open') ?? pending.data.pending[0];
    const yes = [
      '— Quero confirmar a operação desta nota.',
      '— I want to confirm the operation of this note.',
    ];
    const preview = await ask(yes, 'manifest_nfe', { key: open.key, event: 'confirmacao' }, 11);
    const save = ['— Salve as entradas do mês numa planilha.', '— Save what came in as a spreadsheet.'];
    const month = { document: ['nfe'], from: 'last_month', direction: 'inbound', format: 'xlsx' };
    const saved = await ask(save, 'export_documents', month);
    return { closing: steps.join('\n'), pending: pending.words, preview: preview.words, saved: saved.words };
  });
}

/** Two companies in a tenants file, over stdio. */
async function companies(language, sandbox) {
  const own = join(home, 'fiscal');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'senha'), `${sandbox.env.DFE_PASSWORD}\n`, { mode: 0o600 });
  const { DFE_URL, DFE_USER } = sandbox.env;
  const settings = { DFE_URL, DFE_USER, DFE_PASSWORD_FILE: 'senha' };
  const ids = ['horizonte', 'outra'];
  const tenants = ids.map(
    (id, at) =>
      `  { "id": "${id}", "companies": ["${sandbox.companies[at]}"],\n    "settings": ${JSON.stringify(settings)} }`,
  );
  const path = join(own, 'empresas.json');
  const text = `{ "tenants": [\n${tenants.join(',\n')}\n] }`;
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  const env = { DFE_TENANTS: path, DFE_DATA_DIR: join(own, 'dados') };
  const month = { document: ['nfe'], from: 'last_month', direction: 'inbound' };
  const sums = { ...month, measures: ['count', 'total', 'icms'] };
  const one = ['— Quanto entrou na horizonte no mês passado?', '— How much came in at horizonte last month?'];
  const any = ['— E sem dizer de qual empresa?', '— And without saying which company?'];
  const turns = await converse(language, [], env, async (ask) => [
    await ask(one, 'query_documents', { cnpj: [sandbox.companies[0]], ...sums }),
    await ask(any, 'query_documents', sums),
  ]);
  const file = text.replaceAll(DFE_URL, 'https://documents.example');
  return { file, companies: turns.map(({ words }) => words).join('\n\n') };
}

/** Settings that are wrong, a server that is read-only, the preview of a replacement. */
async function administering(language) {
  const env = { DFE_LANGUAGE: language };
  const change = ['— Troque o aviso de fechamento para 7 dias.', '— Set the closing reminder to 7 days.'];
  const place = { company_id: 1001, id: 501, set: 'X-Preferences' };
  const setting = { ...place, name: 'closing-reminder-days', value: '7' };
  const replace = (ask) => ask(change, 'update_company_setting', setting, 20);
  const mistyped = { ...env, DFE_READONLY: '1' };
  return {
    mistyped: command('DFE_READONLY=1 docfiscal-mcp', [], mistyped, 12),
    doctor: command('docfiscal-mcp doctor --demo', ['doctor', '--demo'], env, 9),
    preview: (await converse(language, ['--demo'], {}, replace)).words,
    reading: (await converse(language, ['--demo', '--read-only'], {}, replace)).words,
  };
}

async function startSandbox() {
  const args = [program, 'sandbox', '--port', '0', '--language', 'en'];
  const child = spawn(process.execPath, args, { env: cleanEnv() });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (/Companies:\n(?:.+\n){4}/.test(text)) break;
  }
  const env = Object.fromEntries([...text.matchAll(/^(DFE_\w+)=(.*)$/gm)].map(([, ...pair]) => pair));
  const companies = [...text.matchAll(/^\s*(\w{14})\b/gm)].map(([, id]) => id);
  return { env, child, text, companies };
}

/** Puts transcripts between the markers of their names. */
function write(page, parts) {
  const before = readFileSync(join(root, page), 'utf8');
  const written = Object.entries(parts).reduce(
    (text, [name, part]) => fillIn(text, name, `\`\`\`text\n${part}\n\`\`\``, page),
    before,
  );
  writeFileSync(join(root, page), written);
}

const sandbox = await startSandbox();
try {
  mkdirSync(home, { recursive: true });
  for (const [language, ending] of Object.entries({ 'pt-BR': '.pt-BR.md', en: '.md' })) {
    write(`docs/guides/analyst${ending}`, await closing(language));
    write(`docs/guides/accountant${ending}`, await companies(language, sandbox));
    write(`docs/guides/administrator${ending}`, await administering(language));
  }
  const start = '$ docfiscal-mcp sandbox --language en';
  write('docs/guides/developer.md', { sandbox: `${start}\n${shown(sandbox.text, 12)}` });
  console.log('transcripts written');
} finally {
  sandbox.child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
