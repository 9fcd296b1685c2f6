import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { type Company, createCompany } from '../../company/company.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import { configure } from '../../config/configure.ts';
import type { Settings } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { dayInZone } from '../../documents/days.ts';
import { checkCnpj, maskTaxId } from '../../documents/identity/tax-ids.ts';
import { asWord, longest, oneLine } from '../../documents/untrusted.ts';
import { type Dialogue, withScheme } from './asking.ts';

const TRIAL_SECONDS = '15';

type Variables = Record<string, string>;

const isPasswordWrong = (error: unknown) => error instanceof Refused && error.refusal.status === 401;

/** Words for a failure: usual ones without the names of settings, which the catalogue's sentences have. */
function failureIn(error: unknown, { say, translator }: Dialogue): string {
  if (isPasswordWrong(error)) return say('password_wrong');
  if (error instanceof Unreachable) return say('unreachable', { host: error.host, code: error.code });
  if (error instanceof TimedOut) return say('timed_out', { seconds: error.seconds });
  return explainFailure(error, translator) ?? reportUnexpected(error, translator);
}

/** Uses a company with these answers, in memory; shows a failure. */
async function withTrialCompany<T>(
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
function tryService(
  { DFE_FILES: _files, ...variables }: Readonly<Variables>,
  password: string,
  dialogue: Dialogue,
): Promise<'works' | 'password_wrong' | 'failed'> {
  const { print, translator, say } = dialogue;
  print('', say('trying'));
  return withTrialCompany<'works' | 'password_wrong' | 'failed'>(
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

type FilesFound = Awaited<ReturnType<typeof tryFiles>>;

/** Reads the person's own files, prints a summary, and returns the parties named in them, most frequent first. */
function tryFiles({ DFE_FILES = '', DFE_LANGUAGE = '' }: Readonly<Variables>, dialogue: Dialogue) {
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
  return withTrialCompany({ DFE_FILES, DFE_LANGUAGE }, {}, dialogue, use, () => nothing);
}

/** Ways to authenticate to the account service, with their variables and words; secrets are read without echo. */
const ways = {
  account_api_key: { API_KEY: 'account_api_key' },
  account_token: { TOKEN: 'account_token' },
  account_oauth: {
    OAUTH_TOKEN_URL: 'account_token_url',
    OAUTH_CLIENT_ID: 'account_client_id',
    OAUTH_CLIENT_SECRET: 'account_client_secret',
  },
  account_basic: { USER: 'account_user', LICENSE_KEY: 'account_license_key' },
} as const;

type Way = keyof typeof ways;

/** A person's answers: settings as text by variable, and the password of the documents service. */
export interface Answers {
  readonly isDemo: boolean;
  readonly variables: Readonly<Variables>;
  readonly password?: string | undefined;
  /** The newest day of the person's own files. */
  readonly newest?: string | undefined;
}

/** The person gave up after a failed trial. */
export class GivenUp extends Error {}

/**
 * Makes paths absolute, since a host starts the program elsewhere, and strips the quotes of paths dragged into a
 * terminal.
 */
export function wholePaths(text: string): string {
  const whole = (part: string) => {
    const path = part.trim().replace(/^(['"])(.*)\1$/, '$2');
    return path === '' || path.startsWith('~') ? path : resolve(path);
  };
  return text.split(delimiter).map(whole).join(delimiter);
}

type Next = 'password' | 'again' | 'on';

/**
 * Asks for the settings and tries each source as soon as it is described.
 * @throws GivenUp, Interrupted
 */
export async function askForAnswers(settings: Settings, dialogue: Dialogue): Promise<Answers> {
  const { print, say, choose, agree, setting } = dialogue;
  const variables: Variables = { DFE_LANGUAGE: dialogue.translator.language };

  const afterFailure = async (isPasswordWrong: boolean): Promise<Next> => {
    const next = await choose<Next | 'leave'>(say('after_failure'), [
      ...(isPasswordWrong ? [{ value: 'password', words: say('password_again') } as const] : []),
      { value: 'again', words: say('again') },
      { value: 'on', words: say('keep_anyway') },
      { value: 'leave', words: say('give_up') },
    ]);
    if (next === 'leave') throw new GivenUp();
    return next;
  };

  const askForFiles = async (): Promise<FilesFound> => {
    for (;;) {
      const usual = variables.DFE_FILES ?? settings.files?.join(delimiter);
      const typed = await dialogue.text(say('files', { separator: delimiter }), usual, (text) => {
        const configured = configure(new Map([['DFE_FILES', wholePaths(text)]]), {});
        if (!configured.ok) return dialogue.problemOfSetting('DFE_FILES', wholePaths(text));
        const missing = configured.configuration.settings.files?.find((path) => !existsSync(path));
        return missing && say('no_such_path', { path: missing });
      });
      variables.DFE_FILES = wholePaths(typed);
      const found = await tryFiles(variables, dialogue);
      if (found.documents > 0 || (await afterFailure(false)) === 'on') return found;
    }
  };

  /** Asks for the company: one of those in the files, or any other. */
  const askForCompany = async (found: FilesFound | undefined): Promise<void> => {
    const companies = found?.companies ?? [];
    if (companies.length > 0) {
      const offered = companies.map(({ company, name, documents }) => {
        const named = [maskTaxId(company), ...(name === undefined ? [] : [asWord(name)])].join(' ');
        return { value: company, words: say('company_in_files', { company: named, documents }) };
      });
      const other = { value: '', words: say('other_company') };
      const chosen = await choose(say('which_company'), [...offered, other]);
      if (chosen !== '') {
        variables.DFE_CNPJ = chosen;
        return;
      }
    }
    const usual = variables.DFE_CNPJ ?? settings.cnpj ?? '';
    variables.DFE_CNPJ = await setting('DFE_CNPJ', say('cnpj'), usual);
    const typed = checkCnpj(variables.DFE_CNPJ);
    const isAbsent = typed.ok && companies.every(({ company }) => company !== typed.value);
    if (found !== undefined && isAbsent) print(`⚠ ${say('company_not_in_files')}`);
  };

  /** Asks for the access to the documents service until it works or is kept anyway; answers the password. */
  const askForService = async (found: FilesFound | undefined): Promise<string> => {
    for (let next: Next = 'again'; ; ) {
      if (next === 'again') {
        variables.DFE_URL = await setting(
          'DFE_URL',
          say('url'),
          variables.DFE_URL ?? settings.url,
          withScheme,
        );
        variables.DFE_USER = await setting('DFE_USER', say('user'), variables.DFE_USER ?? settings.user);
      }
      const password = await dialogue.secret(say('password'));
      if (next === 'again') await askForCompany(found);
      const outcome = await tryService(variables, password, dialogue);
      if (outcome !== 'works') next = await afterFailure(outcome === 'password_wrong');
      if (outcome === 'works' || next === 'on') return password;
    }
  };

  /** Asks for the account service, if wanted. It has no read operation, so there is no trial. */
  const askForAccount = async (): Promise<void> => {
    if (!(await agree(say('account')))) return;
    const usual = settings.accountUrl;
    variables.DFE_ACCOUNT_URL = await setting('DFE_ACCOUNT_URL', say('account_url'), usual, withScheme);
    const names = Object.keys(ways) as Way[];
    const way = await choose(
      say('account_way'),
      names.map((name) => ({ value: name, words: say(name) })),
    );
    for (const [name, words] of Object.entries(ways[way])) {
      const variable = `DFE_ACCOUNT_${name}`;
      variables[variable] = /(?:KEY|TOKEN|SECRET)$/.test(name)
        ? await dialogue.secret(say('hidden', { question: say(words) }))
        : await setting(variable, say(words), undefined, name.endsWith('URL') ? withScheme : undefined);
    }
    print(say('account_untried'));
  };

  const source = await choose(say('source'), [
    { value: 'service', words: say('source_service') },
    { value: 'files', words: say('source_files') },
    { value: 'both', words: say('source_both') },
    { value: 'demo', words: say('source_demo') },
  ] as const);
  if (source === 'demo') return { isDemo: true, variables };
  const found = source === 'service' ? undefined : await askForFiles();
  let password: string | undefined;
  if (source === 'files') await askForCompany(found);
  else password = await askForService(found);
  const downloads = await setting('DFE_DOWNLOAD_DIR', say('download_dir'), settings.downloadDir ?? '');
  variables.DFE_DOWNLOAD_DIR = wholePaths(downloads);
  print('', say('keep_what', { folder: settings.dataDir }));
  if (await agree(say('keep'))) variables.DFE_ARCHIVE = 'file';
  if (source !== 'files') {
    if (await agree(say('read_only'))) variables.DFE_READ_ONLY = 'true';
    else await askForAccount();
  }
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return { isDemo: false, variables: given, password, newest: found?.newest };
}
