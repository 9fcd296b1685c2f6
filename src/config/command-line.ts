import { parseArgs } from 'node:util';
import { nearestName, type Problem, recognisedName } from './configure.ts';
import { settings } from './settings.ts';

export const namedCommands = ['setup', 'http', 'sandbox', 'doctor', 'archive', 'token'] as const;

/** Topics of `--help`: the stdio server, or a command. */
export type Topic = 'stdio' | (typeof namedCommands)[number];

export const archiveActions = [
  'info',
  'verify',
  'fetch',
  'import',
  'export',
  'purge',
  'verify-dossier',
] as const;

export type ArchiveAction = (typeof archiveActions)[number];

const takesPaths: readonly ArchiveAction[] = ['import', 'verify-dossier'];

interface Option {
  readonly type: 'string' | 'boolean';
  /** Of the commands that take it; undefined for all. */
  readonly commands?: readonly Topic[];
}

/** Options of commands that are not settings. */
const commandOptions: Readonly<Record<string, Option>> = {
  demo: { type: 'boolean', commands: ['stdio', 'http', 'doctor'] },
  json: { type: 'boolean', commands: ['doctor'] },
  host: { type: 'string', commands: ['http', 'doctor'] },
  port: { type: 'string', commands: ['http', 'sandbox'] },
  company: { type: 'string', commands: ['archive'] },
  kind: { type: 'string', commands: ['archive'] },
  from: { type: 'string', commands: ['archive'] },
  until: { type: 'string', commands: ['archive'] },
  to: { type: 'string', commands: ['archive'] },
  yes: { type: 'boolean', commands: ['archive'] },
  refresh: { type: 'boolean', commands: ['archive'] },
  hash: { type: 'string', commands: ['archive'] },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
};

/** An action of `archive`, with the texts of its options as given; the days of a period are both included. */
export interface ArchiveRequest
  extends Readonly<Record<'company' | 'kind' | 'from' | 'until' | 'to' | 'hash', string | undefined>> {
  readonly action: ArchiveAction;
  /** Without it a purge is a dry run. */
  readonly yes: boolean;
  /** Fetch days again that are complete already. */
  readonly refresh: boolean;
  /** Files and folders to import, or the dossier to verify. */
  readonly paths: readonly string[];
}

export interface CommandLine {
  readonly command: Topic | 'help' | 'version';
  readonly topic: Topic;
  readonly demo: boolean;
  readonly json: boolean;
  /** The assistant whose configuration `doctor` examines, by its id. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** Undefined for commands other than `archive`. */
  readonly archive: ArchiveRequest | undefined;
  /** Settings given as flags, as text, by variable name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

const settingByFlag = new Map(
  settings.map((one) => [one.variable.slice(4).toLowerCase().replaceAll('_', '-'), one]),
);
const options: Readonly<Record<string, Option>> = Object.assign(Object.create(null), commandOptions);
for (const [name, { secret, isToggle }] of settingByFlag) {
  if (!secret) Object.assign(options, { [name]: { type: isToggle ? 'boolean' : 'string' } });
}

const problem = (key: Problem['key'], values: Problem['values'], nearest?: string): Problem => ({
  key,
  values,
  ...(nearest !== undefined && { nearest }),
});

function positionalProblems([command, action, ...others]: readonly string[], isHelp: boolean): Problem[] {
  const topic = namedCommands.find((one) => one === command);
  const isAction = archiveActions.some((one) => one === action);
  const actions = problem('config.action_missing', { actions: archiveActions.join(', ') });
  if (topic === 'archive') {
    if (isAction && (others.length === 0 || takesPaths.some((one) => one === action))) return [];
    if (action === undefined) return isHelp ? [] : [actions];
  } else if (action === undefined && (topic ?? command) === topic) return [];
  const name = [command, action, ...others].filter(Boolean).join(' ');
  // Anything but a word may be a stray value, even a secret: it is not repeated.
  if (!/^[a-z-]{1,20}(?: [a-z-]{1,20})?$/i.test(name))
    return [problem('config.unknown_command', { name: '***' })];
  if (topic !== 'archive') {
    return [problem('config.unknown_command', { name }, nearestName(name, ['--help', ...namedCommands]))];
  }
  const known = archiveActions.map((one) => `archive ${one}`);
  const nearest = recognisedName(name, known);
  // A list of the actions helps more than a far-fetched suggestion.
  return [problem('config.unknown_command', { name }, nearest), ...(nearest === undefined ? [actions] : [])];
}

function unknownFlag(name: string, rawName: string): Problem {
  const { secret, variable } = settingByFlag.get(name) ?? {};
  if (secret) return problem('config.secret_flag', { name: rawName, variable: variable ?? '' });
  const known = Object.keys(options).map((one) => `--${one}`);
  return problem('config.unknown_flag', { name: rawName }, nearestName(rawName, known));
}

/**
 * Reads the command line (without `node` and the program's name). Nothing is guessed: an unknown flag or command,
 * a flag twice, a value missing are problems, and the caller stops on any.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: { ...options },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const problems: Problem[] = [];
  const given = new Map<string, string>();
  const seen = new Set<number>();
  for (const token of tokens) {
    // `-abc` is three tokens at one place: a mistake once, and perhaps a secret.
    if (token.kind !== 'option' || seen.has(token.index)) continue;
    seen.add(token.index);
    const { name, rawName, value, inlineValue: isInline } = token;
    const option = options[name];
    // A following flag is not a value: `--cnpj --read-only` must not set the company to `--read-only`.
    const isMissing =
      option?.type === 'string' && (value === undefined || (!isInline && value.startsWith('--')));
    if (option === undefined || !rawName.startsWith('--')) problems.push(unknownFlag(name, rawName));
    else if (given.has(name)) problems.push(problem('config.flag_twice', { name: rawName }));
    else if (value === '' || isMissing)
      problems.push(problem('config.flag_without_value', { name: rawName }));
    // `--demo=1` must not be read as no demo.
    else if (value !== undefined && Object.hasOwn(commandOptions, name) && option.type === 'boolean') {
      problems.push(problem('config.flag_with_value', { name: rawName }));
    } else given.set(name, value ?? 'true');
  }
  // What follows an unknown flag may be its value, even a secret: it is not repeated.
  const isPerhapsValue = problems.some(({ key }) => /^config\.(unknown|secret)_flag$/.test(key));
  if (!isPerhapsValue) problems.push(...positionalProblems(positionals, given.has('help')));

  const topic = namedCommands.find((one) => one === positionals[0]) ?? 'stdio';
  const command = given.has('help') ? 'help' : given.has('version') ? 'version' : topic;
  for (const name of command === topic ? given.keys() : []) {
    const { commands } = options[name] ?? {};
    if (commands?.includes(topic) === false)
      problems.push(problem('config.unknown_flag', { name: `--${name}` }));
  }
  const port = given.get('port');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    problems.push(problem('config.bad_port', { value: port }));
  }
  const [, action, ...paths] = topic === 'archive' ? positionals : [];
  const archiveAction = archiveActions.find((one) => one === action);
  const flags = [...settingByFlag].flatMap(([name, { variable }]) => {
    // `http` has short forms of two settings.
    const short =
      topic === 'http' && /^http-(?:host|port)$/.test(name) ? given.get(name.slice(5)) : undefined;
    const value = given.get(name) ?? short;
    return value === undefined ? [] : [[variable, value] as const];
  });
  return {
    command,
    topic,
    demo: given.has('demo'),
    json: given.has('json'),
    host: topic === 'doctor' ? given.get('host') : undefined,
    port: port === undefined ? undefined : Number(port),
    archive: archiveAction && {
      action: archiveAction,
      company: given.get('company'),
      kind: given.get('kind'),
      from: given.get('from'),
      until: given.get('until'),
      to: given.get('to'),
      hash: given.get('hash'),
      yes: given.has('yes'),
      refresh: given.has('refresh'),
      paths,
    },
    flags: new Map(flags),
    problems,
  };
}
