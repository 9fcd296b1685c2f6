// Makes the transcripts in README and the guides: commands and conversations that really take place, against the sandbox, whose year
// ends on the day this runs. Run with `npm run transcripts`; a terminal is lent by `script`, so it takes Linux.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { rowsOf } from './shown.mjs';

const root = join(import.meta.dirname, '..');
const program = join(root, 'dist', 'docfiscal-mcp.cjs');
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-guides-'));
const home = join(folder, 'home');
const languages = ['pt-BR', 'en'];
const WIDTH = 110;

const say = (language, portuguese, english) => (language === 'en' ? english : portuguese);

/** What the machine's own folders are called in a page. */
const anonymous = (text) =>
  text
    .replaceAll(join(folder, 'installed', 'lib'), '~/.npm-global/lib')
    .replaceAll(home, '~')
    .replaceAll(folder, '~')
    .replaceAll(process.execPath, 'node');

function cleanEnv(more = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:DFE_|XDG_|npm_)/.test(name));
  return { ...Object.fromEntries(inherited), HOME: home, ...more };
}

function shortened(text, most) {
  const rows = rowsOf(anonymous(text).trimEnd(), WIDTH);
  return rows.length > most ? [...rows.slice(0, most), '…'] : rows;
}

/** A command and what it says, on both streams. */
function told(command, args, env, most = 30) {
  const shown = [command, ...args].join(' ');
  const { stdout, stderr } = runToEnd(args, env);
  return [`$ ${anonymous(shown)}`, ...shortened(`${stderr}${stdout}`, most)].join('\n');
}

function runToEnd(args, env) {
  try {
    const stdout = execFileSync(process.execPath, [program, ...args], { env: cleanEnv(env), stdio: 'pipe' });
    return { stdout: stdout.toString(), stderr: '' };
  } catch (error) {
    return { stdout: error.stdout.toString(), stderr: error.stderr.toString() };
  }
}

async function connect(args, env, file = [process.execPath, program]) {
  const [command, ...before] = file;
  const client = new Client({ name: 'docfiscal-guides', version: '1.0.0' });
  const transport = new StdioClientTransport({ command, args: [...before, ...args], env: cleanEnv(env) });
  await client.connect(transport);
  return client;
}

/** A question, the call that a model makes of it, and the beginning of the answer. */
async function asked(client, question, tool, args, most = 8) {
  const result = await client.callTool({ name: tool, arguments: args });
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const call = rowsOf(`→ ${tool} ${JSON.stringify(args)}`, WIDTH);
  const words = [...(question ? [question] : []), ...call, ...shortened(text, most), ''].join('\n');
  return { words, data: result.structuredContent ?? {} };
}

async function startSandbox() {
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0', '--language', 'en'], {
    env: cleanEnv(),
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (/Companies:\n(?:.+\n){4}/.test(text)) break;
  }
  const env = Object.fromEntries(
    [...text.matchAll(/^(DFE_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const companies = [...text.matchAll(/^\s*(\w{14})\b/gm)].map(([, id]) => id);
  return { env, child, text, other: companies.find((id) => id !== env.DFE_CNPJ) };
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** A session in a terminal: each answer is typed when its question stands there. */
async function session(command, typed) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: cleanEnv({ COLUMNS: String(WIDTH) }),
  });
  const exit = once(child, 'close');
  const rest = [...typed];
  let [said, answered] = ['', 0];
  for await (const chunk of child.stdout) {
    said += chunk;
    const [question, answer] = rest[0] ?? [];
    if (!question?.test(said.slice(answered))) continue;
    answered = said.length;
    rest.shift();
    child.stdin.write(`${answer}\r`);
  }
  await exit;
  if (rest.length > 0) throw new Error(`nobody asked ${rest[0][0]}: ${said}`);
  return said.replace(escapes, '').replaceAll('\r', '');
}

/** From the packed file to the first answer: installed, set up, asked. */
async function firstAnswer(language, sandbox) {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const prefix = join(folder, 'installed');
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  })
    .toString()
    .trim();
  const install = [
    'install',
    '-g',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    prefix,
    join(folder, packed),
  ];
  const installed = execFileSync('npm', install).toString();
  const { DFE_URL, DFE_USER, DFE_PASSWORD, DFE_CNPJ } = sandbox.env;
  const dialogue = await session(`${join(prefix, 'bin', 'docfiscal-mcp')} setup`, [
    [/> \[1\]/, language === 'en' ? '2' : ''],
    [/> \[1\]/, ''],
    [/https:\/\/…\)/, DFE_URL],
    [/(?:Usu.rio|User)/, DFE_USER],
    [/(?:Senha|Password)/, DFE_PASSWORD],
    [/CNPJ/, DFE_CNPJ],
    [/(?:Pasta|Folder)/, '~/Downloads'],
    [/DFE_ARCHIVE=file\)\?/, say(language, 's', 'y')],
    [/DFE_READ_ONLY\)\?/, ''],
    [/> \[4\]/, ''],
    [/\[docfiscal\]/, ''],
    [/(?:Gravar|Write it)\?/, say(language, 's', 'y')],
  ]);
  const { command, args, env } = JSON.parse(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8'))
    .mcpServers.docfiscal;
  const client = await connect([], env, [command, ...args]);
  const question = say(
    language,
    '— Que notas chegaram nos últimos 7 dias?',
    '— Which notes came in during the last 7 days?',
  );
  const { words } = await asked(
    client,
    question,
    'list_documents',
    { document: 'nfe', direction: 'inbound', from: 'last_7_days', limit: 5 },
    16,
  );
  await client.close();
  return {
    install: [`$ npm install -g ./${packed}`, ...shortened(installed, 6)].join('\n'),
    setup: ['$ docfiscal-mcp setup', ...rowsOf(anonymous(dialogue).trim(), WIDTH)].join('\n'),
    answer: words.trimEnd(),
  };
}

/** The closing of a month, by its own recipe; then what awaits manifestation, and a preview that nobody says yes to. */
async function closing(language) {
  const client = await connect(['--demo'], {
    DFE_LANGUAGE: language,
    DFE_DOWNLOAD_DIR: join(home, 'Downloads'),
  });
  const { messages } = await client.getPrompt({ name: 'month_closing', arguments: {} });
  const steps = [...messages[0].content.text.matchAll(/^(\d+\. .*)\n\s*→ (\w+) (\{.*\})$/gm)];
  const parts = [];
  for (const [, words, tool, json] of steps)
    parts.push((await asked(client, words, tool, JSON.parse(json))).words);
  const pending = await asked(
    client,
    say(language, '— O que vence primeiro?', '— What falls due first?'),
    'list_pending_manifestations',
    { limit: 5 },
    12,
  );
  const open = pending.data.pending.find(({ status }) => status === 'open') ?? pending.data.pending[0];
  const preview = await asked(
    client,
    say(
      language,
      '— Quero confirmar a operação desta nota.',
      '— I want to confirm the operation of this note.',
    ),
    'manifest_nfe',
    { key: open.key, event: 'confirmacao' },
    22,
  );
  const month = { document: ['nfe'], from: 'last_month', direction: 'inbound' };
  const saved = await asked(
    client,
    say(language, '— Salve as entradas do mês numa planilha.', '— Save what came in as a spreadsheet.'),
    'export_documents',
    { ...month, format: 'xlsx' },
  );
  await client.close();
  return {
    recipe: rowsOf(messages[0].content.text, WIDTH).join('\n'),
    closing: parts.join('\n').trimEnd(),
    pending: pending.words.trimEnd(),
    preview: preview.words.trimEnd(),
    saved: saved.words.trimEnd(),
  };
}

/** Two companies in a tenants file, over stdio. */
async function companies(language, sandbox) {
  mkdirSync(join(home, 'fiscal'), { recursive: true });
  const secret = join(home, 'fiscal', 'senha');
  writeFileSync(secret, `${sandbox.env.DFE_PASSWORD}\n`, { mode: 0o600 });
  const settings = {
    DFE_URL: sandbox.env.DFE_URL,
    DFE_USER: sandbox.env.DFE_USER,
    DFE_PASSWORD_FILE: 'senha',
  };
  const tenants = [
    { id: 'horizonte', companies: [sandbox.env.DFE_CNPJ], settings },
    { id: 'outra', companies: [sandbox.other], settings },
  ];
  const file = join(home, 'fiscal', 'empresas.json');
  writeFileSync(file, `${JSON.stringify({ tenants }, null, 2)}\n`, { mode: 0o600 });
  const env = { DFE_TENANTS: file, DFE_LANGUAGE: language, DFE_DATA_DIR: join(home, 'fiscal', 'dados') };
  const client = await connect([], env);
  const sums = {
    document: ['nfe'],
    from: 'last_month',
    direction: 'inbound',
    measures: ['count', 'total', 'icms'],
  };
  const parts = [];
  for (const {
    id,
    companies: [cnpj],
  } of tenants) {
    const question = say(
      language,
      `— Quanto entrou na ${id} no mês passado?`,
      `— How much came in at ${id} last month?`,
    );
    parts.push((await asked(client, question, 'query_documents', { cnpj: [cnpj], ...sums })).words);
  }
  const whose = say(language, '— E sem dizer de qual empresa?', '— And without saying which company?');
  parts.push((await asked(client, whose, 'query_documents', sums)).words);
  await client.close();
  return {
    file: anonymous(readFileSync(file, 'utf8').trimEnd()),
    doctor: told('docfiscal-mcp', ['doctor'], env, 16),
    companies: parts.join('\n').trimEnd(),
  };
}

/** What an administrator meets: settings that are wrong, reading alone, a replacement before it is one. */
async function administering(language) {
  const env = { DFE_LANGUAGE: language };
  const client = await connect(['--demo'], env);
  const setting = { company_id: 1001, id: 501, set: 'X-Preferences', name: 'closing-reminder-days' };
  const change = say(
    language,
    '— Troque o aviso de fechamento para 7 dias.',
    '— Set the closing reminder to 7 days.',
  );
  const preview = await asked(client, change, 'update_company_setting', { ...setting, value: '7' }, 20);
  await client.close();
  const reading = await connect(['--demo', '--read-only'], env);
  const refused = await asked(reading, change, 'update_company_setting', { ...setting, value: '7' });
  await reading.close();
  return {
    mistyped: told('DFE_READONLY=1 docfiscal-mcp', [], { ...env, DFE_READONLY: '1' }),
    doctor: told('docfiscal-mcp', ['doctor', '--demo'], env, 22),
    preview: preview.words.trimEnd(),
    reading: refused.words.trimEnd(),
  };
}

/** The conversation of a README: a list, a manifestation with its preview and its yes, a call with a mistake in it. */
async function conversation(language) {
  const client = await connect(['--demo'], { DFE_LANGUAGE: language });
  const shown = async (tool, args, most) => asked(client, undefined, tool, args, most);
  const listed = await shown(
    'list_documents',
    { document: 'nfe', direction: 'inbound', from: 'last_7_days' },
    9,
  );
  const [{ key }] = listed.data.documents.toReversed();
  const given = { key, event: 'ciencia' };
  const preview = await shown('manifest_nfe', given, 18);
  const done = await shown('manifest_nfe', {
    ...given,
    confirmation_token: preview.data.confirmation_token,
  });
  const mistaken = await shown('get_document', { document: 'nfe', kee: key });
  await client.close();
  return {
    conversation: [listed, preview, done, mistaken]
      .map(({ words }) => words)
      .join('\n')
      .trimEnd(),
  };
}

/** Documents as the tests have them, and what makes a ZIP of them. */
async function filedDocuments() {
  const outfile = join(folder, 'filed-documents.mjs');
  const contents =
    "export * from './test/support/filed-documents.ts'; export { zipOf } from './src/sandbox/zip.ts';";
  const stdin = { contents, resolveDir: root };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return import(outfile);
}

/** From a ZIP to totals by supplier: what is in it, and one question. */
async function ownFiles(language) {
  const { authorisedNote, bareNote, eventFile, otherSupplier, zipOf } = await filedDocuments();
  const notes = [
    { number: 1, total: '1250.00', day: '2026-10-05' },
    { number: 2, total: '380.40', day: '2026-10-07' },
    { number: 3, total: '99.90', day: '2026-10-12', issuer: otherSupplier },
    { number: 4, total: '77.00', day: '2026-10-14' },
  ];
  const texts = [
    ...notes.map((note) => [`${note.number}-procNFe.xml`, authorisedNote(note)]),
    ['1-nfe.xml', bareNote(notes[0])],
    ['4-can.xml', eventFile(notes[3])],
    ['leia-me.txt', 'oi'],
  ];
  const zip = join(home, 'notas.zip');
  writeFileSync(zip, zipOf(texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))));
  const chosen = language === 'en' ? ['--language', 'en'] : [];
  const { stdout } = runToEnd(['doctor', '--files', zip, ...chosen]);
  const said = stdout.split('\n').filter((line) => /Your files|Seus arquivos/.test(line));
  const client = await connect(['--files', zip, ...chosen]);
  const args = { document: 'nfe', from: '2026-10-01', to: '2026-10-31', group_by: ['issuer'] };
  const { content } = await client.callTool({ name: 'query_documents', arguments: args });
  await client.close();
  const run = ['npx docfiscal-mcp', ...chosen].join(' ');
  return {
    'own-files': [
      `$ npx docfiscal-mcp doctor --files ~/notas.zip${chosen.map((one) => ` ${one}`).join('')}`,
      ...said,
      `$ npx @modelcontextprotocol/inspector --cli ${run} --files ~/notas.zip --method tools/call \\`,
      `    --tool-name query_documents --tool-args-json '${JSON.stringify(args)}'`,
      ...content.flatMap((block) => (block.type === 'text' ? [block.text.trimEnd()] : [])),
    ].join('\n'),
  };
}

/** Puts a transcript between the markers of its name. */
function fillIn(page, parts) {
  const path = join(root, 'docs', page);
  let text = readFileSync(path, 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const between = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
    if (between.test(text))
      text = text.replace(between, (_, from, to) => `${from}\n\n\`\`\`text\n${part}\n\`\`\`\n\n${to}`);
  }
  writeFileSync(path, text);
}

const sandbox = await startSandbox();
try {
  mkdirSync(home, { recursive: true });
  const health = await fetch(`${sandbox.env.DFE_URL}/API/ConsumoWS/ConectividadeWS`);
  if (!health.ok) throw new Error('the sandbox does not answer');
  for (const language of languages) {
    const page = (name) => `guides/${name}${language === 'en' ? '' : '.pt-BR'}.md`;
    fillIn(`setup${language === 'en' ? '' : '.pt-BR'}.md`, await conversation(language));
    fillIn(`../README${language === 'en' ? '' : '.pt-BR'}.md`, await ownFiles(language));
    fillIn(page('first-answer'), await firstAnswer(language, sandbox));
    fillIn(page('analyst'), await closing(language));
    fillIn(page('accountant'), await companies(language, sandbox));
    fillIn(page('administrator'), await administering(language));
    if (language === 'en')
      fillIn(page('developer'), {
        sandbox: ['$ docfiscal-mcp sandbox --language en', ...shortened(sandbox.text, 12)].join('\n'),
      });
  }
  console.log('transcripts written');
} finally {
  sandbox.child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
