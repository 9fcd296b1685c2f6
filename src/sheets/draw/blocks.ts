import type { Block, Column, Field, FieldBlock, TableBlock, TableRow, TextBlock } from '../sheet.ts';
import { firstLines, type Lettering, printable, wrapText, writeLine } from './fitting.ts';
import type { Paper, Style } from './paper.ts';

/** A part of a sheet that is never split across pages. */
export interface Strip {
  readonly height: number;
  draw(y: number): void;
}

/** A block that fits on one page; only tables span pages. */
export type PlacedBlock = Exclude<Block, TableBlock>;

const PADDING = 2.5;
const GREY = '#f2f2f2';
/** Space between a box's upper edge and its label, or a table's line and its text. */
const LABEL_TOP = 2.2;
const CELL_TOP = 2.4;
const WHOLE = 100;
/** Width of the title column, in per cent, on forms that have one. */
const TITLE_COLUMN = 25;
const SENTENCE_HEIGHT = 12;
const MOST_DETAIL_LINES = 14;
/** Bar of a share, before its percentage. */
const BAR = { width: 34, height: 5, color: '#6886ab' } as const;
const URGENT = '#ab1d18';
const DETAIL_SMALLER = 0.5;
/** Lines read of a free text; no layout allows a longer one. */
const MOST_LINES = 600;

export type BlockDrawing = ReturnType<typeof createBlockDrawing>;

const isHeadless = (columns: readonly Column[]): boolean => columns.every(({ heading }) => heading === '');

/** Draws blocks in a form's style at given heights. */
export function createBlockDrawing(paper: Paper, style: Style) {
  const left = style.margin;
  const width = paper.width - 2 * style.margin;
  const isBoxed = style.lines === 'boxes';
  const bold = style.caption ?? style.title;
  const labelHeight = style.label.size + 1.5;
  const heightOfTitle = (text: string | undefined, { size }: Lettering) =>
    text === undefined || text === '' ? 0 : size + 4.6;
  const headingHeight = style.heading.size + 5;
  const detail = { ...style.cell, size: style.cell.size - DETAIL_SMALLER };

  const across = (percent: number) => (width * percent) / WHOLE;
  const title = (text: string, y: number, lettering = style.title) =>
    paper.write(printable(text), left, y + 2.5, lettering);
  const rule = (y: number) => paper.line(left, y, left + width, y, undefined, style.rule);
  const divide = (y: number) => style.lines === 'blocks' && rule(y);

  function sentence(text: string, y: number): void {
    if (isBoxed) paper.box(left, y, width, SENTENCE_HEIGHT);
    writeLine(paper, text, { x: left, y: y + 3, room: width, free: 2 * PADDING }, style.title, 5);
  }

  function writeField({ label, value, align }: Field, x: number, y: number, room: number): void {
    if (label === '') {
      const small = { ...style.value, size: 6.5 };
      firstLines(paper, value, small, room - 2 * PADDING, 2).forEach((line, i) => {
        paper.write(line, x + PADDING, y + 3 + i * 7.5, small);
      });
      return;
    }
    const place = { x, room, free: 2 * PADDING };
    writeLine(paper, label, { ...place, y: y + LABEL_TOP }, style.label, 4.5);
    const below = { ...place, y: y + style.row - style.value.size - 0.8, align };
    writeLine(paper, value, below, style.value, style.least);
  }

  /** Writes a row of fields; `from` is its start in per cent of the width. */
  function writeFields(row: readonly Field[], y: number, from: number): void {
    const total = row.reduce((sum, field) => sum + field.width, 0);
    const isShort = from > 0 || style.titles === 'column' || total < WHOLE - 1;
    const scale = isShort ? 1 : WHOLE / total;
    let x = left + across(from);
    for (const field of row) {
      const room = across(field.width * scale);
      if (isBoxed) paper.box(x, y, room, style.row);
      writeField(field, x, y, room);
      x += room;
    }
  }

  function columnTitle(text: string, y: number): void {
    paper.shade(left, y, across(TITLE_COLUMN) - 6, style.row, GREY);
    const place = { x: left, y: y + LABEL_TOP, room: across(TITLE_COLUMN), free: 10, padding: PADDING };
    writeLine(paper, text, place, style.title, 6);
  }

  function fieldStrips(block: FieldBlock): Strip[] {
    const isInColumn = block.title !== undefined && style.titles === 'column';
    const above = isInColumn ? 0 : heightOfTitle(block.title, style.title);
    return block.rows.map((row, i) => {
      if (i > 0) return { height: style.row, draw: (y) => writeFields(row, y, 0) };
      return {
        height: above + style.row,
        draw(y) {
          if (isInColumn) columnTitle(block.title ?? '', y);
          else if (above > 0) title(block.title ?? '', y);
          divide(y);
          writeFields(row, y + above, isInColumn ? TITLE_COLUMN : 0);
        },
      };
    });
  }

  /** Overflow of texts too long for their box, from the box's last line on, which ends with an ellipsis. */
  const overflow: { readonly title: string; readonly lines: readonly string[] }[] = [];

  /** A text too long for its box continues at the end of the sheet, unless `room` limits its height. */
  function textStrip({ parts, lines: { least, most }, ...block }: TextBlock, room?: number): Strip {
    const wrapped = parts.map(({ value, width }) =>
      value === '' ? [] : wrapText(paper, value, style.cell, across(width) - 2 * PADDING, MOST_LINES),
    );
    const labels = parts.some(({ label }) => label !== '') ? labelHeight : 0;
    const gap = block.title === undefined ? 0 : (style.around?.above ?? 0);
    const above = gap + heightOfTitle(block.title, style.title);
    const wanted = Math.max(least, ...wrapped.map((all) => all.length));
    const fitting = room === undefined ? most : Math.floor((room - above - labels - 3) / style.lead);
    const lines = Math.max(Math.min(1, wanted), Math.min(wanted, most, fitting));
    const height = labels + lines * style.lead + 3;
    return {
      height: above + height,
      draw(top) {
        divide(top);
        if (block.title !== undefined) title(block.title, top + gap);
        if (gap > 0) {
          paper.line(left, top + gap - 5, left + width, top + gap - 5);
          paper.name(block.title ?? '');
        }
        const y = top + above;
        let x = left;
        for (const [i, part] of parts.entries()) {
          const all = wrapped[i] ?? [];
          if (room === undefined && all.length > lines)
            overflow.push({ title: `${part.label} (CONTINUAÇÃO)`.trim(), lines: all.slice(lines - 1) });
          const width = across(part.width);
          if (isBoxed) paper.box(x, y, width, height);
          if (part.label !== '') paper.write(part.label, x + PADDING, y + LABEL_TOP, style.label);
          const from = y + 2 + (part.label === '' ? 0 : labelHeight);
          firstLines(paper, part.value, style.cell, width - 2 * PADDING, lines).forEach((line, at) => {
            paper.write(line, x + PADDING, from + at * style.lead, style.cell);
          });
          x += width;
        }
      },
    };
  }

  function cellLines(
    { lines = 1 }: Column,
    text: string,
    lettering: Lettering,
    room: number,
  ): readonly string[] {
    return lines === 1 ? [text] : firstLines(paper, text, lettering, room - 2 * PADDING, lines);
  }

  /** Areas where text spans columns of a table, so that its lines are interrupted. */
  const uncrossed: { from: number; to: number; left: number; right: number }[] = [];

  return {
    overflow,
    titleHeight: (text: string) => heightOfTitle(text, bold),
    title: (text: string, y: number) => title(text, y, bold),
    rule,
    sentenceHeight: SENTENCE_HEIGHT,
    sentence,
    /** The strips of a block; `room` limits the height of a text. */
    strips(block: PlacedBlock, room?: number): Strip[] {
      if (block.kind === 'fields') return fieldStrips(block);
      if (block.kind === 'text') return [textStrip(block, room)];
      const draw = (y: number) => {
        divide(y);
        sentence(block.text, y);
      };
      return [{ height: SENTENCE_HEIGHT, draw }];
    },
    headingHeight: (columns: readonly Column[]) => (isHeadless(columns) ? 0 : headingHeight),
    headings(columns: readonly Column[], y: number): void {
      if (isHeadless(columns)) return;
      let x = left;
      for (const column of columns) {
        const room = across(column.width);
        const align = isBoxed ? 'center' : column.align;
        const place = {
          x,
          y: y + 2.5,
          room,
          free: 2 * PADDING - 3,
          padding: isBoxed ? undefined : PADDING,
          align,
        };
        writeLine(paper, column.heading, place, style.heading, 4);
        x += room;
      }
      rule(y + headingHeight);
    },
    rowStrip(columns: readonly Column[], row: TableRow): Strip {
      const { cells, details = [], isBold = false, isUrgent = false, span = 1, bar = 0 } = row;
      // Detail lines of an item start at the second column, so that the first keeps its border.
      const start = (isBoxed ? across(columns[0]?.width ?? 0) : 0) + PADDING;
      const inner = width - start - PADDING;
      const letteringOf = (i: number) =>
        isBold || (isUrgent && i === 0) ? { ...bold, size: style.cell.size } : style.cell;
      const roomOf = (i: number) =>
        across(columns.slice(i, i === 0 ? span : i + 1).reduce((sum, column) => sum + column.width, 0));
      const linesOfCells = columns.map((column, i) =>
        cellLines(column, cells[i] ?? '', letteringOf(i), roomOf(i)),
      );
      const below = details.flatMap((text) => firstLines(paper, text, detail, inner, MOST_DETAIL_LINES));
      const most = Math.max(1, ...linesOfCells.map((lines) => lines.length));
      return {
        height: most * style.lead + below.length * (style.lead - 1) + 4,
        draw(y) {
          let x = left;
          columns.forEach(({ width, align, hasBars }, i) => {
            const color = i === 0 && isUrgent ? URGENT : undefined;
            linesOfCells[i]?.forEach((line, at) => {
              const top = y + CELL_TOP + at * style.lead;
              const place = {
                x,
                y: top,
                room: roomOf(i),
                free: 2 * PADDING - 1,
                padding: PADDING,
                align,
                color,
              };
              writeLine(paper, line, place, letteringOf(i), 4.5);
            });
            if (hasBars && bar > 0)
              paper.shade(x + PADDING, y + CELL_TOP + 1, (BAR.width * bar) / WHOLE, BAR.height, BAR.color);
            x += across(width);
          });
          below.forEach((line, i) => {
            const from = y + CELL_TOP + most * style.lead + i * (style.lead - 1);
            paper.write(line, left + start, from, detail);
            const right = left + start + paper.widthOf(line, detail) + PADDING;
            uncrossed.push({ from, to: from + style.lead - 1, left: left + start, right });
          });
        },
      };
    },
    /** The box of a table with the lines between its columns. */
    tableFrame(columns: readonly Column[], from: number, to: number): void {
      if (!isBoxed) return;
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
