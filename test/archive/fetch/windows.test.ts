import { describe, expect, it } from 'vitest';
import { type FetchWindow, halve } from '../../../src/archive/fetch/collect.ts';

const window = (from: string, to: string): FetchWindow => {
  const [fromDate = '', fromTime = ''] = from.split(' ');
  const [toDate = '', toTime = ''] = to.split(' ');
  return { from: { date: fromDate, time: fromTime }, to: { date: toDate, time: toTime } };
};

const text = ({ from, to }: FetchWindow) => `${from.date} ${from.time} – ${to.date} ${to.time}`;

describe('a window', () => {
  it.each([
    ['even days', '2026-11-01 00:00:00', '2026-11-04 23:59:59', '2026-11-02 23:59:59', '2026-11-03 00:00:00'],
    ['odd days', '2026-11-01 00:00:00', '2026-11-03 23:59:59', '2026-11-01 23:59:59', '2026-11-02 00:00:00'],
    [
      'a leap day',
      '2024-02-28 00:00:00',
      '2024-02-29 23:59:59',
      '2024-02-28 23:59:59',
      '2024-02-29 00:00:00',
    ],
    ['one day', '2026-11-05 00:00:00', '2026-11-05 23:59:59', '2026-11-05 11:59:59', '2026-11-05 12:00:00'],
    [
      'three hours',
      '2026-11-05 00:00:00',
      '2026-11-05 02:59:59',
      '2026-11-05 00:59:59',
      '2026-11-05 01:00:00',
    ],
  ])('of %s is cut between days or hours', (_, from, to, firstEnds, secondBegins) => {
    expect(halve(window(from, to), true)?.map(text)).toEqual([
      `${from} – ${firstEnds}`,
      `${secondBegins} – ${to}`,
    ]);
  });

  it('of an hour, or of a day without times, cannot be cut', () => {
    expect(halve(window('2026-11-05 13:00:00', '2026-11-05 13:59:59'), true)).toBeUndefined();
    expect(halve(window('2026-11-05 00:00:00', '2026-11-05 23:59:59'), false)).toBeUndefined();
  });

  it('cut as far as can be leaves no second out and has none twice', () => {
    const waiting = [window('2024-02-28 00:00:00', '2024-03-02 23:59:59')];
    const pieces: FetchWindow[] = [];
    for (let next = waiting.shift(); next !== undefined && pieces.length < 1_000; next = waiting.shift()) {
      const halves = halve(next, true);
      if (halves === undefined) pieces.push(next);
      else waiting.unshift(...halves);
    }
    const seconds = ({ date, time }: FetchWindow['from']) => Date.parse(`${date}T${time}Z`) / 1000;
    expect(pieces).toHaveLength(4 * 24);
    pieces.forEach(({ from, to }, index) => {
      expect(seconds(to) - seconds(from)).toBe(3_599);
      const before = pieces[index - 1];
      if (before !== undefined) expect(seconds(from) - seconds(before.to)).toBe(1);
    });
  });
});
