import { setImmediate as letOthersRun } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { SheetForm } from '../sheet.ts';
import { type Face, type Lettering, printable } from './fitting.ts';

/** A4 pages to draw on. Measures are points from the upper left corner. */
export type Paper = ReturnType<typeof createPaper>;

const A4 = { width: 595.28, height: 841.89 };
const LINE_WIDTH = 0.5;
const LARGEST_STAMP = 84;
const STAMP_LENGTH = 620;

/** Metadata of the PDF. The date is the document's, so that the same document yields the same bytes. */
interface PaperProperties {
  readonly title: string;
  readonly date: Date;
  readonly language?: string | undefined;
}

/** PDFKit with its buffer of unflushed pages, which its types omit. */
type PageByPage = PDFKit.PDFDocument & { _pageBuffer?: unknown[] };

/** Creates a file without pages; the caller adds the first. */
export function createPaper({ title, date, language = 'pt-BR' }: PaperProperties) {
  const file: PageByPage = new PDFDocument({
    size: [A4.width, A4.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    lang: language,
    info: { Title: printable(title), Creator: 'docfiscal-mcp', CreationDate: date },
  });
  const widths = new Map<string, number>();
  let pages = 0;
  let before = 0;
  let titleDue: string | undefined;

  /** Cached by word: sheets repeat words and measure each several times. */
  function wordWidth(word: string, face: Face): number {
    const key = `${face} ${word}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const width = file.font(face, 1).widthOfString(word);
    widths.set(key, width);
    return width;
  }

  function widthOf(text: string, { face, size }: Lettering): number {
    const blank = wordWidth(' ', face);
    const words = text.split(' ').map((word) => (word === '' ? 0 : wordWidth(word, face)));
    return words.reduce((sum, width) => sum + width + blank, -blank) * size;
  }

  return {
    ...A4,
    get pages(): number {
      return pages;
    },
    /** Begins another sheet: page numbers restart, and the outline gets an entry. */
    beginSheet(title: string): void {
      before += pages;
      pages = 0;
      titleDue = title;
    },
    addPage(): void {
      file.addPage();
      pages += 1;
      if (titleDue !== undefined) this.name(titleDue);
      titleDue = undefined;
    },
    /** Adds an outline entry, which points at the current page. */
    name(title: string): void {
      file.outline.addItem(printable(title));
    },
    turnTo(page: number): void {
      file.switchToPage(before + page);
    },
    /** One line of printable characters; `y` is its upper edge. */
    write(text: string, x: number, y: number, { face, size }: Lettering, color = 'black'): void {
      if (text === '') return;
      file.font(face, size).fillColor(color).text(text, x, y, { lineBreak: false });
    },
    widthOf,
    box(x: number, y: number, width: number, height: number, lineWidth = LINE_WIDTH): void {
      file.lineWidth(lineWidth).rect(x, y, width, height).stroke();
    },
    shade(x: number, y: number, width: number, height: number, color: string): void {
      file.rect(x, y, width, height).fill(color);
    },
    line(x1: number, y1: number, x2: number, y2: number, dash?: number, color = 'black'): void {
      if (dash !== undefined) file.dash(dash, {});
      file.lineWidth(LINE_WIDTH).moveTo(x1, y1).lineTo(x2, y2).stroke(color);
      if (dash !== undefined) file.undash();
    },
    /** Small black areas as one drawing: bars, the squares of a QR code. */
    fillAreas(areas: Iterable<readonly [x: number, y: number, width: number, height: number]>): void {
      for (const area of areas) file.rect(...area);
      file.fill('black');
    },
    /** Large grey words across the page, behind later drawing. */
    stamp(texts: readonly string[], color: string): void {
      const [x, y] = [A4.width / 2, A4.height / 2];
      texts.map(printable).forEach((text, i) => {
        const lettering = { face: 'Helvetica-Bold', size: 1 } as const;
        const size = Math.min(LARGEST_STAMP, STAMP_LENGTH / widthOf(text, lettering));
        const offset = (i - (texts.length - 1) / 2) * LARGEST_STAMP * 1.2;
        file.save().rotate(-50, { origin: [x, y] });
        const start = x - widthOf(text, { ...lettering, size }) / 2;
        file.font('Helvetica-Bold', size).fillColor(color);
        file.text(text, start, y + offset - size / 2, { lineBreak: false });
        file.restore();
      });
    },
    /** Closes the file and returns its bytes. */
    async finish(): Promise<Uint8Array> {
      for (const page of file._pageBuffer ?? []) {
        // `flushPages` would flush hundreds of pages without yielding.
        file._pageBuffer = [page];
        file.flushPages();
        await letOthersRun();
      }
      file.end();
      // All writes are synchronous, so the whole file can be read.
      return file.read();
    },
  };
}

export interface Style {
  readonly margin: number;
  readonly label: Lettering;
  readonly value: Lettering;
  /** Smallest size of values; wider ones are cut. */
  readonly least: number;
  readonly title: Lettering;
  readonly row: number;
  readonly lead: number;
  readonly cell: Lettering;
  readonly heading: Lettering;
  /** Position of titles: above the block, or in the first column of its first row. */
  readonly titles: 'above' | 'column';
  /** A box around each field, a line between blocks, or neither. */
  readonly lines: 'boxes' | 'blocks' | 'none';
  /** Title of a table, if it differs from a block's. */
  readonly caption?: Lettering;
  /** Space above the title of a text, and reserved below it. */
  readonly around?: { readonly above: number; readonly below: number };
  readonly rule?: string;
  /** Width for a page number beside the footer. */
  readonly numberWidth?: number;
  readonly titleFace: Lettering;
  readonly stamp: string;
}

/** Smallest letters of a block's title, an item's columns and other labels. Source: MOC 7.0, Anexo II, section 3.7. */
const times: Style = {
  margin: 14,
  label: { face: 'Times-Roman', size: 6 },
  value: { face: 'Times-Roman', size: 9 },
  least: 5.5,
  title: { face: 'Times-Bold', size: 6 },
  row: 20,
  lead: 8,
  cell: { face: 'Times-Roman', size: 7 },
  heading: { face: 'Times-Bold', size: 5 },
  titles: 'above',
  lines: 'boxes',
  titleFace: { face: 'Times-Bold', size: 14 },
  stamp: '#d1d1d1',
};

/**
 * Source: NT SE/CGNFS-e 008 v1.02, sections 2.2 and 2.4. Its sizes are minimums, so long values are cut, not shrunk;
 * its marks across the page are 35 % black.
 */
const danfse: Style = {
  margin: 8.5,
  label: { face: 'Helvetica-Bold', size: 6 },
  value: { face: 'Helvetica', size: 7 },
  least: 7,
  title: { face: 'Helvetica-Bold', size: 7 },
  row: 17.9,
  lead: 8.2,
  cell: { face: 'Helvetica', size: 7 },
  heading: { face: 'Helvetica-Bold', size: 6 },
  titles: 'column',
  lines: 'blocks',
  titleFace: { face: 'Helvetica-Bold', size: 9 },
  stamp: '#a6a6a6',
};

const mirror: Style = {
  ...times,
  label: { face: 'Helvetica', size: 5.5 },
  value: { face: 'Helvetica', size: 8 },
  title: { face: 'Helvetica-Bold', size: 6.5 },
  cell: { face: 'Helvetica', size: 7 },
  heading: { face: 'Helvetica-Bold', size: 5.5 },
  titleFace: { face: 'Helvetica-Bold', size: 13 },
};

/** A month closing: margins of 15 mm, lines only in tables. */
const report: Style = {
  ...mirror,
  margin: 42.5,
  label: { face: 'Helvetica', size: 7 },
  title: { face: 'Times-Bold', size: 13 },
  caption: { face: 'Helvetica-Bold', size: 8 },
  lead: 10.5,
  cell: { face: 'Helvetica', size: 8 },
  heading: { face: 'Helvetica', size: 7 },
  lines: 'none',
  titleFace: { face: 'Times-Bold', size: 21 },
  around: { above: 18, below: 70 },
  numberWidth: 60,
  rule: '#b5b5b0',
};

export const styles: Readonly<Record<SheetForm, Style>> = {
  danfe: times,
  nfce: times,
  dacte: times,
  danfse,
  mirror,
  report,
};
