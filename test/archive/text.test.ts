import { expect, it } from 'vitest';
import type { Measure, Question } from '../../src/archive/archive.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { askedDocuments } from './asked-documents.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { keyOf, note } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';
import { describeIn, placeKinds } from './places.ts';
import { isFound } from './plain-answers.ts';

const year = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31', limit: 500 } as const;
const own = { id: company, id_type: 'cnpj', name: 'Metalúrgica Exemplo', state: 'SP' } as const;

const unusual: readonly DocumentSummary[] = [
  // A CNPJ with letters, in the key too.
  note(9001, {
    key: '352611AB12CD34000155550010000090011000000017',
    issuer: { id: 'AB12CD34000155', id_type: 'cnpj', name: 'Loja 12 de Ferragens', state: 'SP' },
    recipient: own,
  }),
  // Numbers and keys that no layout allows.
  note(9002, { number: 'Série é-77 12', recipient: own }),
  note(9003, { key: undefined, number: '0012', recipient: own }),
  note(9004, { key: 'abc 7', number: undefined, recipient: own }),
  note(9005, { operation: 'Venda 100% à ordem', recipient: own }),
  // More than is searched, in the middle of a word.
  note(9006, { operation: `${'muitas palavras '.repeat(60)} fim`, recipient: own }),
  note(9007, { recipient: { ...own, name: 'Σίσυφος ΟΔΟΣ' } }),
];

const documents: readonly DocumentSummary[] = [
  ...generateDocuments({ count: 150, seed: 11, partners: 30, products: 40 }),
  ...unusual,
];

const [first] = documents;
const key = first?.key ?? '';

const texts = [
  ...[
    'peça',
    'aço nº 12',
    '12',
    '012',
    '0012',
    '3',
    'açougue 3',
    'nº 7 metalurgica',
    'joão 1 peca 2',
    '3526',
  ],
  ...[key, key.slice(10), key.slice(-6), company.slice(0, 8), '2000000000000', 'ab12cd34', 'AB12'],
  ...['cd34000155550010', 'é-77', 'serie 12', 'abc', 'abc 7', '7', '100%', '1%0', '_', 'ordem a venda'],
  ...['palavras fim', 'palavr', 'σισυφος', 'οδος', 'parafuso vendedora', 'nada disso'],
];

const numbersOf = (found: readonly DocumentSummary[]) =>
  found.map((one) => `${one.number ?? ''} ${one.key ?? ''}`).sort();

/** A file is read by the engine that has the archive in memory. */
const asked = placeKinds.filter(({ name }) => name !== 'file');

describeIn(asked)('texts in $name find', ({ open }) => {
  const archive = askedDocuments(open, year, documents);

  it.each(texts)('the documents that say %s', async (text) => {
    const status = ['authorized', 'cancelled', 'denied'] as const;
    const found = await archive.list({ ...year, filters: { text, status } });
    const expected = numbersOf(documents.filter((document) => isFound(document, text)));
    expect(numbersOf(found.documents.map(({ summary }) => summary))).toEqual(expected);
    expect(found.total).toBe(expected.length);
  });

  it.each(texts.slice(0, 12))('the items that say %s, also where sums are kept of them', async (text) => {
    const amounts: readonly Measure[] = ['items', 'total', 'icms', 'ibs', 'discount'];
    // Without the unusual ones, of November.
    const months = { ...year, to: '2026-10-31' };
    const questions: readonly Question[] = [
      { ...months, groupBy: ['item'], measures: ['count', ...amounts] },
      { ...months, groupBy: ['item', 'month'], measures: ['count', ...amounts], direction: 'inbound' },
      { ...months, groupBy: [], measures: amounts },
      { ...months, groupBy: ['cfop'], measures: ['count', 'total'] },
    ];
    for (const part of questions) await archive.isAsByLoop({ ...part, filters: { text } });
  });
});

it.each([
  ['is removed with its last document', note(1), ['vendedora']],
  [
    'may have any number of bytes',
    note(4321, { issuer: { id: '58716523000119', id_type: 'cnpj', name: '漢'.repeat(990) } }),
    ['4321', '漢漢漢', keyOf(4321)],
  ],
])('a text that documents share %s', async (_, document, said) => {
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const arrivals = [{ summary: { ...document, recipient: own } }];
  await archive.store({ ...year, fetchedAt: new Date() }, arrivals);
  await archive.purge({});
  await archive.store({ ...year, fetchedAt: new Date() }, arrivals);
  for (const text of said) expect((await archive.list({ ...year, filters: { text } })).total).toBe(1);
});

it('documents with the words but no items are left out of an answer on items, by one word or several', async () => {
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const summary = note(1, { kind: 'summary', items: [], recipient: own });
  await archive.store({ ...year, fetchedAt: new Date() }, [{ summary }]);
  for (const text of ['vendedora', 'vendedora exemplo']) {
    const filters = { text, text_counts: 'documents' } as const;
    const { left_out } = await archive.ask({ ...year, filters, groupBy: ['cfop'], measures: ['count'] });
    expect(left_out).toEqual([{ reason: 'no_items', count: 1 }]);
  }
});

it('words in two items of a document find the document, and no item', async () => {
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const item = { cfop: '5102', total: '50.00', taxes: {} };
  const items = ['Parafuso de aço', 'Fio de cobre'].map((description) => ({ ...item, description }));
  await archive.store({ ...year, fetchedAt: new Date() }, [{ summary: note(1, { items, recipient: own }) }]);
  const counts = async (text: string, text_counts: 'documents' | 'items') => {
    const filters = { text, text_counts };
    const { documents, rows } = await archive.ask({
      ...year,
      filters,
      groupBy: ['item'],
      measures: ['total'],
    });
    return [documents, ...rows.map(({ measures }) => measures.total)];
  };
  expect(await counts('aco fio', 'items')).toEqual([0]);
  expect(await counts('cobre FIO', 'items')).toEqual([1, '50.00']);
  expect(await counts('aco fio vendedora', 'items')).toEqual([0]);
  expect(await counts('vendedora fio', 'items')).toEqual([1, '50.00']);
  expect(await counts('aco fio', 'documents')).toEqual([1, '50.00', '50.00']);
});
