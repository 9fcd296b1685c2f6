import { describe, expect, it } from 'vitest';
import { type FetchWindow, halve, windowOf } from '../../../src/archive/fetch/windows.ts';

const window = (from: string, to: string): FetchWindow => {
  const [fromDate = '', fromTime = ''] = from.split(' ');
  const [toDate = '', toTime = ''] = to.split(' ');
  return { from: { date: fromDate, time: fromTime }, to: { date: toDate, time: toTime } };
};

const text = ({ from, to }: FetchWindow) => `${from.date} ${from.time} – ${to.date} ${to.time}`;

describe('a window', () => {
  it('takes whole days, to the last second', () => {
    expect(text(windowOf({ from: '2026-01-31', to: '2026-02-01' }))).toBe(
      '2026-01-31 00:00:00 – 2026-02-01 23:59:59',
    );
  });

  it.each([
    ['an even number of days', '2026-11-01 00:00:00', '2026-11-04 23:59:59', '2026-11-02', '2026-11-03'],
    ['an odd number of days', '2026-11-01 00:00:00', '2026-11-03 23:59:59', '2026-11-01', '2026-11-02'],
    [
      'two days over the end of a month',
      '2026-10-31 00:00:00',
      '2026-11-01 23:59:59',
      '2026-10-31',
      '2026-11-01',
    ],
    [
      'the leap day and its neighbour',
      '2024-02-28 00:00:00',
      '2024-02-29 23:59:59',
      '2024-02-28',
      '2024-02-29',
    ],
  ])('of %s is cut between days', (_, from, to, firstEnds, secondBegins) => {
    const halves = halve(window(from, to), true)?.map(text);
    expect(halves).toEqual([`${from} – ${firstEnds} 23:59:59`, `${secondBegins} 00:00:00 – ${to}`]);
    expect(halve(window(from, to), false)?.map(text)).toEqual(halves);
  });

  it('of a day is cut into hours where times go over the wire', () => {
    expect(halve(window('2026-11-05 00:00:00', '2026-11-05 23:59:59'), true)?.map(text)).toEqual([
      '2026-11-05 00:00:00 – 2026-11-05 11:59:59',
      '2026-11-05 12:00:00 – 2026-11-05 23:59:59',
    ]);
    expect(halve(window('2026-11-05 00:00:00', '2026-11-05 02:59:59'), true)?.map(text)).toEqual([
      '2026-11-05 00:00:00 – 2026-11-05 00:59:59',
      '2026-11-05 01:00:00 – 2026-11-05 02:59:59',
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
