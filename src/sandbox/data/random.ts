/** A source of choices that depends on nothing but the words it was made from. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Decimal digits as text, leading zeros kept. */
  digits(length: number): string;
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  return state;
}

/** 32-bit integer arithmetic, signed, so that every machine makes the same choices. */
export function createRandom(...words: readonly (string | number)[]): Random {
  let state = hash(words.join('\u0000'));

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  const integer = (min: number, max: number): number => min + (next() % (max - min + 1));

  return {
    integer,
    chance: (percent) => integer(1, 100) <= percent,
    pick(choices) {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
    digits(length) {
      let digits = '';
      for (let i = 0; i < length; i++) digits += integer(0, 9);
      return digits;
    },
  };
}
