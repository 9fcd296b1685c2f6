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

describe('taking turns', () => {
  it('gives everybody who waits a turn of the event loop, and the only one all of them', async () => {
    const all = [takingTurns(), takingTurns(), takingTurns()];
    const [first, ...others] = all;
    const turns = await turnsOf(all.map(({ next }) => next()));
    expect(new Set(turns).size).toBe(all.length);
    expect(turns).toEqual([...turns].sort((a, b) => a - b));
    for (const { end } of others) end();
    expect(first?.next()).toBeUndefined();
    first?.end();
  });
});
