import { constants, existsSync } from 'node:fs';
import { access, copyFile, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse, parseTree } from 'jsonc-parser';
import { replaceFile } from '../../disk/new-file.ts';
import { checkOwnFile, readNamedFile } from '../../disk/regular-file.ts';
import { isObject } from '../../documents/untrusted.ts';
import { agree, askText, choose, type Say, type Terminal } from './asking.ts';
import {
  commandLine,
  type Host,
  hosts,
  type Machine,
  type ServerEntry,
  type Started,
  serverEntry,
} from './hosts.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;
/** Mode of a new file, which may name a person's folders. */
const PRIVATE = 0o600;

/** A host's configuration cannot be read, changed or written. */
class ConfigurationUnusable extends Error {
  readonly path: string;
  /** The system's code, `NOT_UTF8`, `READ_ONLY`, `BROKEN` for JSON that is not understood, or `CHANGED` by somebody else. */
  readonly code: string;
  /** Of `BROKEN`. */
  readonly line: number;

  constructor(path: string, code: string, line = 1) {
    super(`${path} (${code})`);
    this.name = 'ConfigurationUnusable';
    this.path = path;
    this.code = code;
    this.line = line;
  }
}

export interface ConfigurationFile {
  /** Links resolved, so that a link is kept. */
  readonly path: string;
  readonly text: string | undefined;
}

async function attempt<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ConfigurationUnusable) throw error;
    throw new ConfigurationUnusable(path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

/** Reads a host's configuration. @throws ConfigurationUnusable */
async function readConfiguration(path: string): Promise<ConfigurationFile> {
  return attempt(path, async () => {
    const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (target === undefined) return { path, text: undefined };
    const bytes = await readNamedFile(target, LARGEST_BYTES);
    // Replacing would work, but the file is read-only on purpose.
    if (((await stat(target)).mode & 0o200) === 0) throw new ConfigurationUnusable(path, 'READ_ONLY');
    await access(target, constants.W_OK);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw new ConfigurationUnusable(path, 'NOT_UTF8');
    return { path: target, text };
  });
}

export interface Planned {
  readonly after: string;
  /** The server of that name which is there already. */
  readonly replaced: unknown;
}

/**
 * Adds a server to a host's JSON and keeps everything else, order and indentation included.
 * @throws ConfigurationUnusable for a text that is not understood
 */
export function planChange(
  { path, text = '' }: ConfigurationFile,
  name: string,
  entry: ServerEntry,
): Planned {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(before, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    throw new ConfigurationUnusable(path, 'BROKEN', before.slice(0, error?.offset ?? 0).split('\n').length);
  }
  const members: unknown = JSON.parse(before);
  const servers = isObject(members) ? (members.mcpServers ?? {}) : undefined;
  if (!isObject(members) || !isObject(servers)) throw new ConfigurationUnusable(path, 'BROKEN');
  const [, indent = '  '] = /\n([ \t]+)"/.exec(before) ?? [];
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { tabSize: indent.length, insertSpaces: !indent.startsWith('\t'), eol };
  const after = applyEdits(before, modify(before, ['mcpServers', name], entry, { formattingOptions }));
  const meant = { ...members, mcpServers: { ...servers, [name]: entry } };
  // A name that stands there twice is read in one way here and may be in another by the host.
  if (!isDeepStrictEqual(parse(after), parse(JSON.stringify(meant)))) {
    throw new ConfigurationUnusable(path, 'BROKEN');
  }
  return { after: `${mark}${after}`, replaced: servers[name] };
}

/**
 * Replaces a host's configuration atomically after a backup, unless it changed since it was read.
 * @param prepare what the new configuration needs, done once nothing else stands in its way
 * @returns the backup's path; undefined for a new file
 * @throws ConfigurationUnusable, and what `prepare` throws
 */
async function writeConfiguration(
  { path, text }: ConfigurationFile,
  after: string,
  prepare: () => Promise<void>,
): Promise<string | undefined> {
  await attempt(path, () => mkdir(dirname(path), { recursive: true }));
  const current = await readConfiguration(path);
  if (current.text !== text) throw new ConfigurationUnusable(path, 'CHANGED');
  await prepare();
  return attempt(path, async () => {
    if (text === undefined) return void (await replaceFile(path, after, PRIVATE));
    const backup = `${path}.${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
    await copyFile(path, backup, constants.COPYFILE_EXCL);
    await replaceFile(path, after, (await stat(path)).mode & 0o777);
    return backup;
  });
}

export interface Wanted {
  readonly isDemo: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string | undefined;
  readonly dataDir: string;
}

export interface Setting {
  readonly terminal: Terminal;
  readonly say: Say;
  readonly machine: Machine;
  readonly started: Started;
}

/** Asks for the host; undefined for an unknown one. Installed ones are marked, the first is the default. */
async function chooseHost(setting: Setting): Promise<Host | undefined> {
  const { say, machine } = setting;
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
  return choose(setting, say('host'), choices, Math.max(found.indexOf(true), 0));
}

interface PasswordFile {
  readonly path: string;
  readonly text: string;
}

/** The password could not be written. Carries the system's code. */
class PasswordRefused extends Error {}

const LARGEST_PASSWORD_FILE = 64 * 1024;

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

/** Writes the password without a configuration, after asking when it changes; whether it is there. */
async function keepPassword(password: PasswordFile | undefined, setting: Setting): Promise<boolean> {
  const { terminal, say } = setting;
  if (password === undefined) return true;
  const before = await readFile(password.path, 'utf8').catch(() => '');
  if (before === `${password.text}\n`) return true;
  terminal.say('', say('password_would_change', { path: password.path }));
  const isMeant = await agree(setting, say('write'));
  if (isMeant) await writePassword(password);
  else terminal.say(say('stopped'));
  return isMeant;
}

const asText = (name: string, entry: unknown) => JSON.stringify({ mcpServers: { [name]: entry } }, null, 2);

const masked = (name: string, entry: unknown): string =>
  asText(name, entry).replace(
    /((?:PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)": )"(?:[^"\\]|\\.)*"/gi,
    '$1"***"',
  );

function entryLines(sign: '-' | '+', name: string, entry: unknown): string[] {
  return masked(name, entry)
    .split('\n')
    .map((line) => `${sign} ${line}`);
}

/** An entry for a command that stays in the shell's history. */
function withoutSecrets(entry: ServerEntry): ServerEntry {
  const shown = ([variable, value]: [string, string]) => [
    variable,
    /(?:SECRET|TOKEN|KEY)$/.test(variable) ? '***' : value,
  ];
  return { ...entry, env: Object.fromEntries(Object.entries(entry.env).map(shown)) };
}

function unusableWords({ path, code, line }: ConfigurationUnusable, say: Say): string {
  if (code === 'CHANGED') return say('unusable.changed', { path });
  if (code === 'READ_ONLY') return say('unusable.read_only', { path });
  return code === 'BROKEN' ? say('unusable.broken', { path, line }) : say('unusable.code', { path, code });
}

/** Shows the change of a host's configuration and writes it, with the password, after a yes. */
async function installInFile(
  host: Host,
  name: string,
  entry: ServerEntry,
  password: PasswordFile | undefined,
  setting: Setting,
): Promise<boolean> {
  const { terminal, say, machine } = setting;
  const file = await readConfiguration(host.path(machine));
  const { path } = file;
  const { after, replaced } = planChange(file, name, entry);
  const dollars = Object.entries(entry.env).filter(([, value]) => value.includes('$'));
  terminal.say(...dollars.map(([variable]) => `⚠ ${say('dollar', { variable })}`));
  if (after === file.text) {
    terminal.say('', say('nothing_to_change', { path }));
    return keepPassword(password, setting);
  }
  const former = replaced === undefined ? [] : entryLines('-', name, replaced);
  if (former.length > 0) terminal.say('', say('there_already', { name }));
  const heading = say(file.text === undefined ? 'would_create' : 'would_change', { path });
  terminal.say('', heading, ...former, ...entryLines('+', name, entry), '');
  if (!(await agree(setting, say('write')))) {
    terminal.say(say('stopped'));
    return false;
  }
  try {
    const backup = await writeConfiguration(file, after, async () => {
      if (password !== undefined) await writePassword(password);
    });
    terminal.say('', `✓ ${say('wrote', { path })}`);
    if (backup !== undefined) terminal.say(`  ${say('backup', { path: backup })}`);
    if (password !== undefined) terminal.say(`✓ ${say('password_written', { path: password.path })}`);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigurationUnusable)) throw error;
    terminal.say(`✗ ${unusableWords(error, say)}`);
    return false;
  }
}

/**
 * Adds the server to the chosen host's configuration after showing the change, or shows the host's own command.
 * @returns the host, when its configuration has the server now or after the command; `shown` for an unknown host
 * @throws Interrupted
 */
export async function install(wanted: Wanted, setting: Setting): Promise<Host | 'shown' | undefined> {
  const { terminal, say, started, machine } = setting;
  const host = await chooseHost(setting);
  const usual = wanted.isDemo ? 'docfiscal-demo' : 'docfiscal';
  const name = await askText(setting, say('name'), usual, (text) =>
    /^[a-z0-9][a-z0-9_-]{0,29}$/.test(text) ? undefined : say('bad_name'),
  );
  const path = join(wanted.dataDir, name === 'docfiscal' ? 'password' : `password-${name}`);
  const password = wanted.password === undefined ? undefined : { path, text: wanted.password };
  const variables = { ...wanted.variables, ...(password && { DFE_PASSWORD_FILE: path }) };
  const entry = serverEntry(started, variables, wanted.isDemo);
  const hasSecrets = asText(name, entry) !== masked(name, entry);
  const showByHand = () => {
    terminal.say('', say('by_hand'), masked(name, entry));
    if (hasSecrets) terminal.say('', say('secrets_by_hand'));
    if (password !== undefined) terminal.say('', say('password_by_hand', { path }));
  };
  if (host === undefined) {
    showByHand();
    return 'shown';
  }
  try {
    if (host.addCommand === undefined) {
      return (await installInFile(host, name, entry, password, setting)) ? host : undefined;
    }
    if (!(await keepPassword(password, setting))) return undefined;
    const command = commandLine(host.addCommand(name, withoutSecrets(entry)), machine.platform);
    terminal.say('', say('run_command', { host: host.name }), '', command);
    if (hasSecrets) terminal.say('', say('secrets_by_hand'));
    return host;
  } catch (error) {
    if (error instanceof PasswordRefused) {
      terminal.say(`✗ ${say('password_refused', { path, code: error.message })}`);
    } else if (error instanceof ConfigurationUnusable) {
      terminal.say('', `✗ ${unusableWords(error, say)}`);
      showByHand();
    } else throw error;
    return undefined;
  }
}
