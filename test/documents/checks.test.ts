import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import { checkAgainstCompany, preferredVersion } from '../../src/documents/summary/checks.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { item, type NoteParts, note, noteKey } from './inline-notes.ts';
import { one } from './one-document.ts';

const plain =
  '<cUF>35</cUF><mod>55</mod><serie>1</serie><nNF>123</nNF><dhEmi>2026-11-05T10:00:00-03:00</dhEmi><finNFe>1</finNFe>';
const headed = (part: string, other: string) => plain.replace(part, other);

const avulsa = completeAccessKey('3526111122233300018155890000000123110000000');
const ofPerson = completeAccessKey('3526110005299822472555920000000123110000000');
const another = completeAccessKey('3526111122233300018155001000000999110000000');
const supplier = '<CNPJ>58716523000119</CNPJ>';

const totals = (fields: string, total = '10.00') =>
  `<ICMSTot><vProd>10.00</vProd>${fields}<vNF>${total}</vNF></ICMSTot>`;
const parts =
  '<vDesc>1.00</vDesc><vST>0.50</vST><vFCPST>0.10</vFCPST><vFrete>2.00</vFrete><vSeg>0.30</vSeg>' +
  '<vOutro>0.20</vOutro><vIPI>0.40</vIPI>';
const relieved = '<vICMSDeson>1.00</vICMSDeson>';
const substituted = (counts: string, total: string): NoteParts => ({
  items: item(
    1,
    '10.00',
    `<PISST><vPIS>0.20</vPIS><indSomaPISST>${counts}</indSomaPISST></PISST>` +
      `<COFINSST><vCOFINS>0.70</vCOFINS><indSomaCOFINSST>${counts}</indSomaCOFINSST></COFINSST>`,
  ),
  totals: totals('', total),
});
const contributions = (more = '') =>
  item(
    1,
    '10.00',
    `<PIS><PISAliq><CST>01</CST><vPIS>0.17</vPIS></PISAliq></PIS><COFINS><COFINSAliq><CST>01</CST><vCOFINS>0.76</vCOFINS></COFINSAliq></COFINS>${more}`,
  );
const reformed = (ibs: string, cbs: string): NoteParts => {
  const taxes = (part: string) =>
    `<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS>${part}<gCBS><vCBS>0.09</vCBS></gCBS></gIBSCBS></IBSCBS>`;
  return {
    items:
      item(1, '5.00', taxes('<vIBS>0.01</vIBS>')) +
      item(2, '5.00', taxes('<gIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF>')),
    totals: `${totals('')}<IBSCBSTot><gIBS><vIBS>${ibs}</vIBS></gIBS><gCBS><vCBS>${cbs}</vCBS></gCBS></IBSCBSTot>`,
  };
};

/** Changes to a note and the resulting warnings: `code: found / expected`. */
it.each<[NoteParts, ...string[]]>([
  // The key against the content.
  [{ header: headed('>35<', '>41<') }, 'key_against_state: SP / PR'],
  [{ header: headed('2026-11', '2026-10') }, 'key_against_month: 2026-11 / 2026-10'],
  [{ header: headed('>55<', '>65<') }, 'key_against_model: 55 / 65'],
  [{ header: headed('>1</serie>', '>2</serie>') }, 'key_against_series: 1 / 2'],
  [{ header: headed('>123<', '>124<') }, 'key_against_number: 123 / 124'],
  [{ issuer: supplier }, 'key_against_issuer: 11222333000181 / 58716523000119'],
  // The key of an avulsa note has the tax office's id.
  [{ id: `NFe${avulsa}`, header: headed('>1</serie>', '>890</serie>'), issuer: supplier, beside: '' }],
  [
    {
      id: `NFe${ofPerson}`,
      header: headed('>1</serie>', '>920</serie>'),
      issuer: '<CPF>52998224725</CPF>',
      beside: '',
    },
  ],
  [
    { beside: `<protNFe><infProt><chNFe>${another}</chNFe><cStat>100</cStat></infProt></protNFe>` },
    `protocol_against_key: ${another} / ${noteKey}`,
  ],
  // An invalid state code is not compared; leading zeros are ignored.
  [{ header: headed('>35<', '>constructor<') }],
  [{ header: headed('>1</serie>', '>001</serie>').replace('>123<', '>000123<') }],

  // Items that don't count are excluded; a cent is a difference, trailing zeros are not.
  [{ items: item(1, '10.00') + item(2, '3.00', '', '<indTot>0</indTot>') }],
  [{ items: item(1, '10.01') }, 'items_against_products: 10.01 / 10.00'],
  [{ items: item(1, '10.0000') }],
  [{ items: item(1, 'dez') }],
  [{ totals: totals(parts, '12.50') }],
  [{ totals: totals(parts, '12.51') }, 'parts_against_total: 12.51 / 12.50'],
  // PIS and COFINS by substitution are in the total if the item says so.
  [substituted('1', '10.90')],
  [substituted('1', '10.00'), 'parts_against_total: 10.00 / 10.90'],
  [substituted('0', '10.00')],
  [substituted('0', '10.90'), 'parts_against_total: 10.90 / 10.00'],
  [{ items: contributions(), totals: totals('<vPIS>0.17</vPIS><vCOFINS>0.76</vCOFINS>') }],
  [
    { items: contributions(), totals: totals('<vPIS>0.71</vPIS><vCOFINS>0.67</vCOFINS>') },
    'items_against_pis: 0.17 / 0.71',
    'items_against_cofins: 0.76 / 0.67',
  ],
  // Services and substitution are elsewhere in the totals.
  [
    {
      items: contributions('<ISSQN><vBC>10.00</vBC></ISSQN>'),
      totals: totals('<vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS>'),
    },
  ],
  [{ items: contributions('<PISST><vPIS>0.20</vPIS></PISST>'), totals: totals('<vPIS>0.37</vPIS>') }],
  // Relieved ICMS may be deducted or not.
  [{ totals: totals(relieved, '10.00') }],
  [{ totals: totals(relieved, '9.00') }],
  [{ totals: totals(relieved, '8.00') }, 'parts_against_total'],
  // Services have a separate total; imports and complementary notes follow other rules.
  [
    {
      items: item(1, '6.00') + item(2, '4.00'),
      totals: `${totals('').replace('<vProd>10.00', '<vProd>6.00')}<ISSQNtot><vServ>4.00</vServ></ISSQNtot>`,
    },
  ],
  [{ items: item(1, '10.00').replace('5102', '3102'), totals: totals('<vII>5.00</vII>') }],
  [{ header: headed('<finNFe>1', '<finNFe>2'), totals: totals('<vII>5.00</vII>') }],
  [{ totals: totals('<vII>5.00</vII>') }, 'parts_against_total'],
  [reformed('0.02', '0.18')],
  [reformed('0.03', '0.17'), 'items_against_ibs: 0.02 / 0.03', 'items_against_cbs: 0.18 / 0.17'],
])('%j', (given, ...told) => {
  const { warnings } = one(note({ header: plain, ...given }));
  const found = warnings.map(({ code, values }) => `${code}: ${values.found} / ${values.expected}`);
  expect(found).toEqual(told.map((one) => (one.includes(':') ? one : expect.stringContaining(one))));
});

const discount = '<vDescCondIncond><vDescIncond>10.00</vDescIncond></vDescCondIncond>';

// Gross less withheld less discounts; not checked if a withheld tax has no total.
it.each([
  [discount, '', false],
  ['', '<vTotalRet>10.00</vTotalRet>', false],
  [discount, '<vTotalRet>10.00</vTotalRet>', true],
  ['', '', true],
  ['<trib><tribFed><vRetCP>1.00</vRetCP></tribFed></trib>', '', false],
])('the net value of a national NFS-e with %j and %j is remarked: %s', (values, withheld, isRemarked) => {
  const { warnings } = one(
    `<NFSe versao="1.01"><infNFSe><cStat>100</cStat><dhProc>2026-01-01T00:00:00-03:00</dhProc><valores>${withheld}<vLiq>90.00</vLiq></valores>` +
      `<DPS><infDPS><valores><vServPrest><vServ>100.00</vServ></vServPrest>${values}</valores></infDPS></DPS></infNFSe></NFSe>`,
  );
  expect(warnings.some(({ code }) => code === 'net_against_parts')).toBe(isRemarked);
});

it('the company asked about is the issuer or the recipient, and not missed where nobody is named', () => {
  expect(checkAgainstCompany(one(note()), '11.222.333/0001-81')).toEqual([]);
  expect(checkAgainstCompany(one(note()), '58716523000119')).toEqual([]);
  expect(checkAgainstCompany(one(note()), '12ABC34501DE35')).toEqual([
    { code: 'company_not_in_document', values: { company: '12ABC34501DE35' } },
  ]);
  const event = one(`<resEvento><chNFe>${noteKey}</chNFe></resEvento>`);
  expect(checkAgainstCompany(event, '12ABC34501DE35')).toEqual([]);
});

const protocolAt = (at: string) =>
  `<protNFe><infProt><chNFe>${noteKey}</chNFe><nProt>135260000000001</nProt><cStat>100</cStat><dhRecbto>${at}</dhRecbto></infProt></protNFe>`;
const otherKey = noteKey.replace(/^35/, '31');
const cancellation =
  '<retEvento><infEvento><cStat>135</cStat><tpEvento>110111</tpEvento></infEvento></retEvento>';

const whole = one(note());
const abridged = one(
  `<resNFe><chNFe>${noteKey}</chNFe><vNF>10.00</vNF><nProt>1</nProt><cSitNFe>1</cSitNFe></resNFe>`,
);
const withoutProtocol = one(note({ beside: '' }));
const twoItems = one(note({ items: item(1, '4.00') + item(2, '6.00') }));
const twoItemsWithoutProtocol = one(note({ beside: '', items: item(1, '4.00') + item(2, '6.00') }));
const protocolOfAnother = one(
  note({ beside: `<protNFe><infProt><chNFe>${otherKey}</chNFe><cStat>100</cStat></infProt></protNFe>` }),
);
const cancelled = one(note({ beside: protocolAt('2026-11-05T10:01:00-03:00') + cancellation }));
const early = one(note({ beside: protocolAt('2026-11-05T10:01:00-03:00') }));
// An hour later, though its text sorts first.
const late = one(note({ beside: protocolAt('2026-11-05T09:01:00-05:00') }));
const test = one(
  note({
    header: `${headed('<finNFe>1</finNFe>', '')}<tpAmb>2</tpAmb>`,
    items: item(1, '4.00') + item(2, '6.00'),
  }),
);

describe('of two files of one document', () => {
  it.each<[string, DocumentSummary, DocumentSummary]>([
    ['the full note before the abridged one', whole, abridged],
    ['the full note without protocol before the abridged one', withoutProtocol, abridged],
    ['production before test, however many items that has', whole, test],
    ['the one whose protocol is its own', whole, protocolOfAnother],
    ['the one without protocol before one with the protocol of another', withoutProtocol, protocolOfAnother],
    ['the authorised one before one without protocol', whole, withoutProtocol],
    ['the authorised one before one that has more items and no protocol', whole, twoItemsWithoutProtocol],
    ['the one that holds its cancellation', cancelled, early],
    ['the one with more items', twoItems, whole],
    ['the one authorised later', late, early],
  ])('%s counts, whichever came first', (_, fuller, other) => {
    expect(fuller.key).toBe(noteKey);
    expect(other.key).toBe(noteKey);
    expect(preferredVersion(fuller, other)).toBe(fuller);
    expect(preferredVersion(other, fuller)).toBe(fuller);
  });

  it('the one that arrived later counts where nothing tells them apart', () => {
    const again = one(note());
    expect(again).toEqual(whole);
    expect(preferredVersion(whole, again)).toBe(again);
    expect(preferredVersion(again, whole)).toBe(whole);
  });

  it('one without events, items or moments is compared all the same', () => {
    const municipal = (beside: string) =>
      one(
        `<CompNfse><Nfse><InfNfse><Numero>7</Numero><Competencia>2026-01</Competencia></InfNfse></Nfse>${beside}</CompNfse>`,
      );
    const standing = municipal('');
    const void_ = municipal('<NfseCancelamento><DataHora>2026-01-02T00:00:00</DataHora></NfseCancelamento>');
    expect(preferredVersion(void_, standing)).toBe(void_);
    expect(preferredVersion(standing, void_)).toBe(void_);
  });
});
