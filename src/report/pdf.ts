import { type Lettering, printable, wrapText } from '../sheets/draw/fitting.ts';
import { createPaper, type Paper } from '../sheets/draw/paper.ts';
import {
  type DrawnCell,
  type DrawnColumn,
  type DrawnRow,
  type DrawnTable,
  drawnTable,
  type Report,
  type Section,
} from './model.ts';

/** 15 mm; the foot has 17. */
const MARGIN = 42.5;
const FOOT = 48;

const colors = {
  ink: '#191a1d',
  soft: '#55585f',
  hair: '#dededa',
  rule: '#85878d',
  bar: '#6886ab',
  bad: '#ab1d18',
  soon: '#865000',
} as const;

const letterings = {
  title: { face: 'Times-Bold', size: 21 },
  section: { face: 'Times-Bold', size: 13 },
  number: { face: 'Times-Roman', size: 13 },
  lead: { face: 'Helvetica', size: 9.5 },
  figure: { face: 'Helvetica-Bold', size: 13 },
  body: { face: 'Helvetica', size: 8 },
  bold: { face: 'Helvetica-Bold', size: 8 },
  small: { face: 'Helvetica', size: 7 },
  key: { face: 'Helvetica', size: 6.5 },
} as const satisfies Record<string, Lettering>;

/** Points from one line to the next. */
const lead = ({ size }: Lettering): number => size * 1.35;

/** Replaces the minus sign, which the standard fonts lack, before `printable` makes it a question mark. */
const writable = (text: string): string => printable(text.replaceAll('\u2212', '\u2013'));

const MOST_LINES = 200;

/** The pages of a report while they are being filled from top to bottom. */
class Pages {
  readonly paper: Paper;
  readonly left = MARGIN;
  readonly right: number;
  y = MARGIN;
  readonly #limit: number;
  readonly #report: Report;

  constructor(report: Report, date: Date) {
    this.#report = report;
    this.paper = createPaper({ title: report.answer, date, language: report.language });
    this.right = this.paper.width - MARGIN;
    this.#limit = this.paper.height - FOOT;
    this.paper.beginSheet(report.answer);
    this.paper.addPage();
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Whether so much more fits onto this page. */
  fits(height: number): boolean {
    return this.y + height <= this.#limit;
  }

  turn(): void {
    this.paper.addPage();
    this.y = MARGIN;
  }

  /** Turns the page unless so much fits, for parts that must not be divided. */
  reserve(height: number): void {
    if (!this.fits(height)) this.turn();
  }

  rule(color: string, thickness = 0.5): void {
    this.paper.shade(this.left, this.y, this.width, thickness, color);
  }

  lines(text: string, lettering: Lettering, width: number = this.width): string[] {
    return wrapText(this.paper, text.replaceAll('\u2212', '\u2013'), lettering, width, MOST_LINES);
  }

  /** Writes a text over as many lines as it takes, each whole on its page. */
  paragraph(text: string, lettering: Lettering, color: string, width = this.width, x = this.left): void {
    for (const line of this.lines(text, lettering, width)) {
      this.reserve(lead(lettering));
      this.paper.write(line, x, this.y, lettering, color);
      this.y += lead(lettering);
    }
  }

  /** Writes a text that ends at `right`. */
  writeRight(text: string, right: number, y: number, lettering: Lettering, color: string): void {
    const line = writable(text);
    this.paper.write(line, right - this.paper.widthOf(line, lettering), y, lettering, color);
  }

  /** Writes the foot of every page, now that their number is known, and ends the file. */
  finish(): Promise<Uint8Array> {
    const { foot, pageOf } = this.#report;
    const { pages, height } = this.paper;
    for (let page = 0; page < pages; page++) {
      this.paper.turnTo(page);
      const y = height - FOOT + 16;
      const number = pageOf.replace('{page}', String(page + 1)).replace('{pages}', String(pages));
      const room = this.width - 60;
      const [line = ''] = this.lines(foot, letterings.small, room);
      this.paper.write(line, this.left, y, letterings.small, colors.soft);
      this.writeRight(number, this.right, y, letterings.small, colors.soft);
    }
    return this.paper.finish();
  }
}

const GAP = 8;
const ABOVE = 4;
const BELOW = 1.8;
const BAR = { width: 34, height: 5, gap: 5 } as const;
/** Widest column of unbroken text, in points. */
const WIDEST_WHOLE = 150;
/** Rows kept on the page of their heading. */
const ROWS_KEPT = 2;
/** Highest table that is kept on one page, in points. */
const UNBROKEN = 190;

const isAtRight = ({ form }: DrawnColumn): boolean => form === 'number' || form === 'share';

/** Unbroken columns take their natural width; text columns share the rest. */
function placesOf(pages: Pages, { columns, rows, total }: DrawnTable) {
  const all = [...rows, ...(total === undefined ? [] : [total])].flatMap(({ cells }) => cells);
  const widths = columns.map((column, at) => {
    if (column.form === 'text') return undefined;
    const own = all.filter((cell) => cell.at === at && cell.span === 1);
    const texts = own.map(({ text, detail = '' }) => `${text} ${detail}`.trim());
    const natural = Math.max(
      pages.paper.widthOf(writable(column.heading), letterings.small),
      ...texts.map((text) => pages.paper.widthOf(writable(text), letterings.bold)),
    );
    const bar = column.form === 'share' ? BAR.width + BAR.gap : 0;
    return Math.min(natural, isAtRight(column) ? natural : WIDEST_WHOLE) + bar;
  });
  const words = widths.filter((width) => width === undefined).length;
  const taken = widths.reduce<number>((sum, width = 0) => sum + width, 0) + GAP * (columns.length - 1);
  const each = (pages.width - taken) / Math.max(1, words);
  let x = pages.left;
  return widths.map((width = each) => {
    const place = { x, width };
    x += width + GAP;
    return place;
  });
}

/** A line of a cell, with how it is set. */
interface CellLine {
  readonly text: string;
  readonly lettering: Lettering;
  readonly color: string;
}

function linesOf(pages: Pages, cell: DrawnCell, column: DrawnColumn, width: number, isBold: boolean) {
  const { text, detail, below, key, isUrgent } = cell;
  const broken = (words: string, lettering: Lettering, color: string): CellLine[] =>
    pages.lines(words, lettering, width).map((line) => ({ text: line, lettering, color }));
  const lettering = isUrgent || isBold ? letterings.bold : letterings.body;
  const color = isUrgent ? colors.bad : colors.ink;
  const words = detail === undefined ? text : `${text} ${detail}`;
  return [
    ...(column.form === 'text' || cell.span > 1
      ? broken(words, lettering, color)
      : [{ text: writable(words), lettering, color }]),
    ...(below === undefined ? [] : broken(below, letterings.small, colors.soft)),
    ...(key === undefined ? [] : broken(key, letterings.key, colors.soft)),
  ];
}

const heightOf = (lines: readonly CellLine[]): number =>
  lines.reduce((sum, { lettering }) => sum + lead(lettering), 0);

/** One table on as many pages as it takes, its headings on each, its rows whole. */
function drawTable(pages: Pages, table: DrawnTable): void {
  const { caption, columns, rows, total } = table;
  const { paper } = pages;
  const places = placesOf(pages, table);
  const measured = (row: DrawnRow) => {
    const cells = row.cells.flatMap((cell) => {
      const { at, span } = cell;
      const [column, place, last] = [columns[at], places[at], places[at + span - 1]];
      if (column === undefined || place === undefined || last === undefined) return [];
      const { x } = place;
      const width = last.x + last.width - x;
      return [{ cell, column, x, width, lines: linesOf(pages, cell, column, width, row.isBold) }];
    });
    return { cells, height: Math.max(0, ...cells.map(({ lines }) => heightOf(lines))) + ABOVE + BELOW };
  };
  const write = (
    { text, lettering, color }: CellLine,
    { x, width }: { readonly x: number; readonly width: number },
    column: DrawnColumn,
    y: number,
  ) => {
    if (isAtRight(column)) pages.writeRight(text, x + width, y, lettering, color);
    else paper.write(writable(text), x, y, lettering, color);
  };
  const headings = () => {
    if (columns.every(({ heading }) => heading === '')) return;
    for (const [at, column] of columns.entries()) {
      const place = places[at];
      const line = { text: column.heading, lettering: letterings.small, color: colors.soft };
      if (place !== undefined) write(line, place, column, pages.y);
    }
    pages.y += lead(letterings.small) + 2;
    pages.rule(colors.rule);
  };
  const drawRow = ({ cells, height }: ReturnType<typeof measured>) => {
    for (const { cell, column, x, width, lines } of cells) {
      let y = pages.y + ABOVE;
      for (const line of lines) {
        write(line, { x, width }, column, y);
        y += lead(line.lettering);
      }
      const length = (BAR.width * (cell.bar ?? 0)) / 100;
      if (length > 0) paper.shade(x, pages.y + ABOVE + 1.2, Math.max(0.5, length), BAR.height, colors.bar);
    }
    pages.y += height;
  };
  const all = rows.map(measured);
  const last = total && measured(total);
  const heightOfRows = (some: typeof all) => some.reduce((sum, { height }) => sum + height, 0);
  const whole = heightOfRows(all) + (last?.height ?? 0);
  const kept = whole <= UNBROKEN ? whole : heightOfRows(all.slice(0, ROWS_KEPT));
  pages.y += 8;
  pages.reserve(2 * lead(letterings.bold) + 8 + kept);
  if (caption !== undefined) {
    paper.write(writable(caption), pages.left, pages.y, letterings.bold, colors.ink);
    pages.y += lead(letterings.bold) + 4;
  }
  headings();
  for (const [at, row] of all.entries()) {
    const isLast = at === all.length - 1;
    // A total never stands alone on a page.
    if (!pages.fits(row.height + (isLast ? (last?.height ?? 0) : 0))) {
      pages.turn();
      headings();
    }
    drawRow(row);
    if (!isLast) pages.rule(colors.hair, 0.4);
  }
  if (last === undefined) return;
  pages.rule(colors.rule);
  drawRow(last);
}

/** Longest line of prose, in points, for legibility. */
const WORDS_WIDTH = 430;

function drawHead(pages: Pages, report: Report): void {
  const { paper, left } = pages;
  const { company, title, summary, warnings } = report;
  pages.rule(colors.ink, 2);
  pages.y += 9;
  const name = writable(company.name ?? '');
  if (name !== '') paper.write(name, left, pages.y, letterings.bold, colors.ink);
  const after = name === '' ? left : left + paper.widthOf(name, letterings.bold) + 4;
  paper.write(writable(company.id), after, pages.y, letterings.body, colors.soft);
  pages.y += lead(letterings.body) + 3;
  pages.paragraph(title, letterings.title, colors.ink);
  pages.y += 4;
  pages.paragraph(summary, letterings.lead, colors.ink, WORDS_WIDTH);
  for (const words of warnings) {
    pages.y += 6;
    const top = pages.y;
    pages.paragraph(words, letterings.body, colors.ink, WORDS_WIDTH, left + 8);
    paper.shade(left, top - 1, 2, pages.y - top, colors.soon);
  }
}

function drawFigures(pages: Pages, { figures }: Report): void {
  pages.y += 10;
  pages.rule(colors.rule);
  pages.y += 6;
  const gap = 14;
  const width = (pages.width - gap * (figures.length - 1)) / Math.max(1, figures.length);
  const top = pages.y;
  let bottom = top;
  figures.forEach(({ label, value, remark }, at) => {
    const x = pages.left + at * (width + gap);
    pages.y = top;
    pages.paragraph(label, letterings.small, colors.soft, width, x);
    pages.paragraph(value, letterings.figure, colors.ink, width, x);
    pages.paragraph(remark, letterings.small, colors.soft, width, x);
    bottom = Math.max(bottom, pages.y);
  });
  pages.y = bottom + 5;
  pages.rule(colors.rule);
}

/** A heading, and room for what must stand with it. */
const SECTION_ROOM = 110;

function drawSection(pages: Pages, { number, title, intro, blocks }: Section, report: Report): void {
  pages.y += 18;
  pages.reserve(SECTION_ROOM);
  pages.rule(colors.ink, 0.8);
  pages.y += 7;
  let x = pages.left;
  if (number !== undefined) {
    pages.paper.write(String(number), x, pages.y, letterings.number, colors.soft);
    x += pages.paper.widthOf(String(number), letterings.number) + 6;
  }
  pages.paragraph(title, letterings.section, colors.ink, pages.width, x);
  pages.y += 1;
  if (intro !== undefined) pages.paragraph(intro, letterings.body, colors.soft, WORDS_WIDTH);
  for (const block of blocks) {
    if (typeof block === 'string') {
      pages.y += 4;
      pages.paragraph(block, letterings.small, colors.soft, WORDS_WIDTH);
    } else drawTable(pages, drawnTable(block, report));
  }
}

function drawSignatures(pages: Pages, { signatures }: Report): void {
  const gap = 24;
  const width = (pages.width - gap) / 2;
  pages.y += 44;
  pages.reserve(40);
  signatures.forEach(({ label, hint }, at) => {
    const x = pages.left + at * (width + gap);
    pages.paper.shade(x, pages.y, width, 0.8, colors.ink);
    pages.paper.write(writable(label), x, pages.y + 6, letterings.bold, colors.ink);
    pages.paper.write(writable(hint), x, pages.y + 17, letterings.small, colors.soft);
  });
  pages.y += 30;
}

/** The report as a PDF on A4; the same report and date are the same bytes. */
export async function reportPdf(report: Report, date: Date): Promise<Uint8Array> {
  const pages = new Pages(report, date);
  drawHead(pages, report);
  drawFigures(pages, report);
  for (const section of report.sections) drawSection(pages, section, report);
  drawSignatures(pages, report);
  return pages.finish();
}
