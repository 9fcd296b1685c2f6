import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Configuration } from '../../config/configure.ts';
import { withAbsolutePaths } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { checkOwnFile, replaceFile } from '../../disk/files.ts';
import { misconfigured } from '../standard-error.ts';
import { type Answers, askForAnswers, GivenUp } from './answers.ts';
import { createDialogue, type Dialogue, Interrupted, ownTerminal, type Terminal } from './asking.ts';
import { FileUnusable, onFile, planChange, readConfiguration, writeConfiguration } from './host-file.ts';
import {
  commandLine,
  type Host,
  hosts,
  type Machine,
  packageFileOf,
  type ServerEntry,
  type Started,
  serverEntry,
} from './hosts.ts';

/** Terminal and machine, replaceable in tests. */
interface Stage {
  readonly terminal: Terminal;
  readonly machine: Machine;
  readonly started: Started;
}

const LARGEST_PASSWORD_FILE = 64 * 1024;

const asText = (name: string, entry: unknown) => JSON.stringify({ mcpServers: { [name]: entry } }, null, 2);

const masked = (name: string, entry: unknown): string =>
  asText(name, entry).replace(
    /((?:PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)": )"(?:[^"\\]|\\.)*"/gi,
    '$1"***"',
  );

const marked = (sign: '-' | '+', text: string) => text.split('\n').map((line) => `${sign} ${line}`);

function unusableWords({ path, code, line }: FileUnusable, say: Dialogue['say']): string {
  if (code === 'CHANGED') return say('unusable.changed', { path });
  if (code === 'READ_ONLY') return say('unusable.read_only', { path });
  return code === 'BROKEN' ? say('unusable.broken', { path, line }) : say('unusable.code', { path, code });
}

/** Asks for the host; undefined for an unknown one. Installed ones are marked, the first is the default. */
async function chooseHost({ say, choose }: Dialogue, machine: Machine): Promise<Host | undefined> {
  const found = hosts.map((host) => {
    const path = host.path(machine);
    // The home folder always exists: only a file in it shows that its host is installed.
    return existsSync(dirname(path) === machine.home ? path : dirname(path));
  });
  const named = hosts.map((host, at) => {
    return [host, found[at] === true ? say('host_found', { name: host.name }) : host.name] as const;
  });
  const choices = [...named, [undefined, say('host_other')] as const];
  return choose<Host | undefined>(say('host'), choices, Math.max(found.indexOf(true), 0));
}

/**
 * Adds the server to the chosen host's configuration after showing the change, or shows the host's own command.
 * @returns the host, when its configuration has the server now or after the command; `shown` for an unknown host
 * @throws Interrupted
 */
async function install(
  wanted: Answers & { readonly dataDir: string },
  dialogue: Dialogue,
  { machine, started }: Stage,
): Promise<Host | 'shown' | undefined> {
  const { print, say } = dialogue;
  const host = await chooseHost(dialogue, machine);
  const usual = wanted.isDemo ? 'docfiscal-demo' : 'docfiscal';
  const name = await dialogue.text(say('name'), usual, (text) =>
    /^[a-z0-9][a-z0-9_-]{0,29}$/.test(text) ? undefined : say('bad_name'),
  );
  const passwordPath = join(wanted.dataDir, name === 'docfiscal' ? 'password' : `password-${name}`);
  const password = wanted.password === undefined ? undefined : `${wanted.password}\n`;
  const variables = {
    ...wanted.variables,
    ...(password !== undefined && { DFE_PASSWORD_FILE: passwordPath }),
  };
  const entry = serverEntry(started, variables, wanted.isDemo);
  const shown = masked(name, entry);
  const hasSecrets = asText(name, entry) !== shown;

  const agreeToWrite = async (): Promise<boolean> => {
    const isMeant = await dialogue.agree(say('write'));
    if (!isMeant) print(say('stopped'));
    return isMeant;
  };

  /** Writes the password, if there is one, for its owner alone. @throws FileUnusable */
  const writePassword = () =>
    onFile(passwordPath, async () => {
      if (password === undefined) return;
      await mkdir(dirname(passwordPath), { recursive: true, mode: 0o700 });
      await checkOwnFile(passwordPath, LARGEST_PASSWORD_FILE);
      await replaceFile(passwordPath, password, 0o600);
    });

  /** Writes the password without a configuration, after asking when it changes; whether it is there. */
  const keepPassword = async (): Promise<boolean> => {
    if (password === undefined) return true;
    if ((await readFile(passwordPath, 'utf8').catch(() => '')) === password) return true;
    print('', say('password_would_change', { path: passwordPath }));
    if (!(await agreeToWrite())) return false;
    await writePassword();
    return true;
  };

  let isWriting = false;
  /** Shows the change and writes it, with the password, after a yes. */
  const installInFile = async (path: string): Promise<boolean> => {
    const file = await readConfiguration(path);
    const { after, replaced } = planChange(file, name, entry);
    if (after === file.text) {
      print('', say('nothing_to_change', { path: file.path }));
      return keepPassword();
    }
    const former = replaced === undefined ? [] : marked('-', masked(name, replaced));
    if (former.length > 0) print('', say('there_already', { name }));
    const heading = say(file.text === undefined ? 'would_create' : 'would_change', { path: file.path });
    print('', heading, ...former, ...marked('+', shown), '');
    if (!(await agreeToWrite())) return false;
    isWriting = true;
    const backup = await writeConfiguration(file, after, writePassword);
    print('', `✓ ${say('wrote', { path: file.path })}`);
    if (backup !== undefined) print(`  ${say('backup', { path: backup })}`);
    if (password !== undefined) print(`✓ ${say('password_written', { path: passwordPath })}`);
    return true;
  };

  const showByHand = (): void => {
    print('', say('by_hand'), shown);
    if (hasSecrets) print('', say('secrets_by_hand'));
    if (password !== undefined) print('', say('password_by_hand', { path: passwordPath }));
  };

  if (host === undefined) {
    showByHand();
    return 'shown';
  }
  try {
    if (host.addCommand === undefined) return (await installInFile(host.path(machine))) ? host : undefined;
    if (!(await keepPassword())) return undefined;
    // It stays in the shell's history, so without secrets.
    const whole: ServerEntry = JSON.parse(shown).mcpServers[name];
    print('', say('run_command', { host: host.name }), '');
    print(commandLine(host.addCommand(name, whole), machine.platform));
    if (hasSecrets) print('', say('secrets_by_hand'));
    return host;
  } catch (error) {
    if (!(error instanceof FileUnusable)) throw error;
    if (error.path === passwordPath) {
      print(`✗ ${say('password_refused', { path: passwordPath, code: error.code })}`);
    } else {
      print(...(isWriting ? [] : ['']), `✗ ${unusableWords(error, say)}`);
      if (!isWriting) showByHand();
    }
    return undefined;
  }
}

/** Settings that are asked for; flags of others go into the configuration unchanged. */
const asked = /^DFE_(?:LANGUAGE|URL|USER|PASSWORD_FILE|FILES|CNPJ|DOWNLOAD_DIR|ARCHIVE|READ_ONLY)$/;

/**
 * Asks for the settings, tries them, and adds the server to a host after showing the change. Ctrl+C at any question
 * leaves everything unchanged.
 * @returns whether all was done
 */
export async function setUp({ settings, flags }: Configuration, stage: Stage): Promise<boolean> {
  const { language: usual } = settings;
  let dialogue = createDialogue(stage.terminal, settings);
  try {
    const languages = [['pt-BR', 'português'] as const, ['en', 'English'] as const];
    const at = languages.findIndex(([language]) => language === usual);
    const language = await dialogue.choose<typeof usual>('Idioma / Language', languages, at);
    dialogue = createDialogue(stage.terminal, { ...settings, language });
    dialogue.print('', dialogue.say('welcome', { version }));
    const answers = await askForAnswers(settings, dialogue);
    const others = [...flags].flatMap(([variable, text]) =>
      asked.test(variable) ? [] : [[variable, withAbsolutePaths(variable, text, process.cwd())]],
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

function printNextSteps(
  host: Host | 'shown',
  { variables }: Answers,
  { say, print }: Dialogue,
  started: Started,
): void {
  const { command, args } = serverEntry(started, {}, false);
  const program = commandLine([command === started.node ? 'node' : command, ...args], started.platform);
  const areFilesAlone = variables.DFE_FILES !== undefined && variables.DFE_URL === undefined;
  // Of files the last days may hold nothing.
  const question = say(areFilesAlone ? 'next_ask_files' : 'next_ask');
  const steps =
    host === 'shown'
      ? [question, say('next_doctor_by_hand', { program })]
      : [say('next_restart', { host: host.name }), question, say('next_doctor', { program, host: host.id })];
  if (started.packageFile !== undefined) print('', `⚠ ${say('from_package', { path: started.packageFile })}`);
  print('', say('next'), ...steps.map((step, index) => `  ${index + 1}. ${step}`));
}

/** `docfiscal-mcp setup`: exit status 1 where nothing was written, 2 where there is no terminal. */
export async function runSetup(configuration: Configuration): Promise<void> {
  const { settings, environment } = configuration;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return void misconfigured(createDialogue(ownTerminal, settings).say('no_terminal'));
  }
  const { platform, execPath: node } = process;
  const script = realpathSync(process.argv[1] ?? '');
  const stage = {
    terminal: ownTerminal,
    machine: { platform, home: homedir(), env: environment() },
    started: { node, script, version, platform, packageFile: packageFileOf(script) },
  };
  if (!(await setUp(configuration, stage))) process.exitCode = 1;
}
