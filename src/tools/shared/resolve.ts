import * as z from 'zod';
import type { Archive } from '../../archive/archive.ts';
import { type Filters, type PartyGrouping, partyGroupings } from '../../archive/ask/question.ts';
import { isNamed } from '../../archive/schema/encoding.ts';
import type { CallContext } from '../../company/call-context.ts';
import { stateByCode } from '../../documents/identity/keys.ts';
import { unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import type { Translator } from '../../messages/index.ts';
import { unfit } from './arguments.ts';
import { firstOf } from './definition.ts';
import type { PartyGiven } from './filters.ts';

const resolvedName = () =>
  z.object({ argument: z.string(), given: z.string(), ids: z.array(z.string()), names: z.array(z.string()) });

export const resolvedShape = () => ({
  resolved: z.array(resolvedName()).optional().describe('Whom names were taken for'),
});

/** Parties or cities that a name was taken for. */
export type Resolved = Readonly<z.infer<ReturnType<typeof resolvedName>>>;

type Named = { readonly [Party in PartyGrouping]?: readonly PartyGiven[] | undefined };

type ByWhom = Pick<Filters, PartyGrouping | (typeof cityFilters)[number]>;

/** A name with more matches is a common word. */
const MOST_MEANT = 50;

/** An id that matches nobody. */
const NOBODY = '-';

/** Where names are looked up; the counterparty depends on the companies asked about. */
interface Among {
  readonly archive: Archive;
  readonly companies?: readonly string[];
}

async function resolveParty(
  argument: PartyGrouping,
  { given, id, name, problem }: PartyGiven,
  { archive, companies }: Among,
  context: CallContext,
): Promise<{ ids: string[]; resolved: Resolved[] }> {
  if (name === undefined) return { ids: id === undefined ? [] : [id], resolved: [] };
  const texts = problem === undefined ? [name] : [...new Set([name, unmaskTaxId(name)])];
  const all = await Promise.all(texts.map((text) => archive.parties(text, argument, companies)));
  const known = [...new Map(all.flat().map((one) => [one.id, one])).values()];
  const byId = known.filter((one) => texts.includes(one.id));
  const found = byId.length > 0 ? byId : known;
  if (found.length === 0 && problem !== undefined) {
    const words = context.translator.problem(problem);
    throw unfit(argument, words, context);
  }
  if (found.length > MOST_MEANT) {
    const words = context.translator.say('argument.name_of_many', { given, count: found.length });
    throw unfit(argument, words, context);
  }
  const ids = found.map((party) => party.id);
  const names = [...new Set(found.map((party) => party.name))];
  return { ids: [...(id === undefined ? [] : [id]), ...ids], resolved: [{ argument, given, ids, names }] };
}

/** `cMun` of parties abroad. */
const ABROAD = '9999999';

/** Labels of cities, e.g. `Campinas/SP`, by code; loaded when asked for. */
export async function cityLabels() {
  const { cityName, cityNames } = await import('../../documents/tables/cities.ts');
  const labelled = (code: string, name: string) => `${name}/${stateByCode[code.slice(0, 2)] ?? ''}`;
  return {
    /** Undefined for an unknown code. */
    label(code: string): string | undefined {
      if (code === ABROAD) return 'Exterior/EX';
      const name = cityName(code);
      return name === undefined ? undefined : labelled(code, name);
    },
    /** Cities by name, with or without state: exact matches, otherwise those containing the words. */
    named(given: string): { code: string; label: string }[] {
      const [name = '', state = ''] = given.split(/[/,]|\s-\s/).map((part) => part.trim());
      const all = [...cityNames()].map(([code, own]) => ({ code, own, label: labelled(code, own) }));
      const isIn = ({ label }: { label: string }) =>
        state === '' || label.endsWith(`/${state.toUpperCase()}`);
      const found = all.filter((city) => isIn(city) && isNamed(city.own, name));
      const exact = found.filter(({ own }) => isNamed(name, own));
      return exact.length > 0 ? exact : found;
    },
  };
}

/** Resolves a city by IBGE code, even one outside the tables, or by name. */
async function cityAsked(argument: string, given: string, translator: Translator): Promise<Resolved> {
  const { say } = translator;
  const cities = await cityLabels();
  const code = given.trim();
  const label = cities.label(code);
  if (label !== undefined) return { argument, given, ids: [code], names: [label] };
  if (/^\d{7}$/.test(code) && stateByCode[code.slice(0, 2)] !== undefined)
    return { argument, given, ids: [code], names: [code] };
  const found = /^[\d\s.-]*$/.test(given) ? [] : cities.named(given);
  const count = found.length;
  if (count === 0 || count > MOST_MEANT) {
    const words =
      count === 0 ? say('argument.no_city', { given }) : say('argument.city_of_many', { given, count });
    throw unfit(argument, words, { translator });
  }
  return { argument, given, ids: found.map((one) => one.code), names: found.map((one) => one.label) };
}

const cityFilters = ['city', 'iss_city'] as const;

/** Resolves the cities of a call. @throws BadArguments for a name with no or too many matches */
export async function citiesAsked(
  named: { readonly [Name in (typeof cityFilters)[number]]?: readonly string[] | undefined },
  translator: Translator,
): Promise<readonly Resolved[]> {
  const asked = cityFilters.flatMap((argument) =>
    (named[argument] ?? []).map((given) => cityAsked(argument, given, translator)),
  );
  return Promise.all(asked);
}

/** Resolves party names to ids in the archive. @throws BadArguments for a name with too many matches */
export async function resolveNames(
  named: Named,
  among: Among,
  context: CallContext,
  cities: readonly Resolved[] = [],
): Promise<{ filters: ByWhom; resolved: Resolved[] }> {
  const resolved: Resolved[] = [];
  const filters: { -readonly [Name in keyof ByWhom]: ByWhom[Name] } = {};
  for (const argument of partyGroupings) {
    const given = named[argument];
    if (given === undefined) continue;
    const found = await Promise.all(given.map((one) => resolveParty(argument, one, among, context)));
    resolved.push(...found.flatMap((one) => one.resolved));
    const ids = found.flatMap((one) => one.ids);
    filters[argument] = ids.length > 0 ? [...new Set(ids)] : [NOBODY];
  }
  resolved.push(...cities);
  for (const argument of cityFilters) {
    const ids = cities.filter((one) => one.argument === argument).flatMap((one) => one.ids);
    if (ids.length > 0) filters[argument] = ids;
  }
  return { filters, resolved };
}

/** A sentence per name: its ids, or that no party has it. */
export function resolvedSentences(resolved: readonly Resolved[], { translator }: CallContext): string[] {
  return resolved.map(({ argument, given, ids, names }) =>
    ids.length === 0
      ? `⚠ ${translator.say('resolved.nobody', { argument, given })}`
      : translator.say('resolved.as', {
          argument,
          given,
          found: names.length === 1 ? `${names[0]} (${ids.join(', ')})` : pairs(ids, names),
        }),
  );
}

/** Parties named in a sentence; the data has all. */
const MOST_NAMED = 5;

function pairs(ids: readonly string[], names: readonly string[]): string {
  const all =
    names.length === ids.length ? names.map((name, index) => `${name} (${ids[index]})`) : [...names, ...ids];
  return firstOf(all, MOST_NAMED, ', ');
}
