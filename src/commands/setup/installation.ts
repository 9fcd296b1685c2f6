import { rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { agree, askText, type Choice, choose, type Say } from './asking.ts';
import {
  type ConfigurationFile,
  ConfigurationUnusable,
  readConfiguration,
  writeConfiguration,
} from './configuration-file.ts';
import { type Host, hosts, type Machine } from './hosts.ts';
import { planJson } from './json-configuration.ts';
import { holdsPassword, writePassword } from './password-file.ts';
import { changedLines, type HostInput, type Planned } from './planned-change.ts';
import { type ServerEntry, type Started, serverEntry } from './server-entry.ts';
import type { Terminal } from './terminal.ts';
import { planToml, tomlTables } from './toml-configuration.ts';

/** What is to be installed, and where a password may go. */
export interface Wanted {
  readonly isDemo: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string | undefined;
  readonly dataDir: string;
}

/** What the installation works with. */
export interface Setting {
  readonly terminal: Terminal;
  readonly say: Say;
  readonly machine: Machine;
  readonly started: Started;
}

/** The machine that the program runs on. */
export const thisMachine = (env: NodeJS.ProcessEnv): Machine => ({
  platform: process.platform,
  home: homedir(),
  env,
});

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Asks which host; undefined for another one. Those that seem to be installed are marked, the first of them usual. */
async function chooseHost({ terminal, say, machine }: Setting): Promise<Host | undefined> {
  // The home folder is there for everybody: only the file in it tells of its host.
  const traces = hosts.map((host) => {
    const path = host.path(machine);
    return dirname(path) === machine.home ? path : dirname(path);
  });
  const found = await Promise.all(traces.map(isThere));
  const choices: Choice<Host | undefined>[] = hosts.map((host, at) => ({
    value: host,
    words: found[at] === true ? say('host_found', { name: host.name }) : host.name,
  }));
  choices.push({ value: undefined, words: say('host_other') });
  return choose(terminal, say, say('host'), choices, Math.max(found.indexOf(true), 0));
}

function plan(
  text: string,
  host: Host,
  name: string,
  entry: ServerEntry,
  input: HostInput | undefined,
): Planned {
  return host.format === 'toml' ? planToml(text, name, entry) : planJson(text, host, name, entry, input);
}

/** The entry as text, for a host whose configuration is left alone or not known. */
function byHand(name: string, entry: ServerEntry, host: Host | undefined): string {
  if (host?.format === 'toml') return tomlTables(name, entry);
  const server = { ...(host?.isTyped && { type: 'stdio' }), ...entry };
  return JSON.stringify({ [host?.key ?? 'mcpServers']: { [name]: server } }, null, 2);
}

function toldOfUnusable({ path, code }: ConfigurationUnusable, way: 'read' | 'write', say: Say): string {
  if (code === 'CHANGED') return say('unusable.changed', { path });
  if (code === 'READ_ONLY') return say('unusable.read_only', { path });
  return say(`unusable.${way}`, { path, code });
}

/** Where the password will be, and what the entry has of it. */
async function settlePassword(wanted: Wanted, name: string, host: Host | undefined, setting: Setting) {
  const { terminal, say } = setting;
  if (wanted.password === undefined) return {};
  const path = join(wanted.dataDir, name === 'docfiscal' ? 'password' : `password-${name}`);
  const inFile = { file: path, variables: { DFE_PASSWORD_FILE: path } };
  if (host === undefined || !host.keepsSecrets) return inFile;
  const input = { id: `${name}-password`, description: say('password_described') };
  const byHost = { input, variables: { DFE_PASSWORD: `\${input:${input.id}}` } };
  return choose<{ file?: string; input?: HostInput; variables: Record<string, string> }>(
    terminal,
    say,
    say('password_where'),
    [
      { value: byHost, words: say('password_by_host', { host: host.name }) },
      { value: inFile, words: say('password_in_file', { path }) },
    ],
  );
}

/** Shows what would change, and whether the person wants it. */
async function isWanted(
  file: ConfigurationFile,
  planned: Planned & { ok: true },
  name: string,
  { terminal, say }: Setting,
): Promise<boolean> {
  const lines = changedLines(file.text, planned.after);
  if (planned.isReplacing) terminal.say('', say('there_already', { name }));
  terminal.say('', say(file.isThere ? 'would_change' : 'would_create', { path: file.path }), ...lines, '');
  return agree(terminal, say, say('write'));
}

function dollarLines({ env }: ServerEntry, say: Say): string[] {
  return Object.entries(env)
    .filter(([, value]) => value.includes('$') && !value.startsWith('${input:'))
    .map(([variable]) => `⚠ ${say('dollar', { variable })}`);
}

/** Sees to the password alone, where the configuration is as it should be: asks before another one is replaced. */
async function isPasswordThere(
  password: { file: string; text: string } | undefined,
  { terminal, say }: Setting,
): Promise<boolean> {
  if (password === undefined || (await holdsPassword(password.file, password.text))) return true;
  terminal.say('', say('password_would_change', { path: password.file }));
  if (await agree(terminal, say, say('write'))) return keepPassword(password, { terminal, say });
  terminal.say(say('stopped'));
  return false;
}

/** Writes the password, or tells why it can't be. */
async function keepPassword(
  { file, text }: { file: string; text: string },
  { terminal, say }: Pick<Setting, 'terminal' | 'say'>,
): Promise<boolean> {
  try {
    await writePassword(file, text);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    terminal.say(`✗ ${say('password_refused', { path: file, code })}`);
    return false;
  }
}

/** Writes password and configuration; what of the two could not be written is told, and nothing is left half done. */
async function write(
  file: ConfigurationFile,
  after: string,
  password: { file: string; text: string } | undefined,
  { terminal, say }: Setting,
): Promise<boolean> {
  const hadPassword = password !== undefined && (await isThere(password.file));
  if (password !== undefined && !(await keepPassword(password, { terminal, say }))) return false;
  try {
    const backup = await writeConfiguration(file, after);
    terminal.say('', `✓ ${say('wrote', { path: file.path })}`);
    if (backup !== undefined) terminal.say(`  ${say('backup', { path: backup })}`);
    if (password !== undefined) terminal.say(`✓ ${say('password_written', { path: password.file })}`);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigurationUnusable)) throw error;
    terminal.say(`✗ ${toldOfUnusable(error, 'write', say)}`);
    if (password !== undefined && !hadPassword) await rm(password.file, { force: true });
    else if (password !== undefined) terminal.say(say('password_kept', { path: password.file }));
    return false;
  }
}

/**
 * Puts the server into the configuration of a host that the person chooses, after showing the change.
 * @returns the host, where its configuration has the server now
 * @throws Interrupted
 */
export async function install(wanted: Wanted, setting: Setting): Promise<Host | 'shown' | undefined> {
  const { terminal, say, machine, started } = setting;
  const host = await chooseHost(setting);
  const name = await askText(
    terminal,
    say,
    say('name'),
    wanted.isDemo ? 'docfiscal-demo' : 'docfiscal',
    (text) => (/^[a-z0-9][a-z0-9_-]{0,29}$/.test(text) ? undefined : say('bad_name')),
  );
  const { file, input, variables } = {
    file: undefined,
    input: undefined,
    variables: {},
    ...(await settlePassword(wanted, name, host, setting)),
  };
  const entry = serverEntry(started, { ...wanted.variables, ...variables }, wanted.isDemo);
  const password =
    file === undefined || wanted.password === undefined ? undefined : { file, text: wanted.password };
  const leave = (why?: string) => {
    terminal.say(
      '',
      ...(why === undefined ? [] : [`✗ ${why}`, '']),
      say('by_hand'),
      byHand(name, entry, host),
      ...(file === undefined ? [] : ['', say('password_by_hand', { path: file })]),
    );
    return host === undefined ? ('shown' as const) : undefined;
  };
  if (host === undefined) return leave();
  try {
    const found = await readConfiguration(host.path(machine));
    const planned = plan(found.text, host, name, entry, input);
    if (!planned.ok)
      return leave(say(`left.${planned.reason}`, { path: found.path, line: planned.line ?? 1 }));
    terminal.say(...dollarLines(entry, say));
    if (planned.after === found.text) {
      terminal.say('', say('nothing_to_change', { path: found.path }));
      return (await isPasswordThere(password, setting)) ? host : undefined;
    }
    if (!(await isWanted(found, planned, name, setting))) {
      terminal.say(say('stopped'));
      return undefined;
    }
    return (await write(found, planned.after, password, setting)) ? host : undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationUnusable)) throw error;
    return leave(toldOfUnusable(error, 'read', say));
  }
}
