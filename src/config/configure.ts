import type { Language } from '../messages/message.ts';
import type { CommandLineProblem } from './command-line.ts';
import type { Kind, Refuse } from './declared.ts';
import { declaredSettings, type Setting, type SettingName, type Settings, settings } from './settings.ts';
import { unknownVariables, type VariableProblem } from './variable-names.ts';

/** Where a setting's value came from. */
export type Source = 'flag' | 'environment' | 'default' | 'unset' | 'demo';

export interface Configuration {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

/** A mistake in the configuration, by catalogue key. Values of secrets never stand in it. */
export type ConfigurationProblem =
  | CommandLineProblem
  | VariableProblem
  | { key: 'config.bad_value'; values: { variable: string; value: string }; expected: Expected }
  | { key: 'config.unusable_value'; values: { variable: string }; expected: Expected }
  | { key: 'config.placeholder'; values: { variable: string } }
  | { key: 'config.empty'; values: { variable: string } }
  | { key: 'config.needs'; values: { variable: string; value: string; other: string } }
  | { key: 'config.two_ways'; values: { first: string; second: string } };

/** What a value should have been: the tail of a catalogue key `config.expected.<kind>`, and its values. */
export interface Expected {
  readonly kind: string;
  readonly values: Readonly<Record<string, string | number>>;
}

export type Configured =
  | { readonly ok: true; readonly configuration: Configuration }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigurationProblem[];
      readonly language: Language;
    };

/** What was given, by the name of the setting. */
type Texts = Readonly<Partial<Record<SettingName, string>>>;

/** The value of each of these settings; what does not fit is a problem. */
function valuesOf<T extends Partial<Settings> = Settings>(
  among: readonly Setting[],
  texts: Texts,
  problems: ConfigurationProblem[],
): T {
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const { name } of among) {
    const kind: Kind<unknown> = declaredSettings[name].kind;
    const refuse: Refuse = (expected, others = {}) => {
      problems.push(...badValue(name, texts, expected, others));
      return undefined as never;
    };
    const text = texts[name];
    values[name] = text === undefined ? kind.unset(refuse) : kind.read(text, refuse);
  }
  return values as T;
}

/** The language asked for, whatever else is wrong; a language there is none of is answered in the nearest. */
export function languageOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Language {
  const asked = flags.get('DFE_LANGUAGE') ?? env.DFE_LANGUAGE ?? '';
  return /^en\b/i.test(asked.trim()) ? 'en' : 'pt-BR';
}

/** The text given for each of these settings, without what cannot be a value. */
function givenTexts(
  among: readonly Setting[],
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  problems: ConfigurationProblem[],
): { texts: Texts; sources: Configuration['sources'] } {
  const texts: Partial<Record<SettingName, string>> = {};
  const sources: Partial<Record<SettingName, Source>> = {};
  for (const { variable, name, secret, defaultValue } of among) {
    const value = flags.get(variable) ?? env[variable] ?? '';
    const text = secret ? value : value.trim();
    const source = flags.has(variable) ? 'flag' : 'environment';
    sources[name] = text !== '' ? source : defaultValue === undefined ? 'unset' : 'default';
    if (text.includes('${') && /^\$\{.*\}$/.test(text.trim()))
      problems.push({ key: 'config.placeholder', values: { variable } });
    else if (text !== '') texts[name] = text;
    else if (name === 'dataDir' && variable in env) {
      // Which folder was meant is not known, and the journal of writes must not be looked for in another.
      problems.push({ key: 'config.empty', values: { variable } });
    }
  }
  return { texts, sources: sources as Configuration['sources'] };
}

/** A value that does not fit. One that may hold a credential, be it by mistake, is not repeated. */
function badValue(
  name: SettingName,
  texts: Texts,
  kind: string,
  values: Expected['values'],
): ConfigurationProblem[] {
  const one = settings.find((candidate) => candidate.name === name);
  if (one === undefined) return [];
  const { variable } = one;
  const expected = { kind, values };
  const value = texts[one.name] ?? '';
  const isHidden = one.secret || kind === 'url' || /:\/\/|@/.test(value);
  return isHidden
    ? [{ key: 'config.unusable_value', values: { variable }, expected }]
    : [{ key: 'config.bad_value', values: { variable, value }, expected }];
}

/**
 * Makes the configuration from flags (by variable name) and environment; a flag wins. An empty variable counts as
 * unset (but that of the data folder), an unknown `DFE_` variable or a value that does not fit is a problem: a
 * mistyped read-only must not mean writable. Touches neither files nor network.
 */
export function configure(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Configured {
  const problems: ConfigurationProblem[] = unknownVariables(env);
  const { texts, sources } = givenTexts(settings, flags, env, problems);
  const read = valuesOf(settings, texts, problems);
  const textOf = (name: SettingName) => texts[name];
  problems.push(...conflicts(textOf));
  if (problems.length > 0) return { ok: false, problems, language: languageOf(flags, env) };
  return { ok: true, configuration: { settings: withArchive(read, textOf), sources } };
}

/** Settings of one's own over those that many have in common, made when they are asked for; or what is wrong. */
export type SettingsOfOne =
  | { readonly ok: true; readonly settings: () => Settings }
  | { readonly ok: false; readonly problems: readonly ConfigurationProblem[] };

/**
 * As `configure` reads `{ ...common, ...own }`, for many that have most in common: that is read once, so that each
 * costs no more than what it has of its own.
 */
export function configureMany(
  common: NodeJS.ProcessEnv,
): (own: Readonly<Record<string, string>>) => SettingsOfOne {
  const wrong: ConfigurationProblem[] = unknownVariables(common);
  const shared = givenTexts(settings, new Map(), common, wrong).texts;
  const read = valuesOf(settings, shared, wrong);
  const byVariable = new Map<string, Setting>(settings.map((one) => [one.variable, one]));
  return (own) => {
    const problems = [...wrong];
    const among: Setting[] = [];
    const variables = Object.keys(own);
    for (const variable of variables) {
      const one = byVariable.get(variable);
      if (one !== undefined) among.push(one);
    }
    // Names in a file have their case, be it on Windows.
    if (among.length < variables.length) problems.push(...unknownVariables(own, 'linux'));
    const { texts } = givenTexts(among, new Map(), own, problems);
    const values = valuesOf<Partial<Settings>>(among, texts, problems);
    // What is empty undoes what is common.
    const textOf = (name: SettingName) => (name in values ? texts : shared)[name];
    problems.push(...conflicts(textOf));
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, settings: () => withArchive({ ...read, ...values }, textOf) };
  };
}

/** The text given for a setting, where there is one. */
type TextOf = (name: SettingName) => string | undefined;

/** A database that is configured is used unless another place is named. */
function withArchive(values: Settings, textOf: TextOf): Settings {
  const isNamed = textOf('archive') !== undefined;
  return isNamed || values.databaseUrl === undefined ? values : { ...values, archive: 'database' };
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

/** Settings that exclude each other, and one that needs another. */
function conflicts(textOf: TextOf): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const isGiven = (name: SettingName) => textOf(name) !== undefined;
  for (const ways of [accountWays, passwordWays]) {
    let first: SettingName | undefined;
    for (const way of ways) {
      const given = way.find(isGiven);
      if (given === undefined) continue;
      if (first !== undefined) {
        const values = {
          first: declaredSettings[first].variable,
          second: declaredSettings[given].variable,
        };
        problems.push({ key: 'config.two_ways', values });
        break;
      }
      first = given;
    }
  }
  if (textOf('archive') === 'database' && !isGiven('databaseUrl')) {
    const values = { variable: 'DFE_ARCHIVE', value: 'database', other: 'DFE_DATABASE_URL' };
    problems.push({ key: 'config.needs', values });
  }
  return problems;
}
