import { describe, expect, it } from 'vitest';
import { printable } from '../../src/sheets/draw/fitting.ts';
import { pdfFaults } from '../support/pdf-text.ts';
import { dense, pageCount } from '../support/sheet-reader.ts';
import { turnsDuring } from '../support/turns.ts';
import { drawn, render } from './drawn.ts';

const key = '35261122617598000103550010000206041792226472';

const authorized = `<protNFe><infProt><tpAmb>1</tpAmb><chNFe>${key}</chNFe><dhRecbto>2026-11-05T10:00:00-03:00</dhRecbto><nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe>`;

/** A small note in which each test changes one thing. */
function note({
  ide = '<tpAmb>1</tpAmb><tpEmis>1</tpEmis>',
  name = 'Fornecedor Ltda',
  recipient = 'Cliente Ltda',
  items = ['Parafuso'],
  remarks = '',
  supplement = '',
  protocol = authorized,
} = {}): string {
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

describe('the sheet of an invalid document never looks valid', () => {
  it('has nothing across it for an authorised note, and shows its protocol', async () => {
    const { marks, dense: text } = await drawn(note());
    expect(marks).toEqual([]);
    expect(text).toContain('135260000000001-05/11/202610:00:00');
  });

  const underProtocol = (from: string, to: string) => note({ protocol: authorized.replace(from, to) });
  it.each([
    ['no protocol', note({ protocol: '' }), 'NÃO AUTORIZADA'],
    ['the test environment', note({ ide: '<tpAmb>2</tpAmb>' }), 'SEM VALOR FISCAL'],
    ['a protocol of the test environment', underProtocol('<tpAmb>1', '<tpAmb>2'), 'SEM VALOR FISCAL'],
    ['no environment', note({ ide: '' }), 'AMBIENTE NÃO INFORMADO'],
    ['a denied use', underProtocol('<cStat>100', '<cStat>302'), 'USO DENEGADO'],
    ['a rejection', underProtocol('<cStat>100', '<cStat>539'), 'SITUAÇÃO DESCONHECIDA'],
    ["another note's protocol", underProtocol(key, key.replace(/^35/, '41')), 'PROTOCOLO DE OUTRO DOCUMENTO'],
    ['nothing in a note', '<NFe><infNFe Id="NFe35"><ide><nNF>1</nNF></ide></infNFe></NFe>', 'NÃO AUTORIZADA'],
    ['nothing in a CT-e', '<CTe><infCte Id="CTe35"><ide><nCT>1</nCT></ide></infCte></CTe>', 'NÃO AUTORIZADO'],
    ['nothing in an NFS-e', '<NFSe><infNFSe Id="NFS1"><nNFSe>1</nNFSe></infNFSe></NFSe>', 'NÃO AUTORIZADA'],
  ])('says across it that there is %s', async (_, xml, mark) => {
    const { bytes, marks, dense: text } = await drawn(xml);
    expect(pdfFaults(bytes)).toEqual([]);
    expect(marks).toContain(mark);
    expect(text).toContain(dense(mark));
  });

  it('is cancelled by an event that came apart, on every page', async () => {
    const xml = note({ items: Array(200).fill('Parafuso') });
    const { bytes, dense: text } = await drawn(xml, { status: 'cancelled' });
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
    const events = [{ code, at: '2026-02-01T10:00:00-03:00' }];
    expect((await render(xml, { status: 'cancelled', events }))?.marks).toEqual([mark]);
  });

  it('has the sentences for absent parties and values', async () => {
    const { dense: text } = await drawn(xml);
    const sentences = [
      'TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
      'TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN',
    ];
    expect(sentences.filter((sentence) => !text.includes(dense(sentence)))).toEqual([]);
  });
});

it.each([
  [
    // State, tpEmis 5, recipient, 1.234,56, no ICMS, no ICMS-ST, day 05, and the modulo 11 of all that, worked out apart.
    'on security paper',
    '<tpEmis>5</tpEmis><dhCont>2026-11-05T09:00:00-03:00</dhCont><xJust>Sem internet no faturamento</xJust>',
    [
      'DANFE em Contingência - impresso em decorrência de problemas técnicos',
      'DADOS DA NF-E 355481520360001170000000012345622059',
      'Motivo: Sem internet no faturamento',
    ],
  ],
  ['by an event (EPEC)', '<tpEmis>4</tpEmis>', ['EPEC regularmente recebido pela Receita Federal do Brasil']],
])('a contingency %s has its sentence, and its code', async (_, ide, words) => {
  const { dense: text } = await drawn(note({ ide: `<tpAmb>1</tpAmb>${ide}` }));
  expect(words.filter((one) => !text.includes(dense(one)))).toEqual([]);
});

describe('whatever a document holds', () => {
  it('a thousand items are all there, on numbered sheets that repeat the head, drawn in turns with all else', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => `Produto número ${i + 1}`);
    const xml = note({ items });
    const { bytes, dense: text } = await drawn(xml);
    expect(pdfFaults(bytes)).toEqual([]);
    const pages = pageCount(bytes);
    expect(pages).toBeGreaterThan(10);
    expect(items.filter((name) => !text.includes(dense(name)))).toEqual([]);
    for (const page of [1, 2, pages]) expect(text).toContain(`FOLHA${page}/${pages}`);
    expect(text.split(dense(key.match(/.{4}/g)?.join(' ') ?? '')).length - 1).toBe(pages);
    // Its rows, its pages and its text go by in parts.
    expect(await turnsDuring(() => render(xml))).toBeGreaterThanOrEqual(12);
  });

  it('more elements than any document has, and a text that is cut off, are errors', async () => {
    const xml = note({ remarks: 'x' });
    const long = xml.replace('<infCpl>x', `<infCpl>${'<a/>'.repeat(300_000)}`);
    await expect(render(long, { xml })).rejects.toMatchObject({ name: 'XmlError', reason: 'too_long' });
    await expect(render(xml.slice(0, -40), { xml })).rejects.toMatchObject({ name: 'XmlError' });
  });

  it('a name of ten thousand characters is cut with an ellipsis and takes no more room', async () => {
    const long = 'Nome Muito Comprido '.repeat(500);
    const { bytes, text } = await drawn(note({ name: long, recipient: long, items: [long] }));
    expect(pdfFaults(bytes)).toEqual([]);
    expect([pageCount(bytes), text.includes('...'), text.length < 10_000]).toEqual([1, true, true]);
    expect(dense(text)).toContain('NomeMuitoComprido');
    // Of a field in one line, which is set no smaller than its form allows.
    const ide = `<tpAmb>1</tpAmb><natOp>${long}</natOp>`;
    expect((await drawn(note({ ide }))).text).toContain('...');
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
    for (const shown of ['ABC(D)\\EFG<b>H', '?', 'caj']) expect(text).toContain(shown);
  });

  it('codes that are names of properties are texts like others', async () => {
    const { dense: text } = await drawn(
      '<CTe><infCte Id="CTe35"><ide><nCT>1</nCT><tpEmis>constructor</tpEmis><modal>constructor</modal></ide></infCte></CTe>',
    );
    expect(text).toContain(dense('Consulta de autenticidade no portal nacional do CT-e'));
  });

  it('an address that is too long for a QR code, and a key that is none, leave their places empty', async () => {
    const supplement = `<infNFeSupl><qrCode>https://x/${'a'.repeat(5000)}</qrCode></infNFeSupl>`;
    const xml = note({ supplement }).replaceAll(key, 'não é uma chave');
    expect(pdfFaults((await drawn(xml)).bytes)).toEqual([]);
  });

  it('the same document is the same bytes', async () => {
    const [one, two] = [await drawn(note()), await drawn(note())];
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0);
  });
});

it.each([
  [
    'an event',
    `<procEventoNFe><evento><infEvento><chNFe>${key}</chNFe><tpEvento>110111</tpEvento></infEvento></evento></procEventoNFe>`,
  ],
  ['a summary', `<resNFe><chNFe>${key}</chNFe><xNome>A</xNome><vNF>1.00</vNF></resNFe>`],
])('%s has no sheet', async (_, xml) => {
  expect(await render(xml)).toBeUndefined();
});

it.each([
  ['São Paulo – “aspas” … € 10', 'São Paulo – “aspas” … € 10'],
  ['linha\num\tdois', 'linha um dois'],
  ['Dvořák ﬁm', 'Dvorák fim'],
  ['日本 😀', '?? ?'],
])('the text %o is printed as %o', (text, expected) => {
  expect(printable(text)).toBe(expected);
});
