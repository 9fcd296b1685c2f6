import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Configuration } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { setupMessages } from '../../messages/apart/setup.ts';
import { createTranslator, type Language, type Translator } from '../../messages/index.ts';
import { wordsOf } from '../../messages/message.ts';
import { MISCONFIGURED } from '../standard-error.ts';
import { type Answers, askForAnswers, GivenUp, wholePaths } from './answers.ts';
import { choose, Interrupted, ownTerminal, type Say, type Terminal } from './asking.ts';
import { commandLine, packageFileOf, serverEntry } from './hosts.ts';
import { install, type Setting } from './installation.ts';

/** Settings that are asked for; flags of others go into the configuration unchanged. */
const asked = [
  'DFE_LANGUAGE',
  'DFE_URL',
  'DFE_USER',
  'DFE_PASSWORD_FILE',
  'DFE_FILES',
  'DFE_CNPJ',
  'DFE_DOWNLOAD_DIR',
  'DFE_ARCHIVE',
  'DFE_READ_ONLY',
];

/** Other settings whose paths are relative to the current folder. */
const paths = ['DFE_DATA_DIR', 'DFE_TRUST_STORE', 'DFE_TENANTS', 'DFE_SIGNING_KEY_FILE'];

async function askLanguage(usual: Language, terminal: Terminal): Promise<Language> {
  const choices = [
    { value: 'pt-BR', words: 'português' },
    { value: 'en', words: 'English' },
  ] as const;
  const at = choices.findIndex(({ value }) => value === usual);
  return choose({ terminal, say: wordsOf(setupMessages, usual) }, 'Idioma / Language', choices, at);
}

/** Terminal, machine and flags, replaceable in tests. */
export interface Stage extends Omit<Setting, 'say'> {
  readonly flags: ReadonlyMap<string, string>;
}

/**
 * Asks for the settings, tries them, and adds the server to a host after showing the change. Ctrl+C at any question
 * leaves everything unchanged.
 * @returns whether all was done
 */
export async function setUp(configuration: Configuration, stage: Stage): Promise<boolean> {
  const { terminal } = stage;
  let say = wordsOf(setupMessages, configuration.settings.language);
  try {
    const language = await askLanguage(configuration.settings.language, terminal);
    say = wordsOf(setupMessages, language);
    terminal.say('', say('welcome', { version }));
    return await askAndInstall(configuration, stage, language, say);
  } catch (error) {
    if (error instanceof GivenUp) terminal.say('', say('stopped'));
    else if (error instanceof Interrupted) terminal.say(say('interrupted'));
    else throw error;
    return false;
  }
}

/** Days after which files are asked about by their newest month: the last seven days would show nothing. */
const RECENT_MS = 7 * 86_400_000;

function firstQuestion({ newest, variables }: Answers, { day }: Translator, say: Say): string {
  const isOld = newest !== undefined && Date.now() - Date.parse(newest) > RECENT_MS;
  const isFilesAlone = variables.DFE_URL === undefined;
  return isOld && isFilesAlone ? say('next_ask_month', { month: day(newest.slice(0, 7)) }) : say('next_ask');
}

async function askAndInstall(
  configuration: Configuration,
  stage: Stage,
  language: Language,
  say: Say,
): Promise<boolean> {
  const { terminal, started, flags } = stage;
  const translator = createTranslator(language, configuration.settings.timeZone);
  const answers = await askForAnswers(configuration, { terminal, translator, say });
  const others = Object.fromEntries(
    [...flags]
      .filter(([variable]) => !asked.includes(variable))
      .map(([variable, text]) => [variable, paths.includes(variable) ? wholePaths(text) : text]),
  );
  const dataDir = resolve(configuration.settings.dataDir);
  const wanted = { ...answers, variables: { ...answers.variables, ...others }, dataDir };
  const host = await install(wanted, { ...stage, say });
  if (host === undefined) return false;
  const { command, args } = serverEntry(started, {}, false);
  const program = commandLine([command === started.node ? 'node' : command, ...args], started.platform);
  const question = firstQuestion(answers, translator, say);
  const steps =
    host === 'shown'
      ? [question, say('next_doctor_by_hand', { program })]
      : [say('next_restart', { host: host.name }), question, say('next_doctor', { program, host: host.id })];
  if (started.packageFile !== undefined) {
    terminal.say('', `⚠ ${say('from_package', { path: started.packageFile })}`);
  }
  terminal.say('', say('next'), ...steps.map((step, at) => `  ${at + 1}. ${step}`));
  return true;
}

/** `docfiscal-mcp setup`: exit status 1 where nothing was written, 2 where there is no terminal. */
export async function runSetup(
  configuration: Configuration,
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const say = wordsOf(setupMessages, configuration.settings.language);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    console.error(say('no_terminal'));
    process.exitCode = MISCONFIGURED;
    return;
  }
  const script = realpathSync(process.argv[1] ?? '');
  const packageFile = packageFileOf(script);
  const started = { node: process.execPath, script, version, platform: process.platform, packageFile };
  const machine = { platform: process.platform, home: homedir(), env };
  const stage = { terminal: ownTerminal, machine, started, flags };
  if (!(await setUp(configuration, stage))) process.exitCode = 1;
}
