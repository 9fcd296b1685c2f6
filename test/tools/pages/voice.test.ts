import { expect, it } from 'vitest';
import { createVoice, daysIn } from '../../../src/tools/pages/voice.ts';
import { prepareContext } from '../../support/tool-context.ts';

it.each([
  // 22:00 of 31 December in São Paulo, where UTC is a year ahead.
  ['2027-01-01T01:00:00Z', 'December', 'January 2027'],
  ['2027-01-01T03:00:00Z', 'December 2026', 'January'],
])('at %s a month of the current year where the company is has no year', async (now, december, january) => {
  const { context } = prepareContext({}, { now: () => Date.parse(now) });
  const { month } = createVoice(context.translator, context);
  expect([month('2026-12'), month('2027-01')]).toEqual([december, january]);
});

it('the days of ranges are counted once each, those of centuries as fast as those of a month', () => {
  const ranges = [
    { from: '2026-11-05', to: '2026-11-07' },
    { from: '2026-11-01T00:00:00', to: '2026-11-02T23:59:59' },
    { from: '2026-11-06', to: '2026-11-06' },
    { from: '2026-11-07', to: '2026-11-08' },
  ];
  const first = ['2026-11-01', '2026-11-02', '2026-11-05'];
  expect(daysIn(ranges, 3)).toEqual({ count: 6, first });
  expect(daysIn([])).toEqual({ count: 0, first: [] });
  const began = performance.now();
  const long = daysIn([{ from: '0001-01-01', to: '9999-12-31' }], 1);
  expect(long).toEqual({ count: 3_652_059, first: ['0001-01-01'] });
  expect(performance.now() - began).toBeLessThan(100);
});
