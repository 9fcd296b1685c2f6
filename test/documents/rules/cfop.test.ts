import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../../src/documents/identity/keys.ts';
import type { Party } from '../../../src/documents/summary/summary.ts';
import { carriage, company, findingsOf, item, nfeKey, note, noteOf, pairs, supplier } from './hand-made.ts';

const from = (state: string): Party => ({ id: supplier, id_type: 'cnpj', state });
const to = (state: string): Party => ({ id: company, id_type: 'cnpj', state });

describe('cfop_form', () => {
  it.each(['4102', '510', '8102', 'ABCD'])('%s is none', (cfop) => {
    expect(pairs('cfop_form', noteOf({ cfop }))).toEqual([`${cfop} / 1-3, 5-7`]);
  });

  it('codes that exist, and items without one', () => {
    expect(
      pairs('cfop_form', note({ items: [item(), item({ cfop: '7101' }), item({ cfop: undefined })] })),
    ).toEqual([]);
  });
});

describe('cfop_against_flow', () => {
  it('an inbound code where the issuer sends, and the reverse', () => {
    expect(pairs('cfop_against_flow', noteOf({ cfop: '1102' }))).toEqual(['1102 / 5-7']);
    expect(pairs('cfop_against_flow', noteOf({ cfop: '6202' }, {}, { flow: '0' }))).toEqual(['6202 / 1-3']);
  });

  it('is told once per code, with the first item that has it', () => {
    const items = [
      item({ number: '1' }),
      item({ number: '2', cfop: '1102' }),
      item({ number: '3', cfop: '1102' }),
    ];
    expect(findingsOf('cfop_against_flow', [note({ items })]).map(({ values }) => values?.item)).toEqual([
      '2',
    ]);
  });

  it('agrees, or the note does not say', () => {
    expect(pairs('cfop_against_flow', noteOf({ cfop: '5102' }))).toEqual([]);
    expect(pairs('cfop_against_flow', noteOf({ cfop: '3102' }, {}, { flow: '0' }))).toEqual([]);
    expect(pairs('cfop_against_flow', noteOf({ cfop: '1102' }, {}, { flow: undefined }))).toEqual([]);
  });
});

describe('cfop_against_states', () => {
  it.each([
    ['within the state as between states', '6102', 'SP', 'SP', '5102'],
    ['to another state as within', '5102', 'SP', 'MG', '6102'],
    ['abroad as within the country', '6101', 'SP', 'EX', '7101'],
    ['within the country as abroad', '7101', 'SP', 'RJ', '6101'],
    ['an own entry from another state as within', '1102', 'SP', 'PR', '2102'],
    ['an import as a purchase in the country', '2102', 'SP', 'EX', '3102'],
  ])('%s', (_, cfop, issuer, recipient, expected) => {
    const parts = { issuer: from(issuer), recipient: to(recipient) };
    expect(pairs('cfop_against_states', noteOf({ cfop }, {}, parts))).toEqual([`${cfop} / ${expected}`]);
  });

  it.each([
    ['within the state', '5102', 'SP', 'SP'],
    ['between states', '6102', 'SP', 'MG'],
    ['export', '7101', 'SP', 'EX'],
    ['import', '3102', 'SP', 'EX'],
    ['fuel at the pump', '5656', 'SP', 'MG'],
    ['fuel for a foreign ship', '7667', 'SP', 'SP'],
  ])('agrees: %s', (_, cfop, issuer, recipient) => {
    const parts = { issuer: from(issuer), recipient: to(recipient) };
    expect(pairs('cfop_against_states', noteOf({ cfop }, {}, parts))).toEqual([]);
  });

  it('leaves alone who bought at the counter: a person, a foreigner, a consumer note', () => {
    const person: Party = { id: '52998224725', id_type: 'cpf', state: 'MG' };
    const foreigner: Party = { id_type: 'foreign', state: 'EX' };
    expect(pairs('cfop_against_states', noteOf({ cfop: '5102' }, {}, { recipient: person }))).toEqual([]);
    expect(pairs('cfop_against_states', noteOf({ cfop: '5102' }, {}, { recipient: foreigner }))).toEqual([]);
    const consumer = { kind: 'nfce', recipient: to('MG') } as const;
    expect(pairs('cfop_against_states', noteOf({ cfop: '5102' }, {}, consumer))).toEqual([]);
  });

  it.each([
    ['at the counter, by a company of another state', '5102', '1', 'MG'],
    ['delivered in another state to one of this', '6102', '2', 'SP'],
    ['collected here by a company abroad', '5102', '1', 'EX'],
    ['export', '7101', '3', 'EX'],
    ['an own entry from another state', '2202', '2', 'MG'],
    ['fuel at the pump, stated as between states', '5656', '2', 'MG'],
    ['fuel for a foreign ship, sold here', '7667', '1', 'SP'],
    ['a reach that is none', '5102', '9', 'MG'],
    ['a reach that is a word', '5102', 'constructor', 'MG'],
  ])('agrees with what the note states: %s', (_, cfop, reach, recipient) => {
    const parts = { reach, issuer: from('SP'), recipient: to(recipient) };
    expect(pairs('cfop_against_states', noteOf({ cfop }, {}, parts))).toEqual([]);
  });

  it.each([
    ['5102', '2', 'MG', '6102'],
    ['5102', '2', 'SP', '6102'],
    ['6102', '1', 'MG', '5102'],
    ['6102', '3', 'EX', '7102'],
    ['7102', '1', 'EX', '5102'],
    ['1202', '2', 'MG', '2202'],
  ])('%s with idDest %s, to %s', (cfop, reach, recipient, expected) => {
    const parts = { reach, issuer: from('SP'), recipient: to(recipient) };
    expect(findingsOf('cfop_against_states', [noteOf({ cfop }, {}, parts)])).toMatchObject([
      { found: cfop, expected, values: { origin: 'SP', destination: recipient, reach } },
    ]);
  });

  it('with idDest also of a person, and without a state', () => {
    const person: Party = { id: '52998224725', id_type: 'cpf' };
    expect(
      findingsOf('cfop_against_states', [noteOf({}, {}, { reach: '2', recipient: person })]),
    ).toMatchObject([{ found: '5102', expected: '6102', values: { destination: '-' } }]);
  });

  it('says nothing without both states', () => {
    expect(pairs('cfop_against_states', noteOf({ cfop: '6102' }, {}, { recipient: undefined }))).toEqual([]);
  });
});

describe('cte_cfop_against_route', () => {
  const route = (origin: string, destination: string) => ({
    route: { origin: { state: origin }, destination: { state: destination } },
  });

  it('the code against where the carriage begins and ends', () => {
    expect(pairs('cte_cfop_against_route', carriage({ cfop: '5352', ...route('SP', 'RJ') }))).toEqual([
      '5352 / 6352',
    ]);
    expect(pairs('cte_cfop_against_route', carriage({ cfop: '6352', ...route('SP', 'SP') }))).toEqual([
      '6352 / 5352',
    ]);
  });

  it('agrees, goes abroad, or is not said', () => {
    expect(pairs('cte_cfop_against_route', carriage({ cfop: '6353', ...route('SP', 'RJ') }))).toEqual([]);
    expect(pairs('cte_cfop_against_route', carriage({ cfop: '5932', ...route('RJ', 'RJ') }))).toEqual([]);
    expect(pairs('cte_cfop_against_route', carriage({ cfop: '5352', ...route('SP', 'EX') }))).toEqual([]);
    expect(pairs('cte_cfop_against_route', carriage())).toEqual([]);
  });
});

describe('flow_against_direction', () => {
  const inbound = { company, direction: 'inbound' } as const;
  const sentBack = note({ flow: '0', operation: 'DEVOLUCAO DE VENDA' });

  it('an entry note of the supplier among what came in', () => {
    expect(findingsOf('flow_against_direction', [sentBack], inbound)).toMatchObject([
      { found: 'tpNF 0', expected: 'tpNF 1', values: { operation: 'DEVOLUCAO DE VENDA' } },
    ]);
  });

  it('a sale, an own entry note, and what was asked for the other way', () => {
    const own = note({ flow: '0', issuer: to('SP'), recipient: from('SP') });
    expect(findingsOf('flow_against_direction', [note(), own], inbound)).toEqual([]);
    expect(findingsOf('flow_against_direction', [sentBack], { company, direction: 'outbound' })).toEqual([]);
    expect(findingsOf('flow_against_direction', [sentBack], {})).toEqual([]);
  });
});

describe('cfop_unknown', () => {
  it('well formed, and not in the official table, of a note and of a CT-e; once per code', () => {
    const items = ['5102', '5107', '5107', '6107'].map((cfop, i) => item({ cfop, number: String(i + 1) }));
    expect(pairs('cfop_unknown', note({ items }))).toEqual(['5107 / 2026-09-04']);
    expect(pairs('cfop_unknown', carriage({ cfop: '5358' }))).toEqual(['5358 / 2026-09-04']);
    expect(pairs('cfop_unknown', carriage({ cfop: '5353' }))).toEqual([]);
  });

  it('what is no CFOP by its form is told by another rule', () => {
    expect(pairs('cfop_unknown', noteOf({ cfop: '9999' }))).toEqual([]);
    expect(pairs('cfop_form', noteOf({ cfop: '9999' }))).toHaveLength(1);
  });
});

describe('return_without_reference', () => {
  const back = { purpose: '4', issued_at: '2026-11-16T08:00:00-03:00' };
  const items = [item({ reference: nfeKey(7) }), item({ number: '2' })];

  it('items of a return that name no original, since the day of the rule', () => {
    expect(pairs('return_without_reference', note({ ...back, items }))).toEqual(['1 / 2']);
  });

  // The text of the note says 3 November, a notice 16 November: what lies between raises nothing.
  it.each(['2026-11-02', '2026-11-03', '2026-11-15T23:59:59-03:00'])('not of a return of %s', (issued_at) => {
    expect(pairs('return_without_reference', note({ ...back, issued_at, items }))).toEqual([]);
  });

  it('not of other notes, nor where each item names its own', () => {
    expect(pairs('return_without_reference', note({ ...back, purpose: '1', items }))).toEqual([]);
    const named = [item({ reference: nfeKey(7) }), item({ number: '2', reference: nfeKey(7) })];
    expect(pairs('return_without_reference', note({ ...back, items: named }))).toEqual([]);
  });
});

describe('reference_to_consumer_document', () => {
  const consumerKey = completeAccessKey(`352611${supplier}65001000000001100000000`);
  const satKey = completeAccessKey(`352611${supplier}59000000001000001000000`);
  const since = { issued_at: '2026-12-14T08:00:00-03:00', references: [{ key: consumerKey }] };

  it.each([
    ['a note that refers to an NFC-e', {}, 1],
    ['to a CF-e', { references: [{ key: satKey }] }, 1],
    ['in an item, and again in the note', { items: [item({ reference: consumerKey })] }, 1],
    ['to a note', { references: [{ key: nfeKey(7) }] }, 0],
    ['an entry note', { flow: '0' }, 0],
    ['a complementary note', { purpose: '2' }, 0],
    ['a return', { purpose: '4' }, 0],
    ['a debit note of type 03', { purpose: '6', debit_type: '03' }, 0],
    ['a debit note of type 05', { purpose: '6', debit_type: '05' }, 1],
    ['the day before', { issued_at: '2026-12-13T23:59:59-03:00' }, 0],
  ])('%s', (_name, parts, findings) => {
    expect(pairs('reference_to_consumer_document', note({ ...since, ...parts }))).toHaveLength(findings);
  });
});
