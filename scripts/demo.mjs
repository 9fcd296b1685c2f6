// A walk through the main job, against the embedded sandbox: no account, no network. Run with `npm run demo`.
// In English; `DFE_LANGUAGE=pt-BR npm run demo` is in Portuguese.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { rowsOf } from './shown.mjs';

const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const language = process.env.DFE_LANGUAGE === 'pt-BR' ? 'pt-BR' : 'en';
const WIDTH = 100;
const isColourful = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (isColourful ? `\x1b[1m${text}\x1b[0m` : text);
const dim = (text) => (isColourful ? `\x1b[2m${text}\x1b[0m` : text);

/** Something the server did that the walk did not expect. */
class Unexpected extends Error {}

function expect(isAsExpected, otherwise) {
  if (!isAsExpected) throw new Unexpected(otherwise);
}

/** A text for a screen: wrapped, tokens and cursors shortened, and no more than so many rows of it. */
function show(text, mostRows) {
  const rows = rowsOf(text, WIDTH - 4);
  for (const row of rows.slice(0, mostRows)) console.log(row === '' ? '' : `    ${row}`);
  if (rows.length > mostRows) console.log(dim(`    … (${rows.length - mostRows} more lines)`));
}

/** The conversation of a host with the server: every call and its answer are printed. */
function createConversation(client) {
  let steps = 0;
  return {
    step(english, portuguese) {
      steps += 1;
      console.log(`\n${bold(`${steps}. ${language === 'en' ? english : portuguese}`)}`);
    },
    async call(tool, args = {}, { rows = 14, fails = false, isShown = true } = {}) {
      const request = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      const result = await client.callTool({ name: tool, arguments: args });
      const text = result.content
        .filter(({ type }) => type === 'text')
        .map((block) => block.text)
        .join('\n');
      if (isShown) {
        show(`→ ${[tool, ...request].join(' ')}`, 4);
        show(text, rows);
      }
      expect((result.isError === true) === fails, `${tool} answered: ${text}`);
      return { text, data: result.structuredContent ?? {} };
    },
    async read(uri, rows) {
      const [content] = (await client.readResource({ uri })).contents;
      show(`→ resources/read ${uri}`, 2);
      show(content?.text ?? '', rows);
      return content;
    },
  };
}

/** The day so many days ago in São Paulo, where the sandbox's companies are. */
function daysAgo(days) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
  return format.format(Date.now() - days * 86_400_000);
}

// The sandbox's year ends today; Ciência may be sent within ten days of a note's authorisation.
const period = { from: daysAgo(9), to: daysAgo(0) };

/** A supplier's note of the last days that nobody has acknowledged yet; of its own notes the company says nothing. */
async function findUnmanifested({ call }, { company, documents }) {
  for (const { key, status, issuer } of documents.toReversed()) {
    if (status !== 'authorized' || !issuer?.id || issuer.id === company) continue;
    const { data } = await call('get_nfe_event_status', { key, event: 'ciencia' }, { isShown: false });
    if (data.status_code === '137') return key;
  }
  throw new Unexpected(`every note of ${period.from} to ${period.to} has its Ciência already`);
}

async function readDocuments(conversation) {
  const { step, call, read } = conversation;
  step(
    'Is the service there, and does it take our credentials?',
    'O serviço responde e aceita as credenciais?',
  );
  await call('check_connection');

  step(
    'Which notes were there in these days? Keys are the cheap question.',
    'Que notas há nestes dias? Pedir só as chaves é barato.',
  );
  const keys = await call('list_document_keys', { document: 'nfe', ...period, limit: 5 }, { rows: 10 });
  expect(keys.data.shown === 5 && keys.data.next_cursor !== undefined, 'not a first page of 5 keys');

  step('What came in, from whom and for how much?', 'O que entrou, de quem e por quanto?');
  const inbound = await call('list_documents', { document: 'nfe', direction: 'inbound', ...period });
  const { documents } = inbound.data;
  expect(documents.length > 0, 'no inbound note in the period');
  const key = await findUnmanifested(conversation, inbound.data);

  step('One of them in full.', 'Uma delas por inteiro.');
  const note = await call('get_document', { document: 'nfe', key }, { rows: 12 });
  expect(note.data.document?.key === key, 'another document than the one asked for');

  step('Its XML, as a resource.', 'O XML dela, como recurso.');
  const xml = await read(`dfe://nfe/${key}/xml`, 4);
  expect(xml?.mimeType === 'application/xml' && xml.text.includes(`NFe${key}`), 'not the XML of that note');

  step('Its DANFE, saved as a PDF.', 'O DANFE dela, salvo em PDF.');
  const pdf = await call('get_document', { document: 'nfe', key, format: 'pdf', delivery: 'file' });
  const bytes = await readFile(pdf.data.path);
  expect(bytes.subarray(0, 5).toString() === '%PDF-', `${pdf.data.path} is no PDF`);
  return key;
}

async function manifest({ step, call }, key) {
  step(
    'Ciência da Operação: the first call sends nothing, it shows what would be sent.',
    'Ciência da Operação: a primeira chamada não envia nada, mostra o que seria enviado.',
  );
  const asked = await call('manifest_nfe', { key, event: 'ciencia' }, { rows: 20 });
  expect(asked.data.status === 'confirmation_required', 'no confirmation was asked for');

  step(
    'The person says yes: the same call with the token.',
    'A pessoa diz sim: a mesma chamada, com o código.',
  );
  const confirmation = { confirmation_token: asked.data.confirmation_token };
  const sent = await call('manifest_nfe', { key, event: 'ciencia', ...confirmation });
  expect(sent.data.status === 'done', `the event is ${sent.data.status}, not done`);

  step(
    'The token worked once; a second time it is refused.',
    'O código valeu uma vez; na segunda, é recusado.',
  );
  const again = await call('manifest_nfe', { key, event: 'ciencia', ...confirmation });
  expect(again.data.reason === 'token_spent', 'a spent token was taken');

  step('The service knows the event now.', 'Agora o serviço conhece o evento.');
  const status = await call('get_nfe_event_status', { key, event: 'ciencia' });
  expect(status.data.status_code === '135', 'the event is not registered');
}

/** A note whose time is over in one way or another, with an event that it is too late for. */
function findLate(pending) {
  const confirmed = pending.find(({ status }) => status === 'tacitly_confirmed');
  if (confirmed !== undefined) return { key: confirmed.key, event: 'confirmacao' };
  const late = pending.find((note) => note.acknowledged || note.days_left_ciencia < 0);
  expect(late !== undefined, 'no note is past its ten days');
  return { key: late.key, event: 'ciencia' };
}

async function beWarned({ step, call }) {
  step(
    'What still waits for a manifestation, and until when? Without dates that is the last hundred days.',
    'O que ainda espera manifestação, e até quando? Sem datas são os últimos cem dias.',
  );
  const waiting = await call('list_pending_manifestations', { limit: 100 }, { rows: 12 });
  expect(waiting.data.pending.length > 0, 'nothing is pending');

  step(
    'A manifestation that comes too late: the preview says so before all else. Nobody says yes, so nothing is sent.',
    'Uma manifestação fora de hora: a prévia avisa antes de tudo. Ninguém diz sim, e nada é enviado.',
  );
  const asked = await call('manifest_nfe', findLate(waiting.data.pending), { rows: 16 });
  const warnings = asked.data.preview.split('\n').filter((line) => line.startsWith('⚠'));
  expect(warnings.length > 0, 'the preview does not warn');
}

async function askAboutAQuarter({ step, call }) {
  step(
    'How much ICMS came in from each supplier in three months? Asked of the documents, answered in sums.',
    'Quanto de ICMS veio de cada fornecedor em três meses? Pergunta-se aos documentos, responde-se em somas.',
  );
  const answer = await call('query_documents', {
    document: 'nfe',
    direction: 'inbound',
    from: daysAgo(120),
    to: daysAgo(30),
    group_by: ['issuer'],
    measures: ['count', 'total', 'icms'],
    order_by: '-icms',
    limit: 5,
  });
  expect(answer.data.complete === true, 'the three months are not complete');
  expect(answer.data.rows?.length === 5, 'there are no five suppliers');
}

async function replaceSetting({ step, call }) {
  const setting = { company_id: 1001, id: 501, set: 'X-Preferences', name: 'closing-reminder-days' };
  step(
    'A setting is replaced as a whole, so leaving its value out is refused.',
    'Uma configuração é substituída por inteiro; deixar o valor de fora é recusado.',
  );
  await call('update_company_setting', setting, { fails: true });

  step('With its value: preview, then yes.', 'Com o valor: prévia, depois o sim.');
  const asked = await call('update_company_setting', { ...setting, value: '7' });
  expect(asked.data.status === 'confirmation_required', 'no confirmation was asked for');
  const confirmation = { confirmation_token: asked.data.confirmation_token };
  const replaced = await call('update_company_setting', { ...setting, value: '7', ...confirmation });
  expect(replaced.data.stored?.value === '7', 'the service does not store the new value');
}

async function mistype({ step, call }, key) {
  step('A mistyped argument is not guessed at.', 'Um argumento mal digitado não é adivinhado.');
  const { text } = await call('get_document', { document: 'nfe', kee: key }, { fails: true });
  expect(text.includes('"key"'), 'the nearest name was not told');
}

const folder = await mkdtemp(join(tmpdir(), 'docfiscal-demo-'));
const client = new Client({ name: 'docfiscal-demo', version: '1.0.0' });
const own = { DFE_LANGUAGE: language, DFE_DOWNLOAD_DIR: folder };
const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('DFE_'));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [program, '--demo'],
  env: { ...Object.fromEntries(inherited), ...own },
});
try {
  await client.connect(transport);
  const { tools } = await client.listTools();
  console.log(`docfiscal-mcp ${client.getServerVersion()?.version} --demo, ${tools.length} tools`);
  const conversation = createConversation(client);
  const key = await readDocuments(conversation);
  await manifest(conversation, key);
  await beWarned(conversation);
  await askAboutAQuarter(conversation);
  await replaceSetting(conversation);
  await mistype(conversation, key);
  console.log('\ndemo ok');
} catch (error) {
  console.error(`\ndemo failed: ${error instanceof Unexpected ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await client.close();
  await rm(folder, { recursive: true, force: true });
}
