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

/** The texts of each page of a report with so many notes in its table. */
async function pagesOf(notes: number, changed: Partial<Report> = {}): Promise<string[]> {
  const columns: Table['columns'] = [
    { name: 'note', heading: 'Note', kind: 'text', place: 'name' },
    { name: 'total', heading: 'Total, R$', kind: 'money', place: 'value' },
    { name: 'key', heading: '', kind: 'key', place: 'below' },
  ];
  const rows = Array.from({ length: notes }, (_, at) => ({
    cells: { note: `${at} ${NAME}`, total: '1.00', key: String(at).padStart(44, '7') },
  }));
  const blocks: Table[] = [{ layout: 'rows', caption: 'Notes', columns, rows }];
  const long = { ...report, ...changed, sections: [{ id: 'one', number: 1, title: 'Section', blocks }] };
  const pages = sheetText(await reportPdf(long, new Date(0))).split('\f');
  return pages.filter((page) => page.trim() !== '').map((page) => page.replace(/\s+/g, ' '));
}

it('a table over many pages has its headings, its keys whole, and a number on each of them', async () => {
  const pages = await pagesOf(100);
  expect(pages.length).toBeGreaterThan(2);
  pages.forEach((page, at) => {
    expect(page).toContain(`${at + 1} of ${pages.length}`);
    if (/7{4}/.test(page)) expect(page).toContain('Note Total, R$');
  });
  expect(pages.join(' ').match(/(?:\d{4} ){11}/g)).toHaveLength(100);
});

it('a signature has its room and its line on its own page, however long the report is', async () => {
  for (let notes = 15; notes < 29; notes += 1) {
    const last = (await pagesOf(notes)).at(-1);
    expect(last).toMatch(/_{20,} Prepared by Name/);
  }
});

it('a long name leaves the tax id in the head and the number at the foot', async () => {
  const name = `Ltda ${'W'.repeat(115)}`;
  const [page = ''] = await pagesOf(1, { company: { name, id: report.company.id }, foot: 'W'.repeat(100) });
  expect(page).toContain(report.company.id);
  expect(page).toMatch(/Ltda W+\.{3}/);
  expect(page).toMatch(/^W+\.{3} /);
});

it('a report is the same bytes again, and its outline names the sections', async () => {
  const [one, other] = await Promise.all([0, 0].map((date) => reportPdf(report, new Date(date))));
  expect(other).toEqual(one);
  expect(Buffer.from(one ?? []).toString('latin1')).toContain('/Title (1 Section)');
});

it('the hidden rows of a group include those without a row', async () => {
  const group = { heading: 'Group', sum: AMOUNT, total: 300, count: '300 notes', shown: 1 };
  const grouped = { ...table, rows: [], groups: [{ ...group, rows: [row('One'), row('Two')] }] };
  const sections = [{ id: 'one', title: 'Section', blocks: [grouped] }];
  expect(sheetText(await reportPdf({ ...report, sections }, new Date(0)))).toContain('299 more');
});
