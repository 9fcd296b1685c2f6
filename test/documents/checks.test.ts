import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import type { Problem } from '../../src/documents/problems.ts';
import { checkAgainstCompany } from '../../src/documents/summary/checks.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { item, type NoteParts, note, noteKey } from './inline-notes.ts';

function warningsOf(parts: NoteParts): readonly Problem[] {
  return readDocuments(note(parts))[0]?.warnings ?? [];
}

const plain =
  '<cUF>35</cUF><mod>55</mod><serie>1</serie><nNF>123</nNF><dhEmi>2026-11-05T10:00:00-03:00</dhEmi><finNFe>1</finNFe>';

describe('key against content', () => {
  it.each([
    ['state', plain.replace('>35<', '>41<'), 'key_against_state', 'SP', 'PR'],
    ['month', plain.replace('2026-11', '2026-10'), 'key_against_month', '2026-11', '2026-10'],
    ['model', plain.replace('>55<', '>65<'), 'key_against_model', '55', '65'],
    ['series', plain.replace('>1</serie>', '>2</serie>'), 'key_against_series', '1', '2'],
    ['number', plain.replace('>123<', '>124<'), 'key_against_number', '123', '124'],
  ])('%s', (_, header, code, found, expected) => {
    expect(warningsOf({ header })).toEqual([{ code, values: { found, expected } }]);
  });

  it('issuer, but of an avulsa note, whose key has the tax office', () => {
    const issuer = '<CNPJ>58716523000119</CNPJ>';
    expect(warningsOf({ header: plain, issuer })).toEqual([
      { code: 'key_against_issuer', values: { found: '11222333000181', expected: '58716523000119' } },
    ]);
    const avulsa = completeAccessKey('3526111122233300018155890000000123110000000');
    const header = plain.replace('>1</serie>', '>890</serie>');
    expect(warningsOf({ id: `NFe${avulsa}`, header, issuer, beside: '' })).toEqual([]);
  });

  it('issuer with a CPF', () => {
    const key = completeAccessKey('3526110005299822472555920000000123110000000');
    const header = plain.replace('>1</serie>', '>920</serie>');
    expect(warningsOf({ id: `NFe${key}`, header, issuer: '<CPF>52998224725</CPF>', beside: '' })).toEqual([]);
  });

  it('protocol of another key', () => {
    const other = completeAccessKey('3526111122233300018155001000000999110000000');
    const beside = `<protNFe><infProt><chNFe>${other}</chNFe><cStat>100</cStat></infProt></protNFe>`;
    expect(warningsOf({ header: plain, beside })).toEqual([
      { code: 'protocol_against_key', values: { found: other, expected: noteKey } },
    ]);
  });

  it('a state code that is none is not compared', () => {
    expect(warningsOf({ header: plain.replace('>35<', '>constructor<') })).toEqual([]);
  });

  it('zeros in front of series and number do not count', () => {
    expect(
      warningsOf({ header: plain.replace('>1</serie>', '>001</serie>').replace('>123<', '>000123<') }),
    ).toEqual([]);
  });
});

describe('sums of an NF-e', () => {
  const totals = (fields: string) => `<ICMSTot>${fields}</ICMSTot>`;

  it('items that do not count in the total are left out', () => {
    const items = item(1, '10.00') + item(2, '3.00', '', '<indTot>0</indTot>');
    expect(warningsOf({ header: plain, items })).toEqual([]);
  });

  it('a cent is a difference; zeros at the end are none', () => {
    expect(warningsOf({ header: plain, items: item(1, '10.01') })).toEqual([
      { code: 'items_against_products', values: { found: '10.01', expected: '10.00' } },
    ]);
    expect(warningsOf({ header: plain, items: item(1, '10.0000') })).toEqual([]);
  });

  it('all parts of the total', () => {
    const fields =
      '<vProd>10.00</vProd><vDesc>1.00</vDesc><vST>0.50</vST><vFCPST>0.10</vFCPST><vFrete>2.00</vFrete><vSeg>0.30</vSeg>' +
      '<vOutro>0.20</vOutro><vIPI>0.40</vIPI>';
    expect(warningsOf({ header: plain, totals: totals(`${fields}<vNF>12.50</vNF>`) })).toEqual([]);
    expect(warningsOf({ header: plain, totals: totals(`${fields}<vNF>12.51</vNF>`) })).toEqual([
      { code: 'parts_against_total', values: { found: '12.51', expected: '12.50' } },
    ]);
  });

  it('PIS and COFINS by substitution are in the total where the item says so', () => {
    const taxes = (counts: string) =>
      `<PISST><vPIS>0.20</vPIS><indSomaPISST>${counts}</indSomaPISST></PISST>` +
      `<COFINSST><vCOFINS>0.70</vCOFINS><indSomaCOFINSST>${counts}</indSomaCOFINSST></COFINSST>`;
    const against = (counts: string, vNF: string) =>
      warningsOf({
        header: plain,
        items: item(1, '10.00', taxes(counts)),
        totals: totals(`<vProd>10.00</vProd><vNF>${vNF}</vNF>`),
      });
    expect(against('1', '10.90')).toEqual([]);
    expect(against('1', '10.00')).toEqual([
      { code: 'parts_against_total', values: { found: '10.00', expected: '10.90' } },
    ]);
    expect(against('0', '10.00')).toEqual([]);
    expect(against('0', '10.90')).toHaveLength(1);
  });

  it('PIS and COFINS of the items', () => {
    const taxes =
      '<PIS><PISAliq><CST>01</CST><vPIS>0.17</vPIS></PISAliq></PIS><COFINS><COFINSAliq><CST>01</CST><vCOFINS>0.76</vCOFINS></COFINSAliq></COFINS>';
    const against = (more: string, items = item(1, '10.00', taxes)) =>
      warningsOf({ header: plain, items, totals: totals(`<vProd>10.00</vProd>${more}<vNF>10.00</vNF>`) });
    expect(against('<vPIS>0.17</vPIS><vCOFINS>0.76</vCOFINS>')).toEqual([]);
    expect(against('<vPIS>0.71</vPIS><vCOFINS>0.67</vCOFINS>')).toEqual([
      { code: 'items_against_pis', values: { found: '0.17', expected: '0.71' } },
      { code: 'items_against_cofins', values: { found: '0.76', expected: '0.67' } },
    ]);
    // What is of services and of substitution stands elsewhere in the totals.
    const service = item(1, '10.00', `${taxes}<ISSQN><vBC>10.00</vBC></ISSQN>`);
    expect(against('<vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS>', service)).toEqual([]);
    const substituted = item(1, '10.00', `${taxes}<PISST><vPIS>0.20</vPIS></PISST>`);
    expect(against('<vPIS>0.37</vPIS>', substituted)).toEqual([]);
  });

  it('relieved ICMS may be taken off or not', () => {
    const fields = '<vProd>10.00</vProd><vICMSDeson>1.00</vICMSDeson>';
    expect(warningsOf({ header: plain, totals: totals(`${fields}<vNF>10.00</vNF>`) })).toEqual([]);
    expect(warningsOf({ header: plain, totals: totals(`${fields}<vNF>9.00</vNF>`) })).toEqual([]);
    expect(warningsOf({ header: plain, totals: totals(`${fields}<vNF>8.00</vNF>`) })).toHaveLength(1);
  });

  it('services are a total of their own', () => {
    const services = '<ISSQNtot><vServ>4.00</vServ></ISSQNtot>';
    const items = item(1, '6.00') + item(2, '4.00');
    const given = totals('<vProd>6.00</vProd><vNF>10.00</vNF>') + services;
    expect(warningsOf({ header: plain, items, totals: given })).toEqual([]);
  });

  it('an import and a complementary note follow other rules', () => {
    const given = totals('<vProd>10.00</vProd><vII>5.00</vII><vNF>10.00</vNF>');
    const imported = item(1, '10.00').replace('5102', '3102');
    expect(warningsOf({ header: plain, items: imported, totals: given })).toEqual([]);
    expect(warningsOf({ header: plain.replace('<finNFe>1', '<finNFe>2'), totals: given })).toEqual([]);
    expect(warningsOf({ header: plain, totals: given })).toHaveLength(1);
  });

  it('IBS and CBS of the items', () => {
    const taxes = (ibs: string) =>
      `<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS>${ibs}<gCBS><vCBS>0.09</vCBS></gCBS></gIBSCBS></IBSCBS>`;
    const items =
      item(1, '5.00', taxes('<vIBS>0.01</vIBS>')) +
      item(2, '5.00', taxes('<gIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF>'));
    const given = (ibs: string, cbs: string) =>
      `${totals('<vProd>10.00</vProd><vNF>10.00</vNF>')}<IBSCBSTot><gIBS><vIBS>${ibs}</vIBS></gIBS><gCBS><vCBS>${cbs}</vCBS></gCBS></IBSCBSTot>`;
    expect(warningsOf({ header: plain, items, totals: given('0.02', '0.18') })).toEqual([]);
    expect(warningsOf({ header: plain, items, totals: given('0.03', '0.17') })).toEqual([
      { code: 'items_against_ibs', values: { found: '0.02', expected: '0.03' } },
      { code: 'items_against_cbs', values: { found: '0.18', expected: '0.17' } },
    ]);
  });

  it('amounts that are no numbers are compared with nothing', () => {
    expect(warningsOf({ header: plain, items: item(1, 'dez') })).toEqual([]);
  });
});

describe('net value of an NFS-e', () => {
  const national = (values: string, withheld = '') =>
    `<NFSe versao="1.01"><infNFSe><cStat>100</cStat><dhProc>2026-01-01T00:00:00-03:00</dhProc><valores>${withheld}<vLiq>90.00</vLiq></valores>` +
    `<DPS><infDPS><valores><vServPrest><vServ>100.00</vServ></vServPrest>${values}</valores></infDPS></DPS></infNFSe></NFSe>`;
  const codes = (xml: string) => readDocuments(xml)[0]?.warnings.map(({ code }) => code) ?? [];
  const discount = '<vDescCondIncond><vDescIncond>10.00</vDescIncond></vDescCondIncond>';

  it('is gross less withheld less discounts', () => {
    expect(codes(national(discount))).not.toContain('net_against_parts');
    expect(codes(national('', '<vTotalRet>10.00</vTotalRet>'))).not.toContain('net_against_parts');
    expect(codes(national(discount, '<vTotalRet>10.00</vTotalRet>'))).toContain('net_against_parts');
    expect(codes(national(''))).toContain('net_against_parts');
  });

  it('is not checked where something withheld is named and no total of it', () => {
    expect(codes(national('<trib><tribFed><vRetCP>1.00</vRetCP></tribFed></trib>'))).not.toContain(
      'net_against_parts',
    );
  });
});

describe('the company asked about', () => {
  const [document] = readDocuments(note());

  it('is the issuer or the recipient, masked or not', () => {
    if (document === undefined) throw new Error('should be a document');
    expect(checkAgainstCompany(document, '11.222.333/0001-81')).toEqual([]);
    expect(checkAgainstCompany(document, '58716523000119')).toEqual([]);
    expect(checkAgainstCompany(document, '12ABC34501DE35')).toEqual([
      { code: 'company_not_in_document', values: { company: '12ABC34501DE35' } },
    ]);
  });

  it('is not missed where the document names nobody', () => {
    const [event] = readDocuments(`<resEvento><chNFe>${noteKey}</chNFe></resEvento>`);
    if (event === undefined) throw new Error('should be a document');
    expect(checkAgainstCompany(event, '12ABC34501DE35')).toEqual([]);
  });
});
