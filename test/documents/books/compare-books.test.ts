import { describe, expect, it } from 'vitest';
import type { KnownDocument } from '../../../src/documents/books/book.ts';
import { completeAccessKey } from '../../../src/documents/identity/keys.ts';
import { bookKey, type C100, c100, compared, efd, knownDocument, readBook } from '../../support/books.ts';
import { otherSupplier, ourCompany, supplier } from '../../support/filed-documents.ts';

const own = { number: 1 };
const entry = { number: 7, issuer: supplier };
const note = (changes: Partial<C100> = {}) => c100({ ...own, ...changes });
const bought = (changes: Partial<C100> = {}) => c100({ ...entry, moved: '10102026', ...changes });
const ours = (changes: Partial<KnownDocument> = {}) => knownDocument(own, changes);
const theirs = (changes: Partial<KnownDocument> = {}) => knownDocument(entry, changes);

/** `finding certainty field` of each, in result order. */
function found(records: readonly string[], documents: readonly KnownDocument[], changes = {}): string[] {
  const { findings } = compared([readBook(efd(records))], documents, changes);
  return findings.map(({ finding, certainty, field }) =>
    [finding, certainty, field].filter(Boolean).join(' '),
  );
}

/** The name of a pair, the changes to a matching entry and document, and the findings. */
type Pair = [what: string, entry: Partial<C100>, document: Partial<KnownDocument>, ...string[]];
type OneOrMany<T> = T | readonly T[];
type Case = [what: string, OneOrMany<string>, OneOrMany<KnownDocument>, ...findings: string[]];

const ofSeries = (series: string) => ({
  key: completeAccessKey(`352610${supplier}55${series}000000007112345678`),
});
const badDigit = bookKey(own).replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
const nfce = { key: bookKey({ ...own, model: '65' }), kind: 'nfce' } as const;
const cancelled = { status: 'cancelled' } as const;
const freight = (changes: Partial<KnownDocument> = {}) =>
  knownDocument({ number: 3, issuer: supplier, model: '57' }, changes);
const service = { kind: 'nfse', key: '', services: '100.00', total: '95.00' } as const;
const a100 = (value: string) => `|A100|0|1|F1|00|||7|X1|05102026|05102026|${value}|0|0|||||||||`;

describe('a SPED file against the documents', () => {
  it.each<Pair>([
    ['that agrees', {}, {}],
    ['with another total', { total: '100,01' }, {}, 'value_differs certain total'],
    ['with another total, complementary', { situation: '06', total: '1,00' }, {}],
    ['with another total, of reduced values', { situation: '09', total: '1,00' }, {}],
    ['with another total, of a coupon', { cfop: '5929', total: '1,00' }, {}],
    ['with another total, an NFC-e', { model: '65', total: '101,00' }, nfce],
    [
      'an NFC-e cancelled and in effect',
      { model: '65' },
      { ...nfce, ...cancelled },
      'cancelled_but_listed certain',
    ],
    ['with ICMS three cents off', { icms: '18,03' }, {}, 'value_differs certain icms'],
    ['with ICMS two cents off', { icms: '18,02' }, {}],
    ['with ICMS and FCP', { icms: '20,00' }, { fcp: '2.00' }],
    ['with another day of issue', { day: '06102026' }, {}, 'value_differs certain date'],
    ['with the day as it is written, not in UTC', {}, { issued_at: '2026-10-05T23:30:00-03:00' }],
    ['cancelled and in effect', { icms: '1,00' }, cancelled, 'cancelled_but_listed certain'],
    ['denied and in effect', {}, { status: 'denied' }, 'cancelled_but_listed certain'],
    ['cancelled as cancelled', { situation: '02' }, cancelled],
    ['as cancelled that is not', { situation: '02' }, {}, 'listed_as_cancelled certain'],
    ['as cancelled of unknown status', { situation: '02' }, { status: 'unknown' }],
    ['with a wrong digit in its key, found by its number', { key: badDigit }, {}, 'invalid_key certain'],
    ['with a number unlike the key', { shown: '2' }, {}, 'key_mismatch certain number'],
    ['with zeros in front of its number', { shown: '000001', series: '001' }, {}],
    ['with a series unlike the key', { series: '2' }, {}, 'key_mismatch certain series'],
    ['of the test environment', {}, { isTest: true }, 'test_document certain'],
    ['with other codes', { cfop: '5101' }, { cfops: ['5102', '100.00'] }, 'value_differs certain cfop'],
    ['with other sums', {}, { cfops: ['5102', '99.97', '', '0.00'] }, 'value_differs certain cfop'],
    ['with sums two cents off', {}, { cfops: ['5102', '99.98'] }],
    ['with sums that differ by a rest of no item', {}, { cfops: ['5102', '99.97', '', '0.03'] }],
  ])('one of ours %s', (_, entry, document, ...findings) => {
    expect(found([note(entry)], [ours(document)])).toEqual(findings);
  });

  it.each<Pair>([
    ['that agrees', {}, {}],
    ['without credit', { icms: '0', base: '0' }, {}, 'value_differs judgement icms'],
    ['with more credit than the note has', { icms: '18,03' }, {}, 'credit_above_document probable icms'],
    ['before it was issued', { moved: '04102026' }, {}, 'value_differs certain date'],
    ['after the period', { moved: '01112026' }, {}, 'other_period certain date'],
    [
      'that is late and lies outside by rule',
      { situation: '01', day: '05092026', moved: '10092026' },
      { issued_at: '2026-09-05' },
    ],
    [
      'with another total, of the tax office’s series',
      { ...ofSeries('890'), series: '890', situation: '08', total: '1,00' },
      ofSeries('890'),
    ],
    [
      'with another total, of the last series that issuers have',
      { ...ofSeries('889'), series: '889', total: '100,01' },
      ofSeries('889'),
      'value_differs certain total',
    ],
    ['of others', {}, { recipient: otherSupplier }, 'not_a_party certain issuer'],
    ['with a use of its own', { cfop: '1556' }, { cfops: ['5102', '100.00'] }],
    ['of another state', { cfop: '2102' }, { cfops: ['5102', '100.00'] }, 'value_differs certain cfop'],
  ])('an entry %s', (_, entry, document, ...findings) => {
    expect(found([bought(entry)], [theirs(document)])).toEqual(findings);
  });

  it.each<Case>([
    ['one of ours that is not there', [], ours(), 'missing_in_file certain'],
    ['one of ours issued in another month', [], ours({ issued_at: '2026-09-30T23:59:59-03:00' })],
    ['one of ours that is cancelled', [], ours(cancelled)],
    ['one received that is not there, and no next month', [], theirs(), 'missing_in_file judgement'],
    ['freight that another one pays', [], freight({ payer: otherSupplier })],
    ['freight that the company pays', [], freight(), 'missing_in_file judgement'],
    ['a credit note, which is in no book', [], ours({ purpose: '5' })],
    ['an entry without its document', bought(), [], 'missing_in_documents probable'],
    ['a cancelled number without its document', note({ situation: '02' }), []],
    ['the same key twice', [note(), note({ situation: '01' })], ours(), 'duplicated_in_file certain'],
    ['one number of two issuers', [bought(), c100({ number: 7 })], [theirs(), knownDocument({ number: 7 })]],
    [
      'a freight key among goods',
      c100({ ...own, key: bookKey({ ...own, model: '57' }) }),
      [],
      'key_mismatch certain model',
      'missing_in_documents probable',
    ],
    [
      'a participant unlike the key',
      bought({ key: bookKey({ number: 7, issuer: otherSupplier }) }),
      knownDocument({ number: 7, issuer: otherSupplier }),
      'key_mismatch certain issuer',
    ],
    [
      'a document of another model',
      '|C500|0|1|F1|66|00||||7|05102026|05102026|9,00|0|9,00|||||||||||||||||||||||||',
      [],
    ],
  ])('%s', (_, records, documents, ...findings) => {
    expect(found([records].flat(), [documents].flat())).toEqual(findings);
  });

  it('says that a document is certainly unknown where all of its day is known', () => {
    const isComplete = (company: string, kind: string, day: string) =>
      company === ourCompany && kind === 'nfe' && day === '2026-10-05';
    expect(found([bought()], [], { isComplete })).toEqual(['missing_in_documents certain']);
    expect(found([bought({ day: '06102026' })], [], { isComplete })).toEqual([
      'missing_in_documents probable',
    ]);
    expect(
      found([bought({ model: '65', key: bookKey({ ...entry, model: '65' }) })], [], { isComplete }),
    ).toEqual(['missing_in_documents probable']);
  });

  it('takes the next month’s file and a refusal into account', () => {
    const october = readBook(efd([]));
    const november = (records: string[]) => readBook(efd(records, { month: '112026' }));
    const certainties = (books: Parameters<typeof compared>[0], changes = {}) =>
      compared(books, [theirs()], changes).findings.map(({ certainty }) => certainty);
    expect(certainties([october, november([])])).toEqual(['probable']);
    expect(certainties([october, november([bought({ moved: '03112026' })])])).toEqual([]);
    expect(certainties([october], { refused: new Set([bookKey(entry)]) })).toEqual([]);
  });

  it('looks for nothing in a file that is not whole', () => {
    const whole = efd([note()]);
    const { findings, notCompared } = compared([readBook(whole.replace(/\|9999.*/, ''))], [ours(), theirs()]);
    expect(findings).toEqual([]);
    expect([...notCompared]).toEqual([['file_not_whole', 1]]);
  });

  it('gives what is at stake and how much matches', () => {
    const records = [note({ total: '123,45' }), bought(), c100({ number: 2 }), c100({ number: 2 })];
    const result = compared([readBook(efd(records))], [ours(), theirs(), knownDocument({ number: 2 })]);
    expect(result).toMatchObject({ entries: 4, byKey: 4, byNumber: 0, agree: 2 });
    expect(
      result.findings.map(({ finding, line, difference, amount }) => [finding, line, difference, amount]),
    ).toEqual([
      ['value_differs', 4, '23.45', '23.45'],
      ['duplicated_in_file', 10, undefined, '100.00'],
    ]);
  });

  it('narrows both sides to the days asked for', () => {
    const records = [note({ total: '1,00' }), c100({ number: 2, day: '20102026', total: '1,00' })];
    const documents = [
      ours(),
      knownDocument({ number: 2 }, { issued_at: '2026-10-20' }),
      knownDocument({ number: 3 }, { issued_at: '2026-10-06' }),
      knownDocument({ number: 4 }, { issued_at: '2026-10-21' }),
    ];
    const { findings, notCompared } = compared([readBook(efd(records))], documents, { to: '2026-10-10' });
    expect(findings.map(({ finding, number }) => [finding, number])).toEqual([
      ['missing_in_file', '3'],
      ['value_differs', '1'],
    ]);
    expect([...notCompared]).toEqual([['outside_period', 1]]);
  });
});

describe('a file of contributions', () => {
  const opening = `|0000|006|0|||01102026|31102026|EMPRESA|${ourCompany}|SP|3550308||00|1|`;
  const parts = (records: string[]) => {
    const parties = `|0140|1|EMPRESA|${ourCompany}|SP||3550308|||\n|0150|F1|FORNECEDOR|01058|${supplier}||||||||`;
    const lines = [opening, ...parties.split('\n'), `|A010|${ourCompany}|`, ...records];
    return readBook(`${[...lines, `|9999|${lines.length + 1}|`].join('\n')}\n`);
  };

  it('never says that something is missing in it, and knows services by number and value', () => {
    const document = knownDocument(entry, service);
    const agreed = compared([parts([a100('100,00')])], [document, ours()]);
    expect(agreed).toMatchObject({ byNumber: 1, agree: 1, findings: [] });
    expect([...agreed.notCompared]).toEqual([['not_in_contribuicoes', 1]]);
    const other = compared([parts([a100('99,00')])], [document]);
    expect(other.findings).toMatchObject([{ finding: 'missing_in_documents', certainty: 'probable' }]);
  });

  it('leaves PIS and COFINS of another base to be judged', () => {
    const records = [`|C010|${ourCompany}|2|`, ...note({ pis: '1,65' }).split('\n').slice(0, 1)];
    const { findings } = compared([parts(records)], [ours({ pis: '1.35' })]);
    expect(findings).toMatchObject([
      { finding: 'value_differs', certainty: 'judgement', field: 'pis', amount: '0.30' },
    ]);
  });
});

it.each(['020', '021'])('compares keys and companies of letters in layout %s', (layout) => {
  const issuer = '12ABC34501DE35';
  const strange = { number: 8, issuer };
  const records = [
    c100({ number: 7, issuer, moved: '10102026' }),
    c100({ ...strange, moved: '10102026', total: '101,00' }),
  ];
  const file = efd(records, { layout }).replace(`FORNECEDOR|01058|${supplier}`, `FORNECEDOR|01058|${issuer}`);
  const { byKey, agree, findings } = compared(
    [readBook(file)],
    [knownDocument({ number: 7, issuer }), knownDocument(strange)],
  );
  expect([byKey, agree]).toEqual([2, 1]);
  expect(findings).toMatchObject([
    { finding: 'value_differs', field: 'total', key: bookKey(strange), issuer, difference: '1.00' },
  ]);
});

it('counts entries that are not compared', () => {
  const energy = `|C500|0|1|F1|66|00|||||05102026|05102026|10,00|||||||||||||||||`;
  const { notCompared } = compared([readBook(efd([note(), energy, energy, '|C100|short|']))], [ours()]);
  expect([...notCompared]).toEqual([
    ['other_model', 2],
    ['unread_line', 1],
  ]);
});

it('counts and adds up all findings, and keeps the first of each kind and all of the certain ones', () => {
  // Two kinds, so that the many don't hide the few.
  const strangers = Array.from({ length: 20_050 }, (_, at) => note({ number: at + 2 }));
  const { findings, collected } = compared(
    [readBook(efd([...strangers, note({ total: '101,00' })]))],
    [ours()],
  );
  expect(collected.groups()).toEqual([
    { finding: 'value_differs', certainty: 'certain', count: 1, amount: '1.00' },
    { finding: 'missing_in_documents', certainty: 'probable', count: 20_050, amount: '2005000.00' },
  ]);
  expect(collected.total).toBe(20_051);
  expect(findings).toHaveLength(20_001);
  expect(findings[0]).toMatchObject({ finding: 'value_differs', line: 2 * 20_050 + 4 });
});

describe('a list', () => {
  const list = (rows: string[]) =>
    readBook(['Chave;Numero;Serie;Emissao;CNPJ Emitente;Valor;Situacao', ...rows].join('\n'));
  const row = (key: string, changes = ';1;1;05/10/2026') => `${key}${changes};${ourCompany};100,00;Normal`;

  it('is compared with the documents of its days and directions, and never for certain', () => {
    const documents = [
      ours(),
      knownDocument({ number: 2 }),
      knownDocument({ number: 3 }, { issued_at: '2026-10-06' }),
      theirs(),
    ];
    const { findings } = compared([list([row(bookKey(own))])], documents);
    expect(findings).toMatchObject([{ finding: 'missing_in_file', certainty: 'probable', number: '2' }]);
  });

  it('falls back to number and issuer where a spreadsheet has ruined the key', () => {
    const rows = [row('3,51808E+43')];
    expect(compared([list(rows)], [ours()])).toMatchObject({ byKey: 0, byNumber: 1, agree: 1, findings: [] });
    const { findings } = compared([list(rows)], [ours({ total: '101.00' })]);
    expect(findings).toMatchObject([{ finding: 'value_differs', certainty: 'certain', difference: '-1.00' }]);
  });

  it('says of a cancelled one whether the list knows it', () => {
    const status = (text: string) =>
      compared([list([row(bookKey(own)).replace('Normal', text)])], [ours({ status: 'cancelled' })]).findings;
    expect(status('Normal')).toMatchObject([{ finding: 'cancelled_but_listed', certainty: 'certain' }]);
    expect(status('')).toMatchObject([{ finding: 'cancelled_but_listed', certainty: 'probable' }]);
    expect(status('Cancelada')).toEqual([]);
  });
});
