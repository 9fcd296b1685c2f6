import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Sheet, TableBlock } from '../sheet.ts';
import { type BlockDrawing, createBlockDrawing, type PlacedBlock, type Strip } from './blocks.ts';
import { writeLine } from './fitting.ts';
import { drawHead, type PageNumberPlace } from './heads.ts';
import { createPaper, type Paper, type Style, styles } from './paper.ts';

const FOOT_HEIGHT = 10;
const GAP = 3;
/** Page limit of a sheet, which it states when cut; a note with 990 items and the longest texts needs fewer. */
const MOST_PAGES = 250;
const ENDS_HERE = 'A FOLHA TERMINA AQUI: O DOCUMENTO É MAIS LONGO, E O RESTANTE ESTÁ NO XML';

/** Table rows or text lines drawn before yielding to the event loop. */
const ROWS_AT_ONCE = 100;
const LINES_AT_ONCE = 1000;

/** Drawing state of a sheet. */
interface Pages {
  readonly paper: Paper;
  readonly sheet: Sheet;
  readonly style: Style;
  readonly drawing: BlockDrawing;
  readonly pageNumbers: PageNumberPlace[];
  /** True if the page limit cut the sheet. */
  isCut: boolean;
  y: number;
  /** Lower limit of flowing blocks on this page. */
  limit: number;
}

function put(pages: Pages, { height, draw }: Strip): void {
  draw(pages.y);
  pages.y += height;
}

function stripsAt({ sheet, drawing }: Pages, place: NonNullable<PlacedBlock['place']>): Strip[] {
  return sheet.blocks.flatMap((block) =>
    block.kind !== 'table' && block.place === place ? drawing.strips(block) : [],
  );
}

function startPage(pages: Pages): void {
  const { paper, sheet, style } = pages;
  const { margin } = style;
  paper.addPage();
  if (sheet.marks.length > 0) paper.stamp(sheet.marks, style.stamp);
  const isFirst = paper.pages === 1;
  pages.y = margin;
  pages.limit = paper.height - margin - FOOT_HEIGHT;
  if (sheet.form === 'danfse')
    paper.box(margin / 2, margin / 2, paper.width - margin, paper.height - margin, 1);
  const room = paper.width - 2 * margin - (style.numberWidth ?? 0);
  const foot = { x: margin, y: paper.height - margin - 6, room, free: 0 };
  writeLine(paper, sheet.foot, foot, { face: style.value.face, size: 6 }, 5);
  if (isFirst) {
    for (const strip of stripsAt(pages, 'top')) put(pages, strip);
    if (pages.y > margin) {
      paper.line(margin, pages.y + GAP, paper.width - margin, pages.y + GAP, 2);
      pages.y += 2 * GAP;
    }
  }
  const head = drawHead(paper, sheet, pages.y, style);
  if (head.pageNumber !== undefined) pages.pageNumbers.push(head.pageNumber);
  pages.y += head.height;
  for (const strip of stripsAt(pages, 'every')) put(pages, strip);
  if (isFirst) drawBottom(pages);
}

/** Draws the blocks at the end of the first page, before any flowing one. */
function drawBottom(pages: Pages): void {
  const strips = stripsAt(pages, 'bottom');
  const top = pages.limit - strips.reduce((sum, { height }) => sum + height, 0);
  const flowsFrom = pages.y;
  pages.y = top;
  for (const strip of strips) put(pages, strip);
  pages.y = flowsFrom;
  pages.limit = top - GAP;
}

/** Reserves an unbroken height, on a new page if needed. */
function reserve(pages: Pages, height: number): void {
  if (pages.y + height > pages.limit && !endsHere(pages)) startPage(pages);
}

/** True at the page limit; states it once at the end of the last page. */
function endsHere(pages: Pages): boolean {
  const { drawing, limit } = pages;
  if (pages.paper.pages < MOST_PAGES) return false;
  if (!pages.isCut) drawing.sentence(ENDS_HERE, limit - drawing.sentenceHeight);
  pages.isCut = true;
  return true;
}

function drawTitle(pages: Pages, title: string, next: number): void {
  const height = pages.drawing.titleHeight(title);
  reserve(pages, height + next);
  put(pages, { height, draw: (y) => pages.drawing.title(title, y) });
}

/** True if the table fills the rest of the first page, as the items of a DANFE do. */
function fillsPage({ paper, sheet, y, limit }: Pages): boolean {
  return sheet.form === 'danfe' && paper.pages === 1 && y < limit;
}

async function drawTable(pages: Pages, { title, columns, rows }: TableBlock): Promise<void> {
  const { drawing, style } = pages;
  const headingHeight = drawing.headingHeight(columns);
  const begin = (first: number): number => {
    drawTitle(pages, title, headingHeight + first);
    const top = pages.y;
    put(pages, { height: headingHeight, draw: (y) => drawing.headings(columns, y) });
    return top;
  };
  const [first] = rows;
  let top = begin(first === undefined ? style.lead : drawing.rowStrip(columns, first).height);
  for (const [at, row] of rows.entries()) {
    const strip = drawing.rowStrip(columns, row);
    const last = at === rows.length - 2 ? rows[at + 1] : undefined;
    // A sum is never alone on a page.
    const after = last?.isBold ? drawing.rowStrip(columns, last).height : 0;
    if (pages.y + strip.height + after > pages.limit) {
      if (endsHere(pages)) break;
      drawing.tableFrame(columns, top, pages.y);
      startPage(pages);
      top = begin(strip.height);
    }
    put(pages, strip);
    if (at < rows.length - 1 || fillsPage(pages)) drawing.rule(pages.y);
    if ((at + 1) % ROWS_AT_ONCE === 0) await letOthersRun();
  }
  if (fillsPage(pages)) pages.y = Math.max(pages.y, pages.limit);
  drawing.tableFrame(columns, top, pages.y);
}

/** Texts of a DANFSe are confined to its single page. */
function drawFlowing(pages: Pages, block: PlacedBlock): void {
  const isConfined = block.kind === 'text' && pages.sheet.form === 'danfse';
  for (const strip of pages.drawing.strips(block, isConfined ? pages.limit - pages.y : undefined)) {
    const kept = block.title === undefined ? 0 : (pages.style.around?.below ?? 0);
    if (!isConfined) reserve(pages, strip.height + kept);
    put(pages, strip);
  }
}

/** The overflow of texts from the first page. */
async function drawOverflow(pages: Pages): Promise<void> {
  const { drawing, style, paper } = pages;
  for (const { title, lines } of pages.isCut ? [] : drawing.overflow) {
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

function numberPages({ paper, pageNumbers, sheet: { pageOf = 'FOLHA {page}/{pages}' } }: Pages): void {
  pageNumbers.forEach(({ x, y, width, lettering }, i) => {
    const text = pageOf.replace('{page}', String(i + 1)).replace('{pages}', String(pageNumbers.length));
    paper.turnTo(i);
    paper.write(text, x + (width - paper.widthOf(text, lettering)) / 2, y, lettering);
  });
}

const titleOf = ({ head: { title, key } }: Sheet): string => [title, key].filter(Boolean).join(' ');

/** The sheet as a PDF. The same sheet and date yield the same bytes. */
export async function drawSheet(
  sheet: Sheet,
  date: Date,
  { title = titleOf(sheet), language }: { readonly title?: string; readonly language?: string } = {},
): Promise<Uint8Array> {
  const paper = createPaper({ title, date, language });
  await drawOn(paper, sheet);
  return paper.finish();
}

/** Sheets as one PDF with an outline entry for each. The same sheets and date yield the same bytes. */
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
  const pages: Pages = { paper, sheet, style, drawing, pageNumbers: [], isCut: false, y: 0, limit: 0 };
  startPage(pages);
  for (const block of sheet.blocks) {
    if (pages.isCut) break;
    if (block.kind === 'table') await drawTable(pages, block);
    else if (block.place === undefined) drawFlowing(pages, block);
    await letOthersRun();
  }
  await drawOverflow(pages);
  numberPages(pages);
}
