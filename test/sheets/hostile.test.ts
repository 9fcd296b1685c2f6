import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { printable } from '../../src/sheets/draw/fitting.ts';
import { renderSheet } from '../../src/sheets/render.ts';
import { pdfFaults } from '../support/pdf-text.ts';
import { pageCount } from '../support/sheet-reader.ts';
import { turnsDuring } from '../support/turns.ts';
import { dense, drawn } from './drawn.ts';

/** Rows drawn between two turns. */
const MOST_ROWS_IN_ONE_GO = 150;

const key = '35261122617598000103550010000206041792226472';

interface Note {
  readonly ide?: string;
  readonly name?: string;
  readonly recipient?: string;
  readonly items?: readonly string[];
  readonly remarks?: string;
  readonly supplement?: string;
  readonly protocol?: string;
}

const authorized = `<protNFe><infProt><tpAmb>1</tpAmb><chNFe>${key}</chNFe><dhRecbto>2026-11-05T10:00:00-03:00</dhRecbto><nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe>`;

/** A small note of which each test changes one thing. */
function note({
  ide = '<tpAmb>1</tpAmb><tpEmis>1</tpEmis>',
  name = 'Fornecedor Ltda',
  recipient = 'Cliente Ltda',
  items = ['Parafuso'],
  remarks = '',
  supplement = '',
  protocol = authorized,
}: Note): string {
  const lines = items.map(
    (description, i) =>
      `<det nItem="${i + 1}"><prod><cProd>P${i + 1}</cProd><xProd>${description}</xProd><NCM>73181500</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>1.0000000000</vUnCom><vProd>1.00</vProd></prod></det>`,
  );
  return (
    `<nfeProc><NFe><infNFe Id="NFe${key}" versao="4.00"><ide><cUF>35</cUF><mod>55</mod><serie>1</serie><nNF>20604</nNF><dhEmi>2026-11-05T09:58:00-03:00</dhEmi><tpNF>1</tpNF>${ide}</ide>` +
    `<emit><CNPJ>22617598000103</CNPJ><xNome>${name}</xNome></emit><dest><CNPJ>48152036000117</CNPJ><xNome>${recipient}</xNome></dest>` +
    `${lines.join('')}<total><ICMSTot><vICMS>0.00</vICMS><vST>0.00</vST><vNF>1234.56</vNF></ICMSTot></total><infAdic><infCpl>${remarks}</infCpl></infAdic></infNFe>${supplement}</NFe>${protocol}</nfeProc>`
  );
}

describe('a sheet never looks valid for what is not', () => {
  it('has nothing across it for an authorised note, and shows its protocol', async () => {
    const { marks, dense: text } = await drawn(note({}));
    expect(marks).toEqual([]);
    expect(text).toContain('135260000000001-05/11/202610:00:00');
  });

  it.each([
    ['no protocol', note({ protocol: '' }), 'NÃO AUTORIZADA'],
    ['the test environment', note({ ide: '<tpAmb>2</tpAmb>' }), 'SEM VALOR FISCAL'],
    [
      'a protocol of the test environment',
      note({ protocol: authorized.replace('<tpAmb>1', '<tpAmb>2') }),
      'SEM VALOR FISCAL',
    ],
    ['no environment', note({ ide: '' }), 'AMBIENTE NÃO INFORMADO'],
    ['a denied use', note({ protocol: authorized.replace('<cStat>100', '<cStat>302') }), 'USO DENEGADO'],
    [
      'a rejection',
      note({ protocol: authorized.replace('<cStat>100', '<cStat>539') }),
      'SITUAÇÃO DESCONHECIDA',
    ],
    [
      "another note's protocol",
      note({ protocol: authorized.replace(key, key.replace(/^35/, '41')) }),
      'PROTOCOLO DE OUTRO DOCUMENTO',
    ],
  ])('says across it that there is %s', async (_, xml, mark) => {
    const { marks, dense: text } = await drawn(xml);
    expect(marks).toContain(mark);
    expect(text).toContain(dense(mark));
  });

  it('is cancelled by an event that came apart, on every page', async () => {
    const { bytes, dense: text } = await drawn(note({ items: Array(200).fill('Parafuso') }), 'cancelled');
    expect(pageCount(bytes)).toBeGreaterThan(2);
    expect(text.match(/CANCELADA/g)?.length).toBe(pageCount(bytes));
  });
});

describe('a national NFS-e', () => {
  const xml =
    '<NFSe><infNFSe Id="NFS33033021211222333000181000000000001026010000010000"><nNFSe>10</nNFSe><cStat>100</cStat><dhProc>2026-01-15T14:30:00-03:00</dhProc><DPS><infDPS><tpAmb>1</tpAmb></infDPS></DPS></infNFSe></NFSe>';

  it.each([
    ['101101', 'CANCELADA'],
    ['105102', 'SUBSTITUÍDA'],
  ])('that event %s ended says %s across it', async (code, mark) => {
    const [summary] = readDocuments(xml);
    if (summary === undefined) throw new Error('not read');
    const events = [{ code, at: '2026-02-01T10:00:00-03:00' }];
    const sheet = await renderSheet({ xml, summary, status: 'cancelled', events });
    expect(sheet?.marks).toEqual([mark]);
  });

  it('has the sentences for who and what is not in it', async () => {
    const { dense: text } = await drawn(xml);
    for (const sentence of [
      'TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN',
    ]) {
      expect(text).toContain(dense(sentence));
    }
  });
});

describe('contingencies', () => {
  it('on security paper have their sentence and a second code of 36 positions', async () => {
    const ide =
      '<tpAmb>1</tpAmb><tpEmis>5</tpEmis><dhCont>2026-11-05T09:00:00-03:00</dhCont><xJust>Sem internet no faturamento</xJust>';
    const { dense: text } = await drawn(note({ ide }));
    expect(text).toContain(dense('DANFE em Contingência - impresso em decorrência de problemas técnicos'));
    // State, tpEmis 5, recipient, 1.234,56, no ICMS, no ICMS-ST, day 05, and the modulo 11 of all that, worked out apart.
    expect(text).toContain('DADOSDANF-E355481520360001170000000012345622059');
    expect(text).toContain(dense('Motivo: Sem internet no faturamento'));
  });

  it('told of before by an event say so', async () => {
    const { dense: text } = await drawn(note({ ide: '<tpAmb>1</tpAmb><tpEmis>4</tpEmis>' }));
    expect(text).toContain(dense('EPEC regularmente recebido pela Receita Federal do Brasil'));
  });
});

describe('whatever a document holds', () => {
  it('a thousand items are drawn while everything else has its turns', async () => {
    const xml = note({ items: Array(1000).fill('Parafuso') });
    const [summary] = readDocuments(xml);
    if (summary === undefined) throw new Error('not read');
    const turns = await turnsDuring(() => renderSheet({ xml, summary, status: 'authorized', events: [] }));
    // Its rows, its pages and its text go by in parts.
    expect(turns).toBeGreaterThanOrEqual(2 * Math.floor(1000 / MOST_ROWS_IN_ONE_GO));
  });

  it('more elements than any document has are refused, and not held', async () => {
    const xml = note({ remarks: 'x' });
    const [summary] = readDocuments(xml);
    if (summary === undefined) throw new Error('not read');
    const long = xml.replace('<infCpl>x', `<infCpl>${'<a/>'.repeat(300_000)}`);
    await expect(renderSheet({ xml: long, summary, status: 'authorized', events: [] })).rejects.toMatchObject(
      { name: 'XmlError', reason: 'too_long' },
    );
  });

  it('a thousand items are all there, on numbered sheets that repeat the head', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => `Produto número ${i + 1}`);
    const { bytes, dense: text } = await drawn(note({ items }));
    expect(pdfFaults(bytes)).toEqual([]);
    const pages = pageCount(bytes);
    expect(pages).toBeGreaterThan(10);
    expect(items.filter((name) => !text.includes(dense(name)))).toEqual([]);
    for (const page of [1, 2, pages]) expect(text).toContain(`FOLHA${page}/${pages}`);
    expect(text.split(dense(key.match(/.{4}/g)?.join(' ') ?? '')).length - 1).toBe(pages);
  });

  it('a name of ten thousand characters is cut with an ellipsis and takes no more room', async () => {
    const long = 'Nome Muito Comprido '.repeat(500);
    const { bytes, text, dense: joined } = await drawn(note({ name: long, recipient: long, items: [long] }));
    expect(pdfFaults(bytes)).toEqual([]);
    expect(pageCount(bytes)).toBe(1);
    expect(text).toContain('...');
    expect(joined).toContain('NomeMuitoComprido');
    expect(text.length).toBeLessThan(10_000);
  });

  it('remarks that have no room on the first sheet go on at the end', async () => {
    const sentences = Array.from({ length: 300 }, (_, i) => `Observação de número ${i + 1}.`);
    const { dense: text } = await drawn(note({ remarks: sentences.join(' ') }));
    expect(text).toContain(dense('INFORMAÇÕES COMPLEMENTARES (CONTINUAÇÃO)'));
    // The place where the text is divided shows a line twice, and none is left out.
    expect(sentences.filter((one) => !text.includes(dense(one))).length).toBeLessThanOrEqual(1);
  });

  it('control characters, brackets and signs of direction change nothing but themselves', async () => {
    const name = 'A&#9;B&#10;C(D)\\E\u202eF\u200bG&lt;b&gt;H';
    const { bytes, dense: text } = await drawn(note({ name, items: [`${name} \u{1f600} Ωmega čaj 日本`] }));
    expect(pdfFaults(bytes)).toEqual([]);
    expect(text).toContain('ABC(D)\\EFG<b>H');
    expect(text).toContain('?');
    expect(text).toContain('caj');
  });

  it.each([
    ['a note with nothing in it', '<NFe><infNFe Id="NFe35"><ide><nNF>1</nNF></ide></infNFe></NFe>'],
    ['a CT-e with nothing in it', '<CTe><infCte Id="CTe35"><ide><nCT>1</nCT></ide></infCte></CTe>'],
    ['a national NFS-e with nothing in it', '<NFSe><infNFSe Id="NFS1"><nNFSe>1</nNFSe></infNFSe></NFSe>'],
  ])('%s has a sheet, and it says that it is not authorised', async (_, xml) => {
    const { bytes, marks } = await drawn(xml);
    expect(pdfFaults(bytes)).toEqual([]);
    expect(marks.join()).toMatch(/NÃO AUTORIZAD[AO]/);
  });

  it('codes that are names of properties are texts like others', async () => {
    const carriage = `<CTe><infCte Id="CTe35"><ide><nCT>1</nCT><tpEmis>constructor</tpEmis><modal>constructor</modal></ide></infCte></CTe>`;
    expect((await drawn(carriage)).dense).toContain(
      dense('Consulta de autenticidade no portal nacional do CT-e'),
    );
  });

  it('an address that is too long for a QR code, and a key that is none, leave their places empty', async () => {
    const supplement = `<infNFeSupl><qrCode>https://x/${'a'.repeat(5000)}</qrCode></infNFeSupl>`;
    const xml = note({ supplement }).replaceAll(key, 'não é uma chave');
    expect(pdfFaults((await drawn(xml)).bytes)).toEqual([]);
  });

  it('the same document is the same bytes', async () => {
    const [one, two] = [await drawn(note({})), await drawn(note({}))];
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0);
  });
});

describe('what has no sheet', () => {
  it.each([
    [
      'an event',
      `<procEventoNFe><evento><infEvento><chNFe>${key}</chNFe><tpEvento>110111</tpEvento></infEvento></evento></procEventoNFe>`,
    ],
    ['a summary', `<resNFe><chNFe>${key}</chNFe><xNome>A</xNome><vNF>1.00</vNF></resNFe>`],
  ])('%s gives none', async (_, xml) => {
    const [summary] = readDocuments(xml);
    if (summary === undefined) throw new Error('not read');
    expect(await renderSheet({ xml, summary, status: summary.status, events: [] })).toBeUndefined();
  });

  it('a text that is cut off is an error, not half a sheet', async () => {
    const xml = note({});
    const [summary] = readDocuments(xml);
    if (summary === undefined) throw new Error('not read');
    await expect(
      renderSheet({ xml: xml.slice(0, -40), summary, status: summary.status, events: [] }),
    ).rejects.toThrow();
  });
});

describe('characters', () => {
  it.each([
    ['São Paulo – “aspas” … € 10', 'São Paulo – “aspas” … € 10'],
    ['linha\num\tdois', 'linha um dois'],
    ['Dvořák ﬁm', 'Dvorák fim'],
    ['日本 😀', '?? ?'],
  ])('%o is printed as %o', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});
