import type { Lettering } from '../sheets/draw/fitting.ts';
import type { DrawnCell, DrawnColumn, DrawnRow, DrawnTable } from './model.ts';
import { colors, lead, letterings, type Pages, writable } from './pages.ts';

const GAP = 8;
const ABOVE = 4;
const BELOW = 1.8;
const BAR = { width: 34, height: 5, gap: 5 } as const;
/** No column of words that are not broken takes more of the page than this. */
const WIDEST_WHOLE = 150;
/** Rows that follow a heading on the same page. */
const ROWS_KEPT = 2;
/** A table that is no higher stays on one page. */
const UNBROKEN = 190;

interface Place {
  readonly x: number;
  readonly width: number;
}

const isAtRight = ({ form }: DrawnColumn): boolean => form === 'number' || form === 'share';

/** The cells of a row with the columns that they begin in. */
function cellsWithColumns({ cells }: DrawnRow): { readonly cell: DrawnCell; readonly at: number }[] {
  let next = 0;
  return cells.map((cell) => {
    const at = next;
    next += cell.span;
    return { cell, at };
  });
}

/** What is never broken takes the width it needs; columns of words share the rest. */
function placesOf(pages: Pages, { columns, rows, total }: DrawnTable): Place[] {
  const all = (total === undefined ? rows : [...rows, total]).flatMap(cellsWithColumns);
  const widths = columns.map((column, at) => {
    if (column.form === 'text') return undefined;
    const own = all.filter(({ cell, at: begins }) => begins === at && cell.span === 1);
    const texts = own.map(({ cell: { text, detail = '' } }) => `${text} ${detail}`.trim());
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
    ...below.flatMap((line) => broken(line, letterings.small, colors.soft)),
    ...(key === undefined ? [] : broken(key, letterings.key, colors.soft)),
  ];
}

const heightOf = (lines: readonly CellLine[]): number =>
  lines.reduce((sum, { lettering }) => sum + lead(lettering), 0);

/** One table on as many pages as it takes, its headings on each, its rows whole. */
export function drawTable(pages: Pages, table: DrawnTable): void {
  const { caption, columns, rows, total } = table;
  const { paper } = pages;
  const places = placesOf(pages, table);
  const measured = (row: DrawnRow) => {
    const cells = cellsWithColumns(row).flatMap(({ cell, at }) => {
      const [column, place, last] = [columns[at], places[at], places[at + cell.span - 1]];
      if (column === undefined || place === undefined || last === undefined) return [];
      const { x } = place;
      const width = last.x + last.width - x;
      return [{ cell, column, x, width, lines: linesOf(pages, cell, column, width, row.isBold) }];
    });
    return { cells, height: Math.max(0, ...cells.map(({ lines }) => heightOf(lines))) + ABOVE + BELOW };
  };
  const write = (
    text: string,
    { x, width }: Place,
    column: DrawnColumn,
    y: number,
    look: Omit<CellLine, 'text'>,
  ) => {
    if (isAtRight(column)) pages.writeRight(text, x + width, y, look.lettering, look.color);
    else paper.write(writable(text), x, y, look.lettering, look.color);
  };
  const headings = () => {
    if (columns.every(({ heading }) => heading === '')) return;
    for (const [at, column] of columns.entries()) {
      const place = places[at];
      if (place !== undefined)
        write(column.heading, place, column, pages.y, { lettering: letterings.small, color: colors.soft });
    }
    pages.y += lead(letterings.small) + 2;
    pages.rule(colors.rule);
  };
  const drawRow = ({ cells, height }: ReturnType<typeof measured>) => {
    for (const { cell, column, x, width, lines } of cells) {
      let y = pages.y + ABOVE;
      for (const { text, ...look } of lines) {
        write(text, { x, width }, column, y, look);
        y += lead(look.lettering);
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
