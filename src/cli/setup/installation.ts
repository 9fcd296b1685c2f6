import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOwnFile, replaceFile } from '../../disk/files.ts';
import type { Answers } from './answers.ts';
import type { Dialogue } from './asking.ts';
import { ConfigurationUnusable, planChange, readConfiguration, writeConfiguration } from './host-file.ts';
import {
  commandLine,
  type Host,
  hosts,
  type Machine,
  type ServerEntry,
  type Started,
  serverEntry,
} from './hosts.ts';

const LARGEST_PASSWORD_FILE = 64 * 1024;

/** The password could not be written. Carries the system's code. */
class PasswordRefused extends Error {}

interface PasswordFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the password for its owner alone. @throws PasswordRefused */
async function writePassword({ path, text }: PasswordFile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await checkOwnFile(path, LARGEST_PASSWORD_FILE);
    await replaceFile(path, `${text}\n`, 0o600);
  } catch (error) {
    throw new PasswordRefused((error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

const asText = (name: string, entry: unknown) => JSON.stringify({ mcpServers: { [name]: entry } }, null, 2);

const masked = (name: string, entry: unknown): string =>
  asText(name, entry).replace(
    /((?:PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)": )"(?:[^"\\]|\\.)*"/gi,
    '$1"***"',
  );

const marked = (sign: '-' | '+', text: string) => text.split('\n').map((line) => `${sign} ${line}`);

/** An entry for a command that stays in the shell's history. */
function withoutSecrets(entry: ServerEntry): ServerEntry {
  const shown = Object.entries(entry.env).map(([variable, value]) => {
    return [variable, /(?:SECRET|TOKEN|KEY)$/.test(variable) ? '***' : value];
  });
  return { ...entry, env: Object.fromEntries(shown) };
}

function unusableWords({ path, code, line }: ConfigurationUnusable, say: Dialogue['say']): string {
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
  const choices = hosts.map((host, at) => ({
    value: host as Host | undefined,
    words: found[at] === true ? say('host_found', { name: host.name }) : host.name,
  }));
  choices.push({ value: undefined, words: say('host_other') });
  return choose(say('host'), choices, Math.max(found.indexOf(true), 0));
}

/**
 * Adds the server to the chosen host's configuration after showing the change, or shows the host's own command.
 * @returns the host, when its configuration has the server now or after the command; `shown` for an unknown host
 * @throws Interrupted
 */
export async function install(
  wanted: Answers & { readonly dataDir: string },
  dialogue: Dialogue,
  { machine, started }: { readonly machine: Machine; readonly started: Started },
): Promise<Host | 'shown' | undefined> {
  const { print, say } = dialogue;
  const host = await chooseHost(dialogue, machine);
  const usual = wanted.isDemo ? 'docfiscal-demo' : 'docfiscal';
  const name = await dialogue.text(say('name'), usual, (text) =>
    /^[a-z0-9][a-z0-9_-]{0,29}$/.test(text) ? undefined : say('bad_name'),
  );
  const path = join(wanted.dataDir, name === 'docfiscal' ? 'password' : `password-${name}`);
  const password = wanted.password === undefined ? undefined : { path, text: wanted.password };
  const variables = { ...wanted.variables, ...(password && { DFE_PASSWORD_FILE: path }) };
  const entry = serverEntry(started, variables, wanted.isDemo);
  const hasSecrets = asText(name, entry) !== masked(name, entry);

  const agreeToWrite = async (): Promise<boolean> => {
    const isMeant = await dialogue.agree(say('write'));
    if (!isMeant) print(say('stopped'));
    return isMeant;
  };

  /** Writes the password without a configuration, after asking when it changes; whether it is there. */
  const keepPassword = async (): Promise<boolean> => {
    if (password === undefined) return true;
    const before = await readFile(path, 'utf8').catch(() => '');
    if (before === `${password.text}\n`) return true;
    print('', say('password_would_change', { path }));
    if (!(await agreeToWrite())) return false;
    await writePassword(password);
    return true;
  };

  /** Shows the change and writes it, with the password, after a yes. */
  const installInFile = async (host: Host): Promise<boolean> => {
    const file = await readConfiguration(host.path(machine));
    const { after, replaced } = planChange(file, name, entry);
    for (const [variable, value] of Object.entries(entry.env)) {
      if (value.includes('$')) print(`⚠ ${say('dollar', { variable })}`);
    }
    if (after === file.text) {
      print('', say('nothing_to_change', { path: file.path }));
      return keepPassword();
    }
    const former = replaced === undefined ? [] : marked('-', masked(name, replaced));
    if (former.length > 0) print('', say('there_already', { name }));
    const heading = say(file.text === undefined ? 'would_create' : 'would_change', { path: file.path });
    print('', heading, ...former, ...marked('+', masked(name, entry)), '');
    if (!(await agreeToWrite())) return false;
    try {
      const backup = await writeConfiguration(file, after, async () => password && writePassword(password));
      print('', `✓ ${say('wrote', { path: file.path })}`);
      if (backup !== undefined) print(`  ${say('backup', { path: backup })}`);
      if (password !== undefined) print(`✓ ${say('password_written', { path })}`);
      return true;
    } catch (error) {
      if (!(error instanceof ConfigurationUnusable)) throw error;
      print(`✗ ${unusableWords(error, say)}`);
      return false;
    }
  };

  const showByHand = (): void => {
    print('', say('by_hand'), masked(name, entry));
    if (hasSecrets) print('', say('secrets_by_hand'));
    if (password !== undefined) print('', say('password_by_hand', { path }));
  };

  if (host === undefined) {
    showByHand();
    return 'shown';
  }
  try {
    if (host.addCommand === undefined) return (await installInFile(host)) ? host : undefined;
    if (!(await keepPassword())) return undefined;
    const command = commandLine(host.addCommand(name, withoutSecrets(entry)), machine.platform);
    print('', say('run_command', { host: host.name }), '', command);
    if (hasSecrets) print('', say('secrets_by_hand'));
    return host;
  } catch (error) {
    if (error instanceof PasswordRefused) {
      print(`✗ ${say('password_refused', { path, code: error.message })}`);
    } else if (error instanceof ConfigurationUnusable) {
      print('', `✗ ${unusableWords(error, say)}`);
      showByHand();
    } else throw error;
    return undefined;
  }
}
