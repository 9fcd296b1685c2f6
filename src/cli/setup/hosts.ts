import { readFileSync } from 'node:fs';
import { join, posix, resolve, win32 } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that assistants run in. Source: docs/hosts.md. */
export interface Host {
  readonly id: string;
  readonly name: string;
  /** Its configuration for this user; setup changes it, where the host has no command for that. */
  path(machine: Machine): string;
  /** The member of it that holds servers by name. */
  readonly member: 'mcpServers' | 'servers' | 'mcp_servers';
  /** Its own command that adds a server, by words. */
  readonly addCommand?: (name: string, entry: ServerEntry) => readonly string[];
}

const pathOf = ({ platform }: Machine) => (platform === 'win32' ? win32 : posix);

/** A path in the folder where programs keep a user's settings. */
const inSettings =
  (...parts: string[]) =>
  ({ platform, home, env }: Machine): string => {
    if (platform === 'win32') {
      return win32.join(env.APPDATA ?? win32.join(home, 'AppData', 'Roaming'), ...parts);
    }
    if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', ...parts);
    return posix.join(env.XDG_CONFIG_HOME ?? posix.join(home, '.config'), ...parts);
  };

const inHome =
  (...parts: string[]) =>
  (machine: Machine) =>
    pathOf(machine).join(machine.home, ...parts);

const variables = (option: string, { env }: ServerEntry): string[] =>
  Object.entries(env).flatMap(([variable, value]) => [option, `${variable}=${value}`]);

/** The host's own words, with the server's name, then its variables and command. */
const adding =
  (words: string): Host['addCommand'] =>
  (name, entry) => [
    ...words.replace('NAME', name).split(' '),
    ...variables('--env', entry),
    ...['--', entry.command, ...entry.args],
  ];

/** The hosts that are known, in the order in which they are offered. */
export const hosts: readonly Host[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    member: 'mcpServers',
    path: inSettings('Claude', 'claude_desktop_config.json'),
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    member: 'mcpServers',
    path: inHome('.claude.json'),
    addCommand: adding('claude mcp add NAME --scope user'),
  },
  {
    id: 'vscode',
    name: 'VS Code',
    member: 'servers',
    path: inSettings('Code', 'User', 'mcp.json'),
    addCommand: (name, entry) => ['code', '--add-mcp', JSON.stringify({ name, ...entry })],
  },
  { id: 'cursor', name: 'Cursor', member: 'mcpServers', path: inHome('.cursor', 'mcp.json') },
  {
    id: 'codex',
    name: 'Codex',
    member: 'mcp_servers',
    path: (machine) =>
      pathOf(machine).join(machine.env.CODEX_HOME ?? inHome('.codex')(machine), 'config.toml'),
    addCommand: adding('codex mcp add NAME'),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    member: 'mcpServers',
    path: inHome('.gemini', 'settings.json'),
    addCommand: (name, entry) => [
      ...'gemini mcp add --scope user'.split(' '),
      ...variables('-e', entry),
      ...[name, entry.command, '--', ...entry.args],
    ],
  },
];

export interface Started {
  readonly node: string;
  /** The program's file, links resolved. */
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  /** The packed file that npx was given instead of a name. */
  readonly packageFile?: string | undefined;
}

/** The packed file that npx runs a program from; undefined for a name in a registry and outside npx. */
export function packageFileOf(script: string): string | undefined {
  const [cache = ''] = script.split(/[\\/]node_modules[\\/]/);
  if (!npxCache.test(script)) return undefined;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(cache, 'package.json'), 'utf8'));
    const spec: unknown = dependencies?.['docfiscal-mcp'];
    return typeof spec === 'string' && spec.startsWith('file:') ? resolve(cache, spec.slice(5)) : undefined;
  } catch {
    return undefined;
  }
}

const npxCache = /[\\/]_npx[\\/]/;

/**
 * Starts the program by absolute paths, since desktop programs have another PATH than a terminal. A copy in npx's cache
 * may be removed, so npx is given its version or the packed file.
 */
export function serverEntry(
  { node, script, version, platform, packageFile }: Started,
  env: Readonly<Record<string, string>>,
  isDemo: boolean,
): ServerEntry {
  const args = isDemo ? ['--demo'] : [];
  if (!npxCache.test(script)) return { command: node, args: [script, ...args], env };
  const what =
    packageFile === undefined ? [`docfiscal-mcp@${version}`] : ['--package', packageFile, 'docfiscal-mcp'];
  const npx = ['-y', ...what, ...args];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx], env }
    : { command: 'npx', args: npx, env };
}

/** Quotes a command for this platform's shell. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  const quoted = (word: string) => {
    if (/^[\w./:=@%+,-]+$/.test(word)) return word;
    return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
  };
  return words.map(quoted).join(' ');
}
