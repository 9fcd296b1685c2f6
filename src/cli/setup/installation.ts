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
import { type CommandHost, type FileHost, type Host, hosts, type Machine } from './hosts.ts';
import { planJson } from './json-configuration.ts';
import { holdsPassword, writePassword } from './password-file.ts';
import { changedLines, type HostInput, type Planned } from './planned-change.ts';
import { commandLine, type ServerEntry, type Started, serverEntry } from './server-entry.ts';
import type { Terminal } from './terminal.ts';

/** What to install. */
export interface Wanted {
  readonly isDemo: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string | undefined;
  readonly dataDir: string;
}

/** The environment of the installation. */
export interface Setting {
  readonly terminal: Terminal;
  readonly say: Say;
  readonly machine: Machine;
  readonly started: Started;
}

/** This machine. */
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

/** Asks for the host; undefined for an unknown one. Installed ones are marked, the first is the default. */
async function chooseHost({ terminal, say, machine }: Setting): Promise<Host | undefined> {
  // The home folder always exists: only a file in it shows that its host is installed.
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

/** The entry as JSON, for a host whose configuration is not edited. */
function byHand(name: string, entry: ServerEntry, host: FileHost | undefined): string {
  const server = { ...(host?.isTyped && { type: 'stdio' }), ...entry };
  return JSON.stringify({ [host?.key ?? 'mcpServers']: { [name]: server } }, null, 2);
}

function unusableWords({ path, code }: ConfigurationUnusable, way: 'read' | 'write', say: Say): string {
  if (code === 'CHANGED') return say('unusable.changed', { path });
  if (code === 'READ_ONLY') return say('unusable.read_only', { path });
  return say(`unusable.${way}`, { path, code });
}

/** Decides where the password is kept, and the variables for it. */
async function settlePassword(wanted: Wanted, name: string, host: Host | undefined, setting: Setting) {
  const { terminal, say } = setting;
  if (wanted.password === undefined) return {};
  const path = join(wanted.dataDir, name === 'docfiscal' ? 'password' : `password-${name}`);
  const inFile = { file: path, variables: { DFE_PASSWORD_FILE: path } };
  if (host === undefined || 'addCommand' in host || !host.keepsSecrets) return inFile;
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

/** Shows the change and asks whether to write it. */
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

/** Writes the password alone, after asking when it changes. */
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

/** Writes the password, or says why not. */
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

/** Writes password and configuration; undoes the first when the second fails. */
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
    terminal.say(`✗ ${unusableWords(error, 'write', say)}`);
    if (password !== undefined && !hadPassword) await rm(password.file, { force: true });
    else if (password !== undefined) terminal.say(say('password_kept', { path: password.file }));
    return false;
  }
}

/** The server's entry and the password for a file of its own. */
interface Content {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly input: HostInput | undefined;
  readonly password: { readonly file: string; readonly text: string } | undefined;
}

/** Writes the password and shows the host's command. */
async function installByCommand(
  host: CommandHost,
  { name, entry, password }: Content,
  setting: Setting,
): Promise<CommandHost | undefined> {
  const { terminal, say, machine } = setting;
  if (!(await isPasswordThere(password, setting))) return undefined;
  const command = commandLine(host.addCommand(name, entry), machine.platform);
  terminal.say('', say('run_command', { host: host.name }), '', command);
  return host;
}

async function installInFile(
  host: FileHost,
  { name, entry, input, password }: Content,
  setting: Setting,
  showByHand: (why: string) => void,
): Promise<FileHost | undefined> {
  const { terminal, say, machine } = setting;
  try {
    const found = await readConfiguration(host.path(machine));
    const planned = planJson(found.text, host, name, entry, input);
    if (!planned.ok) {
      const { reason, line = 1 } = planned;
      return void showByHand(say(`left.${reason}`, { path: found.path, line }));
    }
    terminal.say(...dollarLines(entry, say));
    if (planned.after === found.text) {
      terminal.say('', say('nothing_to_change', { path: found.path }));
      return (await isPasswordThere(password, setting)) ? host : undefined;
    }
    if (!(await isWanted(found, planned, name, setting))) return void terminal.say(say('stopped'));
    return (await write(found, planned.after, password, setting)) ? host : undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationUnusable)) throw error;
    return void showByHand(unusableWords(error, 'read', say));
  }
}

/**
 * Adds the server to the chosen host's configuration after showing the change, or shows the host's own command.
 * @returns the host, when its configuration has the server now or after the command
 * @throws Interrupted
 */
export async function install(wanted: Wanted, setting: Setting): Promise<Host | 'shown' | undefined> {
  const { terminal, say, started } = setting;
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
  const content: Content = { name, entry, input, password };
  if (host !== undefined && 'addCommand' in host) return installByCommand(host, content, setting);
  const showByHand = (why?: string): void =>
    terminal.say(
      '',
      ...(why === undefined ? [] : [`✗ ${why}`, '']),
      say('by_hand'),
      byHand(name, entry, host),
      ...(file === undefined ? [] : ['', say('password_by_hand', { path: file })]),
    );
  if (host !== undefined) return installInFile(host, content, setting, showByHand);
  showByHand();
  return 'shown';
}
