import { closest, distance } from 'fastest-levenshtein';
import type { Language } from '../messages/message.ts';
import { type Expected, nearestName, type Problem } from './problem.ts';
import { declaredSettings, type Setting, type SettingName, type Settings, settings } from './settings.ts';

export type Source = 'flag' | 'environment' | 'default' | 'unset' | 'demo';

export interface Configuration {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

export type Configured =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly language: Language };

/** The language asked for, even when other settings are wrong; the nearest for an unknown one. */
export function languageOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Language {
  const asked = flags.get('DFE_LANGUAGE') ?? env.DFE_LANGUAGE ?? '';
  return /^en\b/i.test(asked.trim()) ? 'en' : 'pt-BR';
}

type Texts = Partial<Record<SettingName, string>>;

/** A setting's text; undefined where nothing is given. */
function textOf(
  { variable, name, secret, refusesBlanks }: Setting,
  raw: string | undefined,
  problems: Problem[],
) {
  const trimmed = secret ? raw : raw?.trim();
  const text = trimmed === '' && refusesBlanks ? raw : trimmed;
  if (/^\s*\$\{.*\}\s*$/.test(text ?? '')) problems.push({ key: 'config.placeholder', values: { variable } });
  else if (text) return text;
  // An empty value must not move the journal to another folder.
  else if (text === '' && name === 'dataDir') problems.push({ key: 'config.empty', values: { variable } });
  return undefined;
}

/** An invalid value. One that may hold a credential, even by mistake, is not repeated. */
function badValue({ variable, secret }: Setting, value: string, expected: Expected): Problem {
  const isHidden = secret || expected.kind === 'url' || /:\/\/|@/.test(value);
  return isHidden
    ? { key: 'config.unusable_value', values: { variable }, expected }
    : { key: 'config.bad_value', values: { variable, value }, expected };
}

let unset: Settings | undefined;

function defaults(): Settings {
  const made = () => Object.fromEntries(settings.map(({ name, schema }) => [name, schema.parse(undefined)]));
  unset ??= made() as Settings;
  return unset;
}

/**
 * Makes the configuration from flags (by variable name) and environment; a flag wins. An empty variable counts as
 * unset (but that of the data folder), an unknown `DFE_` variable or a value that does not fit is a problem: a
 * mistyped read-only must not mean writable. Touches neither files nor network.
 * @param platform names are case-insensitive in the environment of Windows
 */
export function configure(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Configured {
  const problems: Problem[] = unknownVariables(env, platform);
  const texts: Texts = {};
  const values: Partial<Record<SettingName, unknown>> = {};
  const sources: Partial<Record<SettingName, Source>> = {};
  for (const one of settings) {
    const { variable, name, schema, defaultValue } = one;
    const text = textOf(one, flags.get(variable) ?? env[variable], problems);
    sources[name] = defaultValue === undefined ? 'unset' : 'default';
    if (text === undefined) continue;
    texts[name] = text;
    sources[name] = flags.has(variable) ? 'flag' : 'environment';
    const { success, data, error } = schema.safeParse(text);
    if (success) values[name] = data;
    const [issue] = error?.issues ?? [];
    if (issue?.code === 'custom') problems.push(badValue(one, text, issue.params as unknown as Expected));
  }
  problems.push(...conflicts(texts));
  if (problems.length > 0) return { ok: false, problems, language: languageOf(flags, env) };
  // A configured database holds the archive unless another place is named.
  if (texts.archive === undefined && texts.databaseUrl !== undefined) values.archive = 'database';
  const configured = { ...defaults(), ...values } as Settings;
  return { ok: true, configuration: { settings: configured, sources: sources as Configuration['sources'] } };
}

/** Ways of authenticating of which one may be chosen; any part of a way counts as the way. */
const exclusiveWays: readonly (readonly (readonly SettingName[])[])[] = [
  [
    ['accountApiKey'],
    ['accountToken'],
    ['accountOauthTokenUrl', 'accountOauthClientId', 'accountOauthClientSecret', 'accountOauthScope'],
    ['accountUser', 'accountLicenseKey'],
  ],
  [['password'], ['passwordFile']],
];

function conflicts(texts: Texts): Problem[] {
  const twoWays = exclusiveWays.flatMap((ways): Problem[] => {
    const [first, second] = ways.flatMap((way) => way.find((name) => texts[name] !== undefined) ?? []);
    if (first === undefined || second === undefined) return [];
    const values = { first: declaredSettings[first].variable, second: declaredSettings[second].variable };
    return [{ key: 'config.two_ways', values }];
  });
  if (texts.archive !== 'database' || texts.databaseUrl !== undefined) return twoWays;
  const values = { variable: 'DFE_ARCHIVE', value: 'database', other: 'DFE_DATABASE_URL' };
  return [...twoWays, { key: 'config.needs', values }];
}

const variables: readonly string[] = settings.map(({ variable }) => variable);

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
  return foreign <= MOST_HOMOGLYPHS && distance(letters, closest(letters, bareVariables)) <= foreign;
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
