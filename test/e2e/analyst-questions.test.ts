import { beforeAll, describe, expect, it } from 'vitest';
import { analystQuestions, askQuestion, type World, worldOf } from '../support/analyst-questions.ts';
import { askSandbox } from '../support/asked-sandbox.ts';

const asked = askSandbox({ env: { DFE_LANGUAGE: '' } });
let world: World;

beforeAll(async () => {
  world = await worldOf(asked);
});

describe('questions of fiscal analysts', () => {
  it('are seventy', () => expect(analystQuestions).toHaveLength(70));

  it.each(analystQuestions.map((one) => [one.question, one] as const))('%s', async (_question, question) => {
    const answers = await askQuestion(asked, question, world);
    expect(answers.length).toBeLessThanOrEqual(3);
    const expected = question.expected(world);
    // A figure that is nothing would be right of a program that finds nothing.
    expect(JSON.stringify(expected)).toMatch(/[1-9]/);
    expect(question.told(answers.at(-1)?.data ?? {})).toEqual(expected);
  });
});
