import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox } from '../support/asked-sandbox.ts';
import { fifteenQuestions } from '../support/fifteen-questions.ts';
import { askQuestion, type World, worldOf } from '../support/questions-and-figures.ts';
import { furtherQuestions } from '../support/thirty-five-questions.ts';
import { twentyQuestions } from '../support/twenty-questions.ts';

const asked = askSandbox({ env: { DFE_LANGUAGE: '' } });
const questions = [...twentyQuestions, ...furtherQuestions, ...fifteenQuestions];
let world: World;

beforeAll(async () => {
  world = await worldOf(asked);
});

describe('questions of fiscal analysts', () => {
  it('are seventy', () => expect(questions).toHaveLength(70));

  it.each(questions.map((one) => [one.question, one] as const))('%s', async (_question, question) => {
    const answers = await askQuestion(asked, question, world);
    expect(answers.length).toBeLessThanOrEqual(3);
    const expected = question.expected(world);
    // A figure that is nothing would be right of a program that finds nothing.
    expect(JSON.stringify(expected)).toMatch(/[1-9]/);
    expect(question.told(answers.at(-1)?.data ?? {})).toEqual(expected);
  });
});
