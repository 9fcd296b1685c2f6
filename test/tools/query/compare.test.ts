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

describe('groups of two periods', () => {
  const row = (group: object, total: string) => ({ group, names: {}, measures: { count: '1', total } });
  const none = { count: '0', total: '0.00' };
  const sideBySide = (
    now: readonly object[],
    before: readonly object[],
    groupBy: Grouping[],
    from: string,
    to: string,
  ) => {
    const { shift } = earlierPeriod({ from, to }, 'previous_period');
    const asked = { groupBy, measures: ['count', 'total'] as const };
    const [rows, earlier] = [now, before].map((some, which) =>
      some.map((group) => row(group, `${which}.00`)),
    );
    return besideEarlier(rows ?? [], earlier ?? [], asked, shift).map(
      ({ group, measures, earlier: other }) => [group, measures, other.measures],
    );
  };
  const [of0, of1] = [
    { count: '1', total: '0.00' },
    { count: '1', total: '1.00' },
  ];

  it('stand side by side, those of the earlier one alone at the end', () => {
    const found = sideBySide(
      [{ issuer: 'A' }, { issuer: 'B' }],
      [{ issuer: 'C' }, { issuer: 'B' }],
      ['issuer'],
      '2026-10-01',
      '2026-10-31',
    );
    expect(found).toEqual([
      [{ issuer: 'A' }, of0, none],
      [{ issuer: 'B' }, of0, of1],
      [{ issuer: 'C' }, none, of1],
    ]);
  });

  it('are ordered by what they were or how they changed, those without either last', () => {
    const of = (issuer: string, now: string, before: string) => ({
      ...row({ issuer }, now),
      earlier: row({ issuer }, before),
    });
    const rows = [
      of('A', '1.00', '0.00'),
      of('B', '5.00', '10.00'),
      of('C', '4.00', '1.00'),
      of('D', '0.00', '9.00'),
    ];
    const order = (by: string, descending: boolean) =>
      inComparedOrder(rows, { by, descending })
        .map(({ group }) => group.issuer)
        .join('');
    expect(order('total_change', true)).toBe('CBDA');
    expect(order('total_change', false)).toBe('DBCA');
    expect(order('total_previous', true)).toBe('BDCA');
    // What the archive has ordered stays as it is.
    expect(order('total', true)).toBe('ABCD');
  });

  it('meet in the same place of their periods', () => {
    expect(
      sideBySide([{ month: '2026-07' }], [{ month: '2026-04' }], ['month'], '2026-07-01', '2026-09-30'),
    ).toEqual([[{ month: '2026-07' }, of0, of1]]);
    expect(
      sideBySide([{ day: '2026-11-20' }], [{ day: '2026-11-13' }], ['day'], '2026-11-20', '2026-11-26'),
    ).toEqual([[{ day: '2026-11-20' }, of0, of1]]);
    // September has no 31st: that day of August stands by itself.
    expect(
      sideBySide([{ day: '2026-09-30' }], [{ day: '2026-08-31' }], ['day'], '2026-09-01', '2026-09-30'),
    ).toEqual([
      [{ day: '2026-09-30' }, of0, none],
      [{ day: '2026-08-31' }, none, of1],
    ]);
  });
});
