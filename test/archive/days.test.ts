import { describe, expect, it } from 'vitest';
import { addDays, checkPeriod, daysOf, isDay, lastDay, weekOf } from '../../src/archive/days.ts';

describe('days', () => {
  it('are those of the calendar', () => {
    expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '2026-1-1', '28/02/2026', '', '2026-02-28T00:00'].some(isDay)).toBe(
      false,
    );
  });

  it('follow each other over months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(daysOf({ from: '2026-02-27', to: '2026-03-02' })).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
  });

  it('belong to the week of their Monday and to months of their own length', () => {
    expect(weekOf('2026-11-20')).toBe('2026-11-16');
    expect(weekOf('2026-11-16')).toBe('2026-11-16');
    expect(weekOf('2026-11-22')).toBe('2026-11-16');
    expect(weekOf('2027-01-01')).toBe('2026-12-28');
    expect(['2026-02', '2028-02', '2026-12'].map(lastDay)).toEqual([
      '2026-02-28',
      '2028-02-29',
      '2026-12-31',
    ]);
  });

  it('make a period in their order only', () => {
    expect(() => checkPeriod({ from: '2026-11-02', to: '2026-11-01' })).toThrow('2026-11-02..2026-11-01');
    expect(() => checkPeriod({ from: '2026-11-01', to: '2026-11-31' })).toThrow('2026-11-31');
  });
});
