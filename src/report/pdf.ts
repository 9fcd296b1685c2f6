import type { Block, Report, Section, Task } from './model.ts';
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

const WHEN_WIDTH = 78;
const AMOUNT_WIDTH = 76;

function drawTask(pages: Pages, { when, isUrgent, text, section, amount }: Task): void {
  const { paper, left, right, width } = pages;
  const lines = pages.lines(
    `${text} ${section.name}`,
    letterings.body,
    width - WHEN_WIDTH - AMOUNT_WIDTH - 10,
  );
  const before = pages.lines(when, letterings.bold, WHEN_WIDTH - 6);
  const height = Math.max(lines.length, before.length) * lead(letterings.body) + 8;
  pages.reserve(height);
  const y = pages.y + 5;
  for (const [at, line] of before.entries())
    paper.write(
      line,
      left,
      y + at * lead(letterings.bold),
      letterings.bold,
      isUrgent ? colors.bad : colors.ink,
    );
  for (const [at, line] of lines.entries())
    paper.write(line, left + WHEN_WIDTH, y + at * lead(letterings.body), letterings.body, colors.ink);
  if (amount !== undefined) pages.writeRight(amount, right, y, letterings.bold, colors.ink);
  pages.y += height;
  pages.rule(colors.hair, 0.4);
}

const LABEL_WIDTH = 110;

function drawBlock(pages: Pages, block: Block): void {
  switch (block.kind) {
    case 'table':
      drawTable(pages, block);
      return;
    case 'note':
      pages.y += 4;
      pages.paragraph(block.text, letterings.small, colors.soft, WORDS_WIDTH);
      return;
    case 'tasks':
      pages.y += 4;
      pages.rule(colors.rule);
      for (const task of block.items) drawTask(pages, task);
      return;
    case 'remarks':
      for (const { about, text } of block.items) {
        pages.y += 4;
        pages.paragraph(
          about === undefined ? text : `${about}: ${text}`,
          letterings.body,
          colors.ink,
          pages.width,
        );
        pages.y += 2;
        pages.rule(colors.hair, 0.4);
      }
      return;
    case 'sources':
      pages.y += 4;
      for (const { label, text, digest } of block.items) {
        pages.reserve(2 * lead(letterings.small));
        const top = pages.y;
        pages.paragraph(label, letterings.small, colors.soft, LABEL_WIDTH - 8);
        const below = pages.y;
        pages.y = top;
        const width = pages.width - LABEL_WIDTH;
        const x = pages.left + LABEL_WIDTH;
        pages.paragraph(text, letterings.small, colors.ink, width, x);
        if (digest !== undefined) pages.paragraph(digest, letterings.key, colors.soft, width, x);
        pages.y = Math.max(pages.y, below) + 1.5;
      }
  }
}

/** A heading, and room for what must stand with it. */
const SECTION_ROOM = 110;

function drawSection(pages: Pages, { number, title, intro, blocks }: Section): void {
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
  for (const block of blocks) drawBlock(pages, block);
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
  for (const section of report.sections) drawSection(pages, section);
  drawSignatures(pages, report);
  return pages.finish();
}
