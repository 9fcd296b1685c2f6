import { completeAccessKey } from '../../../../src/documents/identity/keys.ts';
import type { DocumentSummary, Party } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { carriage, company, item, nfeKey, note, noteOf, own, supplier } from '../hand-made.ts';

const of = (cfop: string | undefined, more: Partial<DocumentSummary> = {}) => noteOf({ cfop }, {}, more);
const numbered = (...cfops: readonly string[]) =>
  note({ items: cfops.map((cfop, i) => item({ cfop, number: String(i + 1) })) });

const from = (state: string): Party => ({ id: supplier, id_type: 'cnpj', state });
const to = (state: string): Party => ({ id: company, id_type: 'cnpj', state });
const between = (cfop: string, origin: string, destination: string, more: Partial<DocumentSummary> = {}) =>
  of(cfop, { issuer: from(origin), recipient: to(destination), ...more });
const stated = (cfop: string, reach: string, destination: string) =>
  between(cfop, 'SP', destination, { reach });
const person: Party = { id: '52998224725', id_type: 'cpf', state: 'MG' };

const carried = (cfop: string, origin: string, destination: string) =>
  carriage({ cfop, route: { origin: { state: origin }, destination: { state: destination } } });

const sentBack = note({ flow: '0', operation: 'DEVOLUCAO DE VENDA' });
const asked = (document: DocumentSummary, direction?: 'inbound' | 'outbound') => ({
  documents: [document],
  context: direction === undefined ? {} : { company, direction },
});

const returned = (issued_at: string, references = [nfeKey(7), undefined], purpose = '4') =>
  note({
    purpose,
    issued_at,
    items: references.map((reference, i) => item({ number: String(i + 1), reference })),
  });

const consumerKey = completeAccessKey(`352611${supplier}65001000000001100000000`);
const satKey = completeAccessKey(`352611${supplier}59000000001000001000000`);
const referring = (more: Partial<DocumentSummary> = {}) =>
  note({ issued_at: '2026-12-14T08:00:00-03:00', references: [{ key: consumerKey }], ...more });

/** Operation codes and references of a note. */
export const operations: Rows = {
  cfop_form: [
    ...['4102', '510', '8102', 'ABCD', '9999'].map((cfop): Row => [of(cfop), `${cfop} / 1-3, 5-7`]),
    [note({ items: [item(), item({ cfop: '7101' }), item({ cfop: undefined })] })],
    [of('7102')],
    [of(undefined), 0],
  ],
  // Well formed but not in the official table; once per code.
  cfop_unknown: [
    [numbered('5102', '5107', '5107', '6107'), '5107 / 2026-09-04'],
    [carriage({ cfop: '5358' }), '5358 / 2026-09-04'],
    [carriage({ cfop: '5353' })],
    [of('5999'), '5999 / 2026-09-04'],
    [of('5949')],
    // Reported by cfop_form.
    [of('9999'), 0],
  ],
  cfop_against_flow: [
    [of('1102'), '1102 / 5-7'],
    [of('6202', { flow: '0' }), '6202 / 1-3'],
    [of('5102')],
    [of('1102', { flow: '0' })],
    [of('3102', { flow: '0' })],
    [of('1102', { flow: undefined }), 0],
    // Reported once, with the first item of that code.
    [numbered('5102', '1102', '1102'), { values: { item: '2' } }],
  ],
  cfop_against_states: [
    [between('6102', 'SP', 'SP'), '6102 / 5102'],
    [between('5102', 'SP', 'MG'), '5102 / 6102'],
    [between('6101', 'SP', 'EX'), '6101 / 7101'],
    [between('7101', 'SP', 'RJ'), '7101 / 6101'],
    [between('1102', 'SP', 'PR'), '1102 / 2102'],
    [between('2102', 'SP', 'EX'), '2102 / 3102'],
    [between('5102', 'SP', 'SP')],
    [between('6102', 'SP', 'MG')],
    [between('7101', 'SP', 'EX')],
    [between('3102', 'SP', 'EX')],
    // Fuel at the pump, and for a foreign ship.
    [between('5656', 'SP', 'MG')],
    [between('7667', 'SP', 'SP')],
    // Buyers at the counter: an individual, a foreigner, a consumer.
    [of('5102', { recipient: person })],
    [of('5102', { recipient: { id_type: 'foreign', state: 'EX' } })],
    [of('5102', { kind: 'nfce', recipient: to('MG') })],
    // The stated idDest takes precedence: sold at the counter, delivered or collected elsewhere.
    [stated('5102', '1', 'MG')],
    [stated('6102', '2', 'SP')],
    [stated('5102', '1', 'EX')],
    [stated('7101', '3', 'EX')],
    [stated('2202', '2', 'MG')],
    [stated('5656', '2', 'MG')],
    [stated('7667', '1', 'SP')],
    [stated('5102', '9', 'MG')],
    [stated('5102', 'constructor', 'MG')],
    [stated('5102', '2', 'SP'), '5102 / 6102'],
    [stated('6102', '1', 'MG'), '6102 / 5102'],
    [stated('6102', '3', 'EX'), '6102 / 7102'],
    [stated('7102', '1', 'EX'), '7102 / 5102'],
    [stated('1202', '2', 'MG'), '1202 / 2202'],
    [
      stated('5102', '2', 'MG'),
      { found: '5102', expected: '6102', values: { origin: 'SP', destination: 'MG', reach: '2' } },
    ],
    [
      of('5102', { reach: '2', recipient: { id: '52998224725', id_type: 'cpf' } }),
      { found: '5102', expected: '6102', values: { destination: '-' } },
    ],
    [of('6102', { recipient: undefined }), 0],
  ],
  cte_cfop_against_route: [
    [carried('5352', 'SP', 'RJ'), '5352 / 6352'],
    [carried('6352', 'SP', 'SP'), '6352 / 5352'],
    [carried('6353', 'SP', 'RJ')],
    [carried('5932', 'RJ', 'RJ')],
    [carried('5352', 'SP', 'EX'), 0],
    [carriage()],
  ],
  flow_against_direction: [
    [
      asked(sentBack, 'inbound'),
      { found: 'tpNF 0', expected: 'tpNF 1', values: { operation: 'DEVOLUCAO DE VENDA' } },
    ],
    [asked(note(), 'inbound')],
    [asked(note({ flow: '0', issuer: to('SP'), recipient: from('SP') }), 'inbound')],
    [asked(sentBack, 'outbound')],
    [asked(own(1), 'outbound')],
    [asked(sentBack)],
  ],
  // The technical note says 3 November, a notice 16 November: no findings in between.
  return_without_reference: [
    [returned('2026-11-16T08:00:00-03:00'), '1 / 2'],
    [returned('2026-11-15T23:59:59-03:00')],
    [returned('2026-11-03')],
    [returned('2026-11-02')],
    [returned('2026-11-16', [nfeKey(7), nfeKey(7)])],
    [returned('2026-11-16', [nfeKey(7), undefined], '1'), 0],
  ],
  reference_to_consumer_document: [
    [referring(), {}],
    [referring({ references: [{ key: satKey }] }), {}],
    // Referenced in an item, and again in the note.
    [referring({ items: [item({ reference: consumerKey })] }), {}],
    [referring({ purpose: '6', debit_type: '05' }), {}],
    [referring({ references: [{ key: nfeKey(7) }] })],
    [referring({ references: [] }), 0],
    [referring({ flow: '0' })],
    [referring({ purpose: '2' })],
    [referring({ purpose: '4' })],
    [referring({ purpose: '6', debit_type: '03' })],
    [referring({ issued_at: '2026-12-13T23:59:59-03:00' })],
  ],
};
