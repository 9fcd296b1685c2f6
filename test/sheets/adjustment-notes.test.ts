import { expect, it } from 'vitest';
import { note } from '../documents/inline-notes.ts';
import { dense, drawn } from './drawn.ts';

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
