import { parseArgs } from 'node:util';
import { settings } from './settings.ts';

/** What the program was asked to do. */
export type Command = 'stdio' | 'http' | 'sandbox' | 'doctor' | 'archive' | 'help' | 'version';

/** What `docfiscal-mcp archive` can be asked to do. */
export const archiveActions = ['info', 'verify', 'export', 'purge'] as const;

export type ArchiveAction = (typeof archiveActions)[number];

/** Options that belong to commands and are no settings. */
const commandOptions = {
  demo: { type: 'boolean', commands: ['stdio', 'doctor'] },
  json: { type: 'boolean', commands: ['doctor'] },
  host: { type: 'string', commands: ['http'] },
  port: { type: 'string', commands: ['http', 'sandbox'] },
  company: { type: 'string', commands: ['archive'] },
  kind: { type: 'string', commands: ['archive'] },
  from: { type: 'string', commands: ['archive'] },
  until: { type: 'string', commands: ['archive'] },
  to: { type: 'string', commands: ['archive'] },
  yes: { type: 'boolean', commands: ['archive'] },
  help: { type: 'boolean', commands: ['stdio', 'http', 'sandbox', 'doctor', 'archive'] },
  version: { type: 'boolean', commands: ['stdio', 'http', 'sandbox', 'doctor', 'archive'] },
} as const;

const namedCommands: readonly Command[] = ['http', 'sandbox', 'doctor', 'archive'];

/** A mistake on the command line, by catalogue key. */
export type CommandLineProblem =
  | { key: 'config.unknown_flag'; values: { name: string }; nearestAmong: readonly string[] }
  | { key: 'config.unknown_command'; values: { name: string }; nearestAmong: readonly string[] }
  | { key: 'config.secret_flag'; values: { name: string; variable: string } }
  | { key: 'config.flag_without_value'; values: { name: string } }
  | { key: 'config.flag_twice'; values: { name: string } }
  | { key: 'config.bad_port'; values: { value: string } };

export interface ArchiveRequest {
  readonly action: ArchiveAction;
  readonly company: string | undefined;
  readonly kind: string | undefined;
  /** Days of issue, `YYYY-MM-DD`, both included. */
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** The folder an export goes to. */
  readonly to: string | undefined;
  /** Without it a purge only shows what it would remove. */
  readonly yes: boolean;
}

export interface CommandLine {
  readonly command: Command;
  readonly demo: boolean;
  readonly json: boolean;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** What the archive is to do; undefined for every other command. */
  readonly archive: ArchiveRequest | undefined;
  /** Settings given as flags, as text, by variable name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly problems: readonly CommandLineProblem[];
}

const settingFlags = new Map(
  settings.flatMap((one) => (one.flag ? [[one.flag.slice(2), one] as const] : [])),
);
const secretFlags = new Map(
  settings.filter((one) => one.secret).map((one) => [flagNameOf(one.variable), one.variable] as const),
);

function flagNameOf(variable: string): string {
  return variable.slice(4).toLowerCase().replaceAll('_', '-');
}

function commandOf(positionals: readonly string[]): Command | undefined {
  if (positionals.length === 0) return 'stdio';
  const command = namedCommands.find((name) => name === positionals[0]);
  const isWhole =
    command === 'archive' ? archiveActionOf(positionals) !== undefined : positionals.length === 1;
  return isWhole ? command : undefined;
}

function archiveActionOf(positionals: readonly string[]): ArchiveAction | undefined {
  const [command, action, ...others] = positionals;
  if (command !== 'archive' || others.length > 0) return undefined;
  return archiveActions.find((name) => name === action);
}

function archiveRequest(
  action: ArchiveAction | undefined,
  given: ReadonlyMap<string, string>,
): ArchiveRequest | undefined {
  if (action === undefined) return undefined;
  const [company, kind, from, until, to] = ['company', 'kind', 'from', 'until', 'to'].map((name) =>
    given.get(name),
  );
  return { action, company, kind, from, until, to, yes: given.get('yes') === 'true' };
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
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const declared = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (declared === undefined || !token.rawName.startsWith('--')) {
      problems.push(unknownFlag(token.name, token.rawName));
    } else if (given.has(token.name)) {
      problems.push({ key: 'config.flag_twice', values: { name: token.rawName } });
    } else if (declared.type === 'string' && (token.value === undefined || !usable(token))) {
      problems.push({ key: 'config.flag_without_value', values: { name: token.rawName } });
    } else {
      given.set(token.name, token.value ?? 'true');
    }
  }
  const command = commandOf(positionals);
  // What follows an unknown flag may be its value, and a secret: it is not repeated.
  const isPerhapsValue = problems.some(({ key }) => /^config\.(unknown|secret)_flag$/.test(key));
  if (command === undefined && !isPerhapsValue) {
    const name = positionals.join(' ');
    const nearestAmong =
      positionals[0] === 'archive' ? archiveActions.map((one) => `archive ${one}`) : namedCommands;
    problems.push({ key: 'config.unknown_command', values: { name }, nearestAmong });
  }
  const chosen = given.has('help') ? 'help' : given.has('version') ? 'version' : (command ?? 'stdio');
  problems.push(...misplaced(given, chosen), ...badPort(given.get('port')));
  return {
    command: chosen,
    demo: given.get('demo') === 'true',
    json: given.get('json') === 'true',
    host: given.get('host'),
    port: given.has('port') ? Number(given.get('port')) : undefined,
    archive: archiveRequest(archiveActionOf(positionals), given),
    flags: new Map(
      [...settingFlags].flatMap(([name, one]) => {
        const value = given.get(name);
        return value === undefined ? [] : [[one.variable, value] as const];
      }),
    ),
    problems,
  };
}

/** A following flag is no value: `--cnpj --read-only` must not make a company of `--read-only`. */
function usable(token: { value?: string | undefined; inlineValue?: boolean | undefined }): boolean {
  return token.inlineValue === true || !token.value?.startsWith('--');
}

function unknownFlag(name: string, rawName: string): CommandLineProblem {
  const variable = secretFlags.get(name);
  if (variable !== undefined) return { key: 'config.secret_flag', values: { name: rawName, variable } };
  const nearestAmong = [...settingFlags.keys(), ...Object.keys(commandOptions)].map((one) => `--${one}`);
  return { key: 'config.unknown_flag', values: { name: rawName }, nearestAmong };
}

function misplaced(given: ReadonlyMap<string, string>, command: Command): CommandLineProblem[] {
  return Object.entries(commandOptions).flatMap(([name, { commands }]) => {
    const fits = commands.some((one) => one === command) || command === 'help' || command === 'version';
    return given.has(name) && !fits
      ? [{ key: 'config.unknown_flag', values: { name: `--${name}` }, nearestAmong: [] } as const]
      : [];
  });
}

function badPort(value: string | undefined): CommandLineProblem[] {
  const fits = value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535);
  return fits ? [] : [{ key: 'config.bad_port', values: { value } }];
}
