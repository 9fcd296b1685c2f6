import { Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { type Company, createCompany } from '../../company/company.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import { configure } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { dayInZone } from '../../documents/days.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Dialogue } from './asking.ts';

const TRIAL_SECONDS = '15';

export type Variables = Record<string, string>;

const isPasswordWrong = (error: unknown) => error instanceof Refused && error.refusal.status === 401;

/** Failures in words of the questions, where these are usual; the catalogue's own sentences name settings. */
function failureIn(error: unknown, { say, translator }: Dialogue): string {
  if (isPasswordWrong(error)) return say('password_wrong');
  if (error instanceof Unreachable) return say('unreachable', { host: error.host, code: error.code });
  if (error instanceof TimedOut) return say('timed_out', { seconds: error.seconds });
  return explainFailure(error, translator) ?? reportUnexpected(error, translator);
}

/** Uses a company with these answers, in memory; shows a failure. */
async function tried<T>(
  variables: Readonly<Variables>,
  secret: NodeJS.ProcessEnv,
  dialogue: Dialogue,
  use: (company: Company) => Promise<T>,
  onFailure: (error: unknown) => T,
): Promise<T> {
  const given = Object.entries({ ...variables, DFE_TIMEOUT: TRIAL_SECONDS }).filter(
    ([, text]) => text !== '',
  );
  const configured = configure(new Map(given), secret);
  if (!configured.ok) throw new Error('answers that were checked one by one do not go together');
  const company = createCompany(configured.configuration.settings, `docfiscal-mcp/${version}`);
  try {
    return await use(company);
  } catch (error) {
    dialogue.print(`✗ ${failureIn(error, dialogue)}`);
    return onFailure(error);
  } finally {
    await company.close();
  }
}

/** `Login` answers an undocumented number, so a query checks the credentials. */
export function tryService(
  { DFE_FILES: _files, ...variables }: Readonly<Variables>,
  password: string,
  dialogue: Dialogue,
): Promise<'works' | 'password_wrong' | 'failed'> {
  const { print, translator, say } = dialogue;
  print('', say('trying'));
  return tried<'works' | 'password_wrong' | 'failed'>(
    variables,
    { DFE_PASSWORD: password },
    dialogue,
    async ({ documents, settings, now }) => {
      const client = await documents();
      await client.call('connectivity', {});
      const login = await client.call('login', {});
      print(`✓ ${say('reachable', { answer: oneLine(String(login ?? ''), longest.name) })}`);
      const date = dayInZone(settings.timeZone, now());
      const today = { from: { date, time: '00:00:00' }, to: { date, time: '23:59:59' } };
      const list = await client.call('nfeKeysByIssue', { company: settings.cnpj ?? '', ...today });
      print(`✓ ${say('asked', { day: translator.day(date), count: list.keys.length })}`);
      return 'works';
    },
    (error) => (isPasswordWrong(error) ? 'password_wrong' : 'failed'),
  );
}

export type FilesFound = Awaited<ReturnType<typeof tryFiles>>;

/** Reads the person's own files and shows what is in them; the parties that documents name, most frequent first. */
export function tryFiles({ DFE_FILES = '', DFE_LANGUAGE = '' }: Readonly<Variables>, dialogue: Dialogue) {
  const { print, say } = dialogue;
  print('', say('looking'));
  const use = async (company: Company) => {
    const { examineFiles } = await import('../doctor/examine.ts');
    for (const { status, message } of await examineFiles(company)) {
      // Whose documents they are is asked next.
      if (status !== 'unclear') print(`${status === 'failed' ? '✗' : '✓'} ${message}`);
    }
    const { files: index } = await company.archive();
    const { documents } = await index.info();
    if (documents === 0) print(`✗ ${say('no_documents')}`);
    const whose = await (await company.files())?.whose();
    const days = (await index.holdings()).flatMap(({ to }) => to ?? []);
    return { documents, companies: whose?.candidates ?? [], newest: days.sort().at(-1) };
  };
  const nothing = { documents: 0, companies: [], newest: undefined };
  return tried({ DFE_FILES, DFE_LANGUAGE }, {}, dialogue, use, () => nothing);
}
