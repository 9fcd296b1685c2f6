import { addDays, firstDay, lastDay, monthOf, type Period } from '../archive/days.ts';

/** Words that stand for days in the place of dates; what they mean depends on the day that is today. */
export const periodWords = [
  'today',
  'yesterday',
  'this_month',
  'last_month',
  'last_7_days',
  'last_30_days',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
] as const;

export type PeriodWord = (typeof periodWords)[number];

/** The word that a text is, with any blanks or dashes for its underscores. */
export function periodWordIn(text: string): PeriodWord | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return periodWords.find((one) => one === word);
}

/** `YYYY-MM` of a day's month, so many months earlier. */
function monthBefore(day: string, months: number): string {
  const [year = 0, month = 0] = monthOf(day).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months)).toISOString().slice(0, 7);
}

/** How many months of its quarter have begun before a day's own. */
function monthsIntoQuarter(day: string): number {
  return (Number(day.slice(5, 7)) - 1) % 3;
}

/**
 * The days that a word means. What is under way ends today: nothing is issued on days to come, and an answer then
 * says up to when it reaches.
 */
export function daysOfWord(word: PeriodWord, today: string): Period {
  const lastYear = String(Number(today.slice(0, 4)) - 1);
  const quarter = monthsIntoQuarter(today);
  const meanings: Readonly<Record<PeriodWord, () => Period>> = {
    today: () => ({ from: today, to: today }),
    yesterday: () => ({ from: addDays(today, -1), to: addDays(today, -1) }),
    this_month: () => ({ from: firstDay(monthOf(today)), to: today }),
    last_month: () => ({ from: firstDay(monthBefore(today, 1)), to: lastDay(monthBefore(today, 1)) }),
    last_7_days: () => ({ from: addDays(today, -6), to: today }),
    last_30_days: () => ({ from: addDays(today, -29), to: today }),
    this_quarter: () => ({ from: firstDay(monthBefore(today, quarter)), to: today }),
    last_quarter: () => ({
      from: firstDay(monthBefore(today, quarter + 3)),
      to: lastDay(monthBefore(today, quarter + 1)),
    }),
    this_year: () => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
    last_year: () => ({ from: `${lastYear}-01-01`, to: `${lastYear}-12-31` }),
  };
  return meanings[word]();
}
