import { expect, it } from 'vitest';
import type { Row, Table } from '../../src/page/page.ts';
import type { Report } from '../../src/report/model.ts';
import { reportPdf } from '../../src/report/pdf.ts';
import { sheetText } from '../support/sheet-reader.ts';

const NAME = 'Comercial Encontro das Águas Materiais Elétricos Ltda';
const AMOUNT = '123456789012.34';
const amounts = Array.from({ length: 8 }, (_, at) => `amount${at}`);
const row = (name: string): Row => ({
  cells: { name, ...Object.fromEntries(amounts.map((one) => [one, AMOUNT])) },
});

const table: Table = {
  layout: 'plain',
  caption: 'Table',
  columns: [
    { name: 'name', heading: 'Name', kind: 'text', place: 'name' },
    ...amounts.map((name) => ({ name, heading: name, kind: 'money', place: 'value' }) as const),
  ],
  rows: [row(NAME)],
  total: row('Total'),
};

const report: Report = {
  language: 'pt-BR',
  answer: 'Answer',
  company: { id: '11.222.333/0001-81' },
  title: 'Title',
  summary: 'Summary',
  warnings: ['Days are missing'],
  figures: [{ label: 'Purchases', value: '−1,00', remark: 'Remark' }],
  sections: [{ id: 'one', number: 1, title: 'Section', blocks: [table, 'Small print'] }],
  signatures: [{ label: 'Prepared by', hint: 'Name' }],
  foot: 'Foot',
  pageOf: '{page} of {pages}',
  more: '{count} more',
};

it('a report says everything, its page numbers and a minus included', async () => {
  const text = sheetText(await reportPdf(report, new Date(0)));
  for (const words of [
    'Title',
    'Summary',
    'Days are missing',
    'Remark',
    '1 Section',
    'Small print',
    'Foot',
    '1 of 1',
  ])
    expect(text.replace(/\s+/g, ' ')).toContain(words);
  expect(text).toContain('–1,00');
  expect(text).not.toContain('?');
});

it('many wide amounts leave room for a name, and neither is cut', async () => {
  const text = sheetText(await reportPdf(report, new Date(0))).replace(/\s+/g, ' ');
  expect(text).not.toContain('...');
  expect(text.match(/123\.456\.789\.012,34/g)).toHaveLength(16);
  for (const word of NAME.split(' ')) expect(text).toContain(word);
});
