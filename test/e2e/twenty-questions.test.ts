import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox } from '../support/asked-sandbox.ts';
import { askTwenty, twentyQuestions, type World, worldOf } from '../support/twenty-questions.ts';

const asked = askSandbox({ env: { DFE_LANGUAGE: '' } });
let world: World;

beforeAll(async () => {
  world = await worldOf(asked);
});

describe('twenty questions of fiscal analysts', () => {
  it('are twenty', () => expect(twentyQuestions).toHaveLength(20));

  it.each(twentyQuestions.map((one) => [one.question, one] as const))('%s', async (_question, question) => {
    const answers = await askTwenty(asked, question, world);
    expect(answers.length).toBeLessThanOrEqual(3);
    const expected = question.expected(world);
    // A figure that is nothing would be right of a program that finds nothing.
    expect(JSON.stringify(expected)).toMatch(/[1-9]/);
    expect(question.told(answers.at(-1)?.data ?? {})).toEqual(expected);
  });
});
