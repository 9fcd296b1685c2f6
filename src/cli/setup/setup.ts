import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Configuration } from '../../config/configure.ts';
import { version } from '../../config/version.ts';
import { misconfigured } from '../standard-error.ts';
import { type Answers, askForAnswers, GivenUp, wholePaths } from './answers.ts';
import { createDialogue, type Dialogue, Interrupted, ownTerminal, type Terminal } from './asking.ts';
import { commandLine, type Machine, packageFileOf, type Started, serverEntry } from './hosts.ts';
import { install } from './installation.ts';

/** Settings that are asked for; flags of others go into the configuration unchanged. */
const asked = /^DFE_(?:LANGUAGE|URL|USER|PASSWORD_FILE|FILES|CNPJ|DOWNLOAD_DIR|ARCHIVE|READ_ONLY)$/;

/** Other settings whose paths are relative to the current folder. */
const paths = /^DFE_(?:DATA_DIR|TRUST_STORE|TENANTS|SIGNING_KEY_FILE)$/;

/** Terminal, machine and flags, replaceable in tests. */
export interface Stage {
  readonly terminal: Terminal;
  readonly machine: Machine;
  readonly started: Started;
  readonly flags: ReadonlyMap<string, string>;
}

/**
 * Asks for the settings, tries them, and adds the server to a host after showing the change. Ctrl+C at any question
 * leaves everything unchanged.
 * @returns whether all was done
 */
export async function setUp({ settings }: Configuration, stage: Stage): Promise<boolean> {
  const { language: usual, timeZone } = settings;
  let dialogue = createDialogue(stage.terminal, usual, timeZone);
  try {
    const languages = [['pt-BR', 'português'] as const, ['en', 'English'] as const];
    const at = languages.findIndex(([language]) => language === usual);
    const language = await dialogue.choose<typeof usual>('Idioma / Language', languages, at);
    dialogue = createDialogue(stage.terminal, language, timeZone);
    dialogue.print('', dialogue.say('welcome', { version }));
    const answers = await askForAnswers(settings, dialogue);
    const others = [...stage.flags].flatMap(([variable, text]) =>
      asked.test(variable) ? [] : [[variable, paths.test(variable) ? wholePaths(text) : text]],
    );
    const variables = { ...answers.variables, ...Object.fromEntries(others) };
    const wanted = { ...answers, variables, dataDir: resolve(settings.dataDir) };
    const host = await install(wanted, dialogue, stage);
    if (host !== undefined) printNextSteps(host, answers, dialogue, stage.started);
    return host !== undefined;
  } catch (error) {
    if (error instanceof GivenUp) dialogue.print('', dialogue.say('stopped'));
    else if (error instanceof Interrupted) dialogue.print(dialogue.say('interrupted'));
    else throw error;
    return false;
  }
}

/** Days after which files are asked about by their newest month: the last seven days would show nothing. */
const RECENT_MS = 7 * 86_400_000;

function printNextSteps(
  host: NonNullable<Awaited<ReturnType<typeof install>>>,
  { newest, variables }: Answers,
  { say, print, translator }: Dialogue,
  started: Started,
): void {
  const { command, args } = serverEntry(started, {}, false);
  const program = commandLine([command === started.node ? 'node' : command, ...args], started.platform);
  const isOld = newest !== undefined && Date.now() - Date.parse(newest) > RECENT_MS;
  const question =
    isOld && variables.DFE_URL === undefined
      ? say('next_ask_month', { month: translator.day(newest.slice(0, 7)) })
      : say('next_ask');
  const steps =
    host === 'shown'
      ? [question, say('next_doctor_by_hand', { program })]
      : [say('next_restart', { host: host.name }), question, say('next_doctor', { program, host: host.id })];
  if (started.packageFile !== undefined) print('', `⚠ ${say('from_package', { path: started.packageFile })}`);
  print('', say('next'), ...steps.map((step, index) => `  ${index + 1}. ${step}`));
}

/** `docfiscal-mcp setup`: exit status 1 where nothing was written, 2 where there is no terminal. */
export async function runSetup(
  configuration: Configuration,
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { language, timeZone } = configuration.settings;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return void misconfigured(createDialogue(ownTerminal, language, timeZone).say('no_terminal'));
  }
  const { platform, execPath: node } = process;
  const script = realpathSync(process.argv[1] ?? '');
  const stage = {
    terminal: ownTerminal,
    machine: { platform, home: homedir(), env },
    started: { node, script, version, platform, packageFile: packageFileOf(script) },
    flags,
  };
  if (!(await setUp(configuration, stage))) process.exitCode = 1;
}
