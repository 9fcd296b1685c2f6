import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { type Configuration, configure } from '../../config/configure.ts';
import { checkCnpj, maskTaxId } from '../../documents/identity/tax-ids.ts';
import { asWord } from '../../documents/untrusted.ts';
import {
  agree,
  askSecret,
  askSetting,
  askText,
  choose,
  type Dialogue,
  problemOfSetting,
  type Say,
  withScheme,
} from './asking.ts';
import { type FilesFound, tryFiles, tryService } from './trial.ts';

/** Ways to authenticate to the account service, with their variables and words; secrets are read without echo. */
const ways = [
  ['account_api_key', [['DFE_ACCOUNT_API_KEY', 'account_api_key']]],
  ['account_token', [['DFE_ACCOUNT_TOKEN', 'account_token']]],
  [
    'account_oauth',
    [
      ['DFE_ACCOUNT_OAUTH_TOKEN_URL', 'account_token_url'],
      ['DFE_ACCOUNT_OAUTH_CLIENT_ID', 'account_client_id'],
      ['DFE_ACCOUNT_OAUTH_CLIENT_SECRET', 'account_client_secret'],
    ],
  ],
  [
    'account_basic',
    [
      ['DFE_ACCOUNT_USER', 'account_user'],
      ['DFE_ACCOUNT_LICENSE_KEY', 'account_license_key'],
    ],
  ],
] as const;

/** Asks for the account service, if wanted. It has no read operation, so there is no trial. */
async function askForAccount(
  { settings }: Configuration,
  dialogue: Dialogue,
): Promise<Record<string, string>> {
  const { terminal, say } = dialogue;
  if (!(await agree(dialogue, say('account')))) return {};
  const { accountUrl } = settings;
  const url = await askSetting(dialogue, 'DFE_ACCOUNT_URL', say('account_url'), accountUrl, withScheme);
  const variables: Record<string, string> = { DFE_ACCOUNT_URL: url };
  const choices = ways.map(([name, fields]) => ({ value: fields, words: say(name) }));
  for (const [variable, name] of await choose<(typeof ways)[number][1]>(
    dialogue,
    say('account_way'),
    choices,
  )) {
    const complete = variable === 'DFE_ACCOUNT_OAUTH_TOKEN_URL' ? withScheme : undefined;
    variables[variable] = /(?:KEY|TOKEN|SECRET)$/.test(variable)
      ? await askSecret(dialogue, say('hidden', { question: say(name) }))
      : await askSetting(dialogue, variable, say(name), undefined, complete);
  }
  terminal.say(say('account_untried'));
  return variables;
}

/** A person's answers: settings as text by variable, and the password of the documents service. */
export interface Answers {
  readonly isDemo: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string | undefined;
  /** The newest day of the person's own files. */
  readonly newest?: string | undefined;
}

export class GivenUp extends Error {}

type Variables = Record<string, string>;

function missingPath(paths: readonly string[], say: Say): string | undefined {
  const missing = paths.find((path) => !existsSync(path));
  return missing && say('no_such_path', { path: missing });
}

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

/** Asks what to do after a failed trial. @throws GivenUp */
async function afterFailure(dialogue: Dialogue, isPasswordWrong: boolean): Promise<Next> {
  const { say } = dialogue;
  const next = await choose<Next | 'leave'>(dialogue, say('after_failure'), [
    ...(isPasswordWrong ? [{ value: 'password', words: say('password_again') } as const] : []),
    { value: 'again', words: say('again') },
    { value: 'on', words: say('keep_anyway') },
    { value: 'leave', words: say('give_up') },
  ]);
  if (next === 'leave') throw new GivenUp();
  return next;
}

async function askForFiles(
  { settings }: Configuration,
  variables: Variables,
  dialogue: Dialogue,
): Promise<FilesFound> {
  const { translator, say } = dialogue;
  for (;;) {
    const question = say('files', { separator: delimiter });
    const usual = variables.DFE_FILES ?? settings.files?.join(delimiter);
    const typed = await askText(dialogue, question, usual, (text) => {
      const configured = configure(new Map([['DFE_FILES', wholePaths(text)]]), {});
      const { files = [] } = configured.ok ? configured.configuration.settings : {};
      return problemOfSetting('DFE_FILES', wholePaths(text), translator) ?? missingPath(files, say);
    });
    variables.DFE_FILES = wholePaths(typed);
    const found = await tryFiles(variables, dialogue);
    if (found.documents > 0 || (await afterFailure(dialogue, false)) === 'on') return found;
  }
}

/** Asks for the company: one of those in the files, or any other. */
async function askForCompany(
  { settings }: Configuration,
  variables: Variables,
  found: FilesFound | undefined,
  dialogue: Dialogue,
): Promise<void> {
  const { terminal, say } = dialogue;
  const companies = found?.companies ?? [];
  if (companies.length > 0) {
    const chosen = await choose<string | undefined>(dialogue, say('which_company'), [
      ...companies.map(({ company, name, documents }) => ({
        value: company,
        words: say('company_in_files', {
          company: [maskTaxId(company), ...(name === undefined ? [] : [asWord(name)])].join(' '),
          documents,
        }),
      })),
      { value: undefined, words: say('other_company') },
    ]);
    if (chosen !== undefined) {
      variables.DFE_CNPJ = chosen;
      return;
    }
  }
  const usual = variables.DFE_CNPJ ?? settings.cnpj ?? '';
  variables.DFE_CNPJ = await askSetting(dialogue, 'DFE_CNPJ', say('cnpj'), usual);
  const typed = checkCnpj(variables.DFE_CNPJ);
  const isAbsent = typed.ok && companies.every(({ company }) => company !== typed.value);
  if (found !== undefined && isAbsent) terminal.say(`⚠ ${say('company_not_in_files')}`);
}

/** Asks for the access to the documents service until it works or is kept anyway; answers the password. */
async function askForService(
  configuration: Configuration,
  variables: Variables,
  found: FilesFound | undefined,
  dialogue: Dialogue,
): Promise<string> {
  const { settings } = configuration;
  const { say } = dialogue;
  let next: Next = 'again';
  for (;;) {
    if (next === 'again') {
      const url = variables.DFE_URL ?? settings.url;
      variables.DFE_URL = await askSetting(dialogue, 'DFE_URL', say('url'), url, withScheme);
      const user = variables.DFE_USER ?? settings.user;
      variables.DFE_USER = await askSetting(dialogue, 'DFE_USER', say('user'), user);
    }
    const password = await askSecret(dialogue, say('password'));
    if (next === 'again') await askForCompany(configuration, variables, found, dialogue);
    const outcome = await tryService(variables, password, dialogue);
    if (outcome === 'works') return password;
    next = await afterFailure(dialogue, outcome === 'password_wrong');
    if (next === 'on') return password;
  }
}

/**
 * Asks for the settings and tries each source as soon as it is described.
 * @throws GivenUp, Interrupted
 */
export async function askForAnswers(configuration: Configuration, dialogue: Dialogue): Promise<Answers> {
  const { terminal, translator, say } = dialogue;
  const { settings } = configuration;
  const source = await choose(dialogue, say('source'), [
    { value: 'service', words: say('source_service') },
    { value: 'files', words: say('source_files') },
    { value: 'both', words: say('source_both') },
    { value: 'demo', words: say('source_demo') },
  ]);
  const variables: Variables = { DFE_LANGUAGE: translator.language };
  if (source === 'demo') return { isDemo: true, variables, password: undefined };
  const found = source === 'service' ? undefined : await askForFiles(configuration, variables, dialogue);
  let password: string | undefined;
  if (source === 'files') await askForCompany(configuration, variables, found, dialogue);
  else password = await askForService(configuration, variables, found, dialogue);
  const { downloadDir = '' } = settings;
  const downloads = await askSetting(dialogue, 'DFE_DOWNLOAD_DIR', say('download_dir'), downloadDir);
  variables.DFE_DOWNLOAD_DIR = wholePaths(downloads);
  terminal.say('', say('keep_what', { folder: settings.dataDir }));
  if (await agree(dialogue, say('keep'))) variables.DFE_ARCHIVE = 'file';
  if (source !== 'files') {
    if (await agree(dialogue, say('read_only'))) variables.DFE_READ_ONLY = 'true';
    else Object.assign(variables, await askForAccount(configuration, dialogue));
  }
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return { isDemo: false, variables: given, password, newest: found?.newest };
}
