import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Block, FieldBlock, Sheet, TableBlock, TextBlock } from '../sheet.ts';
import { type BlockDrawing, createBlockDrawing, TITLE_COLUMN } from './blocks.ts';
import { writeLine } from './fitting.ts';
import { drawHead, type PageNumberPlace } from './heads.ts';
import { createPaper, type Paper, type Style, styles } from './paper.ts';

const FOOT_HEIGHT = 10;
const GAP = 3;
/** A sheet ends here and says so: the 990 items that a note may have take less, with the longest texts below them. */
const MOST_PAGES = 250;
const ENDS_HERE = 'A FOLHA TERMINA AQUI: O DOCUMENTO É MAIS LONGO, E O RESTANTE ESTÁ NO XML';

/** Rows of a table, and lines of a text, between two turns of everything else. */
const ROWS_AT_ONCE = 100;
const LINES_AT_ONCE = 1000;

/** The pages of a sheet while they are being filled. */
interface Pages {
  readonly paper: Paper;
  readonly sheet: Sheet;
  readonly style: Style;
  readonly drawing: BlockDrawing;
  readonly pageNumbers: PageNumberPlace[];
  /** Texts that were longer than their place on the first page. */
  readonly overflow: { readonly title: string; readonly lines: readonly string[] }[];
  /** Whether the sheet has ended before its document. */
  isCut: boolean;
  y: number;
  /** Where the room for what flows ends on this page. */
  limit: number;
}

function linesOf(pages: Pages, block: TextBlock): number {
  const taken = Math.max(0, ...pages.drawing.textLines(block).map((lines) => lines.length));
  return Math.min(Math.max(taken, block.lines.least), block.lines.most);
}

function heightOf(pages: Pages, block: PlacedBlock): number {
  const { drawing, style } = pages;
  const title = block.title !== undefined && style.titles === 'above' ? drawing.titleHeight : 0;
  switch (block.kind) {
    case 'fields':
      return title + block.rows.length * style.row;
    case 'text':
      return title + drawing.textHeight(block, linesOf(pages, block));
    case 'sentence':
      return title + drawing.sentenceHeight;
  }
}

/** What has a place of its own on the page; tables go on over as many as they take. */
type PlacedBlock = Exclude<Block, TableBlock>;

function blocksAt(sheet: Sheet, place: NonNullable<PlacedBlock['place']>): PlacedBlock[] {
  return sheet.blocks.filter(
    (block): block is PlacedBlock => block.kind !== 'table' && block.place === place,
  );
}

function drawFoot({ paper, sheet, style }: Pages): void {
  const { margin } = style;
  const place = { x: margin, y: paper.height - margin - 6, room: paper.width - 2 * margin, free: 0 };
  writeLine(paper, sheet.foot, place, { face: style.value.face, size: 6 }, 5);
}

function startPage(pages: Pages): void {
  const { paper, sheet, style } = pages;
  paper.addPage();
  if (sheet.marks.length > 0) paper.stamp(sheet.marks, style.stamp);
  const isFirst = paper.pages === 1;
  pages.y = style.margin;
  pages.limit = paper.height - style.margin - FOOT_HEIGHT;
  if (sheet.form === 'danfse') {
    paper.box(style.margin / 2, style.margin / 2, paper.width - style.margin, paper.height - style.margin, 1);
  }
  drawFoot(pages);
  if (isFirst) {
    for (const block of blocksAt(sheet, 'top')) drawBlock(pages, block);
    if (pages.y > style.margin) {
      paper.line(style.margin, pages.y + GAP, paper.width - style.margin, pages.y + GAP, 2);
      pages.y += 2 * GAP;
    }
  }
  const head = drawHead(paper, sheet, pages.y, style);
  if (head.pageNumber !== undefined) pages.pageNumbers.push(head.pageNumber);
  pages.y += head.height;
  for (const block of blocksAt(sheet, 'every')) drawBlock(pages, block);
  if (isFirst) drawBottom(pages);
}

/** What stands at the end of the first page takes its room before anything flows into it. */
function drawBottom(pages: Pages): void {
  const blocks = blocksAt(pages.sheet, 'bottom');
  const top = pages.limit - blocks.reduce((sum, block) => sum + heightOf(pages, block), 0);
  const flowsFrom = pages.y;
  pages.y = top;
  for (const block of blocks) drawBlock(pages, block);
  pages.y = flowsFrom;
  pages.limit = top - GAP;
}

/** Makes room for what must not be divided, on the next page if need be. */
function reserve(pages: Pages, height: number): void {
  if (pages.y + height > pages.limit && !endsHere(pages)) startPage(pages);
}

/** Whether there may be no further page; says so once, where the last one ends. */
function endsHere(pages: Pages): boolean {
  if (pages.paper.pages < MOST_PAGES) return false;
  if (!pages.isCut) pages.drawing.sentence(ENDS_HERE, pages.limit - pages.drawing.sentenceHeight);
  pages.isCut = true;
  return true;
}

function drawTitle(pages: Pages, title: string | undefined, next: number): void {
  if (title === undefined || pages.style.titles === 'column') return;
  reserve(pages, pages.drawing.titleHeight + next);
  pages.drawing.title(title, pages.y);
  pages.y += pages.drawing.titleHeight;
}

/** Forms without boxes have a line above each block. */
function drawDivision({ paper, style, y }: Pages): void {
  if (!style.isBoxed) paper.line(style.margin, y, paper.width - style.margin, y);
}

function drawFields(pages: Pages, block: FieldBlock): void {
  const { drawing, style } = pages;
  const isInColumn = block.title !== undefined && style.titles === 'column';
  drawTitle(pages, block.title, style.row);
  block.rows.forEach((row, i) => {
    if (block.place === undefined) reserve(pages, style.row);
    if (i === 0 && isInColumn) drawing.columnTitle(block.title ?? '', pages.y);
    if (i === 0) drawDivision(pages);
    drawing.fields(row, pages.y, i === 0 && isInColumn ? TITLE_COLUMN : 0);
    pages.y += style.row;
  });
}

function drawText(pages: Pages, block: TextBlock): void {
  const { drawing, style, sheet } = pages;
  const isOnePage = sheet.form === 'danfse';
  let lines = linesOf(pages, block);
  if (isOnePage) {
    drawDivision(pages);
    if (block.title !== undefined) {
      drawing.title(block.title, pages.y);
      pages.y += drawing.titleHeight;
    }
    const room = Math.floor((pages.limit - pages.y - drawing.textHeight(block, 0)) / style.lead);
    lines = Math.max(1, Math.min(lines, room));
  } else {
    drawTitle(pages, block.title, drawing.textHeight(block, lines));
  }
  const over = isOnePage ? [] : drawing.textLines(block);
  // The last line of a text that goes on says so, and is said again where it does.
  over.forEach((all, i) => {
    const title = `${block.parts[i]?.label ?? ''} (CONTINUAÇÃO)`.trim();
    if (all.length > lines) pages.overflow.push({ title, lines: all.slice(lines - 1) });
  });
  drawing.text(block, lines, pages.y);
  pages.y += drawing.textHeight(block, lines);
}

/** The items of a DANFE take what is left of its first page. */
function fillsPage({ paper, sheet, y, limit }: Pages): boolean {
  return sheet.form === 'danfe' && paper.pages === 1 && y < limit;
}

async function drawTable(pages: Pages, { title, columns, rows }: TableBlock): Promise<void> {
  const { drawing, style, paper } = pages;
  const begin = (first: number): number => {
    drawTitle(pages, title, drawing.headingHeight + first);
    const top = pages.y;
    drawing.headings(columns, pages.y);
    pages.y += drawing.headingHeight;
    return top;
  };
  const [first] = rows;
  let top = begin(first === undefined ? style.lead : drawing.rowHeight(columns, first));
  for (const [at, row] of rows.entries()) {
    const height = drawing.rowHeight(columns, row);
    if (pages.y + height > pages.limit) {
      if (endsHere(pages)) break;
      drawing.tableFrame(columns, top, pages.y);
      startPage(pages);
      top = begin(height);
    }
    drawing.tableRow(columns, row, pages.y);
    pages.y += height;
    const isLast = at === rows.length - 1;
    const isRuled = !isLast || fillsPage(pages);
    if (isRuled) paper.line(style.margin, pages.y, paper.width - style.margin, pages.y);
    if ((at + 1) % ROWS_AT_ONCE === 0) await letOthersRun();
  }
  if (fillsPage(pages)) pages.y = Math.max(pages.y, pages.limit);
  drawing.tableFrame(columns, top, pages.y);
}

function drawBlock(pages: Pages, block: PlacedBlock): void {
  switch (block.kind) {
    case 'fields':
      drawFields(pages, block);
      break;
    case 'text':
      drawText(pages, block);
      break;
    case 'sentence':
      if (block.place === undefined) reserve(pages, pages.drawing.sentenceHeight);
      drawDivision(pages);
      pages.drawing.sentence(block.text, pages.y);
      pages.y += pages.drawing.sentenceHeight;
  }
}

/** The rest of texts that had no room on the first page. */
async function drawOverflow(pages: Pages): Promise<void> {
  const { drawing, style, paper } = pages;
  for (const { title, lines } of pages.isCut ? [] : pages.overflow.splice(0)) {
    drawTitle(pages, title, style.lead * 2);
    for (const [at, line] of lines.entries()) {
      reserve(pages, style.lead);
      paper.write(line, style.margin + 2, pages.y + 1, style.cell);
      pages.y += style.lead;
      if ((at + 1) % LINES_AT_ONCE === 0) await letOthersRun();
    }
    pages.y += drawing.sentenceHeight - style.lead;
  }
}

function numberPages({ paper, pageNumbers }: Pages): void {
  pageNumbers.forEach(({ x, y, width, lettering }, i) => {
    const text = `FOLHA ${i + 1}/${pageNumbers.length}`;
    paper.turnTo(i);
    paper.write(text, x + (width - paper.widthOf(text, lettering)) / 2, y, lettering);
  });
}

function titleOf({ head: { title, key } }: Sheet): string {
  return [title, key].filter(Boolean).join(' ');
}

/** The sheet as a PDF. The same sheet and date are the same bytes. */
export async function drawSheet(sheet: Sheet, date: Date): Promise<Uint8Array> {
  const paper = createPaper({ title: titleOf(sheet), date });
  await drawOn(paper, sheet);
  return paper.finish();
}

/** Sheets one after the other as one PDF, whose outline names them. The same sheets and date are the same bytes. */
export async function drawSheets(sheets: Iterable<Sheet>, title: string, date: Date): Promise<Uint8Array> {
  const paper = createPaper({ title, date });
  for (const sheet of sheets) {
    paper.beginSheet(titleOf(sheet));
    await drawOn(paper, sheet);
  }
  return paper.finish();
}

async function drawOn(paper: Paper, sheet: Sheet): Promise<void> {
  const style = styles[sheet.form];
  const drawing = createBlockDrawing(paper, style);
  const pages: Pages = {
    paper,
    sheet,
    style,
    drawing,
    pageNumbers: [],
    overflow: [],
    isCut: false,
    y: 0,
    limit: 0,
  };
  startPage(pages);
  for (const block of sheet.blocks) {
    if (pages.isCut) break;
    if (block.kind === 'table') await drawTable(pages, block);
    else if (block.place === undefined) drawBlock(pages, block);
    await letOthersRun();
  }
  await drawOverflow(pages);
  numberPages(pages);
}
