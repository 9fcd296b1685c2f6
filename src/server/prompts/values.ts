import { addDays, addMonths, countMonths, firstDay, isDay, lastDay, monthOf } from '../../archive/days.ts';
import type { Company } from '../../company/company.ts';
import { dayInZone } from '../../documents/days.ts';
import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { daysOfName, isoDay, periodNameIn } from '../../tools/shared/period.ts';

/** Arguments of prompts. */
export type PromptArgument = 'period' | 'cnpj' | 'key' | 'supplier';

/** Validated arguments. */
export interface PromptValues {
  readonly from: string;
  readonly to: string;
  /** Previous period: as many whole months, or as many days. */
  readonly before: { readonly from: string; readonly to: string };
  readonly cnpj: string | undefined;
  readonly document: 'nfe' | 'cte' | 'nfse';
  readonly key: string;
  readonly supplier: string | undefined;
}

/** An invalid argument of a prompt. */
export class BadPromptArgument extends Error {
  readonly argument: PromptArgument;
  readonly isMissing: boolean;

  constructor(argument: PromptArgument, isMissing: boolean) {
    super(argument);
    this.name = 'BadPromptArgument';
    this.argument = argument;
    this.isMissing = isMissing;
  }
}

/** Today by a company's clock, or by the default one when the company is open. */
export function todayOf(company: Company | undefined): string {
  return company === undefined
    ? dayInZone('America/Sao_Paulo', Date.now())
    : dayInZone(company.settings.timeZone, company.now());
}

const BETWEEN = / ?(?:até|a|to|\.\.) ?|(?<=-\d\d) ?\/ ?(?=\d{4}-)/;

/** The days of a month, a day or a word. */
function daysNamed(text: string, today: string): { from: string; to: string } {
  const name = periodNameIn(text);
  if (name !== undefined) return daysOfName(name, today);
  const day = isoDay(text);
  if (!isDay(day)) throw new BadPromptArgument('period', false);
  return { from: day, to: day };
}

/** Parses a month, a day, a word, or the two ends of a period into days. */
function daysOf(text: string, today: string): { from: string; to: string } {
  const given = text.trim().replace(/\s+/g, ' ');
  const ends = periodNameIn(given) === undefined ? given.split(BETWEEN) : [given];
  const [first = '', last = first, ...others] = ends;
  const { from } = daysNamed(first, today);
  const { to } = daysNamed(last, today);
  if (others.length > 0 || from > to) throw new BadPromptArgument('period', false);
  return { from, to };
}

/** The previous period: whole months for whole months, the same days of the month before, or as many days. */
function daysBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
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

function namedDocument(text: string): Pick<PromptValues, 'document' | 'key'> {
  const key = normalizeKey(text);
  if (checkNationalNfseKey(key).ok) return { document: 'nfse', key };
  const checked = checkAccessKey(key);
  if (!checked.ok) throw new BadPromptArgument('key', false);
  return { document: checked.value.kind.startsWith('cte') ? 'cte' : 'nfe', key: checked.value.key };
}

/**
 * Validates a prompt's arguments and fills in defaults: last month.
 * @param todayFor today by the clock of the company named
 * @throws BadPromptArgument; what `todayFor` throws when the company is ambiguous
 */
export function promptValues(
  given: Readonly<Partial<Record<PromptArgument, string>>>,
  required: PromptArgument | undefined,
  todayFor: (company: string | undefined) => string,
): PromptValues {
  const text = (argument: PromptArgument) => {
    const value = given[argument]?.trim() || undefined;
    if (value === undefined && argument === required) throw new BadPromptArgument(argument, true);
    return value;
  };
  const company = text('cnpj');
  const checked = company === undefined ? undefined : checkCnpj(company);
  if (checked?.ok === false) throw new BadPromptArgument('cnpj', false);
  const cnpj = checked?.ok ? checked.value : undefined;
  const [key, supplier] = [text('key'), text('supplier')];
  const days = daysOf(text('period') ?? 'last_month', todayFor(cnpj));
  return {
    ...days,
    before: daysBefore(days),
    cnpj,
    ...(key === undefined ? { document: 'nfe', key: '' } : namedDocument(key)),
    supplier: supplier === undefined ? undefined : oneLine(supplier, longest.name),
  };
}
