import { Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { type Company, createCompany } from '../../company/company.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import { configure } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { dayInZone } from '../../documents/days.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Dialogue, Say } from './asking.ts';

const TRIAL_SECONDS = '15';

export interface FilesFound {
  readonly documents: number;
  /** Those that documents name as a party, most frequent first. */
  readonly companies: readonly { company: string; name?: string | undefined; documents: number }[];
  readonly newest: string | undefined;
}

const nothing: FilesFound = { documents: 0, companies: [], newest: undefined };

const isPasswordWrong = (error: unknown) => error instanceof Refused && error.refusal.status === 401;

/** The usual failures in words of the questions; the catalogue's own sentences name settings. */
function usualFailure(error: unknown, say: Say): string | undefined {
  if (isPasswordWrong(error)) return say('password_wrong');
  if (error instanceof Unreachable) return say('unreachable', { host: error.host, code: error.code });
  if (error instanceof TimedOut) return say('timed_out', { seconds: error.seconds });
  return undefined;
}

/** Uses a company with these answers, in memory; shows a failure. */
async function tried<T>(
  variables: Readonly<Record<string, string>>,
  secret: NodeJS.ProcessEnv,
  { terminal, translator, say }: Dialogue,
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
    const words = usualFailure(error, say) ?? explainFailure(error, translator);
    terminal.say(`✗ ${words ?? reportUnexpected(error, translator)}`);
    return onFailure(error);
  } finally {
    await company.close();
  }
}

/** `Login` answers an undocumented number, so a query checks the credentials. */
export function tryService(
  { DFE_FILES: _files, ...variables }: Readonly<Record<string, string>>,
  password: string,
  dialogue: Dialogue,
): Promise<'works' | 'password_wrong' | 'failed'> {
  const { terminal, translator, say } = dialogue;
  terminal.say('', say('trying'));
  return tried<'works' | 'password_wrong' | 'failed'>(
    variables,
    { DFE_PASSWORD: password },
    dialogue,
    async ({ documents, settings, now }) => {
      const client = await documents();
      await client.call('connectivity', {});
      const login = await client.call('login', {});
      terminal.say(`✓ ${say('reachable', { answer: oneLine(String(login ?? ''), longest.name) })}`);
      const date = dayInZone(settings.timeZone, now());
      const from = { date, time: '00:00:00' };
      const to = { date, time: '23:59:59' };
      const list = await client.call('nfeKeysByIssue', { company: settings.cnpj ?? '', from, to });
      terminal.say(`✓ ${say('asked', { day: translator.day(date), count: list.keys.length })}`);
      return 'works';
    },
    (error) => (isPasswordWrong(error) ? 'password_wrong' : 'failed'),
  );
}

/** Reads the person's own files and shows what is in them. */
export function tryFiles(
  { DFE_FILES = '', DFE_LANGUAGE = '' }: Readonly<Record<string, string>>,
  dialogue: Dialogue,
): Promise<FilesFound> {
  const { terminal, say } = dialogue;
  terminal.say('', say('looking'));
  const use = async (company: Company): Promise<FilesFound> => {
    const { examineFiles } = await import('../doctor/examine.ts');
    for (const { status, message } of await examineFiles(company)) {
      // Whose documents they are is asked next.
      if (status !== 'unclear') terminal.say(`${status === 'failed' ? '✗' : '✓'} ${message}`);
    }
    const { files: index } = await company.archive();
    const { documents } = await index.info();
    if (documents === 0) terminal.say(`✗ ${say('no_documents')}`);
    const whose = await (await company.files())?.whose();
    const days = (await index.holdings()).flatMap(({ to }) => to ?? []);
    return { documents, companies: whose?.candidates ?? [], newest: days.sort().at(-1) };
  };
  return tried({ DFE_FILES, DFE_LANGUAGE }, {}, dialogue, use, () => nothing);
}
