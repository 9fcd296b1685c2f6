import type { Language } from '../messages/message.ts';
import type { CommandLineProblem } from './command-line.ts';
import { type SettingName, type Settings, settings, settingsSchema } from './settings.ts';
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

/** What texts were read as before, by setting and text: of many tenants most settings are alike. */
export type ReadBefore = Map<string, ReturnType<typeof readText>>;

function readText(name: SettingName, text: string | undefined) {
  return settingsSchema.shape[name].safeParse(text);
}

/** The value of every setting; what does not fit is a problem. */
function valuesOf(
  texts: Readonly<Record<string, string>>,
  problems: ConfigurationProblem[],
  readBefore: ReadBefore,
): Settings {
  const values = settings.map(({ name }) => {
    const text = texts[name];
    const place = `${name}=${text ?? ''}`;
    const read = readBefore.get(place) ?? readText(name, text);
    readBefore.set(place, read);
    for (const issue of read.error?.issues ?? []) {
      const { expected, ...others } = (issue.code === 'custom' && issue.params) || { expected: 'text' };
      problems.push(...badValue(name, texts, String(expected), others));
    }
    return [name, read.data];
  });
  return Object.fromEntries(values) as Settings;
}

/** The language asked for, whatever else is wrong; a language there is none of is answered in the nearest. */
export function languageOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Language {
  const asked = flags.get('DFE_LANGUAGE') ?? env.DFE_LANGUAGE ?? '';
  return /^en\b/i.test(asked.trim()) ? 'en' : 'pt-BR';
}

/** The text given for each setting, by its name, without what cannot be a value. */
function givenTexts(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  problems: ConfigurationProblem[],
): { texts: Record<string, string>; sources: Configuration['sources'] } {
  const texts: Record<string, string> = {};
  const sources: Partial<Record<SettingName, Source>> = {};
  for (const { variable, name, secret, defaultValue } of settings) {
    const value = flags.get(variable) ?? env[variable] ?? '';
    const text = secret ? value : value.trim();
    const source = flags.has(variable) ? 'flag' : 'environment';
    sources[name] = text !== '' ? source : defaultValue === undefined ? 'unset' : 'default';
    if (/^\$\{.*\}$/.test(text.trim())) problems.push({ key: 'config.placeholder', values: { variable } });
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
  texts: Readonly<Record<string, string>>,
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
export function configure(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  readBefore: ReadBefore = new Map(),
): Configured {
  const problems: ConfigurationProblem[] = unknownVariables(env);
  const { texts, sources } = givenTexts(flags, env, problems);
  const read = valuesOf(texts, problems, readBefore);
  problems.push(...conflicts(texts));
  if (problems.length > 0) return { ok: false, problems, language: languageOf(flags, env) };
  const values = withArchive(read, texts.archive !== undefined);
  return { ok: true, configuration: { settings: values, sources } };
}

/** A database that is configured is used unless another place is named. */
function withArchive(values: Settings, isGiven: boolean): Settings {
  return isGiven || values.databaseUrl === undefined ? values : { ...values, archive: 'database' };
}

/** The ways of authenticating to the account service; any part of a way counts as the way. */
const accountWays: readonly (readonly SettingName[])[] = [
  ['accountApiKey'],
  ['accountToken'],
  ['accountOauthClientId', 'accountOauthTokenUrl', 'accountOauthClientSecret', 'accountOauthScope'],
  ['accountUser', 'accountLicenseKey'],
];

/** Settings that exclude each other, and one that needs another. */
function conflicts(given: Readonly<Record<string, string>>): ConfigurationProblem[] {
  const variables = { variable: 'DFE_ARCHIVE', value: 'database', other: 'DFE_DATABASE_URL' };
  const isWithoutDatabase = given.archive === 'database' && given.databaseUrl === undefined;
  const ways = accountWays.flatMap((names) => {
    const part = settings.find((one) => names.includes(one.name) && one.name in given);
    return part === undefined ? [] : [part.variable];
  });
  const passwords = ['password', 'passwordFile'].every((name) => name in given)
    ? ['DFE_PASSWORD', 'DFE_PASSWORD_FILE']
    : [];
  const pairs = [ways, passwords].flatMap(([first, second]) =>
    first !== undefined && second !== undefined
      ? [{ key: 'config.two_ways', values: { first, second } } as const]
      : [],
  );
  return [...pairs, ...(isWithoutDatabase ? [{ key: 'config.needs', values: variables } as const] : [])];
}
