import { describe, expect, it } from 'vitest';
import { daysOfName, isoDay, periodNameIn, periodWords } from '../../../src/tools/shared/period.ts';

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
    expect(daysOfName(word, today)).toEqual({ from, to });
  });
});

describe('a word', () => {
  it.each([
    ['last_month', 'last_month'],
    [' Last Month ', 'last_month'],
    ['last-7-days', 'last_7_days'],
    [' 2026-10 ', '2026-10'],
    ['10/2026', '2026-10'],
    ['1-2026', '2026-01'],
    [' 2026 ', '2026'],
  ])('may be written %j', (text, word) => expect(periodNameIn(text)).toBe(word));

  it.each([
    '',
    'ontem',
    'last_8_days',
    'last',
    '2026-11-01',
    '2026-13',
    '2026-1',
    '1899',
    '20261',
    '13/2026',
    '5/10/2026',
    'todays',
  ])('is not %j', (text) => expect(periodNameIn(text)).toBeUndefined());
});

describe('a month or a year', () => {
  it.each([
    ['2026-10', '2026-11-22', '2026-10-01', '2026-10-31'],
    ['2028-02', '2028-03-01', '2028-02-01', '2028-02-29'],
    ['2026-11', '2026-11-22', '2026-11-01', '2026-11-22'],
    ['2025', '2026-11-22', '2025-01-01', '2025-12-31'],
    ['2026', '2026-11-22', '2026-01-01', '2026-11-22'],
  ])('%s on %s goes from %s to %s', (name, today, from, to) => {
    expect(daysOfName(name, today)).toEqual({ from, to });
  });
});

describe('a day', () => {
  it.each([
    ['31/10/2026', '2026-10-31'],
    ['2026-10-31', '2026-10-31'],
    ['5/10/2026', '2026-10-05'],
    ['5.1.2026', '2026-01-05'],
    ['05-10-2026', '2026-10-05'],
    [' 05/10/2026 14:30 ', '2026-10-05T14:30'],
    ['2026-10-05 14:30:10', '2026-10-05T14:30:10'],
    ['2026-10-05T14:30', '2026-10-05T14:30'],
    // No such month: the day is never taken for it.
    ['10/13/2026', '2026-13-10'],
    ['31/10/26', '31/10/26'],
    ['1/5/10/2026', '1/5/10/2026'],
  ])('written %s is %s', (text, day) => {
    expect(isoDay(text)).toBe(day);
  });
});
