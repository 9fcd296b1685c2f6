import { describe, expect, it } from 'vitest';
import { daysOfWord, periodWordIn, periodWords } from '../../../src/tools/shared/period.ts';

/** By a calendar: today, then what each word means. */
const calendar: readonly [string, Readonly<Record<(typeof periodWords)[number], [string, string]>>][] = [
  [
    '2026-11-22',
    {
      today: ['2026-11-22', '2026-11-22'],
      yesterday: ['2026-11-21', '2026-11-21'],
      this_month: ['2026-11-01', '2026-11-22'],
      last_month: ['2026-10-01', '2026-10-31'],
      last_7_days: ['2026-11-16', '2026-11-22'],
      last_30_days: ['2026-10-24', '2026-11-22'],
      this_quarter: ['2026-10-01', '2026-11-22'],
      last_quarter: ['2026-07-01', '2026-09-30'],
      this_year: ['2026-01-01', '2026-11-22'],
      last_year: ['2025-01-01', '2025-12-31'],
    },
  ],
  [
    '2028-03-01',
    {
      today: ['2028-03-01', '2028-03-01'],
      yesterday: ['2028-02-29', '2028-02-29'],
      this_month: ['2028-03-01', '2028-03-01'],
      last_month: ['2028-02-01', '2028-02-29'],
      last_7_days: ['2028-02-24', '2028-03-01'],
      last_30_days: ['2028-02-01', '2028-03-01'],
      this_quarter: ['2028-01-01', '2028-03-01'],
      last_quarter: ['2027-10-01', '2027-12-31'],
      this_year: ['2028-01-01', '2028-03-01'],
      last_year: ['2027-01-01', '2027-12-31'],
    },
  ],
  [
    '2027-01-01',
    {
      today: ['2027-01-01', '2027-01-01'],
      yesterday: ['2026-12-31', '2026-12-31'],
      this_month: ['2027-01-01', '2027-01-01'],
      last_month: ['2026-12-01', '2026-12-31'],
      last_7_days: ['2026-12-26', '2027-01-01'],
      last_30_days: ['2026-12-03', '2027-01-01'],
      this_quarter: ['2027-01-01', '2027-01-01'],
      last_quarter: ['2026-10-01', '2026-12-31'],
      this_year: ['2027-01-01', '2027-01-01'],
      last_year: ['2026-01-01', '2026-12-31'],
    },
  ],
];

describe.each(calendar)('on %s', (today, meanings) => {
  it.each(periodWords)('%s', (word) => {
    const [from, to] = meanings[word];
    expect(daysOfWord(word, today)).toEqual({ from, to });
  });
});

describe('a word', () => {
  it.each([
    ['last_month', 'last_month'],
    [' Last Month ', 'last_month'],
    ['last-7-days', 'last_7_days'],
  ])('may be written %j', (text, word) => expect(periodWordIn(text)).toBe(word));

  it.each(['', 'ontem', 'last_8_days', 'last', '2026-11-01', 'todays'])('is not %j', (text) =>
    expect(periodWordIn(text)).toBeUndefined(),
  );
});
