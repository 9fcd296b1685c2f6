import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { type Company, createCompany } from '../../company/company.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import { configure } from '../../config/configure.ts';
import { paths } from '../../config/setting-kinds.ts';
import {
  accountWays,
  settings as declared,
  type Settings,
  variableOf,
  withAbsolutePaths,
} from '../../config/settings.ts';
import { dayInZone, wholeDays } from '../../documents/days.ts';
import { checkCnpj, maskTaxId } from '../../documents/identity/tax-ids.ts';
import { asWord, longest, oneLine } from '../../documents/untrusted.ts';
import { type Dialogue, withScheme } from './asking.ts';

const TRIAL_SECONDS = '15';

type Variables = Record<string, string>;
type Failure = 'password_wrong' | 'failed';

/** Words for a failure: usual ones without the names of settings, which the catalogue's sentences have. */
function failureIn(error: unknown, { say, translator }: Dialogue): string {
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
): Promise<T | Failure> {
  const given = Object.entries({ ...variables, DFE_TIMEOUT: TRIAL_SECONDS }).filter(
    ([, text]) => text !== '',
  );
  const company = createCompany(configure(new Map(given), secret).settings);
  try {
    return await use(company);
  } catch (error) {
    const isPasswordWrong = error instanceof Refused && error.refusal.status === 401;
    dialogue.print(`✗ ${isPasswordWrong ? dialogue.say('password_wrong') : failureIn(error, dialogue)}`);
    return isPasswordWrong ? 'password_wrong' : 'failed';
  } finally {
    await company.close();
  }
}

/** `Login` answers an undocumented number, so a query checks the credentials. */
function tryService({ DFE_FILES: _, ...variables }: Variables, DFE_PASSWORD: string, dialogue: Dialogue) {
  const { print, translator, say } = dialogue;
  print('', say('trying'));
  return withTrialCompany(variables, { DFE_PASSWORD }, dialogue, async ({ documents, settings, now }) => {
    const client = await documents();
    await client.call('connectivity', {});
    const login = await client.call('login', {});
    print(`✓ ${say('reachable', { answer: oneLine(String(login ?? ''), longest.name) })}`);
    const date = dayInZone(settings.timeZone, now());
    const today = wholeDays({ from: date, to: date });
    const list = await client.call('nfeKeysByIssue', { company: settings.cnpj ?? '', ...today });
    print(`✓ ${say('asked', { day: translator.day(date), count: list.keys.length })}`);
    return 'works' as const;
  });
}

type FilesFound = Exclude<Awaited<ReturnType<typeof tryFiles>>, Failure>;

/** Reads the person's own files, prints a summary, and returns the parties named in them, most frequent first. */
function tryFiles({ DFE_FILES = '', DFE_LANGUAGE = '' }: Variables, dialogue: Dialogue) {
  const { print, say } = dialogue;
  print('', say('looking'));
  return withTrialCompany({ DFE_FILES, DFE_LANGUAGE }, {}, dialogue, async (company) => {
    const { examineFiles } = await import('../doctor/examine.ts');
    for (const { status, message } of await examineFiles(company)) {
      // Whose documents they are is asked next.
      if (status !== 'unclear') print(`${status === 'failed' ? '✗' : '✓'} ${message}`);
    }
    const { files: index } = await company.archive();
    const { documents } = await index.info();
    if (documents === 0) print(`✗ ${say('no_documents')}`);
    const whose = await (await company.files())?.whose();
    return { documents, companies: whose?.candidates ?? [] };
  });
}

/** A person's answers: settings as text by variable, and the password of the documents service. */
export interface Answers {
  readonly isDemo: boolean;
  readonly variables: Readonly<Variables>;
  readonly password?: string | undefined;
}

/** The person gave up after a failed trial. */
export class GivenUp extends Error {}

/** Typed paths, absolute, since a host starts the program elsewhere, and without the quotes of dragged ones. */
function typedPaths(variable: string, text: string): string {
  const bare = text.split(delimiter).map((path) => path.trim().replace(/^(['"])(.*)\1$/, '$2'));
  return withAbsolutePaths(variable, bare.join(delimiter), process.cwd());
}

type Next = 'password' | 'again' | 'on';

/**
 * Asks for the settings and tries each source as soon as it is described.
 * @throws GivenUp, Interrupted
 */
export async function askForAnswers(settings: Settings, dialogue: Dialogue): Promise<Answers> {
  const { print, say, choose, agree, setting } = dialogue;
  const variables: Variables = { DFE_LANGUAGE: dialogue.translator.language };

  const afterFailure = async (isPasswordWrong = false): Promise<Next> => {
    const next = await choose<Next | 'leave'>(say('after_failure'), [
      ...(isPasswordWrong ? [['password', say('password_again')] as const] : []),
      ['again', say('again')],
      ['on', say('keep_anyway')],
      ['leave', say('give_up')],
    ]);
    if (next === 'leave') throw new GivenUp();
    return next;
  };

  const askForFiles = async (): Promise<FilesFound | undefined> => {
    for (;;) {
      const usual = variables.DFE_FILES ?? settings.files?.join(delimiter);
      const typed = await dialogue.text(say('files', { separator: delimiter }), usual, (text) => {
        const whole = typedPaths('DFE_FILES', text);
        const missing = paths.read(whole)?.find((path) => !existsSync(path));
        return (
          dialogue.problemOfSetting('DFE_FILES', whole) ?? (missing && say('no_such_path', { path: missing }))
        );
      });
      variables.DFE_FILES = typedPaths('DFE_FILES', typed);
      const result = await tryFiles(variables, dialogue);
      const found = typeof result === 'string' ? undefined : result;
      if (found?.documents || (await afterFailure()) === 'on') return found;
    }
  };

  /** Asks for the company: one of those in the files, or any other. */
  const askForCompany = async (found: FilesFound | undefined): Promise<void> => {
    const companies = found?.companies ?? [];
    if (companies.length > 0) {
      const offered = companies.map(({ company, name, documents }) => {
        const named = [maskTaxId(company), ...(name === undefined ? [] : [asWord(name)])].join(' ');
        return [company, say('company_in_files', { company: named, documents })] as const;
      });
      const chosen = await choose(say('which_company'), [...offered, ['', say('other_company')]]);
      if (chosen !== '') {
        variables.DFE_CNPJ = chosen;
        return;
      }
    }
    const usual = variables.DFE_CNPJ ?? settings.cnpj ?? '';
    variables.DFE_CNPJ = await setting('DFE_CNPJ', say('cnpj'), usual);
    const typed = checkCnpj(variables.DFE_CNPJ);
    const isAbsent = typed.ok && companies.every(({ company }) => company !== typed.value);
    if (variables.DFE_FILES !== undefined && isAbsent) print(`⚠ ${say('company_not_in_files')}`);
  };

  /** Asks for the access to the documents service until it works or is kept anyway; answers the password. */
  const askForService = async (found: FilesFound | undefined): Promise<string> => {
    for (let next: Next = 'again'; ; ) {
      if (next === 'again') {
        const { DFE_URL: url = settings.url, DFE_USER: user = settings.user } = variables;
        variables.DFE_URL = await setting('DFE_URL', say('url'), url, withScheme);
        variables.DFE_USER = await setting('DFE_USER', say('user'), user);
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
    const ways = Object.keys(accountWays) as (keyof typeof accountWays)[];
    const way = await choose(
      say('account_way'),
      ways.map((one) => [one, say(one)] as const),
    );
    for (const name of accountWays[way]) {
      const [variable, question] = [variableOf(name), say(name)];
      const isSecret = declared.some((one) => one.name === name && one.secret);
      variables[variable] = isSecret
        ? await dialogue.secret(say('hidden', { question }))
        : await setting(variable, question, undefined, name.endsWith('Url') ? withScheme : undefined);
    }
    print(say('account_untried'));
  };

  const source = await choose<'service' | 'files' | 'both' | 'demo'>(say('source'), [
    ['service', say('source_service')],
    ['files', say('source_files')],
    ['both', say('source_both')],
    ['demo', say('source_demo')],
  ]);
  if (source === 'demo') return { isDemo: true, variables };
  const found = source === 'service' ? undefined : await askForFiles();
  let password: string | undefined;
  if (source === 'files') await askForCompany(found);
  else password = await askForService(found);
  const downloads = await setting('DFE_DOWNLOAD_DIR', say('download_dir'), settings.downloadDir ?? '');
  variables.DFE_DOWNLOAD_DIR = typedPaths('DFE_DOWNLOAD_DIR', downloads);
  print('', say('keep_what', { folder: settings.dataDir }));
  if (await agree(say('keep'))) variables.DFE_ARCHIVE = 'file';
  if (source !== 'files') {
    if (await agree(say('read_only'))) variables.DFE_READ_ONLY = 'true';
    else await askForAccount();
  }
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return { isDemo: false, variables: given, password };
}
