import { describe, expect, it } from 'vitest';
import { fuzzAnswers } from './answers.ts';
import { fuzzCommands } from './commands.ts';
import { createRandom, type Random } from './random.ts';
import { fuzzRedaction } from './redaction.ts';
import { fuzzReplies } from './replies.ts';

/** `npm run fuzz` sets both; else a few rounds that are the same in every run. */
const { FUZZ_MINUTES: minutes, FUZZ_SEED: seedGiven } = process.env;
const first = Number(seedGiven ?? 1);

/** What is tried, how often where no time is given, and how many at a time. */
const subjects: readonly (readonly [
  name: string,
  few: number,
  round: (random: Random) => Promise<string[]>,
])[] = [
  ['replies that were changed on their way', 60, fuzzReplies],
  ['answers of every tool', 1, fuzzAnswers],
  ['what commands say', 1, fuzzCommands],
  ['secrets in whatever spelling', 60, fuzzRedaction],
];

describe('fuzz', () => {
  it.each(subjects)(
    '%s',
    async (name, few, round) => {
      const until =
        minutes === undefined ? undefined : Date.now() + (Number(minutes) * 60_000) / subjects.length;
      let rounds = 0;
      for (; until === undefined ? rounds < few : Date.now() < until; rounds += 1) {
        const seed = first + rounds;
        const faults = await round(createRandom(seed));
        expect(faults, `seed ${seed}: npm run fuzz -- --minutes 0.1 --seed ${seed}`).toEqual([]);
      }
      if (minutes !== undefined)
        process.stdout.write(`${name}: ${rounds} rounds from seed ${first} without a fault\n`);
      // With a time of less than a round none may fit; a replay has at least one.
      if (rounds === 0) expect(await round(createRandom(first)), `seed ${first}`).toEqual([]);
    },
    minutes === undefined ? undefined : Number(minutes) * 60_000 + 300_000,
  );
});
