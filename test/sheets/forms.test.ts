import { describe, expect, it } from 'vitest';
import { note } from '../documents/inline-notes.ts';
import { sampleText as sample } from '../documents/samples.ts';
import { dense } from '../support/sheet-reader.ts';
import { drawn } from './drawn.ts';

it.each([
  [
    'an NFC-e',
    'nfe/nfce-mod65-3itens-cdata.xml',
    'DANFE NFC-e|VALOR A PAGAR|FORMA DE PAGAMENTO|CSOSN|Consulte',
    'TRANSPORTADOR|0 - ENTRADA|DESTINATÁRIO / REMETENTE|DATA DE RECEBIMENTO',
  ],
  [
    'a CT-e, with the parties that it does not name',
    'cte/cteProc-producao-4840.xml',
    'EXPEDIDOR|RECEBEDOR|ICMS ST|USO EXCLUSIVO DO EMISSOR DO CT-E|RNTRC DA EMPRESA',
    'xNome|infModal',
  ],
  [
    'a municipal note, its fields by name and its cities, too',
    'nfse/abrasf1-gerarNfse-bom.xml',
    'Espelho da NFS-e|Rio de Janeiro/RJ (3304557)|Prestador do serviço|RETENÇÕES (CALCULADO) 180,00',
    'InfNfse|CompNfse|PrestadorServico|/Valores/',
  ],
])('a sheet has the form of %s', async (_, path, has, lacks) => {
  const { dense: text } = await drawn(sample(path));
  const shown = (words: string) => words.split('|').filter((one) => text.includes(dense(one)));
  expect([shown(has), shown(lacks)]).toEqual([has.split('|'), []]);
});

it('a DANFE has a heading for CST or CSOSN, as its items have', async () => {
  const three = sample('nfe/nfe-3itens-2018.xml');
  const simples = three.replace(/<CST>\d\d<\/CST>(?=.*?<\/ICMS)/gs, '<CSOSN>102</CSOSN>');
  expect((await drawn(three)).dense).not.toContain('CSOSN');
  expect((await drawn(simples)).dense).toContain('NCM/SHCSOSN');
});

it('a DACTE of a simplified CT-e has each delivery with what belongs to it, and names the CT-e that it replaces', async () => {
  const xml = sample('cte/cte-simplificado-substituto.xml');
  const { dense: text } = await drawn(xml);
  const deliveries = [...xml.matchAll(/<(?:xMunFim|chNFe|chCTe)>([^<]+)(?=.*<infModal)/gs)];
  const places = deliveries.map(([, value = '']) => text.indexOf(dense(value)));
  expect(places).toHaveLength(8);
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const [, replaced = ''] = /<chCte>(\d+)/.exec(xml) ?? [];
  for (const words of [
    'DACTE SIMPLIFICADO',
    'PEDAGIO: 45,67',
    `CT-E SUBSTITUÍDO ${replaced}`,
    'Substituto simplificado',
  ])
    expect(text).toContain(dense(words));
});

describe('the total withheld of a national note', () => {
  const note = sample('nfse/nacional-retorno-ibscbs-2025-12.xml').replace(/<vTotalRet>.*?<\/vTotalRet>/, '');
  const withIss = note.replace(/<tpRetISSQN>\d<\/tpRetISSQN>/, '<tpRetISSQN>2</tpRetISSQN>');
  const iss = /<vISSQN>([\d.]+)<\/vISSQN>/.exec(note)?.[1] ?? '';

  it('is the sum of its parts, and marked as one, where the note does not say it', async () => {
    const { dense } = await drawn(withIss);
    expect(iss).toMatch(/^\d+\.\d{2}$/);
    expect(dense).toContain(`R$${iss.replace('.', ',')}(calculado)`);
  });

  it('is as the note says it, and nothing where nothing is withheld', async () => {
    const given = withIss
      .replace('</vLiq>', '</vLiq>')
      .replace('<vLiq>', '<vTotalRet>7.00</vTotalRet><vLiq>');
    expect((await drawn(given)).dense).toContain('R$7,00');
    for (const one of [given, note]) expect((await drawn(one)).dense).not.toContain('(calculado)');
  });
});

const header = (more: string) =>
  '<cUF>35</cUF><natOp>AJUSTE</natOp><mod>55</mod><serie>1</serie><nNF>123</nNF><dhEmi>2026-11-05T10:00:00-03:00</dhEmi>' +
  `<tpNF>0</tpNF><tpAmb>1</tpAmb>${more}`;

it.each([
  ['<finNFe>5</finNFe><tpNFCredito>04</tpNFCredito>', 'Nota de crédito: 04 - redução de valores'],
  ['<finNFe>6</finNFe><tpNFDebito>06</tpNFDebito>', 'Nota de débito: 06 - pagamento antecipado'],
  // A type of a later note is shown as it is.
  ['<finNFe>6</finNFe><tpNFDebito>09</tpNFDebito>', 'Nota de débito: 09'],
])('a DANFE says of which type an adjustment is: %s', async (more, words) => {
  expect((await drawn(note({ header: header(more) }))).dense).toContain(dense(words));
});

it('a DANFE names the payments linked to its note, and no type of a usual one', async () => {
  const links =
    '<gPgtoVinc><gPgto nPag="1" idTransacao="E2E123"><tpMeioPgto>17</tpMeioPgto></gPgto></gPgtoVinc>';
  const sheet = await drawn(note({ rest: links }));
  expect(sheet.dense).toContain(dense('Pagamento vinculado: transação E2E123'));
  expect(sheet.dense).not.toMatch(/Notade(?:crédito|débito)/);
});
