import { describe, expect, it } from 'vitest';
import { eventHistory, standingEvents } from '../../src/documents/events/event-history.ts';
import { knownEvent } from '../../src/documents/events/event-names.ts';
import { possibleEvents } from '../../src/documents/events/possible-events.ts';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import type { DocumentSummary, EventSummary } from '../../src/documents/summary/summary.ts';
import { one } from './one-document.ts';
import { company, note, supplier } from './rules/hand-made.ts';

/** Events in effect, from a document's own file and from separate ones. */
const standingBeside = (
  own: readonly EventSummary[],
  ...beside: readonly Pick<DocumentSummary, 'status' | 'protocol' | 'event'>[]
) => standingEvents({ summary: { events: own }, events: beside.map((summary) => ({ summary })) });

const key = completeAccessKey('3526101122233300018155001000000100110000000');

/** An event with its receipt, as distributed by the tax office. */
function eventFile(code: string, detail: string, sequence = '1'): string {
  const namespace = 'xmlns="http://www.portalfiscal.inf.br/nfe"';
  return `<procEventoNFe ${namespace} versao="1.00"><evento versao="1.00"><infEvento Id="ID${code}${key}0${sequence}">
    <cOrgao>92</cOrgao><tpAmb>1</tpAmb><CNPJ>48152036000117</CNPJ><chNFe>${key}</chNFe>
    <dhEvento>2026-11-10T10:00:00-03:00</dhEvento><tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento>
    <verEvento>1.00</verEvento><detEvento versao="1.00"><descEvento>x</descEvento>${detail}</detEvento>
    </infEvento></evento><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>135</cStat><chNFe>${key}</chNFe>
    <tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento><nProt>192260000000001</nProt>
    <dhRegEvento>2026-11-10T10:00:05-03:00</dhRegEvento></infEvento></retEvento></procEventoNFe>`;
}

it.each([
  ['112110', '<indQuitacao>1</indQuitacao>', { details: { fully_paid: '1' } }],
  ['211128', '<tpAutor>2</tpAutor><indAceitacao>0</indAceitacao>', { details: { accepted: '0' } }],
  ['412120', '<indDeferimento>1</indDeferimento>', { details: { granted: '1' } }],
  ['112150', '<dPrevEntrega>2026-12-01</dPrevEntrega>', { details: { expected_delivery: '2026-12-01' } }],
  [
    '110001',
    '<tpEventoAut>211130</tpEventoAut><nProtEvento>192260000000009</nProtEvento>',
    { details: { cancelled_code: '211130', cancelled_protocol: '192260000000009' } },
  ],
  [
    '110300',
    '<nProt>135260000000001</nProt><gPgto idTransacao="E123"><tpMeioPgto>17</tpMeioPgto></gPgto>',
    { details: { transaction: 'E123' } },
  ],
  [
    '211130',
    '<gImobilizacao nItem="1"><vIBS>1.00</vIBS><vCBS>9.00</vCBS><gControleEstoque><qImobilizado>2.0000</qImobilizado>' +
      '<uImobilizado>UN</uImobilizado></gControleEstoque></gImobilizacao>' +
      '<gImobilizacao nItem="3"><vIBS>0.10</vIBS><vCBS>0.90</vCBS></gImobilizacao>',
    {
      items: [
        { number: '1', ibs: '1.00', cbs: '9.00', quantity: '2.0000', unit: 'UN' },
        { number: '3', ibs: '0.10', cbs: '0.90' },
      ],
    },
  ],
  [
    '211150',
    '<gCredito nItem="2"><vCredIBS>1.00</vCredIBS><vCredCBS>9.00</vCredCBS></gCredito>',
    { items: [{ number: '2', ibs: '1.00', cbs: '9.00' }] },
  ],
  // Layouts before v1.40.
  [
    '211110',
    '<gCredPres nItem="2"><vBC>9.00</vBC><gIBS><vCredPres>1.00</vCredPres></gIBS><gCBS><vCredPres>9.00</vCredPres></gCBS></gCredPres>',
    { items: [{ number: '2', ibs: '1.00', cbs: '9.00' }] },
  ],
  [
    '211120',
    '<gConsumo nItem="1"><vIBS>1.00</vIBS><gControleEstoque><qConsumo>3.0000</qConsumo><uConsumo>UN</uConsumo></gControleEstoque></gConsumo>',
    { items: [{ number: '1', ibs: '1.00', quantity: '3.0000', unit: 'UN' }] },
  ],
])('details of event %s of the reform', (code, detail, expected) => {
  expect(one(eventFile(code, detail))).toMatchObject({
    kind: 'event',
    status: 'authorized',
    event: { code, ...expected },
  });
});

it('an event without details has none', () => {
  const { event } = one(eventFile('110110', '<xCorrecao>outro volume</xCorrecao>'));
  expect(event).not.toHaveProperty('details');
  expect(event).not.toHaveProperty('items');
});

it('an event is registered by a receipt without its element, as in layout 2.00 of the CT-e', () => {
  const cte = completeAccessKey('3513101122233300018157001000000001100000000');
  const facts = `<chCTe>${cte}</chCTe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>`;
  const request = `<eventoCTe versao="2.00"><infEvento>${facts}</infEvento></eventoCTe>`;
  const receipt = `<infEvento><cStat>135</cStat>${facts}<nProt>135130000000001</nProt></infEvento>`;
  expect(one(`<procEventoCTe versao="2.00">${request}${receipt}</procEventoCTe>`)).toMatchObject({
    key: cte,
    status: 'authorized',
    event: { code: '110111' },
    protocol: { number: '135130000000001', code: '135' },
  });
});

it('an event without its Id is of a national NFS-e by the length of its key', () => {
  const national = '31367021211222333000181000000056753126080574690042';
  const request = `<infPedReg><chNFSe>${national}</chNFSe><e101101><xDesc>x</xDesc></e101101></infPedReg>`;
  const xml = `<evento versao="1.01"><infEvento><pedRegEvento>${request}</pedRegEvento></infEvento></evento>`;
  expect(one(xml)).toMatchObject({ layout: 'nfse national event 1.01', key: national });
});

describe('the name of an event', () => {
  it.each([
    ['nfe', '110001', 'author_of_event'],
    ['nfe', '211128', 'recipient'],
    ['nfe', '212120', 'successor'],
    ['nfe', '412130', 'tax_authority'],
    ['nfe', '110300', 'issuer'],
    ['cte', '110301', 'issuer'],
  ] as const)('%s %s is registered by the %s', (kind, code, by) => {
    expect(knownEvent(kind, code)?.by).toBe(by);
  });

  // Removed in v1.40, never existing, of another model, without a model.
  it.each([
    ['nfe', '211120'],
    ['nfe', '212160'],
    ['nfe', '212170'],
    ['nfe', '110301'],
    ['cte', '211130'],
    ['event', '110001'],
    ['nfe', 'toString'],
  ] as const)('%s %s has no name here', (kind, code) => {
    expect(knownEvent(kind, code)).toBeUndefined();
  });
});

describe('an event that is taken back', () => {
  const event = (code: string, sequence: string, details?: EventSummary['details']): EventSummary => {
    return { code, sequence, at: '2026-11-10T10:00:00-03:00', ...(details && { details }) };
  };
  const cancelling = (code: string, sequence: string) => event('110001', sequence, { cancelled_code: code });
  const standing = (...events: EventSummary[]) =>
    standingBeside(events).map(({ code, sequence }) => `${code}/${sequence}`);

  it('is no longer in effect, and is shown as undone', () => {
    const events = [event('211130', '1'), cancelling('211130', '1')];
    expect(standing(...events)).toEqual(['110001/1']);
    expect(eventHistory({ summary: { events }, events: [] }).map(({ undone }) => undone)).toEqual([
      true,
      undefined,
    ]);
  });

  it.each([
    ['another sequence number', [event('211130', '2'), cancelling('211130', '1')], ['211130/2', '110001/1']],
    ['another code', [event('211140', '1'), cancelling('211130', '1')], ['211140/1', '110001/1']],
    ['a cancellation', [event('110111', '1'), cancelling('110111', '1')], ['110111/1', '110001/1']],
    ['a manifestation', [event('210200', '1'), cancelling('210200', '1')], ['210200/1', '110001/1']],
    ['an event 110001', [cancelling('110001', '1')], ['110001/1']],
  ])('stays where %s is meant', (_, events, expected) => {
    expect(standing(...events)).toEqual(expected);
  });

  it('is not one of two that share a sequence number', () => {
    const both = ['211130', '110300'];
    const events = [...both.map((code) => event(code, '1')), ...both.map((code) => cancelling(code, '1'))];
    expect(standing(...events)).toEqual(['110001/1', '110001/1']);
  });

  it('counts only where its cancellation is registered', () => {
    const sent = { status: 'no_protocol', event: cancelling('211130', '1') } as const;
    const found = standingBeside([event('211130', '1')], sent);
    expect(found.map(({ code }) => code)).toEqual(['211130']);
  });
});

describe('events that a recipient may have to register', () => {
  const bought = (more: Partial<DocumentSummary> = {}) =>
    note({
      totals: { total: '100.00', ibs_cbs_base: '100.00' },
      items: [{ number: '1', taxes: {} }],
      ...more,
    });
  const codes = (document: DocumentSummary, events: EventSummary[] = []) =>
    possibleEvents(document, document.status, events, company).map(({ code }) => code);

  it.each([
    ['a purchase', bought(), ['211130']],
    [
      'a purchase whose freight the company contracts',
      bought({ transport: { mode: '1' } }),
      ['211130', '211124'],
    ],
    ['a purchase whose freight the supplier contracts', bought({ transport: { mode: '0' } }), ['211130']],
    ['fuel', bought({ items: [{ number: '1', fuel: '820101034', taxes: {} }] }), ['211130', '211140']],
    [
      'a purchase from an individual',
      bought({ issuer: { id: '11144477735', id_type: 'cpf' } }),
      ['211130', '211110'],
    ],
    ['a credit note', bought({ purpose: '5' }), ['211128']],
    ['a return', bought({ purpose: '4' }), []],
    ['a note without IBS and CBS', bought({ totals: { total: '100.00' } }), []],
    ['a note of 2025', bought({ issued_at: '2025-12-31T23:59:59-03:00' }), []],
    ['a sale', bought({ issuer: { id: company }, recipient: { id: supplier } }), []],
    ['a cancelled note', bought({ status: 'cancelled' }), []],
    ['an NFC-e', bought({ kind: 'nfce' }), []],
  ])('of %s', (_, document, expected) => {
    expect(codes(document)).toEqual(expected);
  });

  it('are not those that are registered already', () => {
    expect(codes(bought({ purpose: '5' }), [{ code: '211128' }])).toEqual([]);
  });
});

const letter = (sequence: string | undefined, at = '2026-11-06T10:00:00-03:00'): EventSummary => {
  return { code: '110110', sequence, at };
};
const registered = (event: EventSummary) => ({ status: 'authorized', event }) as const;

describe('the events in effect of a document', () => {
  it('are those of its file and the registered ones from beside it', () => {
    const refused = { status: 'unknown', event: letter('2') } as const;
    const known = { status: 'unknown', protocol: { code: '573' }, event: letter('4') } as const;
    const found = standingBeside([letter('1')], refused, registered(letter('3')), known);
    expect(found.map(({ sequence }) => sequence)).toEqual(['1', '3', '4']);
  });

  it('are each there once, however their number is written', () => {
    const found = standingBeside([letter('1')], registered(letter('01')), registered(letter('2')));
    expect(found.map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  });

  it('keep their time, author, text and details where a later answer has none', () => {
    const full = { ...letter('1'), author: '11222333000181', text: 'Peso 10 kg', details: { granted: '1' } };
    const name = 'Carta de Correção';
    const answer = { code: '110110', sequence: '1', name, at: undefined, text: undefined };
    expect(standingBeside([full], registered(answer))).toEqual([{ ...full, name }]);
  });

  it('are not taken for one another where they have no number', () => {
    const days = ['2026-11-06', '2026-11-07'].map((day) => letter(undefined, `${day}T10:00:00-03:00`));
    expect(standingBeside(days)).toEqual(days);
  });
});
