import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskedWorld, startAskedWorld } from '../support/asked-world.ts';
import { twentyQuestions } from '../support/twenty-questions.ts';

let asked: AskedWorld;

beforeAll(async () => {
  asked = await startAskedWorld();
});

afterAll(() => asked?.close());

describe('twenty questions of fiscal analysts', () => {
  it('are twenty', () => expect(twentyQuestions).toHaveLength(20));

  it.each(twentyQuestions.map((one) => [one.question, one] as const))('%s', async (_question, question) => {
    const { texts, data } = await asked.ask(question);
    expect(texts.length).toBeLessThanOrEqual(3);
    const expected = question.expected(asked.world);
    // A figure that is nothing would be right of a program that finds nothing.
    expect(JSON.stringify(expected)).toMatch(/[1-9]/);
    expect(question.told(data.at(-1) ?? {})).toEqual(expected);
  });
});
