import type { Lettering } from '../sheets/draw/fitting.ts';
import type { Cell, Column, Table } from './model.ts';
import { colors, lead, letterings, type Pages, writable } from './pages.ts';

const GAP = 8;
const ABOVE = 4;
const BELOW = 1.8;
const BAR = { width: 34, height: 5, gap: 5 } as const;
/** No single column of words takes more of the page than this. */
const WIDEST_ID = 120;
/** Rows that follow a heading on the same page. */
const ROWS_KEPT = 2;
/** A table that is no higher stays on one page. */
const UNBROKEN = 190;

interface Place {
  readonly x: number;
  readonly width: number;
}

const isAtRight = ({ form }: Column): boolean => form === 'number' || form === 'share';

function faceOf(column: Column, isTotal: boolean): Lettering {
  if (isTotal) return letterings.bold;
  return column.form === 'id' ? letterings.small : letterings.body;
}

/** What is never broken takes the width it needs; columns of words share the rest. */
function placesOf(pages: Pages, { columns, rows, total }: Table): Place[] {
  const widths = columns.map((column, at) => {
    if (column.form === 'text') return undefined;
    const cells = [...rows, ...(total === undefined ? [] : [total])].map((row) => row[at]?.text ?? '');
    const natural = Math.max(
      pages.paper.widthOf(writable(column.heading), letterings.small),
      ...cells.map((text) => pages.paper.widthOf(writable(text), letterings.bold)),
    );
    const bar = column.form === 'share' ? BAR.width + BAR.gap : 0;
    return Math.min(natural, isAtRight(column) ? natural : WIDEST_ID) + bar;
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

function linesOf(pages: Pages, cell: Cell, column: Column, { width }: Place, isTotal: boolean): CellLine[] {
  const { text, detail, below, key, isUrgent } = cell;
  const lettering = isUrgent ? letterings.bold : faceOf(column, isTotal);
  const color = isUrgent ? colors.bad : column.form === 'id' && !isTotal ? colors.soft : colors.ink;
  const words = detail === undefined ? text : `${text} ${detail}`;
  const first =
    column.form === 'text'
      ? pages.lines(words, lettering, width).map((line) => ({ text: line, lettering, color }))
      : [{ text: writable(words), lettering, color }];
  const small = { lettering: letterings.small, color: colors.soft };
  return [
    ...first,
    ...(below === undefined
      ? []
      : pages.lines(below, letterings.small, width).map((line) => ({ text: line, ...small }))),
    ...(key === undefined
      ? []
      : pages
          .lines(key, letterings.key, width)
          .map((line) => ({ text: line, lettering: letterings.key, color: colors.soft }))),
  ];
}

const heightOf = (lines: readonly CellLine[]): number =>
  lines.reduce((sum, { lettering }) => sum + lead(lettering), 0);

/** One table on as many pages as it takes, its headings on each, its rows whole. */
export function drawTable(pages: Pages, table: Table): void {
  const { caption, remark, columns, rows, total } = table;
  const { paper } = pages;
  const places = placesOf(pages, table);
  const measured = (cells: readonly Cell[], isTotal = false) => {
    const lines = columns.map((column, at) => {
      const place = places[at];
      return place === undefined ? [] : linesOf(pages, cells[at] ?? { text: '' }, column, place, isTotal);
    });
    return { cells, lines, height: Math.max(...lines.map(heightOf)) + ABOVE + BELOW };
  };
  const headings = () => {
    for (const [at, column] of columns.entries()) {
      const { x, width } = places[at] ?? { x: 0, width: 0 };
      if (isAtRight(column))
        pages.writeRight(column.heading, x + width, pages.y, letterings.small, colors.soft);
      else paper.write(writable(column.heading), x, pages.y, letterings.small, colors.soft);
    }
    pages.y += lead(letterings.small) + 2;
    pages.rule(colors.rule);
  };
  const drawRow = ({ cells, lines, height }: ReturnType<typeof measured>) => {
    for (const [at, column] of columns.entries()) {
      const { x, width } = places[at] ?? { x: 0, width: 0 };
      let y = pages.y + ABOVE;
      for (const { text, lettering, color } of lines[at] ?? []) {
        if (isAtRight(column)) pages.writeRight(text, x + width, y, lettering, color);
        else paper.write(text, x, y, lettering, color);
        y += lead(lettering);
      }
      const { bar } = cells[at] ?? {};
      if (bar !== undefined)
        paper.shade(x, pages.y + ABOVE + 1.2, Math.max(0.5, BAR.width * bar), BAR.height, colors.bar);
    }
    pages.y += height;
  };
  const all = rows.map((cells) => measured(cells));
  const last = total === undefined ? undefined : measured(total, true);
  const heightOfRows = (some: typeof all) => some.reduce((sum, { height }) => sum + height, 0);
  const whole = heightOfRows(all) + (last?.height ?? 0);
  const kept = whole <= UNBROKEN ? whole : heightOfRows(all.slice(0, ROWS_KEPT));
  pages.y += 8;
  pages.reserve(2 * lead(letterings.bold) + 8 + kept);
  if (caption !== undefined) {
    paper.write(writable(caption), pages.left, pages.y, letterings.bold, colors.ink);
    const after = pages.left + paper.widthOf(writable(caption), letterings.bold) + 5;
    if (remark !== undefined)
      paper.write(writable(remark), after, pages.y + 0.8, letterings.small, colors.soft);
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
