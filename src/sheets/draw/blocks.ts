import type { Column, Field, TableRow, TextBlock } from '../sheet.ts';
import { firstLines, wrapText, writeLine } from './fitting.ts';
import type { Paper, Style } from './paper.ts';

const PADDING = 2.5;
const GREY = '#f2f2f2';
/** From a box's upper edge to its label, and from a line of a table to its text. */
const LABEL_TOP = 2.2;
const CELL_TOP = 2.4;
const WHOLE = 100;
/** A part of a title's width, on forms that have it in the first column. */
export const TITLE_COLUMN = 25;

/** Draws blocks with one form's style, at the heights it is given. */
export type BlockDrawing = ReturnType<typeof createBlockDrawing>;

/** Lines that what stands below an item may take. */
const MOST_DETAIL_LINES = 14;
const DETAIL_SMALLER = 0.5;
/** Lines that are looked at of a free text; no layout has a text that takes more. */
const MOST_LINES = 600;

/** A part of each form: titles, fields, texts and tables. */
export function createBlockDrawing(paper: Paper, style: Style) {
  const left = style.margin;
  const width = paper.width - 2 * style.margin;
  const labelHeight = style.label.size + 1.5;
  const detail = { ...style.cell, size: style.cell.size - DETAIL_SMALLER };

  const across = (percent: number) => (width * percent) / WHOLE;

  function writeField(field: Field, x: number, y: number, room: number): void {
    const inner = room - 2 * PADDING;
    if (field.label === '') {
      const small = { ...style.value, size: 6.5 };
      firstLines(paper, field.value, small, inner, 2).forEach((line, i) => {
        paper.write(line, x + PADDING, y + 3 + i * 7.5, small);
      });
      return;
    }
    const place = { x, room, free: 2 * PADDING };
    writeLine(paper, field.label, { ...place, y: y + LABEL_TOP }, style.label, 4.5);
    const below = { ...place, y: y + style.row - style.value.size - 0.8, align: field.align };
    writeLine(paper, field.value, below, style.value, style.least);
  }

  function cellLines(column: Column, text: string): readonly string[] {
    const inner = across(column.width) - 2 * PADDING;
    if ((column.lines ?? 1) === 1) return [text];
    return firstLines(paper, text, style.cell, inner, column.lines ?? 1);
  }

  /** Where on the page words run across the columns of a table, whose lines stop for them. */
  const uncrossed: { from: number; to: number; left: number; right: number }[] = [];

  /** Below an item its further lines begin with the second column, so that the first keeps its border. */
  const detailStart = (columns: readonly Column[]) => across(columns[0]?.width ?? 0) + PADDING;

  function detailLines(columns: readonly Column[], row: TableRow): string[] {
    const inner = width - detailStart(columns) - PADDING;
    return (row.details ?? []).flatMap((text) => firstLines(paper, text, detail, inner, MOST_DETAIL_LINES));
  }

  /** Each is asked for several times: for its height, and to be drawn. */
  const linesOfTexts = new Map<TextBlock, readonly (readonly string[])[]>();

  return {
    titleHeight: style.title.size + 4.6,
    title(text: string, y: number): void {
      paper.write(text, left, y + 2.5, style.title);
    },
    /** A title in the first column, with its grey ground. */
    columnTitle(text: string, y: number): void {
      paper.shade(left, y, across(TITLE_COLUMN) - 6, style.row, GREY);
      const place = { x: left, y: y + LABEL_TOP, room: across(TITLE_COLUMN), free: 10, padding: PADDING };
      writeLine(paper, text, place, style.title, 6);
    },
    /** A row of fields; `from` is where it begins, of a hundred. */
    fields(row: readonly Field[], y: number, from = 0): void {
      const total = row.reduce((sum, field) => sum + field.width, 0);
      const isShort = from > 0 || style.titles === 'column' || total < WHOLE - 1;
      const scale = isShort ? 1 : WHOLE / total;
      let x = left + across(from);
      for (const field of row) {
        const room = across(field.width * scale);
        if (style.isBoxed) paper.box(x, y, room, style.row);
        writeField(field, x, y, room);
        x += room;
      }
    },
    sentenceHeight: 12,
    sentence(text: string, y: number): void {
      if (style.isBoxed) paper.box(left, y, width, 12);
      writeLine(paper, text, { x: left, y: y + 3, room: width, free: 2 * PADDING }, style.title, 5);
    },
    /** Lines that each part of a text takes, with those that are over. */
    textLines(block: TextBlock): readonly (readonly string[])[] {
      const known = linesOfTexts.get(block);
      if (known !== undefined) return known;
      const lines = block.parts.map((part) =>
        part.value === ''
          ? []
          : wrapText(paper, part.value, style.cell, across(part.width) - 2 * PADDING, MOST_LINES),
      );
      linesOfTexts.set(block, lines);
      return lines;
    },
    textHeight(block: TextBlock, lines: number): number {
      const hasLabels = block.parts.some(({ label }) => label !== '');
      return (hasLabels ? labelHeight : 0) + lines * style.lead + 3;
    },
    text(block: TextBlock, lines: number, y: number): void {
      const height = this.textHeight(block, lines);
      let x = left;
      for (const part of block.parts) {
        const room = across(part.width);
        if (style.isBoxed) paper.box(x, y, room, height);
        if (part.label !== '') paper.write(part.label, x + PADDING, y + LABEL_TOP, style.label);
        const top = y + 2 + (part.label === '' ? 0 : labelHeight);
        firstLines(paper, part.value, style.cell, room - 2 * PADDING, lines).forEach((line, i) => {
          paper.write(line, x + PADDING, top + i * style.lead, style.cell);
        });
        x += room;
      }
    },
    headingHeight: style.heading.size + 5,
    headings(columns: readonly Column[], y: number): void {
      let x = left;
      for (const column of columns) {
        const room = across(column.width);
        const place = { x, y: y + 2.5, room, free: 2, align: 'center' } as const;
        writeLine(paper, column.heading, place, style.heading, 4);
        x += room;
      }
      paper.line(left, y + style.heading.size + 5, left + width, y + style.heading.size + 5);
    },
    rowHeight(columns: readonly Column[], row: TableRow): number {
      const lines = columns.map((column, i) => cellLines(column, row.cells[i] ?? '').length);
      return Math.max(1, ...lines) * style.lead + detailLines(columns, row).length * (style.lead - 1) + 4;
    },
    tableRow(columns: readonly Column[], row: TableRow, y: number): void {
      let x = left;
      let most = 1;
      columns.forEach((column, i) => {
        const room = across(column.width);
        const lines = cellLines(column, row.cells[i] ?? '');
        most = Math.max(most, lines.length);
        lines.forEach((line, at) => {
          const top = y + CELL_TOP + at * style.lead;
          const place = { x, y: top, room, free: 2 * PADDING - 1, padding: PADDING, align: column.align };
          writeLine(paper, line, place, style.cell, 4.5);
        });
        x += room;
      });
      const below = y + CELL_TOP + most * style.lead;
      const start = left + detailStart(columns);
      detailLines(columns, row).forEach((line, i) => {
        const from = below + i * (style.lead - 1);
        paper.write(line, start, from, detail);
        const right = start + paper.widthOf(line, detail) + PADDING;
        uncrossed.push({ from, to: from + style.lead - 1, left: start, right });
      });
    },
    /** The box of a table with the lines between its columns. */
    tableFrame(columns: readonly Column[], from: number, to: number): void {
      paper.box(left, from, width, to - from);
      const pieces = uncrossed.splice(0);
      let x = left;
      for (const column of columns.slice(0, -1)) {
        x += across(column.width);
        let start = from;
        for (const piece of pieces.filter((one) => one.left < x && x < one.right)) {
          if (piece.from > start) paper.line(x, start, x, piece.from);
          start = piece.to;
        }
        paper.line(x, start, x, to);
      }
    },
  };
}
