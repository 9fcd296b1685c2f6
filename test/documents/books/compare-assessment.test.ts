import { describe, expect, it } from 'vitest';
import { assessmentDeadlines } from '../../../src/documents/books/assessment.ts';
import type { KnownDocument } from '../../../src/documents/books/book.ts';
import { bookKey, compared, knownDocument, readBook } from '../../support/books.ts';
import { otherSupplier, ourCompany, supplier } from '../../support/filed-documents.ts';

const root = ourCompany.slice(0, 8);
const own = { number: 1 };
const entry = { number: 7, issuer: supplier };
const ours = (changes: Partial<KnownDocument> = {}) => knownDocument(own, { cbs: '0.90', ...changes });
const theirs = (changes: Partial<KnownDocument> = {}) => knownDocument(entry, { cbs: '0.90', ...changes });

interface Changes {
  readonly key?: string;
  readonly origin?: number;
  readonly cbs?: string;
  readonly changed?: string;
  readonly tree?: Readonly<Record<string, number>> | undefined;
}

function record({
  key = bookKey(own),
  origin = 0,
  cbs = '0.90',
  changed = '2026-10-05T13:00:00Z',
  tree,
}: Changes) {
  const moments = `"emissao":"2026-10-05T13:00:00Z","registro":"2026-10-05T13:00:00Z","atualizacao":"${changed}"`;
  const credit = tree === undefined ? '' : `,"apropriacao":${JSON.stringify(tree)}`;
  return `{"origem":${origin},"documento":55,"chave":"${key}",${moments},"cbs":{"apurado":${cbs}${credit}}}`;
}

const debit = (changes: Changes = {}) => `"debitos":[${record(changes)}]`;
const credit = (changes: Changes = {}) =>
  `"creditos":[${record({ key: bookKey(entry), tree: { aApropriar: 0, apropriado: 1 }, ...changes })}]`;

function file(lists: string, { month = '10/2026', at = '2026-11-05T09:00:00Z' } = {}): string {
  return `{"ni":"${root}","geradoEm":"${at}","apuracao":[{"pa":"${month}",${lists}}]}`;
}

/** A debit in the format used until October 2026. */
function older(situacao: string): string {
  const moments = '"dataDfeEmissao":"2026-10-05T13:00:00Z","dataDfeRegistro":"2026-10-05T13:00:00Z"';
  const parties = `"niEmitente":"${ourCompany}","niAdquirente":"${supplier}"`;
  const record = `{"modeloDfe":55,"chaveDfe":"${bookKey(own)}","dataApuracao":"202610",${moments},${parties},"valorCBSTotal":0.90,"situacao":"${situacao}"}`;
  return `{"apuracaoCorrente":{"debitos":[${record}]},"apuracaoAjuste":null,"debitosExtemporaneos":null}`;
}

function found(text: string, documents: readonly KnownDocument[]): string[] {
  const { findings } = compared([readBook(text)], documents);
  return findings.map(({ finding, certainty, amount = '-' }) => `${finding} ${certainty} ${amount}`);
}

type OneOrMany<T> = T | readonly T[];
type Case = [what: string, file: string, OneOrMany<KnownDocument>, ...findings: string[]];
const another = (changes: Partial<KnownDocument> = {}) =>
  knownDocument({ number: 2 }, { cbs: '0.90', ...changes });
const twice = `"debitos":[${record({})},${record({})}]`;
const adjusted = (origin: number, cbs: string) =>
  file(`"debitos":[${record({})},${record({ origin, cbs })}]`);
const freight = (changes: Partial<KnownDocument> = {}) =>
  knownDocument({ number: 9, issuer: supplier, model: '57' }, { cbs: '1.00', ...changes });
const wrongDigit = bookKey(own).replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

describe('an assessment against the documents', () => {
  it.each<[what: string, debit: Changes, document: Partial<KnownDocument>, ...findings: string[]]>([
    ['that agrees', {}, {}],
    ['that differs by a cent', { cbs: '0.91' }, {}, 'value_differs certain 0.01'],
    ['written otherwise', { cbs: '0.9' }, {}],
    [
      'that no float can hold',
      { cbs: '90071992547409.93' },
      { cbs: '90071992547409.92' },
      'value_differs certain 0.01',
    ],
    ['without CBS here', {}, { cbs: undefined }, 'value_differs certain 0.90'],
    ['of a cancelled document', {}, { status: 'cancelled' }, 'cancelled_but_listed certain 100.00'],
    ['of the test environment', {}, { isTest: true }, 'test_document certain -'],
  ])('a debit %s', (_, changes, document, ...findings) => {
    expect(found(file(debit(changes)), [ours(document)])).toEqual(findings);
  });

  it.each<[what: string, tree: Changes['tree'], ...findings: string[]]>([
    ['that agrees', { aApropriar: 0, apropriado: 1 }],
    ['to be appropriated', { aApropriar: 0.9 }, 'not_extinguished certain 0.90'],
    ['that is suspended', { suspenso: 0.4 }, 'credit_suspended certain 0.40'],
    ['that can’t be appropriated', { inapropriavel: 0.9 }, 'credit_suspended certain 0.90'],
    ['that is expired', { prescrito: 0.9 }, 'credit_suspended certain 0.90'],
    ['that is used', { apropriado: 0.9 }],
    ['whose state is not said', undefined],
  ])('a credit %s', (_, tree, ...findings) => {
    expect(found(file(credit({ tree })), [theirs()])).toEqual(findings);
  });

  it.each<Case>([
    ['one that is not known here', file(debit()), [], 'missing_in_documents probable 0.90'],
    [
      'one of ours that is not counted',
      file(debit({ key: bookKey({ number: 2 }) })),
      [ours(), another()],
      'missing_in_file probable 100.00',
    ],
    ['one of ours issued before the window', file(debit()), [ours(), another({ issued_at: '2026-10-04' })]],
    ['one of ours without CBS', file(debit()), [ours(), another({ cbs: undefined })]],
    ['a return of ours', file(debit()), [ours(), another({ purpose: '4' })]],
    ['one received, in a file of debits', file(debit()), [ours(), theirs()]],
    ['a cancelled one that is adjusted', adjusted(30, '-0.90'), ours({ status: 'cancelled' })],
    ['an adjustment beside a normal one', adjusted(22, '-0.10'), ours()],
    ['the same record twice', file(twice), ours(), 'duplicated_in_file certain 100.00'],
    [
      'the same record twice, of a document that is not known',
      file(twice),
      [],
      'duplicated_in_file certain -',
      'missing_in_documents probable 0.90',
    ],
    [
      'a month other than that of issue',
      file(debit(), { month: '11/2026' }),
      ours(),
      'other_period judgement -',
    ],
    ['one cancelled in the older form', older('Cancelado'), ours(), 'listed_as_cancelled certain 100.00'],
    ['one cancelled on both sides', older('cancelado'), ours({ status: 'cancelled' })],
    ['one in the older form', older('extinto total'), ours()],
    ['freight that another one pays', file(credit()), [theirs(), freight({ payer: otherSupplier })]],
    ['freight the company pays', file(credit()), [theirs(), freight()], 'missing_in_file probable 100.00'],
    [
      'a key with a wrong digit is no reason to reject',
      file(debit({ key: wrongDigit })),
      [],
      'invalid_key certain -',
      'missing_in_documents probable 0.90',
    ],
  ])('%s', (_, text, documents, ...findings) => {
    expect(found(text, [documents].flat())).toEqual(findings);
  });

  it('merges files: the later change of a record counts, and records missing from a later file stay', () => {
    const first = file(`"debitos":[${record({ cbs: '0.80' })},${record({ key: bookKey({ number: 2 }) })}]`);
    const second = (changed: string) => file(debit({ changed }), { at: '2026-11-12T09:00:00Z' });
    const differing = (...texts: string[]) => {
      const result = compared(
        texts.map((text) => readBook(text)),
        [ours(), another()],
      );
      return [result.entries, result.findings.map(({ finding, theirs: value }) => [finding, value])];
    };
    const isOld = [2, [['value_differs', '0.80']]];
    expect(differing(first, second('2026-10-05T13:00:00.000000001Z'))).toEqual([2, []]);
    expect(differing(second('2026-10-05T13:00:00.000000001Z'), first)).toEqual([2, []]);
    expect(differing(first, second('2026-10-05T13:00:00Z'))).toEqual(isOld);
    expect(differing(first, second('2026-10-05T09:00:00-03:00'))).toEqual(isOld);
    expect(differing(first, second(''))).toEqual(isOld);
  });

  it('finds missing documents for each root of the files', () => {
    const others = { number: 8, issuer: otherSupplier };
    const booked = { number: 9, issuer: otherSupplier };
    const text = (ni: string, key: string) => file(debit({ key })).replace(root, ni);
    const { findings } = compared(
      [readBook(text(root, bookKey(own))), readBook(text(otherSupplier.slice(0, 8), bookKey(booked)))],
      [
        ours(),
        another(),
        ...[booked, others].map((one) =>
          knownDocument(one, { cbs: '0.90', direction: 'outbound', recipient: supplier }),
        ),
      ],
    );
    expect(findings.map(({ finding, key, file: at }) => [finding, key, at])).toEqual([
      ['missing_in_file', bookKey({ number: 2 }), 0],
      ['missing_in_file', bookKey(others), 1],
    ]);
  });

  it('adds up by supplier the credits whose debit is not extinguished', () => {
    const open = (note: { number: number; issuer: string }, amount: number) =>
      record({ key: bookKey(note), tree: { aApropriar: amount } });
    const list = [
      open(entry, 0.9),
      open({ number: 8, issuer: otherSupplier }, 2),
      open({ number: 10, issuer: supplier }, 0.35),
      record({ key: bookKey({ number: 11, issuer: supplier }), tree: { aApropriar: 0, apropriado: 0.9 } }),
    ];
    const { collected } = compared([readBook(file(`"creditos":[${list.join(',')}]`))], [theirs()]);
    expect(collected.suppliers()).toEqual([
      { issuer: otherSupplier, issuer_name: undefined, count: 1, amount: '2.00' },
      { issuer: supplier, issuer_name: 'Emitente', count: 2, amount: '1.25' },
    ]);
  });

  it('finds a key that is counted in two months', () => {
    const text = file(`${debit()}},{"pa":"11/2026",${debit()}`);
    expect(found(text, [ours()])).toEqual(['duplicated_in_file certain 100.00', 'other_period judgement -']);
  });
});

it('a month’s assessment is presented and adjusted by two days', () => {
  const days = (month: string, filesDere = false) =>
    Object.values(assessmentDeadlines(month, filesDere)).join(' ');
  expect(days('2026-10')).toBe('2026-11-15 2026-11-30');
  expect(days('2027-01')).toBe('2027-02-15 2027-02-26');
  expect(days('2027-01', true)).toBe('2027-02-20 2027-02-26');
  expect(days('2026-12')).toBe('2027-01-15 2027-01-29');
  // Good Friday of 2029 is 30 March.
  expect(days('2029-02')).toBe('2029-03-15 2029-03-29');
});
