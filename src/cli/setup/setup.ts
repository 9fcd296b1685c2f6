import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Configuration } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { setupMessages } from '../../messages/apart/setup.ts';
import { createTranslator, type Language } from '../../messages/index.ts';
import { wordsOf } from '../../messages/message.ts';
import { MISCONFIGURED } from '../problems.ts';
import { type Answers, askForAnswers, wholePaths } from './answers.ts';
import { choose, type Say } from './asking.ts';
import { commandLine } from './hosts.ts';
import { install, type Setting } from './installation.ts';
import { Interrupted, ownTerminal, type Terminal } from './terminal.ts';
import { tryAnswers } from './trial.ts';

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

/** Asks for the language, in both. */
async function askLanguage(usual: Language, terminal: Terminal): Promise<Language> {
  const choices = [
    { value: 'pt-BR', words: 'português' },
    { value: 'en', words: 'English' },
  ] as const;
  const at = choices.findIndex(({ value }) => value === usual);
  return choose(terminal, wordsOf(setupMessages, usual), 'Idioma / Language', choices, at);
}

/** Asks until the answers work or are accepted anyway; undefined when the person gives up. */
async function answersThatWork(
  configuration: Configuration,
  terminal: Terminal,
  language: Language,
  say: Say,
): Promise<Answers | undefined> {
  const translator = createTranslator(language, configuration.settings.timeZone);
  let answers: Answers | undefined;
  for (;;) {
    answers = await askForAnswers(configuration, answers, terminal, translator, say);
    if (answers.isDemo || (await tryAnswers(answers, terminal, translator, say))) return answers;
    const next = await choose(terminal, say, say('after_failure'), [
      { value: 'again', words: say('again') },
      { value: 'on', words: say('keep_anyway') },
      { value: 'leave', words: say('give_up') },
    ]);
    if (next === 'on') return answers;
    if (next === 'leave') return undefined;
  }
}

/** Terminal, machine and flags, replaceable in tests. */
export interface Stage extends Omit<Setting, 'say'> {
  /** Settings given as flags, by variable. */
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
    if (!(error instanceof Interrupted)) throw error;
    terminal.say(say('interrupted'));
    return false;
  }
}

async function askAndInstall(
  configuration: Configuration,
  stage: Stage,
  language: Language,
  say: Say,
): Promise<boolean> {
  const { terminal, started, flags } = stage;
  const answers = await answersThatWork(configuration, terminal, language, say);
  if (answers === undefined) {
    terminal.say('', say('stopped'));
    return false;
  }
  const others = Object.fromEntries(
    [...flags]
      .filter(([variable]) => !asked.includes(variable))
      .map(([variable, text]) => [variable, paths.includes(variable) ? wholePaths(text) : text]),
  );
  const dataDir = resolve(configuration.settings.dataDir);
  const wanted = { ...answers, variables: { ...answers.variables, ...others }, dataDir };
  const host = await install(wanted, { ...stage, say });
  if (host === undefined) return false;
  const program = commandLine(['node', started.script], started.platform);
  const steps =
    host === 'shown'
      ? [say('next_ask'), say('next_doctor_by_hand', { program })]
      : [
          say('next_restart', { host: host.name }),
          say('next_ask'),
          say('next_doctor', { program, host: host.id }),
        ];
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
  const started = { node: process.execPath, script, version, platform: process.platform };
  const machine = { platform: process.platform, home: homedir(), env };
  const stage = { terminal: ownTerminal, machine, started, flags };
  if (!(await setUp(configuration, stage))) process.exitCode = 1;
}
