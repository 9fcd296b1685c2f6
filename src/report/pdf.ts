import { drawSheet } from '../sheets/draw/draw-sheet.ts';
import { type Column, field, type TableBlock, textBlock } from '../sheets/sheet.ts';
import { type DrawnTable, drawnTable, type Report, type Section } from './model.ts';

/** Width of a digit and padding of a column, in per cent of the page. */
const DIGIT = 0.9;
const BESIDE = 1.6;
const OF_BAR = 8;
/** Widest column of unbroken text, in per cent. */
const WIDEST = 30;
/** Widest total of such columns beside columns of words; beyond it their text shrinks. */
const MOST_UNBROKEN = 75;
const MOST_LINES = 60;
/** Space to sign, with the line below it. */
const SIGN_HERE = `${'\n'.repeat(4)}${'_'.repeat(40)}`;

/** Sizes columns: unbroken ones to their longest text; columns of words share the rest. */
function columnsOf({ columns, rows, total }: DrawnTable): Column[] {
  const cells = [...rows, ...(total === undefined ? [] : [total])].flatMap((row) => row.cells);
  const widths = columns.map(({ form, heading }, at) => {
    if (form === 'text') return 0;
    const texts = cells.filter((cell) => cell.at === at && cell.span === 1);
    const longest = Math.max(
      heading.length,
      ...texts.map(({ text, detail = '' }) => text.length + detail.length),
    );
    return Math.min(WIDEST, longest * DIGIT + BESIDE + (form === 'share' ? OF_BAR : 0));
  });
  const words = columns.filter(({ form }) => form === 'text').length;
  const taken = widths.reduce((sum, width) => sum + width, 0);
  const scale = Math.min(1, (words > 0 ? MOST_UNBROKEN : 100) / taken);
  return columns.map(({ form, heading }, at) => {
    if (form === 'text') return { heading, width: (100 - taken * scale) / words, lines: MOST_LINES };
    const isAtRight = form === 'number' || form === 'share';
    return {
      heading,
      width: (widths[at] ?? 0) * scale,
      hasBars: form === 'share',
      ...(isAtRight && { align: 'right' }),
    };
  });
}

function tableOf(table: DrawnTable): TableBlock {
  const rows = [...table.rows, ...(table.total === undefined ? [] : [table.total])].map(
    ({ cells, isBold }) => ({
      cells: table.columns.map((_, at) => {
        const cell = cells.find((one) => one.at === at);
        return [cell?.text, cell?.detail].filter(Boolean).join(' ');
      }),
      details: cells.flatMap(({ key, below }) => [below, key].filter((one) => one !== undefined)),
      isBold,
      isUrgent: cells.some(({ isUrgent }) => isUrgent),
      span: cells[0]?.span ?? 1,
      bar: cells.find(({ bar }) => bar !== undefined)?.bar,
    }),
  );
  return { kind: 'table', title: table.caption ?? '', columns: columnsOf(table), rows };
}

function figuresTable(figures: Report['figures']): TableBlock {
  const width = 100 / figures.length;
  const columns = figures.map(({ label }) => ({ heading: label, width, lines: 3 }));
  const rows = [
    { cells: figures.map(({ value }) => value), isBold: true },
    { cells: figures.map(({ remark }) => remark) },
  ];
  return { kind: 'table', title: '', columns, rows };
}

const paragraph = (text: string, title?: string) =>
  textBlock(title, [field('', text, 100)], [text === '' ? 0 : 1, MOST_LINES]);

const sectionBlocks = ({ number, title, intro = '', blocks }: Section, report: Report) => [
  paragraph(intro, number === undefined ? title : `${number}  ${title}`),
  ...blocks.map((block) =>
    typeof block === 'string' ? paragraph(block) : tableOf(drawnTable(block, report)),
  ),
];

/** The report as a PDF on A4; the same report and date yield the same bytes. */
export function reportPdf(report: Report, date: Date): Promise<Uint8Array> {
  const { answer, company, title, summary, warnings, figures, sections, signatures, foot, pageOf, language } =
    report;
  const head = {
    title,
    subtitle: [],
    issuer: [company.name ?? '', company.id],
    facts: [],
    consultation: '',
    corner: [],
  };
  const blocks = [
    paragraph(summary),
    ...warnings.map((words) => paragraph(`! ${words}`)),
    figuresTable(figures),
    paragraph(''),
    ...sections.flatMap((section) => sectionBlocks(section, report)),
    textBlock(
      undefined,
      signatures.map(({ label, hint }) =>
        field('', [SIGN_HERE, label, hint].join('\n'), 100 / signatures.length),
      ),
      [1, MOST_LINES],
    ),
  ];
  return drawSheet({ form: 'report', head, blocks, marks: [], foot, pageOf }, date, {
    title: answer,
    language,
  });
}
