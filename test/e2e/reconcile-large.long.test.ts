import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookKey, c100, efd } from '../support/books.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { authorisedNote, eventFile, keyOf, ourCompany, supplier } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';

/** More than are held at once. */
const MANY = 450_000;

const own = { number: 1, issuer: ourCompany, recipient: supplier };
const cancelled = { ...own, number: 2 };
const unlisted = { ...own, number: 3 };
const bought = { number: 7 };

interface Answered {
  readonly files: readonly {
    readonly entries: number;
    readonly whole: boolean;
    readonly sums: { readonly total: string };
    readonly notes: readonly string[];
  }[];
  readonly compared?: { readonly entries: number; readonly matched: number };
  readonly by_finding: readonly { readonly finding: string; readonly count: number }[];
  readonly total: number;
  readonly next_cursor?: string;
}

let folder: ReturnType<typeof temporaryFolder>;
let connection: Connection;

const first = c100({ ...own, key: keyOf(own), base: '0', icms: '0', total: '101,00' });
const few = [
  first,
  c100({ ...cancelled, key: keyOf(cancelled), base: '0', icms: '0' }),
  c100({ number: 7, issuer: supplier, key: keyOf(bought), moved: '09102026', base: '0', icms: '0' }),
  // Its key is one digit off, so that it is looked for by its number.
  c100({ ...own, number: 7, issuer: supplier, key: `${keyOf(bought).slice(0, 43)}X`, base: '0', icms: '0' }),
];

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'xml'));
  for (const note of [own, cancelled, unlisted, bought])
    writeFileSync(join(folder.path, `xml/${note.number}.xml`), authorisedNote(note));
  writeFileSync(join(folder.path, 'xml/cancelled.xml'), eventFile(cancelled));
  const unknown = Array.from({ length: MANY }, (_, at) =>
    c100({ ...own, number: 1_000 + at, key: bookKey({ number: 1_000 + at }), total: '10,00' }),
  );
  writeFileSync(join(folder.path, 'few.txt'), Buffer.from(efd([...few, first]), 'latin1'));
  writeFileSync(join(folder.path, 'many.txt'), Buffer.from(efd([...few, ...unknown, first]), 'latin1'));
  connection = await connectInProcess('v1', { env: { DFE_FILES: folder.path, DFE_LANGUAGE: 'en' } });
});

afterAll(async () => {
  await connection.close();
  folder.remove();
});

/** The first page of a comparison, whose reading may take several calls. */
async function reconciled(file: string): Promise<Answered> {
  let cursor: string | undefined;
  for (let calls = 0; calls < 30; calls += 1) {
    const { structured, isError, text } = await connection.call('reconcile', {
      file: [file],
      ...(cursor && { cursor }),
    });
    if (isError) throw new Error(text);
    const answer = structured as unknown as Answered;
    if (answer.compared !== undefined) return answer;
    cursor = answer.next_cursor;
  }
  throw new Error('the comparison never came to an answer');
}

const known = ({ by_finding: all }: Answered) =>
  all
    .filter(({ finding }) => finding !== 'missing_in_documents')
    .map(({ finding, count }) => [finding, count]);

it('compares a file of more documents than are held at once as it compares a small one', async () => {
  const [small, large] = [await reconciled('few.txt'), await reconciled('many.txt')];
  expect(small.total).toBeGreaterThan(4);
  expect(known(small).map(([finding]) => finding)).toEqual(
    expect.arrayContaining(['cancelled_but_listed', 'value_differs', 'duplicated_in_file', 'invalid_key']),
  );
  expect(known(large)).toEqual(known(small));
  expect(large.total).toBe(small.total + MANY);
  expect(large.compared).toMatchObject({
    entries: few.length + 1 + MANY,
    matched: small.compared?.matched,
  });
  const [{ entries, whole, sums, notes } = { entries: 0, sums: { total: '0' } }] = large.files;
  expect({ entries, whole, notes }).toEqual({
    entries: few.length + 1 + MANY,
    whole: true,
    notes: small.files[0]?.notes,
  });
  const cents = (text = '0') => Math.round(Number(text) * 100);
  expect(cents(sums.total)).toBe(cents(small.files[0]?.sums.total) + MANY * 1_000);
});
