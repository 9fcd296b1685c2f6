import { expect, it } from 'vitest';
import { createVoice } from '../../../src/tools/pages/voice.ts';
import { prepareContext } from '../../support/tool-context.ts';

it.each([
  // 22:00 of 31 December in São Paulo, where UTC is a year ahead.
  ['2027-01-01T01:00:00Z', 'December', 'January 2027'],
  ['2027-01-01T03:00:00Z', 'December 2026', 'January'],
])('at %s a month of the current year where the company is has no year', async (now, december, january) => {
  const { context, close } = prepareContext({}, { now: () => Date.parse(now) });
  const { month } = createVoice(context.translator, context);
  expect([month('2026-12'), month('2027-01')]).toEqual([december, january]);
  await close();
});
