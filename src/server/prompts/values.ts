import {
  addDays,
  addMonths,
  countMonths,
  firstDay,
  isDay,
  lastDay,
  monthOf,
  type Period,
} from '../../archive/days.ts';
import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { daysOfName, isoDay, periodNameIn } from '../../tools/shared/period.ts';

/** Arguments of prompts. */
export type PromptArgument = 'period' | 'cnpj' | 'key' | 'supplier';

/** Validated arguments. */
export interface PromptValues extends Period {
  /** Previous period: as many whole months, or as many days. */
  readonly before: Period;
  readonly cnpj: string | undefined;
  readonly document: 'nfe' | 'cte' | 'nfse';
  readonly key: string;
  readonly supplier: string | undefined;
}

const BETWEEN = / ?(?:até|a|to|\.\.) ?|(?<=-\d\d) ?\/ ?(?=\d{4}-)/;

/** Parses a month, a day, a word, or the two ends of a period into days; undefined for any other text. */
function daysOf(text: string, today: string): Period | undefined {
  const given = text.trim().replace(/\s+/g, ' ');
  const ends = periodNameIn(given) === undefined ? given.split(BETWEEN) : [given];
  const [first, last = first, ...others] = ends.map((end): Partial<Period> => {
    const name = periodNameIn(end);
    if (name !== undefined) return daysOfName(name, today);
    const day = isoDay(end);
    return isDay(day) ? { from: day, to: day } : {};
  });
  const [from, to] = [first?.from, last?.to];
  return from && to && others.length === 0 && from <= to ? { from, to } : undefined;
}

/** The previous period: whole months for whole months, the same days of the month before, or as many days. */
function daysBefore({ from, to }: Period): Period {
  const last = addDays(from, -1);
  const isFirst = from.endsWith('-01');
  if (isFirst && to === lastDay(monthOf(to))) {
    return { from: firstDay(addMonths(monthOf(from), -countMonths(from, to))), to: last };
  }
  if (isFirst && monthOf(from) === monthOf(to)) {
    const sameDay = `${monthOf(last)}${to.slice(7)}`;
    return { from: firstDay(monthOf(last)), to: sameDay < last ? sameDay : last };
  }
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: addDays(from, -days), to: last };
}

/**
 * Validates a prompt's arguments and fills in defaults: last month.
 * @param todayFor today by the clock of the company named
 * @returns the name of an invalid argument
 * @throws what `todayFor` throws when the company is ambiguous
 */
export function promptValues(
  given: Readonly<Partial<Record<PromptArgument, string>>>,
  todayFor: (company: string | undefined) => string,
): PromptValues | PromptArgument {
  const text = (argument: PromptArgument) => given[argument]?.trim() || undefined;
  const company = text('cnpj') === undefined ? undefined : checkCnpj(text('cnpj') ?? '');
  if (company?.ok === false) return 'cnpj';
  const cnpj = company?.ok ? company.value : undefined;
  const typed = text('key');
  const nfse = checkNationalNfseKey(normalizeKey(typed ?? ''));
  const key = typed === undefined || nfse.ok ? undefined : checkAccessKey(normalizeKey(typed));
  if (key?.ok === false) return 'key';
  const days = daysOf(text('period') ?? 'last_month', todayFor(cnpj));
  if (days === undefined) return 'period';
  const supplier = text('supplier');
  return {
    ...days,
    before: daysBefore(days),
    cnpj,
    document: nfse.ok ? 'nfse' : key?.ok && key.value.kind.startsWith('cte') ? 'cte' : 'nfe',
    key: key?.ok ? key.value.key : normalizeKey(typed ?? ''),
    supplier: supplier === undefined ? undefined : oneLine(supplier, longest.name),
  };
}
