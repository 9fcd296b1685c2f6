import { expect, it } from 'vitest';
import { createRecent } from '../../src/sandbox/data/random.ts';

it('makes a thing once while it is kept, and forgets the oldest', () => {
  const made: string[] = [];
  const recent = createRecent<string>(2);
  const get = (name: string) =>
    recent.get(name, () => {
      made.push(name);
      return name.toUpperCase();
    });
  expect(['a', 'a', 'b', 'a', 'c', 'b', 'a'].map(get)).toEqual(['A', 'A', 'B', 'A', 'C', 'B', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
