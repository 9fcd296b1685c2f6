import { describe, expect, it } from 'vitest';
import { takingTurns } from '../../src/clients/pace.ts';

/** The turn of the event loop in which each of these resolves, counted from the first. */
async function turnsOf(waiting: readonly (Promise<void> | undefined)[]): Promise<number[]> {
  let turn = 0;
  let ticker = setImmediate(function tick() {
    turn += 1;
    ticker = setImmediate(tick);
  });
  const turns = await Promise.all(waiting.map(async (one) => one?.then(() => turn) ?? 0));
  clearImmediate(ticker);
  return turns;
}

/** Units of work that take some milliseconds, and those that take none. */
const [MUCH, LITTLE] = [2048, 5];

describe('taking turns', () => {
  it('gives everybody who waits a turn of the event loop, and the only one all of them', async () => {
    const all = [takingTurns(), takingTurns(), takingTurns()];
    const [first, ...others] = all;
    const turns = await turnsOf(all.map(({ next }) => next(MUCH)));
    expect(new Set(turns).size).toBe(all.length);
    expect(turns).toEqual([...turns].sort((a, b) => a - b));
    for (const { end } of others) end();
    expect(first?.next(MUCH)).toBeUndefined();
    first?.end();
  });

  it('has those with little to do share a turn, until together it is much', async () => {
    const all = Array.from({ length: 500 }, takingTurns);
    const turns = await turnsOf(all.map(({ next }) => next(LITTLE)));
    const atOnce = turns.filter((turn) => turn === 0);
    expect(atOnce.length).toBeGreaterThan(100);
    expect(atOnce.length * LITTLE).toBeLessThan(MUCH);
    const again = await turnsOf(all.slice(0, 3).map(({ next }) => next(LITTLE)));
    expect(again).toEqual([0, 0, 0]);
    for (const { end } of all) end();
  });
});
