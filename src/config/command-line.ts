import { parseArgs } from 'node:util';
import { nearestName, recognisedName } from './nearest-name.ts';
import { settings } from './settings.ts';

/** The named commands. */
export const namedCommands = ['setup', 'http', 'sandbox', 'doctor', 'archive', 'token'] as const;

/** Topics of `--help`: the stdio server, or a command. */
export type Topic = 'stdio' | (typeof namedCommands)[number];

/** The command to run. */
export type Command = Topic | 'help' | 'version';

/** Actions of `docfiscal-mcp archive`. */
export const archiveActions = ['info', 'verify', 'fetch', 'import', 'export', 'purge'] as const;

export type ArchiveAction = (typeof archiveActions)[number];

/** Options of commands that are not settings. */
const commandOptions = {
  demo: { type: 'boolean', commands: ['stdio', 'http', 'doctor'] },
  json: { type: 'boolean', commands: ['doctor'] },
  host: { type: 'string', commands: ['http'] },
  port: { type: 'string', commands: ['http', 'sandbox'] },
  company: { type: 'string', commands: ['archive'] },
  kind: { type: 'string', commands: ['archive'] },
  from: { type: 'string', commands: ['archive'] },
  until: { type: 'string', commands: ['archive'] },
  to: { type: 'string', commands: ['archive'] },
  yes: { type: 'boolean', commands: ['archive'] },
  refresh: { type: 'boolean', commands: ['archive'] },
  help: { type: 'boolean', commands: ['stdio', ...namedCommands] },
  version: { type: 'boolean', commands: ['stdio', ...namedCommands] },
} as const;

/** A mistake on the command line, by catalogue key. */
export type CommandLineProblem =
  | { key: 'config.unknown_flag'; values: { name: string }; nearest: string | undefined }
  | { key: 'config.unknown_command'; values: { name: string }; nearest: string | undefined }
  | { key: 'config.action_missing'; values: { actions: string } }
  | { key: 'config.secret_flag'; values: { name: string; variable: string } }
  | { key: 'config.flag_without_value'; values: { name: string } }
  | { key: 'config.flag_with_value'; values: { name: string } }
  | { key: 'config.flag_twice'; values: { name: string } }
  | { key: 'config.bad_port'; values: { value: string } };

export interface ArchiveRequest {
  readonly action: ArchiveAction;
  readonly company: string | undefined;
  readonly kind: string | undefined;
  /** Days of issue, `YYYY-MM-DD`, both included. */
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** Folder of an export. */
  readonly to: string | undefined;
  /** Without it a purge is a dry run. */
  readonly yes: boolean;
  /** Fetch days again that are complete already. */
  readonly refresh: boolean;
  /** Files and folders to import. */
  readonly paths: readonly string[];
}

export interface CommandLine {
  readonly command: Command;
  /** Topic of help, where that is the command. */
  readonly topic: Topic;
  readonly demo: boolean;
  readonly json: boolean;
  readonly port: number | undefined;
  /** Undefined for commands other than `archive`. */
  readonly archive: ArchiveRequest | undefined;
  /** Settings given as flags, as text, by variable name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly problems: readonly CommandLineProblem[];
}

const flagNameOf = (variable: string) => variable.slice(4).toLowerCase().replaceAll('_', '-');
const settingFlags = new Map(
  settings.filter(({ secret }) => !secret).map((one) => [flagNameOf(one.variable), one] as const),
);
const secretFlags = new Map(
  settings.filter(({ secret }) => secret).map(({ variable }) => [flagNameOf(variable), variable] as const),
);

/** The command named first, whatever follows; undefined for an unknown one. */
function topicOf([name]: readonly string[]): Topic | undefined {
  return name === undefined ? 'stdio' : namedCommands.find((one) => one === name);
}

/** Problems of the positional arguments. */
function positionalProblems(positionals: readonly string[], isHelp: boolean): CommandLineProblem[] {
  const topic = topicOf(positionals);
  const actions = archiveActions.join(', ');
  if (topic === 'archive' && archiveActionOf(positionals) !== undefined) return [];
  if (topic !== undefined && positionals.length <= 1) {
    return topic === 'archive' && !isHelp ? [{ key: 'config.action_missing', values: { actions } }] : [];
  }
  const name = positionals.join(' ');
  const known =
    topic === 'archive' ? archiveActions.map((one) => `archive ${one}`) : ['--help', ...namedCommands];
  // Anything but a word may be a stray value, even a secret: it is not repeated.
  const isWord = /^[a-z-]{1,20}(?: [a-z-]{1,20})?$/i.test(name);
  const nearest = isWord ? (topic === 'archive' ? recognisedName : nearestName)(name, known) : undefined;
  const unknown = {
    key: 'config.unknown_command',
    values: { name: isWord ? name : '***' },
    nearest,
  } as const;
  // A list of the actions helps more than a far-fetched suggestion.
  const isOtherAction = topic === 'archive' && nearest === undefined;
  return [
    unknown,
    ...(isOtherAction ? [{ key: 'config.action_missing', values: { actions } } as const] : []),
  ];
}

function archiveActionOf(positionals: readonly string[]): ArchiveAction | undefined {
  const [command, action, ...others] = positionals;
  if (command !== 'archive' || (others.length > 0 && action !== 'import')) return undefined;
  return archiveActions.find((name) => name === action);
}

function archiveRequest(
  action: ArchiveAction | undefined,
  [, , ...paths]: readonly string[],
  given: ReadonlyMap<string, string>,
): ArchiveRequest | undefined {
  if (action === undefined) return undefined;
  const [company, kind, from, until, to] = ['company', 'kind', 'from', 'until', 'to'].map((name) =>
    given.get(name),
  );
  const [yes, refresh] = [given.has('yes'), given.has('refresh')];
  return { action, company, kind, from, until, to, yes, refresh, paths };
}

/**
 * Reads the command line (without `node` and the program's name). Nothing is guessed: an unknown flag or command,
 * a flag twice, a value missing are problems, and the caller stops on any.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const options = Object.fromEntries([
    ...[...settingFlags].map(([name, one]) => [name, { type: one.isToggle ? 'boolean' : 'string' }]),
    ...Object.entries(commandOptions).map(([name, { type }]) => [name, { type }]),
  ]);
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const problems: CommandLineProblem[] = [];
  const given = new Map<string, string>();
  const seen = new Set<number>();
  for (const token of tokens) {
    // `-abc` is three tokens at one place: a mistake once, and perhaps a secret.
    if (token.kind !== 'option' || seen.has(token.index)) continue;
    seen.add(token.index);
    const declared = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const values = { name: token.rawName };
    if (declared === undefined || !token.rawName.startsWith('--')) {
      problems.push(unknownFlag(token.name, token.rawName));
    } else if (given.has(token.name)) {
      problems.push({ key: 'config.flag_twice', values });
    } else if (token.value === '' || (declared.type === 'string' && !usable(token))) {
      problems.push({ key: 'config.flag_without_value', values });
    } else if (token.value !== undefined && isSwitch(token.name)) {
      problems.push({ key: 'config.flag_with_value', values });
    } else {
      given.set(token.name, token.value ?? 'true');
    }
  }
  // What follows an unknown flag may be its value, even a secret: it is not repeated.
  const isPerhapsValue = problems.some(({ key }) => /^config\.(unknown|secret)_flag$/.test(key));
  if (!isPerhapsValue) problems.push(...positionalProblems(positionals, given.has('help')));
  const topic = topicOf(positionals) ?? 'stdio';
  const chosen = given.has('help') ? 'help' : given.has('version') ? 'version' : topic;
  problems.push(...(chosen === topic ? misplaced(given, topic) : []), ...badPort(given.get('port')));
  return {
    command: chosen,
    topic,
    demo: given.has('demo'),
    json: given.has('json'),
    port: given.has('port') ? Number(given.get('port')) : undefined,
    archive: archiveRequest(archiveActionOf(positionals), positionals, given),
    flags: flagsOf(given, topic),
    problems,
  };
}

/** Short forms of settings' flags, which `http` has. */
const shortForms: Readonly<Record<string, string>> = { 'http-host': 'host', 'http-port': 'port' };

function flagsOf(given: ReadonlyMap<string, string>, topic: Topic): ReadonlyMap<string, string> {
  return new Map(
    [...settingFlags].flatMap(([name, { variable }]) => {
      const short = topic === 'http' ? given.get(shortForms[name] ?? '') : undefined;
      const value = given.get(name) ?? short;
      return value === undefined ? [] : [[variable, value] as const];
    }),
  );
}

/** A following flag is not a value: `--cnpj --read-only` must not set the company to `--read-only`. */
function usable({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }) {
  return value !== undefined && (inlineValue === true || !value.startsWith('--'));
}

/** A boolean option takes no value: `--demo=1` must not be read as no demo. */
function isSwitch(name: string): boolean {
  return Object.entries(commandOptions).some(([one, { type }]) => one === name && type === 'boolean');
}

function unknownFlag(name: string, rawName: string): CommandLineProblem {
  const variable = secretFlags.get(name);
  if (variable !== undefined) return { key: 'config.secret_flag', values: { name: rawName, variable } };
  const known = [...settingFlags.keys(), ...Object.keys(commandOptions)].map((one) => `--${one}`);
  return { key: 'config.unknown_flag', values: { name: rawName }, nearest: nearestName(rawName, known) };
}

function misplaced(given: ReadonlyMap<string, string>, topic: Topic): CommandLineProblem[] {
  return Object.entries(commandOptions).flatMap(([name, { commands }]) => {
    const fits = commands.some((one) => one === topic);
    const values = { name: `--${name}` };
    return given.has(name) && !fits
      ? [{ key: 'config.unknown_flag', values, nearest: undefined } as const]
      : [];
  });
}

function badPort(value: string | undefined): CommandLineProblem[] {
  const fits = value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535);
  return fits ? [] : [{ key: 'config.bad_port', values: { value } }];
}
