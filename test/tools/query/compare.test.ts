import { describe, expect, it } from 'vitest';
import type { Grouping } from '../../../src/archive/archive.ts';
import {
  besideEarlier,
  type Comparison,
  earlierPeriod,
  inComparedOrder,
  unalignedGroupings,
} from '../../../src/tools/query/compare.ts';

describe('the period to compare with', () => {
  it.each<[string, string, Comparison, string, string]>([
    ['2026-10-01', '2026-10-31', 'previous_period', '2026-09-01', '2026-09-30'],
    ['2026-03-01', '2026-03-31', 'previous_period', '2026-02-01', '2026-02-28'],
    ['2026-07-01', '2026-09-30', 'previous_period', '2026-04-01', '2026-06-30'],
    ['2026-01-01', '2026-12-31', 'previous_period', '2025-01-01', '2025-12-31'],
    // Not whole months: as many days before.
    ['2026-11-01', '2026-11-26', 'previous_period', '2026-10-06', '2026-10-31'],
    ['2026-11-20', '2026-11-26', 'previous_period', '2026-11-13', '2026-11-19'],
    ['2026-03-01', '2026-03-01', 'previous_period', '2026-02-28', '2026-02-28'],
    ['2026-10-01', '2026-10-31', 'previous_year', '2025-10-01', '2025-10-31'],
    ['2026-11-01', '2026-11-26', 'previous_year', '2025-11-01', '2025-11-26'],
    // February of a leap year has a day more.
    ['2028-02-01', '2028-02-29', 'previous_year', '2027-02-01', '2027-02-28'],
    ['2029-02-01', '2029-02-28', 'previous_year', '2028-02-01', '2028-02-29'],
    ['2028-02-29', '2028-03-10', 'previous_year', '2027-02-28', '2027-03-10'],
  ])('of %s to %s by %s is %s to %s', (from, to, comparison, ...expected) => {
    const earlier = earlierPeriod({ from, to }, comparison);
    expect([earlier.from, earlier.to]).toEqual(expected);
  });

  it.each<[readonly Grouping[], string, string, readonly Grouping[]]>([
    [['month', 'day', 'issuer'], '2026-07-01', '2026-09-30', []],
    [['week', 'due_week'], '2026-07-01', '2026-09-30', ['week', 'due_week']],
    [['week', 'day'], '2026-11-09', '2026-11-22', []],
    [['week', 'month', 'competence'], '2026-11-10', '2026-11-19', ['week', 'month', 'competence']],
  ])('does not align %j of %s to %s: %j', (groupBy, from, to, expected) => {
    const { shift } = earlierPeriod({ from, to }, 'previous_period');
    expect(unalignedGroupings(groupBy, shift)).toEqual(expected);
  });
});

const row = (group: object, total: string) => ({ group, names: {}, measures: { total } });

it.each<[Grouping, string, string, now: readonly string[], before: readonly string[], together: string[]]>([
  ['issuer', '2026-10-01', '2026-10-31', ['A', 'B'], ['C', 'B'], ['A 1 0.00', 'B 1 2', 'C 0.00 2']],
  // In the same place of their periods.
  ['month', '2026-07-01', '2026-09-30', ['2026-07'], ['2026-04'], ['2026-07 1 2']],
  ['day', '2026-11-20', '2026-11-26', ['2026-11-20'], ['2026-11-13'], ['2026-11-20 1 2']],
  // September has no 31st: that day of August stands by itself.
  [
    'day',
    '2026-09-01',
    '2026-09-30',
    ['2026-09-30'],
    ['2026-08-31'],
    ['2026-09-30 1 0.00', '2026-08-31 0.00 2'],
  ],
])('groups by %s of %s to %s stand side by side', (grouping, from, to, now, before, together) => {
  const { shift } = earlierPeriod({ from, to }, 'previous_period');
  const asked = { groupBy: [grouping], measures: ['total'] as const };
  const rowsOf = (values: readonly string[], total: string) =>
    values.map((value) => row({ [grouping]: value }, total));
  const compared = besideEarlier(rowsOf(now, '1'), rowsOf(before, '2'), asked, shift);
  const told = compared.map(({ group, measures, earlier }) =>
    [group[grouping], measures.total, earlier.measures.total].join(' '),
  );
  expect(told).toEqual(together);
});

it.each([
  ['total_change', true, 'CBDA'],
  ['total_change', false, 'DBCA'],
  ['total_previous', true, 'BDCA'],
  // What the archive has ordered stays as it is.
  ['total', true, 'ABCD'],
])('groups are ordered by %s (descending: %s), those without it last', (by, descending, order) => {
  const totals = { A: ['1.00', '0.00'], B: ['5.00', '10.00'], C: ['4.00', '1.00'], D: ['0.00', '9.00'] };
  const rows = Object.entries(totals).map(([issuer, [now = '', before = '']]) => ({
    ...row({ issuer }, now),
    earlier: row({ issuer }, before),
  }));
  const ordered = inComparedOrder(rows, { by, descending });
  expect(ordered.map(({ group }) => group.issuer).join('')).toBe(order);
});
