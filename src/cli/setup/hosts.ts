import { posix, win32 } from 'node:path';
import type { ServerEntry } from './server-entry.ts';

/** The machine that hosts keep their configuration on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Assistant {
  readonly id: 'claude-desktop' | 'claude-code' | 'vscode' | 'cursor' | 'codex' | 'gemini';
  readonly name: string;
  /** Where its configuration for this user is. */
  path(machine: Machine): string;
}

/** A program that assistants run in, whose configuration is a file that setup changes. Source: docs/hosts.md. */
export interface FileHost extends Assistant {
  /** `json` is strict; `jsonc` may have comments and trailing commas, which stay. */
  readonly format: 'json' | 'jsonc';
  /** The object of the servers. */
  readonly key: 'mcpServers' | 'servers';
  /** The server's entry has `type: "stdio"`. */
  readonly isTyped: boolean;
  /** It asks for secrets itself and keeps them (`${input:…}`). */
  readonly keepsSecrets: boolean;
}

/** A program that adds servers to its configuration itself. Source: docs/hosts.md. */
export interface CommandHost extends Assistant {
  /** Its command that adds a server, by words. */
  addCommand(name: string, entry: ServerEntry): readonly string[];
}

export type Host = FileHost | CommandHost;

const pathOf = ({ platform }: Machine) => (platform === 'win32' ? win32 : posix);

/** The folder where programs keep a user's settings. */
function settingsFolder(machine: Machine): string {
  const { platform, home, env } = machine;
  if (platform === 'win32') return env.APPDATA ?? win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME ?? posix.join(home, '.config');
}

const inSettings =
  (...parts: string[]) =>
  (machine: Machine) =>
    pathOf(machine).join(settingsFolder(machine), ...parts);

const inHome =
  (...parts: string[]) =>
  (machine: Machine) =>
    pathOf(machine).join(machine.home, ...parts);

const plain = { format: 'json', key: 'mcpServers', isTyped: false, keepsSecrets: false } as const;

const variables = (option: string, { env }: ServerEntry): string[] =>
  Object.entries(env).flatMap(([variable, value]) => [option, `${variable}=${value}`]);

/** The hosts that are known, in the order in which they are offered. */
export const hosts: readonly Host[] = [
  {
    ...plain,
    id: 'claude-desktop',
    name: 'Claude Desktop',
    path: inSettings('Claude', 'claude_desktop_config.json'),
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    path: inHome('.claude.json'),
    addCommand: (name, entry) => [
      ...`claude mcp add ${name} --scope user`.split(' '),
      ...variables('--env', entry),
      ...['--', entry.command, ...entry.args],
    ],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    format: 'jsonc',
    key: 'servers',
    isTyped: true,
    keepsSecrets: true,
    path: inSettings('Code', 'User', 'mcp.json'),
  },
  { ...plain, id: 'cursor', name: 'Cursor', path: inHome('.cursor', 'mcp.json') },
  {
    id: 'codex',
    name: 'Codex',
    path: (machine) =>
      pathOf(machine).join(machine.env.CODEX_HOME ?? inHome('.codex')(machine), 'config.toml'),
    addCommand: (name, entry) => [
      ...`codex mcp add ${name}`.split(' '),
      ...variables('--env', entry),
      ...['--', entry.command, ...entry.args],
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    path: inHome('.gemini', 'settings.json'),
    addCommand: (name, entry) => [
      ...'gemini mcp add --scope user'.split(' '),
      ...variables('-e', entry),
      ...[name, entry.command, '--', ...entry.args],
    ],
  },
];
