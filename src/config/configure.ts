import type { Language } from '../messages/message.ts';
import { type Expected, nearestName, type Problem } from './problem.ts';
import { declaredSettings, type Setting, type SettingName, type Settings, settings } from './settings.ts';

/** Where a setting's value came from. */
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

/** Given settings, as text and as values. */
interface Given {
  readonly texts: Partial<Record<SettingName, string>>;
  readonly values: Partial<Record<SettingName, unknown>>;
}

/** Reads the given texts of these settings. */
function readGiven(
  among: readonly Setting[],
  textOf: (variable: string) => string | undefined,
  problems: Problem[],
): Given {
  const given: Given = { texts: {}, values: {} };
  for (const one of among) {
    const { variable, name, schema, refusesBlanks } = one;
    const value = textOf(variable) ?? '';
    const trimmed = one.secret ? value : value.trim();
    const text = trimmed === '' && refusesBlanks ? value : trimmed;
    if (text.includes('${') && /^\$\{.*\}$/.test(text.trim())) {
      problems.push({ key: 'config.placeholder', values: { variable } });
    } else if (text !== '') {
      given.texts[name] = text;
      const { success, data, error } = schema.safeParse(text);
      if (success) given.values[name] = data;
      const [issue] = error?.issues ?? [];
      if (issue?.code === 'custom') problems.push(badValue(one, text, issue.params as unknown as Expected));
    } else if (name === 'dataDir' && textOf(variable) !== undefined) {
      // An empty value must not move the journal to another folder.
      problems.push({ key: 'config.empty', values: { variable } });
    }
  }
  return given;
}

/** An invalid value. One that may hold a credential, even by mistake, is not repeated. */
function badValue({ variable, secret }: Setting, value: string, expected: Expected): Problem {
  const isHidden = secret || expected.kind === 'url' || /:\/\/|@/.test(value);
  return isHidden
    ? { key: 'config.unusable_value', values: { variable }, expected }
    : { key: 'config.bad_value', values: { variable, value }, expected };
}

let unset: Settings | undefined;

/** The defaults. */
function defaults(): Settings {
  unset ??= Object.fromEntries(
    settings.map(({ name, schema }) => [name, schema.parse(undefined)]),
  ) as Settings;
  return unset;
}

/** A configured database holds the archive unless another place is named. */
function withArchive(values: Settings, { archive }: Given['texts']): Settings {
  const isImplied = archive === undefined && values.databaseUrl !== undefined;
  return isImplied ? { ...values, archive: 'database' } : values;
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
  const given = readGiven(settings, (variable) => flags.get(variable) ?? env[variable], problems);
  problems.push(...conflicts(given.texts));
  if (problems.length > 0) return { ok: false, problems, language: languageOf(flags, env) };
  const sourceOf = ({ variable, name, defaultValue }: Setting): Source => {
    if (given.texts[name] !== undefined) return flags.has(variable) ? 'flag' : 'environment';
    return defaultValue === undefined ? 'unset' : 'default';
  };
  const sources = Object.fromEntries(settings.map((one) => [one.name, sourceOf(one)]));
  const values = withArchive({ ...defaults(), ...given.values } as Settings, given.texts);
  return { ok: true, configuration: { settings: values, sources: sources as Configuration['sources'] } };
}

/** The ways of authenticating to the account service; any part of a way counts as the way. */
const accountWays: readonly (readonly SettingName[])[] = [
  ['accountApiKey'],
  ['accountToken'],
  ['accountOauthTokenUrl', 'accountOauthClientId', 'accountOauthClientSecret', 'accountOauthScope'],
  ['accountUser', 'accountLicenseKey'],
];

/** The documents service's password, in its setting or in a file. */
const passwordWays: readonly (readonly SettingName[])[] = [['password'], ['passwordFile']];

/** Conflicts between settings. */
function conflicts(texts: Given['texts']): Problem[] {
  const problems: Problem[] = [];
  for (const ways of [accountWays, passwordWays]) {
    const [first, second] = ways.flatMap((way) => way.find((name) => texts[name] !== undefined) ?? []);
    if (first === undefined || second === undefined) continue;
    const [one, other] = [declaredSettings[first].variable, declaredSettings[second].variable];
    problems.push({ key: 'config.two_ways', values: { first: one, second: other } });
  }
  if (texts.archive === 'database' && texts.databaseUrl === undefined) {
    const values = { variable: 'DFE_ARCHIVE', value: 'database', other: 'DFE_DATABASE_URL' };
    problems.push({ key: 'config.needs', values });
  }
  return problems;
}

const variables: readonly string[] = settings.map(({ variable }) => variable);
const known = new Set(variables);

/** Renamed settings. */
const formerNames: Readonly<Record<string, string>> = { DFE_ARCHIVE_REFRESH_DAYS: 'DFE_ARCHIVE_REFRESH' };

/** Homoglyphs up to which a name counts as misspelt. */
const MOST_FOREIGN = 3;
const isForeign = (letter: string): boolean => letter > '\x7f';

/** Normalised upper-case letters and digits. */
const bare = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const bareVariables = variables.map(bare);

/** Whether a name was meant for a setting: `DFE-READ-ONLY`, `dfeReadOnly`, one with a letter of another alphabet. */
export function looksLikeOurs(name: string): boolean {
  if (/^[\s\p{Cf}'"]*dfe[^a-z0-9]/iu.test(name)) return true;
  const letters = [...bare(name)];
  if (!/^[\s\p{Cf}'"]*\p{L}/u.test(name) || letters.filter(isForeign).length > MOST_FOREIGN) return false;
  return bareVariables.some(
    (ours) =>
      ours.length === letters.length &&
      letters.every((letter, at) => letter === ours[at] || isForeign(letter)),
  );
}

/** Quotes a name with invisible or unusual characters. */
function visibly(name: string): string {
  if (/^[\w.-]+$/.test(name)) return name;
  const asCode = (sign: string) => `\\u{${sign.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, asCode);
}

/**
 * Unknown variables that resemble settings. Names are case-insensitive on Windows, so `dfe_url` is known there.
 */
export function unknownVariables(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Problem[] {
  const isKnown = (name: string) => known.has(platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => !isKnown(name) && looksLikeOurs(name))
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
