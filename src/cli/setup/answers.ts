import { stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { type Configuration, configure } from '../../config/configure.ts';
import type { Translator } from '../../messages/index.ts';
import { describeProblem } from '../problems.ts';
import { agree, askText, choose, type Say } from './asking.ts';
import type { Terminal } from './terminal.ts';

/** A person's answers: settings as text by variable, and the password. */
export interface Answers {
  readonly isDemo: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string | undefined;
}

/** Explains why a text is invalid for a setting. */
function problemOfSetting(variable: string, text: string, translator: Translator): string | undefined {
  const configured = configure(new Map([[variable, text]]), {});
  const [problem] = configured.ok ? [] : configured.problems;
  return problem === undefined ? undefined : describeProblem(problem, translator);
}

/** Names the first missing path. */
async function missingPath(paths: readonly string[], say: Say): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return say('no_such_path', { path });
  }
  return undefined;
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

/** Asks for the settings. */
export async function askForAnswers(
  { settings }: Configuration,
  before: Answers | undefined,
  terminal: Terminal,
  translator: Translator,
  say: Say,
): Promise<Answers> {
  const usual = (variable: string, given: string | undefined, isNeeded: boolean) =>
    before?.variables[variable] ?? given ?? (isNeeded ? undefined : '');
  const ask = (variable: string, question: string, given: string | undefined, isNeeded: boolean) =>
    askText(terminal, say, question, usual(variable, given, isNeeded), (text) =>
      problemOfSetting(variable, text, translator),
    );
  const source = await choose(terminal, say, say('source'), [
    { value: 'service', words: say('source_service') },
    { value: 'files', words: say('source_files') },
    { value: 'both', words: say('source_both') },
    { value: 'demo', words: say('source_demo') },
  ]);
  if (source === 'demo') {
    return { isDemo: true, variables: { DFE_LANGUAGE: translator.language }, password: undefined };
  }
  const variables: Record<string, string> = { DFE_LANGUAGE: translator.language };
  let password: string | undefined;
  if (source !== 'files') {
    variables.DFE_URL = await ask('DFE_URL', say('url'), settings.url, true);
    variables.DFE_USER = await ask('DFE_USER', say('user'), settings.user, true);
    while (!password) {
      password = await terminal.askHidden(`${say('password')}: `);
      if (!password) terminal.say(say('answer_needed'));
    }
  }
  if (source !== 'service') {
    const question = say('files', { separator: delimiter });
    const given = usual('DFE_FILES', settings.files?.join(delimiter), true);
    const typed = await askText(terminal, say, question, given, async (text) => {
      const configured = configure(new Map([['DFE_FILES', wholePaths(text)]]), {});
      const { files = [] } = configured.ok ? configured.configuration.settings : {};
      return problemOfSetting('DFE_FILES', wholePaths(text), translator) ?? missingPath(files, say);
    });
    variables.DFE_FILES = wholePaths(typed);
  }
  variables.DFE_CNPJ = await ask('DFE_CNPJ', say('cnpj'), settings.cnpj, false);
  variables.DFE_DOWNLOAD_DIR = wholePaths(
    await ask('DFE_DOWNLOAD_DIR', say('download_dir'), settings.downloadDir, false),
  );
  terminal.say('', say('keep_what', { folder: settings.dataDir }));
  if (await agree(terminal, say, say('keep'))) variables.DFE_ARCHIVE = 'file';
  if (source !== 'files' && (await agree(terminal, say, say('read_only')))) variables.DFE_READ_ONLY = 'true';
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return { isDemo: false, variables: given, password };
}
