import { type Company, createCompany } from '../../company/company.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import { configure } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { dayInZone } from '../../documents/days.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { Answers } from './answers.ts';
import type { Say } from './asking.ts';
import type { Terminal } from './terminal.ts';

/** Timeout of each trial call in seconds. */
const TRIAL_SECONDS = '15';

/** `Login` answers an undocumented number, so a query checks the credentials. */
async function tryService(
  { documents, settings, now }: Company,
  terminal: Terminal,
  { day }: Translator,
  say: Say,
): Promise<void> {
  terminal.say('', say('trying'));
  const client = await documents();
  await client.call('connectivity', {});
  const login = await client.call('login', {});
  terminal.say(`✓ ${say('reachable', { answer: oneLine(String(login ?? ''), longest.name) })}`);
  const today = dayInZone(settings.timeZone, now());
  const [from, to] = ['00:00:00', '23:59:59'].map((time) => ({ date: today, time }));
  if (from === undefined || to === undefined) return;
  const list = await client.call('nfeKeysByIssue', { company: settings.cnpj ?? '', from, to });
  terminal.say(`✓ ${say('asked', { day: day(today), count: list.keys.length })}`);
}

/** @returns whether there is any document in them */
async function tryFiles(company: Company, terminal: Terminal, say: Say): Promise<boolean> {
  terminal.say('', say('looking'));
  const { examineFiles } = await import('../doctor/files.ts');
  for (const { status, message } of await examineFiles(company)) {
    terminal.say(`${status === 'failed' ? '✗' : '✓'} ${message}`);
  }
  const { documents } = await (await company.archive()).files.info();
  if (documents === 0) terminal.say(`✗ ${say('no_documents')}`);
  return documents > 0;
}

/**
 * Tries the service and the files with these answers, in memory.
 * @returns whether it works; why not has been told
 */
export async function tryAnswers(
  { variables, password }: Answers,
  terminal: Terminal,
  translator: Translator,
  say: Say,
): Promise<boolean> {
  const { DFE_ARCHIVE: _kept, ...others } = variables;
  const secret: NodeJS.ProcessEnv = password === undefined ? {} : { DFE_PASSWORD: password };
  const configured = configure(new Map(Object.entries({ ...others, DFE_TIMEOUT: TRIAL_SECONDS })), secret);
  if (!configured.ok) throw new Error('answers that were checked one by one do not go together');
  const { settings } = configured.configuration;
  const company = createCompany(settings, `docfiscal-mcp/${version}`);
  try {
    if (settings.url !== undefined) await tryService(company, terminal, translator, say);
    return settings.files === undefined || (await tryFiles(company, terminal, say));
  } catch (error) {
    terminal.say(`✗ ${explainFailure(error, translator) ?? reportUnexpected(error, translator)}`);
    return false;
  } finally {
    await company.close();
  }
}
