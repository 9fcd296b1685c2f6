import { beforeAll, expect, it } from 'vitest';
import { MOST_ENTRIES } from '../../src/documents/books/efd.ts';
import { c100, efd, filed, putFiled } from '../support/books.ts';
import { keyOf, supplier } from '../support/filed-documents.ts';
import { ownFiles } from '../support/own-files.ts';

/** With the few of the small file more than are held at once. */
const MANY = MOST_ENTRIES;

interface Answered {
  readonly files: readonly { readonly entries: number; readonly whole: boolean; readonly notes: string[] }[];
  readonly compared?: { readonly entries: number; readonly matched: number };
  readonly by_finding: readonly { readonly finding: string; readonly count: number }[];
  readonly total: number;
  readonly next_cursor?: string;
}

const { own, cancelled, bought } = filed;
const untaxed = { base: '0', icms: '0' };
const first = c100({ ...own, ...untaxed, total: '101,00' });
const few = [
  first,
  c100({ ...cancelled, ...untaxed }),
  c100({ ...bought, moved: '09102026', ...untaxed }),
  // Its key is one digit off, so that it is looked for by its number.
  c100({ ...own, number: 7, issuer: supplier, key: `${keyOf(bought).slice(0, 43)}X`, ...untaxed }),
];
const files = ownFiles({ anew: false });

beforeAll(() => {
  putFiled(files.put);
  const unknown = Array.from({ length: MANY }, (_, at) =>
    c100({ ...own, number: 1_000 + at, total: '10,00' }),
  );
  for (const [name, more] of [
    ['few.txt', []],
    ['many.txt', unknown],
  ] as const)
    files.put(name, Buffer.from(efd([...few, ...more, first]), 'latin1'));
});

/** The first page of a comparison, whose reading may take several calls. */
async function reconciled(file: string): Promise<Answered> {
  let cursor: string | undefined;
  for (let calls = 0; calls < 30; calls += 1) {
    const { data } = await files.ask('reconcile', { file: [file], ...(cursor && { cursor }) });
    const answer = data as unknown as Answered;
    if (answer.compared !== undefined) return answer;
    cursor = answer.next_cursor;
  }
  throw new Error('the comparison never came to an answer');
}

it('compares a file of more documents than are held at once as it compares a small one', async () => {
  const [small, large] = [await reconciled('few.txt'), await reconciled('many.txt')];
  expect(small.by_finding.map(({ finding }) => finding)).toEqual(
    expect.arrayContaining(['cancelled_but_listed', 'value_differs', 'duplicated_in_file', 'invalid_key']),
  );
  const known = ({ by_finding: all }: Answered) =>
    all.filter(({ finding }) => finding !== 'missing_in_documents');
  expect(known(large)).toEqual(known(small));
  expect(large.total).toBe(small.total + MANY);
  expect(large.compared).toMatchObject({ entries: 5 + MANY, matched: small.compared?.matched });
  // 502.00 of the few, and ten of each other.
  expect(large.files).toMatchObject([
    { entries: 5 + MANY, whole: true, notes: small.files[0]?.notes, sums: { total: '4000502.00' } },
  ]);
});
