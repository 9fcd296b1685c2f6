import { posix, win32 } from 'node:path';

/** The machine that hosts keep their configuration on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A program that assistants run in, and how it wants to be told of a server. Source: docs/hosts.md. */
export interface Host {
  readonly id: 'claude-desktop' | 'claude-code' | 'vscode' | 'cursor' | 'codex' | 'gemini';
  readonly name: string;
  /** `json` is strict; `jsonc` may have comments and trailing commas, which stay. */
  readonly format: 'json' | 'jsonc' | 'toml';
  /** The object of the servers. */
  readonly key: 'mcpServers' | 'servers' | 'mcp_servers';
  /** The server's entry has `type: "stdio"`. */
  readonly isTyped: boolean;
  /** It asks for secrets itself and keeps them (`${input:…}`). */
  readonly keepsSecrets: boolean;
  /** Where its configuration for this user is. */
  path(machine: Machine): string;
}

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

/** The hosts whose configuration can be written, in the order in which they are offered. */
export const hosts: readonly Host[] = [
  {
    ...plain,
    id: 'claude-desktop',
    name: 'Claude Desktop',
    path: inSettings('Claude', 'claude_desktop_config.json'),
  },
  { ...plain, id: 'claude-code', name: 'Claude Code', isTyped: true, path: inHome('.claude.json') },
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
    ...plain,
    id: 'codex',
    name: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    path: (machine) =>
      pathOf(machine).join(machine.env.CODEX_HOME ?? inHome('.codex')(machine), 'config.toml'),
  },
  { ...plain, id: 'gemini', name: 'Gemini CLI', format: 'jsonc', path: inHome('.gemini', 'settings.json') },
];
