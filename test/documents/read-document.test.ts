import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import {
  createDocumentReader,
  isDocumentRoot,
  mayBeWrapper,
  readDocuments,
  unreadFamily,
} from '../../src/documents/summary/read-document.ts';
import { createXmlReader } from '../../src/documents/xml/xml.ts';
import { item, note, noteKey } from './inline-notes.ts';
import { one } from './one-document.ts';

describe('an NF-e', () => {
  it('without fault has no warning', () => {
    const document = one(note());
    expect(document).toMatchObject({
      kind: 'nfe',
      layout: 'nfe 4.00',
      key: noteKey,
      status: 'authorized',
      number: '123',
    });
    expect(document.warnings).toEqual([]);
  });

  it('leaves out what is absent, also from its JSON, and never makes it zero', () => {
    const document: unknown = JSON.parse(JSON.stringify(one(note({ recipient: '' }))));
    expect(document).not.toHaveProperty('recipient');
    expect(document).not.toHaveProperty('transport');
    expect(document).not.toHaveProperty('totals.icms');
    expect(document).not.toHaveProperty('notes');
  });

  it('is found by any prefix and in any envelope, nested at any depth', () => {
    const prefixed = note().replace(/<(\/?)(?=[a-zA-Z])/g, '<$1n:');
    expect(one(prefixed).key).toBe(noteKey);
    expect(one(`<s:Envelope><s:Body><xml><retorno>${note()}</retorno></xml></s:Body></s:Envelope>`).key).toBe(
      noteKey,
    );
  });

  it('is told from another by what stands first in it', () => {
    const lot = `<enviNFe>${note().replace(/<\/?nfeProc[^>]*>/g, '')}</enviNFe>`;
    expect(one(lot)).toMatchObject({ kind: 'nfe', status: 'no_protocol' });
    expect(readDocuments('<NFe><other/></NFe>')).toEqual([]);
    expect(readDocuments('<NFSe><NumeroNFe>1</NumeroNFe></NFSe>')).toEqual([]);
    expect(readDocuments('<nfeProc/>')).toEqual([]);
  });

  it('takes several, one after the other and in one envelope, in order', () => {
    const second = note({ header: '<mod>65</mod><nNF>2</nNF>' });
    const numbers = (xml: string) => readDocuments(xml).map(({ kind, number }) => `${kind} ${number}`);
    expect(numbers(`<?xml version="1.0"?>${note()}\n<?xml version="1.0"?>${second}`)).toEqual([
      'nfe 123',
      'nfce 2',
    ]);
    expect(numbers(`<lote>${note()}${second}</lote>`)).toEqual(['nfe 123', 'nfce 2']);
  });

  it('has its key without prefix, or from the protocol', () => {
    expect(one(note({ id: noteKey })).key).toBe(noteKey);
    expect(one(note().replace(/ Id="[^"]*"/, '')).key).toBe(noteKey);
  });

  it.each([
    ['100', 'authorized'],
    ['120', 'authorized'],
    ['150', 'authorized'],
    ['101', 'cancelled'],
    ['151', 'cancelled'],
    ['155', 'cancelled'],
    ['110', 'denied'],
    ['205', 'denied'],
    ['301', 'denied'],
    ['302', 'denied'],
    ['303', 'denied'],
    ['204', 'unknown'],
  ])('with cStat %s is %s', (code, status) => {
    const beside = `<protNFe><infProt><cStat>${code}</cStat></infProt></protNFe>`;
    expect(one(note({ beside })).status).toBe(status);
  });

  it.each([
    ['a registered cancellation', '110111', '135', noteKey, 'cancelled'],
    ['one by substitution', '110112', '136', noteKey, 'cancelled'],
    ['one out of time', '110111', '155', noteKey, 'cancelled'],
    ['a refused one', '110111', '573', noteKey, 'authorized'],
    ['one of another note', '110111', '135', '1'.repeat(44), 'authorized'],
    ['another event', '110110', '135', noteKey, 'authorized'],
  ])('with %s beside it', (_, code, status, key, expected) => {
    const receipt = `<infEvento><chNFe>${key}</chNFe><tpEvento>${code}</tpEvento><cStat>${status}</cStat></infEvento>`;
    const protocol = '<protNFe><infProt><cStat>100</cStat></infProt></protNFe>';
    const request = `<evento><infEvento><tpEvento>${code}</tpEvento><detEvento><xJust>erro no pedido</xJust></detEvento></infEvento></evento>`;
    for (const beside of [
      `<retEvento>${receipt}</retEvento>`,
      `<retEnvEvento><cStat>128</cStat><retEvento>${receipt}</retEvento></retEnvEvento>`,
      `<envEvento>${request}</envEvento><retEnvEvento><retEvento>${receipt}</retEvento></retEnvEvento>`,
      `<retConsSitNFe><cStat>101</cStat><procEventoNFe>${request}<retEvento>${receipt}</retEvento></procEventoNFe></retConsSitNFe>`,
      `<procEventoNFe>${request}<retEvento>${receipt}</retEvento></procEventoNFe>`,
    ]) {
      expect(one(note({ beside: protocol + beside })).status).toBe(expected);
    }
  });

  it('has its cancellation in whatever stands around a CT-e, too', () => {
    const key = completeAccessKey('3526111122233300018157001000000123110000000');
    const receipt = `<infEvento><chCTe>${key}</chCTe><tpEvento>110111</tpEvento><cStat>135</cStat></infEvento>`;
    const beside = `<retEnvEvento><retEventoCTe>${receipt}</retEventoCTe></retEnvEvento>`;
    const xml = `<cteProc><CTe><infCte Id="CTe${key}"><ide><mod>57</mod></ide></infCte></CTe>${beside}</cteProc>`;
    expect(one(xml)).toMatchObject({ key, status: 'cancelled', event: { code: '110111' } });
  });

  it.each([
    ['110110', 'authorized'],
    ['110111', 'cancelled'],
  ])('takes the code %s from the request where the receipt leaves it out', (code, status) => {
    const beside =
      '<protNFe><infProt><cStat>100</cStat></infProt></protNFe>' +
      `<procEventoNFe><evento><infEvento><chNFe>${noteKey}</chNFe><tpEvento>${code}</tpEvento></infEvento></evento>` +
      `<retEvento><infEvento><cStat>135</cStat><chNFe>${noteKey}</chNFe></infEvento></retEvento></procEventoNFe>`;
    expect(one(note({ beside }))).toMatchObject({ status, events: [{ code }] });
  });

  it('is cancelled by the receipt of layouts before events, which names no event', () => {
    const receipt = (status: string) =>
      `<retCancNFe><infCanc><cStat>${status}</cStat><chNFe>${noteKey}</chNFe></infCanc></retCancNFe>`;
    const protocol = '<protNFe><infProt><cStat>100</cStat></infProt></protNFe>';
    expect(one(note({ beside: protocol + receipt('101') })).status).toBe('cancelled');
    expect(one(note({ beside: protocol + receipt('218') })).status).toBe('cancelled');
    expect(one(note({ beside: protocol + receipt('220') })).status).toBe('authorized');
  });

  // NT 2026.002 v1.11: up to five pairs of which the code may be missing, in the order of the file.
  it('authorised with alerts has them as warnings', () => {
    const protocol = (code: string) =>
      `<protNFe><infProt><cStat>${code}</cStat><cMsg>172</cMsg><xMsg>CNPJ do destinatario irregular</xMsg>` +
      '<xMsg>Segundo alerta</xMsg><cMsg>9</cMsg><xMsg>Terceiro</xMsg></infProt></protNFe>';
    const { status, warnings } = one(note({ beside: protocol('120') }));
    expect(status).toBe('authorized');
    expect(warnings.map(({ code, values }) => [code, values.found])).toEqual([
      ['authorization_alert', '172: CNPJ do destinatario irregular'],
      ['authorization_alert', 'Segundo alerta'],
      ['authorization_alert', '9: Terceiro'],
    ]);
    // With 100 the same fields hold the tax office's campaigns.
    expect(one(note({ beside: protocol('100') })).warnings).toEqual([]);
  });

  it('of an unknown status says what its protocol says', () => {
    const beside =
      '<protNFe><infProt><cStat>177</cStat><xMotivo>Autorizado de um modo novo</xMotivo></infProt></protNFe>';
    expect(one(note({ beside })).warnings).toEqual([
      { code: 'status_unknown', values: { found: '177 Autorizado de um modo novo' } },
    ]);
  });

  it('with the request to cancel alone is not cancelled', () => {
    const beside =
      '<protNFe><infProt><cStat>100</cStat></infProt></protNFe>' +
      '<evento><infEvento><tpEvento>110111</tpEvento></infEvento></evento>';
    expect(one(note({ beside })).status).toBe('authorized');
  });

  it('takes a foreign recipient, also one without a number', () => {
    const foreign = (id: string) => `<dest>${id}<xNome>ACME</xNome><enderDest><UF>EX</UF></enderDest></dest>`;
    expect(one(note({ recipient: foreign('<idEstrangeiro>X1</idEstrangeiro>') })).recipient).toMatchObject({
      id: 'X1',
      id_type: 'foreign',
    });
    const { recipient, warnings } = one(note({ recipient: foreign('<idEstrangeiro/>') }));
    expect(recipient).toEqual({ id_type: 'foreign', name: 'ACME', state: 'EX' });
    expect(warnings).toEqual([]);
  });

  it('keeps a CPF of twelve digits as it is, with a remark', () => {
    const { recipient, warnings } = one(note({ recipient: '<dest><CPF>052998224725</CPF></dest>' }));
    expect(recipient).toEqual({ id: '052998224725', id_type: 'cpf' });
    expect(warnings).toEqual([{ code: 'recipient_id', values: { found: '052998224725' } }]);
  });

  it('reads references, payments, installments, orders and withheld taxes', () => {
    const document = one(
      note({
        header: `<mod>55</mod><nNF>1</nNF><NFref><refNFe>${noteKey}</refNFe></NFref><NFref><refNF><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>2</serie><nNF>77</nNF></refNF></NFref>`,
        items: item(1, '10.00', '', '<xPed>PC-9</xPed><nItemPed>3</nItemPed>'),
        totals:
          '<ICMSTot><vProd>10.00</vProd><vNF>10.00</vNF></ICMSTot><retTrib><vRetPIS>0.07</vRetPIS><vIRRF>0.15</vIRRF></retTrib>',
        rest: '<cobr><dup><nDup>001</nDup><dVenc>2026-12-05</dVenc><vDup>10.00</vDup></dup></cobr><pag><detPag><indPag>1</indPag><tPag>15</tPag><vPag>10.00</vPag></detPag></pag>',
      }),
    );
    expect(document.references).toEqual([
      { key: noteKey },
      { model: '01', series: '2', number: '77', issuer: '11222333000181' },
    ]);
    expect(document.items[0]).toMatchObject({ order: 'PC-9', order_line: '3' });
    expect(document.installments).toEqual([{ number: '001', due: '2026-12-05', amount: '10.00' }]);
    expect(document.payments).toEqual([{ timing: '1', method: '15', amount: '10.00' }]);
    expect(document.totals.withheld).toBe('0.22');
  });

  it('says how far the operation reaches (idDest), where the layout has it', () => {
    expect(one(note({ header: '<mod>55</mod><nNF>1</nNF><tpNF>1</tpNF><idDest>2</idDest>' })).reach).toBe(
      '2',
    );
    expect(one(note()).reach).toBeUndefined();
  });

  it('of layout 2.00 has a date without time and payment inside the group itself', () => {
    const document = one(
      note({
        header: '<mod>55</mod><nNF>1</nNF><dEmi>2013-05-02</dEmi><dSaiEnt>2013-05-03</dSaiEnt>',
        rest: '<pag><tPag>01</tPag><vPag>10.00</vPag></pag>',
      }),
    );
    expect(document).toMatchObject({ issued_at: '2013-05-02', moved_at: '2013-05-03' });
    expect(document.payments).toEqual([{ method: '01', amount: '10.00' }]);
  });
});

describe('abridged notes and events', () => {
  it.each([
    ['1', 'authorized'],
    ['2', 'denied'],
    ['3', 'cancelled'],
    ['9', 'unknown'],
    ['constructor', 'unknown'],
  ])('resNFe with situation %s is %s', (situation, status) => {
    const xml = `<resNFe versao="1.01"><chNFe>${noteKey}</chNFe><CNPJ>11222333000181</CNPJ><xNome>X</xNome><vNF>10.00</vNF><nProt>1</nProt><cSitNFe>${situation}</cSitNFe></resNFe>`;
    expect(one(xml)).toMatchObject({
      kind: 'summary',
      layout: 'nfe summary 1.01',
      key: noteKey,
      status,
      issuer: { id: '11222333000181' },
      totals: { total: '10.00' },
      protocol: { number: '1' },
    });
  });

  it('an event of the national NFS-e has its code in the Id', () => {
    const key = '21113002200574753000100000000000146726037032711025';
    const xml =
      `<evento versao="1.01"><infEvento Id="EVT${key}101101001"><dhProc>2026-03-04T00:00:00-03:00</dhProc><pedRegEvento><infPedReg>` +
      `<tpAmb>1</tpAmb><dhEvento>2026-03-03T00:00:00-03:00</dhEvento><CNPJAutor>00574753000100</CNPJAutor><chNFSe>${key}</chNFSe>` +
      '<e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>1</cMotivo><xMotivo>Erro na emissao</xMotivo></e101101></infPedReg></pedRegEvento></infEvento></evento>';
    const document = one(xml);
    expect(document).toMatchObject({
      kind: 'event',
      key,
      status: 'authorized',
      environment: 'production',
      event: {
        code: '101101',
        name: 'Cancelamento de NFS-e',
        text: 'Erro na emissao',
        author: '00574753000100',
      },
    });
    expect(document.warnings).toEqual([]);
  });

  it('a receipt alone is an event that was answered', () => {
    const xml = `<retEnvEvento><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>573</cStat><chNFe>${noteKey}</chNFe><tpEvento>210200</tpEvento></infEvento></retEvento></retEnvEvento>`;
    expect(one(xml)).toMatchObject({
      kind: 'event',
      status: 'unknown',
      protocol: { code: '573' },
      event: { code: '210200' },
    });
  });
});

describe('the reader in a stream', () => {
  it('says where each document begins, so that its own text can be kept', () => {
    const text = `<lote><NFSe><NumeroNFe>1</NumeroNFe></NFSe>${note()}<x/>${note()}</lote>`;
    for (let cut = 1; cut < text.length; cut += 7) {
      const found: string[] = [];
      const documents = createDocumentReader(
        (_, start) => found.push(text.slice(start, reader.position)),
        () => reader.tagStart,
      );
      const reader = createXmlReader(documents);
      reader.write(text.slice(0, cut));
      if (cut < '<lote>'.length) expect(documents.startedAt).toBeUndefined();
      reader.write(text.slice(cut));
      reader.end();
      expect(found).toEqual([note(), note()]);
      expect(documents.startedAt).toBeUndefined();
    }
  });

  it('says what it cannot read: a known layout that is none of its own, a layout without a number', () => {
    const inside = '<a><b>1</b></a>';
    const text =
      `<lote>${note()}<mdfeProc>${inside}</mdfeProc><tbnfd>${inside}</tbnfd><resNFe><vNF>1.00</vNF></resNFe>` +
      `<NFS-e>${note()}</NFS-e>${note()}</lote>`;
    const found: string[] = [];
    const documents = createDocumentReader(
      () => found.push('read'),
      () => reader.tagStart,
      ({ root, family, reason }, start) =>
        found.push(`${root} ${family} ${reason} ${text.slice(start, reader.position).length}`),
    );
    const reader = createXmlReader(documents);
    reader.write(text);
    reader.end();
    const length = (xml: string) => String(xml.length);
    expect(found).toEqual([
      'read',
      `mdfeProc MDF-e layout ${length(`<mdfeProc>${inside}</mdfeProc>`)}`,
      `tbnfd NFS-e SmarAPD layout ${length(`<tbnfd>${inside}</tbnfd>`)}`,
      `resNFe undefined identity ${length('<resNFe><vNF>1.00</vNF></resNFe>')}`,
      `NFS-e NFS-e Infisc layout ${length(`<NFS-e>${note()}</NFS-e>`)}`,
      'read',
    ]);
    expect(documents.startedAt).toBeUndefined();
  });

  it('knows what may be a root, and not by inheritance', () => {
    expect(['nfeProc', 'CompNfse', 'resNFe', 'cteOSProc'].every(isDocumentRoot)).toBe(true);
    expect(['constructor', '__proto__', 'Envelope', 'retChavesNfe', ''].some(isDocumentRoot)).toBe(false);
    expect(['NFSe', 'Nota', 'nfse'].every((name) => isDocumentRoot(name) && mayBeWrapper(name))).toBe(true);
    expect(['NFe', 'CompNfse', 'mdfeProc', 'constructor'].some(mayBeWrapper)).toBe(false);
    expect(['tbnfd', 'NFe', 'constructor'].map(unreadFamily)).toEqual([
      'NFS-e SmarAPD',
      undefined,
      undefined,
    ]);
    expect(readDocuments('<constructor><__proto__/></constructor>')).toEqual([]);
    expect(readDocuments('<NFe><constructor/></NFe>')).toEqual([]);
  });
});
