import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  analystQuestions,
  askQuestion,
  twentyQuestions,
  type World,
  worldOf,
} from '../support/analyst-questions.ts';
import { askSandbox } from '../support/asked-sandbox.ts';
import { tokensOf } from '../support/tokens.ts';

const asked = askSandbox({ env: { DFE_LANGUAGE: '' } });
const table = ['| question | calls | tokens | of data |', '| --- | --- | --- | --- |'];
let world: World;

beforeAll(async () => {
  world = await worldOf(asked);
});

afterAll(() => void process.stdout.write(`${table.join('\n')}\n`));

it.each(analystQuestions.map((one) => [one.question, one] as const))(
  '%s takes at most three calls and 1,200 tokens',
  async (name, question) => {
    const answers = await askQuestion(asked, question, world);
    const tokens = tokensOf(answers.map(({ text }) => text).join('\n'));
    const ofData = tokensOf(JSON.stringify(answers.map(({ data }) => data)));
    table.push(`| ${name} | ${answers.length} | ${tokens} | ${ofData} |`);
    expect(answers.length).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThan(1_200);
    // A list's data says what its text says; an answer of one row is mostly what it rests on, and data names columns in
    // every row.
    const { rows = [], listed, pending } = (answers.at(-1)?.data ?? {}) as Record<string, readonly unknown[]>;
    const isList = rows.length > 3 || listed !== undefined || pending !== undefined;
    if (isList) expect(ofData).toBeLessThan((twentyQuestions.includes(question) ? 2 : 2.5) * tokens);
  },
);
