import { closest } from 'fastest-levenshtein';
import type { Language } from '../messages/message.ts';
import type { CommandLineProblem } from './command-line.ts';
import { type SettingName, type Settings, settings, settingsSchema } from './settings.ts';

/** Where a setting's value came from. */
export type Source = 'flag' | 'environment' | 'default' | 'unset' | 'demo';

export interface Configuration {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, Source>>;
}

/** A mistake in the configuration, by catalogue key. Values of secrets never stand in it. */
export type ConfigurationProblem =
  | CommandLineProblem
  | { key: 'config.unknown_variable'; values: { name: string }; nearestAmong: readonly string[] }
  | { key: 'config.bad_value'; values: { variable: string; value: string }; expected: Expected }
  | { key: 'config.placeholder'; values: { variable: string } }
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

/**
 * Makes the configuration from flags (by variable name) and environment; a flag wins. An empty variable counts as
 * unset, an unknown `DFE_` variable or a value that does not fit is a problem: a mistyped read-only must not mean
 * writable. Touches neither files nor network.
 */
export function configure(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Configured {
  const problems: ConfigurationProblem[] = unknownVariables(env);
  const sources: Partial<Record<SettingName, Source>> = {};
  const given: Record<string, string> = {};
  for (const one of settings) {
    const value = flags.get(one.variable) ?? (env[one.variable] || undefined);
    const source = flags.has(one.variable) ? 'flag' : 'environment';
    sources[one.name] = value !== undefined ? source : one.defaultValue === undefined ? 'unset' : 'default';
    if (value === undefined) continue;
    if (/^\$\{.*\}$/.test(value.trim())) {
      problems.push({ key: 'config.placeholder', values: { variable: one.variable } });
    } else {
      given[one.name] = one.secret ? value : value.trim();
    }
  }
  const parsed = settingsSchema.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const one = settings.find((candidate) => candidate.name === issue.path[0]);
    if (one === undefined) continue;
    const { expected, ...values } = (issue.code === 'custom' && issue.params) || { expected: 'text' };
    problems.push({
      key: 'config.bad_value',
      values: { variable: one.variable, value: one.secret ? '***' : withoutSecrets(given[one.name] ?? '') },
      expected: { kind: String(expected), values },
    });
  }
  problems.push(...conflicts(given));
  if (parsed.data === undefined || problems.length > 0) {
    return {
      ok: false,
      problems,
      language: env.DFE_LANGUAGE === 'en' || flags.get('DFE_LANGUAGE') === 'en' ? 'en' : 'pt-BR',
    };
  }
  return { ok: true, configuration: { settings: parsed.data, sources: sources as Configuration['sources'] } };
}

/** An address may hold credentials in its user part, query or fragment, for which it is refused. */
function withoutSecrets(value: string): string {
  return value.replace(/(:\/\/)[^/?#]*@/, '$1***@').replace(/[?#].+/s, (rest) => `${rest[0]}***`);
}

function unknownVariables(env: NodeJS.ProcessEnv): ConfigurationProblem[] {
  const known = settings.map((one) => one.variable);
  return Object.keys(env)
    .filter((name) => name.startsWith('DFE_') && !known.some((one) => one === name))
    .map((name) => ({ key: 'config.unknown_variable', values: { name }, nearestAmong: known }));
}

/** The ways of authenticating to the account service; any part of a way counts as the way. */
const accountWays: readonly (readonly SettingName[])[] = [
  ['accountApiKey'],
  ['accountToken'],
  ['accountOauthClientId', 'accountOauthTokenUrl', 'accountOauthClientSecret', 'accountOauthScope'],
  ['accountUser', 'accountLicenseKey'],
];

/** Pairs of settings of which only one may be given. */
function conflicts(given: Readonly<Record<string, string>>): ConfigurationProblem[] {
  const ways = accountWays.flatMap((names) => {
    const part = settings.find((one) => names.includes(one.name) && one.name in given);
    return part === undefined ? [] : [part.variable];
  });
  const passwords = ['password', 'passwordFile'].every((name) => name in given)
    ? ['DFE_PASSWORD', 'DFE_PASSWORD_FILE']
    : [];
  return [ways, passwords].flatMap(([first, second]) =>
    first !== undefined && second !== undefined
      ? [{ key: 'config.two_ways', values: { first, second } } as const]
      : [],
  );
}

/** The known name nearest to a mistyped one, or undefined where none is near. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}
