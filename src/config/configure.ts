import { closest, distance } from 'fastest-levenshtein';
import type { MessageKey } from '../messages/index.ts';
import type { Language } from '../messages/message.ts';
import type { Expected } from './setting-kinds.ts';
import {
  accountWays,
  type Setting,
  type SettingName,
  type Settings,
  settings,
  variableOf,
} from './settings.ts';

/** A mistake in the configuration, by catalogue key; never holds a secret. */
export interface Problem {
  readonly key: MessageKey & `${'config' | 'tenants'}.${string}`;
  readonly values: Readonly<Record<string, string>>;
  /** The known name nearest to an unknown one. */
  readonly nearest?: string | undefined;
  readonly expected?: Expected;
  /** In the tenants file, from 1. */
  readonly line?: number;
}

/** The process can't serve as it is configured. A tenants file is refused as a whole: any mistake may admit someone. */
export class Misconfigured extends Error {
  readonly problems: readonly Problem[];
  /** The command whose `--help` says more. */
  readonly command: string | undefined;

  constructor(problems: readonly Problem[], command?: string) {
    super(problems.map(({ key }) => key).join(', '));
    this.name = 'Misconfigured';
    this.problems = problems;
    this.command = command;
  }
}

/** The known name nearest to a mistyped one; undefined without candidates. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}

/** The known name meant by a mistyped one; undefined when none is within two edits, or a third of a long name. */
export function recognisedName(name: string, among: readonly string[]): string | undefined {
  const nearest = nearestName(name, among);
  const most = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  return nearest !== undefined && distance(name, nearest) <= most ? nearest : undefined;
}

export type Source = 'flag' | 'environment' | 'default' | 'unset' | 'demo';

/** The settings of the process, and the source of each. */
export interface Configuration {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
  /** By variable name; secrets are no flags. */
  readonly flags: ReadonlyMap<string, string>;
  /** A function, so that no secret is in it when it is printed. */
  readonly environment: () => NodeJS.ProcessEnv;
}

/** The language asked for, even when other settings are wrong; the nearest for an unknown one. */
export function languageOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Language {
  const asked = flags.get('DFE_LANGUAGE') ?? env.DFE_LANGUAGE ?? '';
  return /^en\b/i.test(asked.trim()) ? 'en' : 'pt-BR';
}

/** The value of a setting's text, or its problem; without a text the default counts. */
export function readSetting(
  setting: Setting,
  raw: string | undefined,
): { readonly value?: unknown; readonly isGiven?: boolean; readonly problem?: Problem } {
  const { variable, name, secret, kind, defaultValue } = setting;
  const trimmed = secret ? raw : raw?.trim();
  const text = trimmed === '' && kind.refusesBlanks ? raw : trimmed;
  if (/^\s*\$\{.*\}\s*$/.test(text ?? ''))
    return { problem: { key: 'config.placeholder', values: { variable } } };
  // An empty value must not move the journal to another folder.
  if (text === '' && name === 'dataDir') return { problem: { key: 'config.empty', values: { variable } } };
  const isGiven = Boolean(text);
  const used = text || defaultValue;
  if (used === undefined) return { isGiven };
  const value = kind.read(used);
  return value === undefined ? { isGiven, problem: badValue(setting, used) } : { isGiven, value };
}

/** An invalid value. One that may hold a credential, even by mistake, is not repeated. */
function badValue({ variable, secret, kind: { expected } }: Setting, value: string): Problem {
  const isHidden = secret || expected.kind === 'url' || /:\/\/|@/.test(value);
  return isHidden
    ? { key: 'config.unusable_value', values: { variable }, expected }
    : { key: 'config.bad_value', values: { variable, value }, expected };
}

/**
 * Makes the configuration from flags (by variable name) and environment; a flag wins. An empty variable counts as
 * unset (but that of the data folder), an unknown `DFE_` variable or a value that does not fit is a problem: a
 * mistyped read-only must not mean writable. Touches neither files nor network.
 * @param platform names are case-insensitive in the environment of Windows
 * @throws Misconfigured
 */
export function configure(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Configuration {
  const problems: Problem[] = unknownVariables(env, platform);
  const given = new Set<SettingName>();
  const values: Record<string, unknown> = {};
  const sources: Record<string, Source> = {};
  for (const one of settings) {
    const { variable, name, defaultValue } = one;
    const { value, isGiven, problem } = readSetting(one, flags.get(variable) ?? env[variable]);
    values[name] = value;
    if (problem !== undefined) problems.push(problem);
    if (isGiven) {
      given.add(name);
      sources[name] = flags.has(variable) ? 'flag' : 'environment';
    } else sources[name] = defaultValue === undefined ? 'unset' : 'default';
  }
  // A configured database holds the archive unless another place is named.
  if (given.has('databaseUrl') && !given.has('archive')) values.archive = 'database';
  for (const ways of exclusiveWays) {
    const [first, second] = ways.flatMap((way) => way.find((name) => given.has(name)) ?? []).map(variableOf);
    if (first && second) problems.push({ key: 'config.two_ways', values: { first, second } });
  }
  if (values.archive === 'database' && !given.has('databaseUrl')) {
    const needs = { variable: 'DFE_ARCHIVE', value: 'database', other: 'DFE_DATABASE_URL' };
    problems.push({ key: 'config.needs', values: needs });
  }
  if (problems.length > 0) throw new Misconfigured(problems, 'docfiscal-mcp');
  return { settings: values, sources, flags, environment: () => env } as unknown as Configuration;
}

const variables: readonly string[] = settings.map(({ variable }) => variable);

/** Mutually exclusive ways of authenticating; any part of a way counts as the way. */
const exclusiveWays: readonly (readonly (readonly SettingName[])[])[] = [
  Object.values({
    ...accountWays,
    accountOauth: [...accountWays.accountOauth, 'accountOauthScope'] as const,
  }),
  [['password'], ['passwordFile']],
];

const formerNames: Readonly<Record<string, string>> = { DFE_ARCHIVE_REFRESH_DAYS: 'DFE_ARCHIVE_REFRESH' };

const bare = (name: string) =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const bareVariables = variables.map(bare);
const MOST_HOMOGLYPHS = 3;

/** Whether a name was meant for a setting: `DFE-READ-ONLY`, `dfeReadOnly`, one with a letter of another alphabet. */
export function looksLikeOurs(name: string): boolean {
  if (/^[\s\p{Cf}'"]*dfe[^a-z0-9]/iu.test(name)) return true;
  if (!/^[\s\p{Cf}'"]*\p{L}/u.test(name)) return false;
  const letters = bare(name);
  const foreign = letters.replace(/[A-Z0-9]/g, '').length;
  const isNear = (one: string) =>
    Math.abs(one.length - letters.length) <= foreign && distance(letters, one) <= foreign;
  return foreign <= MOST_HOMOGLYPHS && bareVariables.some(isNear);
}

/** Quotes a name with invisible or unusual characters. */
function visibly(name: string): string {
  if (/^[\w.-]+$/.test(name)) return name;
  const asCode = (sign: string) => `\\u{${sign.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, asCode);
}

export function unknownVariables(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Problem[] {
  const isKnown = (name: string) => variables.includes(platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => looksLikeOurs(name) && !isKnown(name))
    .map((name) => {
      const upper = name.normalize('NFKC').toUpperCase();
      const proper = upper.replace(/[^A-Z0-9]+/g, '_').replace(/^_+/, '');
      const other = formerNames[proper];
      const values = { name: visibly(name) };
      return other === undefined
        ? { key: 'config.unknown_variable', values, nearest: nearestName(proper, variables) }
        : { key: 'config.renamed', values: { ...values, other } };
    });
}
