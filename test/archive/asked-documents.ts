import { afterAll, beforeAll, expect } from 'vitest';
import type { ListQuestion, Question } from '../../src/archive/archive.ts';
import { connect } from '../../src/archive/archive.ts';
import { answerQuestion } from '../../src/archive/ask/ask.ts';
import { createListing } from '../../src/archive/ask/listing.ts';
import type { Connections } from '../../src/archive/engines/connections.ts';
import type { FetchedWindow } from '../../src/archive/write/arrival.ts';
import { createWriter } from '../../src/archive/write/writer.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { duringTests } from '../support/during-tests.ts';
import { inOrder, type PlainRow } from '../support/plain-sums.ts';
import type { TestPlaces } from './places.ts';
import { plainAnswers } from './plain-answers.ts';

/** Those measures that have a value. */
const known = (measures: object): PlainRow['measures'] =>
  JSON.parse(JSON.stringify(measures), (_name, value) => value ?? undefined);

/** Documents of a window, stored in a place of their own for the tests of a `describe`. */
export function askedDocuments(
  open: () => Promise<TestPlaces>,
  window: Omit<FetchedWindow, 'fetchedAt'>,
  documents: readonly DocumentSummary[],
) {
  const places = duringTests(open);
  let archive: Connections;

  beforeAll(async () => {
    archive = await connect({ ...(await places.create()), tenant: '' });
    const arrivals = documents.map((summary) => ({ summary }));
    await createWriter(archive, false).store({ ...window, fetchedAt: new Date() }, arrivals);
  });
  afterAll(() => archive.close());

  const plainAnswer = plainAnswers(documents);
  const ask = (question: Question) => answerQuestion(archive, question);

  /** Answers with cached sums, and from documents while no sums can be cached. */
  async function askBothWays(question: Question) {
    const cached = await ask(question);
    await archive.write(undefined, ({ db }) => db.deleteFrom('summed_months').execute());
    const write = (async () => undefined) as unknown as Connections['write'];
    return [cached, await answerQuestion({ ...archive, write }, question)];
  }

  return {
    ask,
    askBothWays,
    list: (question: ListQuestion) => createListing(archive).list(question),
    /** The answer is that of a plain loop, with and without cached sums. */
    async isAsByLoop(question: Question): Promise<void> {
      const expected = plainAnswer(question);
      for (const answer of await askBothWays(question)) {
        const rows = answer.rows.map(({ group, measures }) => ({ group, measures: known(measures) }));
        expect(inOrder(rows)).toEqual(inOrder(expected.rows));
        expect(known(answer.sums.measures)).toEqual(expected.sums);
        expect(Object.keys(answer.sums.measures)).toEqual(question.measures);
        expect(answer.documents).toBe(expected.documents);
        expect(answer.total_groups).toBe(expected.rows.length);
      }
    },
  };
}
