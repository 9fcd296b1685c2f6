import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AskedWorld, startAskedWorld } from '../support/asked-world.ts';
import { tokensOf } from '../support/tokens.ts';
import { twentyQuestions } from '../support/twenty-questions.ts';

let asked: AskedWorld;
const table: string[] = [];

beforeAll(async () => {
  asked = await startAskedWorld();
});

afterAll(async () => {
  await asked?.close();
  process.stdout.write(
    `${['| question | calls | tokens | of data |', '| --- | --- | --- | --- |', ...table].join('\n')}\n`,
  );
});

it.each(twentyQuestions.map((one) => [one.question, one] as const))(
  '%s takes at most three calls and 1,500 tokens',
  async (name, question) => {
    const { texts, data } = await asked.ask(question);
    const tokens = tokensOf(texts.join('\n'));
    const ofData = tokensOf(JSON.stringify(data));
    table.push(`| ${name} | ${texts.length} | ${tokens} | ${ofData} |`);
    expect(texts.length).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThan(1_500);
    // A list's data says what its text says; an answer of one row is mostly what it rests on.
    const { rows = [], listed, pending } = (data.at(-1) ?? {}) as Record<string, readonly unknown[]>;
    const isList = rows.length > 3 || listed !== undefined || pending !== undefined;
    if (isList) expect(ofData).toBeLessThan(2 * tokens);
  },
);
