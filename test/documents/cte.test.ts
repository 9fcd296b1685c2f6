import { describe, expect, it } from 'vitest';
import { isRegistered } from '../../src/documents/events/statuses.ts';
import { checkAgainstCompany } from '../../src/documents/summary/checks.ts';
import { noteKey } from './inline-notes.ts';
import { one } from './one-document.ts';

describe('a CT-e', () => {
  const simplified =
    '<cteSimpProc><CTeSimp versao="4.00"><infCte versao="4.00"><ide><mod>57</mod><nCT>9</nCT></ide>' +
    '<toma><toma>4</toma><CNPJ>58716523000119</CNPJ><xNome>TOMADORA</xNome></toma>' +
    `<det nItem="1"><vPrest>100.10</vPrest><vRec>100.10</vRec><infNFe><chNFe>${noteKey}</chNFe></infNFe></det>` +
    '<det nItem="2"><vPrest>50.20</vPrest><vRec>40.00</vRec><infNFe><chNFe>2</chNFe></infNFe><infNFe><chNFe>3</chNFe></infNFe></det>' +
    '</infCte></CTeSimp><protCTe><infProt><cStat>100</cStat></infProt></protCTe></cteSimpProc>';

  it('simplified: its deliveries are added up where it names no total', () => {
    expect(one(simplified)).toMatchObject({
      kind: 'cte',
      layout: 'cte 4.00',
      status: 'authorized',
      payer: { id: '58716523000119', name: 'TOMADORA' },
      totals: { total: '150.30', receivable: '140.10' },
      linked_keys: [noteKey, '2', '3'],
    });
  });

  it.each(['0', '1', '2', '3', '4'])('simplified: its payer is in it, whatever the role: %s', (role) => {
    const document = one(simplified.replace('<toma>4</toma>', `<toma>${role}</toma>`));
    expect(document.payer).toMatchObject({ id: '58716523000119', id_type: 'cnpj', name: 'TOMADORA' });
    expect(checkAgainstCompany(document, '58716523000119')).toEqual([]);
    expect(checkAgainstCompany(document, '11222333000181')).toHaveLength(1);
  });

  it('whose payer has a number and is not there has none', () => {
    expect(
      one('<CTe><infCte><ide><nCT>1</nCT><toma3><toma>3</toma></toma3></ide></infCte></CTe>').payer,
    ).toBeUndefined();
  });

  it('simplified: names the CT-e before it, and the notes of those that it carries on in part', () => {
    const earlier = (key: string, notes: string) =>
      `<infDocAnt><chCTe>${key}</chCTe><tpPrest>${notes === '' ? 1 : 2}</tpPrest>${notes}</infDocAnt>`;
    const part = '<infNFeTranspParcial><chNFe>4</chNFe></infNFeTranspParcial>';
    const document = one(simplified.replace('</det>', `${earlier('c1', part)}${earlier('c2', '')}</det>`));
    expect(document.references).toEqual([{ key: 'c1' }, { key: 'c2' }]);
    expect(document.linked_keys).toEqual([noteKey, '4', '2', '3']);
    expect(document.totals.total).toBe('150.30');
  });

  it('simplified: its own total comes first', () => {
    const xml = simplified.replace('</infCte>', '<total><vTPrest>160.00</vTPrest></total></infCte>');
    expect(one(xml).totals.total).toBe('160.00');
  });

  it.each([
    ['0', 'A'],
    ['1', 'B'],
    ['2', 'C'],
    ['3', 'D'],
  ])('is paid by party %s', (taker, name) => {
    const party = (tag: string, letter: string) => `<${tag}><xNome>${letter}</xNome></${tag}>`;
    const xml =
      `<CTe><infCte versao="4.00"><ide><nCT>1</nCT><toma3><toma>${taker}</toma></toma3></ide>` +
      `${party('rem', 'A')}${party('exped', 'B')}${party('receb', 'C')}${party('dest', 'D')}</infCte></CTe>`;
    expect(one(xml).payer?.name).toBe(name);
  });

  it('adds IBS of state and city, and takes ICMS of another state', () => {
    const xml =
      '<CTe><infCte><ide><nCT>1</nCT></ide><imp><ICMS><ICMSOutraUF><CST>90</CST><vBCOutraUF>10.00</vBCOutraUF>' +
      '<vICMSOutraUF>1.20</vICMSOutraUF></ICMSOutraUF></ICMS><IBSCBS><CST>000</CST><cClassTrib>200001</cClassTrib><gIBSCBS>' +
      '<gIBSUF><vIBSUF>0.10</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.05</vIBSMun></gIBSMun></gIBSCBS></IBSCBS></imp></infCte></CTe>';
    const document = one(xml);
    expect(document.totals).toMatchObject({ icms: '1.20', icms_base: '10.00', ibs: '0.15' });
    expect(document.warnings).toContainEqual({
      code: 'class_trib_against_cst',
      values: { found: '200001', expected: '000' },
    });
  });
});

describe('an event of a CT-e', () => {
  const cancellation = (status: string, code = '110111') =>
    `<procEventoCTe><eventoCTe><infEvento><tpEvento>${code}</tpEvento></infEvento></eventoCTe>` +
    `<retEventoCTe><infEvento><cStat>${status}</cStat><tpEvento>${code}</tpEvento></infEvento></retEventoCTe></procEventoCTe>`;

  it.each([
    ['134', 'authorized'],
    ['135', 'authorized'],
    ['136', 'authorized'],
    ['133', 'unknown'],
    ['631', 'unknown'],
  ])('answered with cStat %s is %s', (status, expected) => {
    const event = one(cancellation(status));
    expect(event.status).toBe(expected);
    expect(isRegistered(event)).toBe(expected === 'authorized');
  });

  it.each([
    ['134', '110111', 'cancelled', 1],
    ['134', '110110', 'authorized', 1],
    ['631', '110111', 'authorized', undefined],
  ])('answered with cStat %s beside its CT-e (%s) leaves it %s', (status, code, expected, events) => {
    const protocol = '<protCTe><infProt><cStat>100</cStat></infProt></protCTe>';
    const xml = `<cteProc><CTe><infCte><ide><nCT>1</nCT></ide></infCte></CTe>${protocol}${cancellation(status, code)}</cteProc>`;
    const document = one(xml);
    expect(document.status).toBe(expected);
    expect(document.events?.length).toBe(events);
  });

  it('has its name from the schemas where the file gives the code only', () => {
    const named = (code: string) => one(cancellation('135', code)).event?.name;
    expect(named('610110')).toBe('Prestacao do Servico em Desacordo');
    expect(named('110111')).toBe('Cancelamento');
    expect(named('999999')).toBeUndefined();
    expect(named('constructor')).toBeUndefined();
  });
});
