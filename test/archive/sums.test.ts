import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, type Question } from '../../src/archive/archive.ts';
import { answerQuestion } from '../../src/archive/ask/ask.ts';
import type { Connections } from '../../src/archive/engines/connections.ts';
import { createWriter } from '../../src/archive/write/writer.ts';
import { buyer, note } from './inline-documents.ts';

const year = { company: buyer, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;
const counted: Question = { ...year, groupBy: ['month'], measures: ['count'], limit: 12 };
const inMonth = (number: number, month: string) => ({
  summary: note(number, { issued_at: `2026-${month}-05T10:00:00-03:00` }),
});

let archive: Connections;
const store = (...arrivals: ReturnType<typeof inMonth>[]) =>
  createWriter(archive, false).store({ ...year, fetchedAt: new Date() }, arrivals);
const countsIn = async (connections: Connections) =>
  (await answerQuestion(connections, counted)).rows.map(({ group, measures }) => [
    group.month,
    measures.count,
  ]);

beforeEach(async () => {
  archive = await connect({ mode: 'memory', tenant: '' });
  await store(inMonth(1, '01'), inMonth(2, '02'));
});
afterEach(() => archive.close());

it('cached sums of each month are refilled in a transaction of their own', async () => {
  const months: number[] = [];
  const write: Connections['write'] = (company, work) =>
    archive.write(company, async (session) => {
      const summed = () => session.db.selectFrom('summed_months').select('month').execute();
      const before = (await summed()).length;
      const result = await work(session);
      months.push((await summed()).length - before);
      return result;
    });
  const expected = [
    ['2026-01', '1'],
    ['2026-02', '1'],
  ];
  expect(await countsIn({ ...archive, write })).toEqual(expected);
  expect(months.length).toBeGreaterThan(1);
  expect(new Set(months)).toEqual(new Set([1]));
  months.length = 0;
  expect(await countsIn({ ...archive, write })).toEqual(expected);
  expect(months).toEqual([]);
});

it('a question is answered from documents where writers keep its sums stale', async () => {
  let number = 2;
  const write: Connections['write'] = async (company, work) => {
    const result = await archive.write(company, work);
    await store(inMonth(++number, '01'));
    return result;
  };
  const counts = await countsIn({ ...archive, write });
  expect(counts).toEqual([
    ['2026-01', String(number - 1)],
    ['2026-02', '1'],
  ]);
});
