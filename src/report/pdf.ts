import { drawnTable, type Report, type Section } from './model.ts';
import { colors, lead, letterings, Pages, writable } from './pages.ts';
import { drawTable } from './pdf-table.ts';

/** No line of words is longer, so that the eye finds the next one. */
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
