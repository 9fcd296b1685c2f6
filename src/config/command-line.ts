import { parseArgs } from 'node:util';
import { nearestName, type Problem, recognisedName } from './configure.ts';
import { flagOf, settings } from './settings.ts';

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
  /** Commands that support it; undefined for all. */
  readonly commands?: readonly Topic[];
  /** Actions of `archive` that support it. An ignored one could remove documents meant to stay. */
  readonly actions?: readonly ArchiveAction[];
}

const ofArchive = { type: 'string', commands: ['archive'] } as const;
const selecting = { ...ofArchive, actions: ['fetch', 'export', 'purge'] } as const;

/** Options of commands that are not settings. */
const commandOptions = {
  demo: { type: 'boolean', commands: ['stdio', 'http', 'doctor'] },
  json: { type: 'boolean', commands: ['doctor'] },
  host: { type: 'string', commands: ['http', 'doctor'] },
  port: { type: 'string', commands: ['http', 'sandbox'] },
  company: selecting,
  kind: selecting,
  from: selecting,
  until: selecting,
  to: { ...ofArchive, actions: ['export'] },
  yes: { ...ofArchive, type: 'boolean', actions: ['purge'] },
  refresh: { ...ofArchive, type: 'boolean', actions: ['fetch'] },
  hash: { ...ofArchive, actions: ['verify-dossier'] },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof commandOptions;

/** Options of `archive` that this action does not support. */
export const unsupportedOptions = (action: ArchiveAction): OptionName[] =>
  (Object.entries(commandOptions) as [OptionName, Option][]).flatMap(([name, { actions }]) =>
    actions?.includes(action) === false ? [name] : [],
  );

const options: Readonly<Record<string, Option>> = Object.assign(
  Object.create(null),
  commandOptions,
  ...settings.map(({ flag, variable, isToggle }) =>
    flag === undefined ? {} : { [flagOf(variable)]: { type: isToggle ? 'boolean' : 'string' } },
  ),
);

const problem = (key: Problem['key'], name: string, nearest?: string): Problem => ({
  key,
  values: { name },
  ...(nearest !== undefined && { nearest }),
});

function positionalProblems([command, action, ...others]: readonly string[], isHelp: boolean): Problem[] {
  const topic = namedCommands.find((one) => one === command);
  const isAction = archiveActions.some((one) => one === action);
  const actions = { key: 'config.action_missing', values: { actions: archiveActions.join(', ') } } as const;
  if (topic === 'archive') {
    if (isAction && (others.length === 0 || takesPaths.some((one) => one === action))) return [];
    if (action === undefined) return isHelp ? [] : [actions];
  } else if (action === undefined && (topic ?? command) === topic) return [];
  const name = [command, action, ...others].filter(Boolean).join(' ');
  // Anything but a word may be a stray value, even a secret: it is not repeated.
  if (!/^[a-z-]{1,20}(?: [a-z-]{1,20})?$/i.test(name)) return [problem('config.unknown_command', '***')];
  if (topic !== 'archive') {
    return [problem('config.unknown_command', name, nearestName(name, ['--help', ...namedCommands]))];
  }
  const known = archiveActions.map((one) => `archive ${one}`);
  const nearest = recognisedName(name, known);
  // A list of the actions helps more than a far-fetched suggestion.
  return [problem('config.unknown_command', name, nearest), ...(nearest === undefined ? [actions] : [])];
}

function unknownFlag(flag: string, name: string): Problem {
  const hidden = settings.find(({ variable, secret }) => secret && flagOf(variable) === flag);
  if (hidden) return { key: 'config.secret_flag', values: { name, variable: hidden.variable } };
  const known = Object.keys(options).map((one) => `--${one}`);
  return problem('config.unknown_flag', name, nearestName(name, known));
}

export type CommandLine = Readonly<ReturnType<typeof readCommandLine>>;

/**
 * Reads the command line (without `node` and the program's name). Nothing is guessed: an unknown flag or command,
 * a flag twice, a value missing are problems, and the caller stops on any.
 */
export function readCommandLine(argv: readonly string[]) {
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
    else if (given.has(name)) problems.push(problem('config.flag_twice', rawName));
    else if (value === '' || isMissing) problems.push(problem('config.flag_without_value', rawName));
    // `--demo=1` must not be read as no demo.
    else if (value !== undefined && Object.hasOwn(commandOptions, name) && option.type === 'boolean') {
      problems.push(problem('config.flag_with_value', rawName));
    } else given.set(name, value ?? 'true');
  }
  // What follows an unknown flag may be its value, even a secret: it is not repeated.
  const isPerhapsValue = problems.some(({ key }) => /^config\.(unknown|secret)_flag$/.test(key));
  if (!isPerhapsValue) problems.push(...positionalProblems(positionals, given.has('help')));

  const topic: Topic = namedCommands.find((one) => one === positionals[0]) ?? 'stdio';
  const command = given.has('help') ? 'help' : given.has('version') ? 'version' : topic;
  for (const name of command === topic ? given.keys() : []) {
    const isOfOthers = options[name]?.commands?.includes(topic) === false;
    if (isOfOthers) problems.push(problem('config.unknown_flag', `--${name}`));
  }
  const port = given.get('port');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    problems.push({ key: 'config.bad_port', values: { value: port } });
  }
  const [, action, ...paths] = topic === 'archive' ? positionals : [];
  const flags = settings.flatMap(({ variable }) => {
    const name = flagOf(variable);
    // `http` has short forms of two settings.
    const isShort = topic === 'http' && /^http-(?:host|port)$/.test(name);
    const value = given.get(name) ?? (isShort ? given.get(name.slice(5)) : undefined);
    return value === undefined ? [] : [[variable, value] as const];
  });
  const others = [...given].filter(([name]) => Object.hasOwn(commandOptions, name));
  return {
    command,
    topic,
    /** Of `archive`. */
    action: archiveActions.find((one) => one === action),
    /** Files and folders to import, or the dossier to verify. */
    paths,
    /** Options that are not settings, as text; `true` for one without a value. */
    options: new Map(others as [OptionName, string][]),
    /** Settings given as flags, as text, by variable name. */
    flags: new Map<string, string>(flags),
    problems,
  };
}
