/** Numbers that look random and are the same again for the same seed. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  of<T>(values: readonly T[]): T;
}

/** Source: mulberry32, which is in the public domain. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    of(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('nothing to choose from');
      return value;
    },
  };
}
