import { expect, it } from 'vitest';
import {
  addDays,
  daysOf,
  isDay,
  lastDay,
  periodBefore,
  periodsOf,
  weekOf,
} from '../../src/documents/days.ts';

it('days are those of the calendar', () => {
  expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true);
  const others = ['2026-02-29', '2026-13-01', '2026-1-1', '28/02/2026', '', '0000-12-31', '2026-02-28T00:00'];
  expect(others.filter(isDay)).toEqual([]);
  expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29']);
});

it.each([
  ['2026-11-05', '2026-11-05', '05'],
  ['2026-12-30', '2027-01-02', '30 31 01 02'],
  ['2026-02-27', '2026-03-01', '27 28 01'],
  ['2024-02-28', '2024-03-01', '28 29 01'],
  ['2100-02-28', '2100-03-01', '28 01'],
  // Midnight did not exist in Brazil on 2018-11-04 and occurred twice on 2019-02-17.
  ['2018-11-03', '2018-11-05', '03 04 05'],
  ['2019-02-16', '2019-02-18', '16 17 18'],
  ['9999-12-30', '9999-12-31', '30 31'],
])('the days from %s to %s are %s', (from, to, days) => {
  expect(daysOf({ from, to }).map((day) => day.slice(8))).toEqual(days.split(' '));
});

it('a period that ends before it begins has no days', () => {
  expect(daysOf({ from: '2026-11-06', to: '2026-11-04' })).toEqual([]);
});

it('days are joined into the fewest periods', () => {
  expect(periodsOf([])).toEqual([]);
  expect(periodsOf(['2026-03-01', '2026-02-28', '2026-02-28', '2026-03-03'])).toEqual([
    { from: '2026-02-28', to: '2026-03-01' },
    { from: '2026-03-03', to: '2026-03-03' },
  ]);
  const year = { from: '2024-01-01', to: '2024-12-31' };
  expect(periodsOf(daysOf(year).toReversed())).toEqual([year]);
});

it('weeks begin on Monday, months have their own length', () => {
  const days = ['2026-11-20', '2026-11-16', '2026-11-22', '2027-01-01'];
  expect(days.map(weekOf)).toEqual(['2026-11-16', '2026-11-16', '2026-11-16', '2026-12-28']);
  const months = ['2026-02', '2028-02', '2026-12', '9999-12'];
  expect(months.map(lastDay)).toEqual(['2026-02-28', '2028-02-29', '2026-12-31', '9999-12-31']);
  const last = { from: '9999-12-01', to: '9999-12-31' };
  expect(periodBefore(last)).toEqual({ from: '9999-11-01', to: '9999-11-30', shift: { months: 1 } });
});
