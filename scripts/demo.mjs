// A walk through the main job, against the embedded sandbox: no account, no network. Run with `npm run demo`.
// In English; `DFE_LANGUAGE=pt-BR npm run demo` is in Portuguese.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, rowsOf, textOf } from './shown.mjs';

const language = process.env.DFE_LANGUAGE === 'pt-BR' ? 'pt-BR' : 'en';
const folder = await mkdtemp(join(tmpdir(), 'docfiscal-demo-'));
const client = await connect(['--demo'], { DFE_LANGUAGE: language, DFE_DOWNLOAD_DIR: folder });
let steps = 0;

function expect(isAsExpected, otherwise) {
  if (!isAsExpected) throw new Error(otherwise);
}

function step(english, portuguese) {
  steps += 1;
  console.log(`\n${steps}. ${language === 'en' ? english : portuguese}`);
}

function show(text, most) {
  for (const row of rowsOf(text, 96, most)) console.log(row === '' ? '' : `    ${row}`);
}

/** Calls a tool, prints call and answer, and returns the answer's data. */
async function call(tool, args = {}, { rows = 12, fails = false, isShown = true } = {}) {
  const given = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const result = await client.callTool({ name: tool, arguments: args });
  const text = textOf(result);
  if (isShown) show(`→ ${[tool, ...given].join(' ')}`, 4);
  if (isShown) show(text, rows);
  expect((result.isError === true) === fails, `${tool} answered: ${text}`);
  return { text, ...result.structuredContent };
}

/** The date a number of days ago in São Paulo, the sandbox's time zone; its year ends today. */
function daysAgo(days) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
  return format.format(Date.now() - days * 86_400_000);
}

/** A supplier's note that nobody has acknowledged yet; of its own notes the company says nothing. */
async function findUnmanifested({ company, documents }) {
  for (const { key, status, issuer } of documents.toReversed()) {
    if (status !== 'authorized' || !issuer?.id || issuer.id === company) continue;
    const found = await call('get_nfe_event_status', { key, event: 'ciencia' }, { isShown: false });
    if (found.status_code === '137') return key;
  }
  throw new Error('every note has its Ciência already');
}

async function walk() {
  step('Is the service there, with our credentials?', 'O serviço responde e aceita as credenciais?');
  await call('check_connection');

  step('What came in, from whom and for how much?', 'O que entrou, de quem e por quanto?');
  // Ciência may be sent within ten days of a note's authorisation.
  const period = { document: 'nfe', from: daysAgo(9), to: daysAgo(0) };
  const key = await findUnmanifested(await call('list_documents', { ...period, direction: 'inbound' }));

  step(
    'One of them in full, and its XML as a resource.',
    'Uma delas por inteiro, e o XML dela como recurso.',
  );
  const note = { document: 'nfe', key };
  expect((await call('get_document', note)).document?.key === key, 'another document than the one asked for');
  const [xml] = (await client.readResource({ uri: `dfe://nfe/${key}/xml` })).contents;
  show(xml.text, 4);
  expect(xml.text.includes(`NFe${key}`), 'not the XML of that note');

  step('Its DANFE, saved as a PDF.', 'O DANFE dela, salvo em PDF.');
  const { path } = await call('get_document', { ...note, format: 'pdf', delivery: 'file' });
  expect((await readFile(path)).subarray(0, 5).toString() === '%PDF-', `${path} is no PDF`);

  step('The preview of Ciência; nothing is sent.', 'A prévia da Ciência; nada é enviado.');
  const ciencia = { key, event: 'ciencia' };
  const asked = await call('manifest_nfe', ciencia, { rows: 20 });
  expect(asked.status === 'confirmation_required', 'no confirmation was asked for');

  step('The person says yes: the token, which works once.', 'A pessoa diz sim: o código, que vale uma vez.');
  const confirmed = { ...ciencia, confirmation_token: asked.confirmation_token };
  expect((await call('manifest_nfe', confirmed)).status === 'done', 'the event is not done');
  expect((await call('manifest_nfe', confirmed)).reason === 'token_spent', 'a spent token was taken');
  const status = await call('get_nfe_event_status', ciencia);
  expect(status.status_code === '135', 'the event is not registered');

  step('What still waits, and until when?', 'O que ainda espera, e até quando?');
  const { pending } = await call('list_pending_manifestations', { limit: 100 });
  expect(pending.length > 0, 'nothing is pending');

  step('ICMS by supplier in three months.', 'ICMS por fornecedor em três meses.');
  const months = { document: 'nfe', direction: 'inbound', from: daysAgo(120), to: daysAgo(30) };
  const grouped = { group_by: ['issuer'], measures: ['count', 'total', 'icms'], order_by: '-icms', limit: 5 };
  const sums = await call('query_documents', { ...months, ...grouped });
  expect(sums.complete === true && sums.rows?.length === 5, 'no five suppliers of complete months');

  step('A setting is replaced after a yes.', 'Uma configuração é trocada após o sim.');
  const place = { company_id: 1001, id: 501, set: 'X-Preferences', name: 'closing-reminder-days' };
  const { confirmation_token } = await call('update_company_setting', { ...place, value: '7' });
  const replaced = await call('update_company_setting', { ...place, value: '7', confirmation_token });
  expect(replaced.stored?.value === '7', 'the service does not store the new value');

  step('A mistyped argument is not guessed at.', 'Um argumento mal digitado não é adivinhado.');
  const { text } = await call('get_document', { document: 'nfe', kee: key }, { fails: true });
  expect(text.includes('"key"'), 'the nearest name was not suggested');
}

try {
  await walk();
  console.log('\ndemo ok');
} catch (error) {
  console.error(`\ndemo failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
  await rm(folder, { recursive: true, force: true });
}
