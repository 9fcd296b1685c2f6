import { addDays, firstDay, isDay, lastDay, monthOf } from '../../archive/days.ts';
import type { Company } from '../../company/company.ts';
import { dayInZone } from '../../documents/days.ts';
import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { daysOfName, monthBefore, periodNameIn } from '../../tools/shared/period.ts';
import type { PromptArgument } from './prompts.ts';

/** What a prompt is about, as the tools take it. */
export interface PromptValues {
  readonly from: string;
  readonly to: string;
  /** As many days before, or the whole months before where the period is whole months. */
  readonly before: { readonly from: string; readonly to: string };
  readonly cnpj: string | undefined;
  readonly document: 'nfe' | 'cte' | 'nfse';
  readonly key: string;
  readonly supplier: string | undefined;
}

/** An argument that can't be used. */
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

/** What says which day it is. */
export interface Clock {
  readonly now: () => number;
  readonly timeZone: string;
}

/** The clock of somebody's services, or the usual one where it is open whose. */
export function clockOf(company: Company | undefined): Clock {
  return company === undefined
    ? { now: () => Date.now(), timeZone: 'America/Sao_Paulo' }
    : { now: company.now, timeZone: company.settings.timeZone };
}

/** Today in the configured zone. */
export function todayOf({ now, timeZone }: Clock): string {
  return dayInZone(timeZone, now());
}

const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\s*(?:\/|\.\.|a|to|até)\s*(\d{4}-\d{2}-\d{2}))?$/;

/** A month, a day, two days or a word, as days that no word has to be looked up for again. */
function daysOf(text: string, today: string): { from: string; to: string } {
  const given = text.trim();
  const name = periodNameIn(given);
  if (name !== undefined) return daysOfName(name, today);
  const [, from = '', to = from] = DAYS.exec(given) ?? [];
  if (!isDay(from) || !isDay(to) || from > to) throw new BadPromptArgument('period', false);
  return { from, to };
}

/** Months since the year 0. */
const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** The period before: as many whole months, the same days of the month before, or as many days. */
function daysBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const last = addDays(from, -1);
  const isFirst = from.endsWith('-01');
  if (isFirst && to === lastDay(monthOf(to))) {
    const months = monthNumber(to) - monthNumber(from) + 1;
    return { from: firstDay(monthBefore(from, months)), to: last };
  }
  if (isFirst && monthOf(from) === monthOf(to)) {
    const sameDay = `${monthBefore(from, 1)}${to.slice(7)}`;
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
 * Checks what was given for a prompt, and fills in what was not: last month.
 * @throws BadPromptArgument; what `clock` throws where it can't be told whose day it is
 */
export function promptValues(
  given: Readonly<Partial<Record<PromptArgument, string>>>,
  needs: readonly PromptArgument[],
  clock: (company: string | undefined) => Clock,
): PromptValues {
  const text = (argument: PromptArgument) => {
    const value = given[argument]?.trim() || undefined;
    if (value === undefined && needs.includes(argument)) throw new BadPromptArgument(argument, true);
    return value;
  };
  const company = text('cnpj');
  const checked = company === undefined ? undefined : checkCnpj(company);
  if (checked?.ok === false) throw new BadPromptArgument('cnpj', false);
  const cnpj = checked?.ok ? checked.value : undefined;
  const [key, supplier] = [text('key'), text('supplier')];
  const days = daysOf(text('period') ?? 'last_month', todayOf(clock(cnpj)));
  return {
    ...days,
    before: daysBefore(days),
    cnpj,
    ...(key === undefined ? { document: 'nfe', key: '' } : namedDocument(key)),
    supplier: supplier === undefined ? undefined : oneLine(supplier, longest.name),
  };
}
