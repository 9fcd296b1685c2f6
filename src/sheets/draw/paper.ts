import { setImmediate as letOthersRun } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { printable } from './printable.ts';

/** The standard fonts that sheets are set in. */
export type Face = 'Times-Roman' | 'Times-Bold' | 'Helvetica' | 'Helvetica-Bold';

export interface Lettering {
  readonly face: Face;
  /** In points. */
  readonly size: number;
}

/** A4 pages to draw on. Measures are points from the upper left corner. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  /** Begins a further sheet in the same file: its pages count from 0, and the file's outline names it. */
  beginSheet(title: string): void;
  addPage(): void;
  /** Of this sheet. */
  readonly pages: number;
  /** What follows is drawn on this page, from 0. */
  turnTo(page: number): void;
  /** One line of printable characters. `y` is its upper edge. */
  write(text: string, x: number, y: number, lettering: Lettering, color?: string): void;
  widthOf(text: string, lettering: Lettering): number;
  box(x: number, y: number, width: number, height: number, lineWidth?: number): void;
  shade(x: number, y: number, width: number, height: number, color: string): void;
  line(x1: number, y1: number, x2: number, y2: number, dash?: number): void;
  /** Small black areas as one drawing: bars, the squares of a QR code. */
  fillAreas(areas: Iterable<readonly [x: number, y: number, width: number, height: number]>): void;
  /** Large grey words across the page, below what is drawn afterwards. */
  stamp(texts: readonly string[]): void;
  /** The file. Nothing can be drawn any more. */
  finish(): Promise<Uint8Array>;
}

const A4 = { width: 595.28, height: 841.89 };
const LINE_WIDTH = 0.5;
/** 35 % black. */
const STAMP_COLOR = '#a6a6a6';
const LARGEST_STAMP = 84;
const STAMP_LENGTH = 620;

/** What the document's own properties say. The date is the document's: the same document is the same bytes. */
export interface PaperProperties {
  readonly title: string;
  readonly date: Date;
}

/** The pages that it holds back until they are flushed, which its types don't name. */
type PageByPage = PDFKit.PDFDocument & { _pageBuffer?: unknown[] };

/** Makes the pages of one file; the first one has to be added. */
export function createPaper({ title, date }: PaperProperties): Paper {
  const file: PageByPage = new PDFDocument({
    size: [A4.width, A4.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    lang: 'pt-BR',
    info: { Title: printable(title), Creator: 'docfiscal-mcp', CreationDate: date },
  });
  const widths = new Map<string, number>();
  let pages = 0;
  /** Pages of the sheets before. */
  let before = 0;
  let titleDue: string | undefined;

  /** Widths are kept by word: a sheet repeats them, and looks at each several times. */
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
    get pages() {
      return pages;
    },
    beginSheet(title) {
      before += pages;
      pages = 0;
      titleDue = title;
    },
    addPage() {
      file.addPage();
      pages += 1;
      // An outline points at the page that is open.
      if (titleDue !== undefined) file.outline.addItem(printable(titleDue));
      titleDue = undefined;
    },
    turnTo(page) {
      file.switchToPage(before + page);
    },
    write(text, x, y, { face, size }, color = 'black') {
      if (text === '') return;
      file.font(face, size).fillColor(color).text(text, x, y, { lineBreak: false });
    },
    widthOf,
    box(x, y, width, height, lineWidth = LINE_WIDTH) {
      file.lineWidth(lineWidth).rect(x, y, width, height).stroke();
    },
    shade(x, y, width, height, color) {
      file.rect(x, y, width, height).fill(color);
    },
    line(x1, y1, x2, y2, dash) {
      if (dash !== undefined) file.dash(dash, {});
      file.lineWidth(LINE_WIDTH).moveTo(x1, y1).lineTo(x2, y2).stroke();
      if (dash !== undefined) file.undash();
    },
    fillAreas(areas) {
      for (const area of areas) file.rect(...area);
      file.fill('black');
    },
    stamp(texts) {
      const [x, y] = [A4.width / 2, A4.height / 2];
      texts.map(printable).forEach((text, i) => {
        const lettering = { face: 'Helvetica-Bold', size: 1 } as const;
        const size = Math.min(LARGEST_STAMP, STAMP_LENGTH / widthOf(text, lettering));
        const offset = (i - (texts.length - 1) / 2) * LARGEST_STAMP * 1.2;
        file.save().rotate(-50, { origin: [x, y] });
        const start = x - widthOf(text, { ...lettering, size }) / 2;
        file.font('Helvetica-Bold', size).fillColor(STAMP_COLOR);
        file.text(text, start, y + offset - size / 2, { lineBreak: false });
        file.restore();
      });
    },
    async finish() {
      for (const page of file._pageBuffer ?? []) {
        // As `flushPages` does with all of them in one go, of which there may be hundreds.
        file._pageBuffer = [page];
        file.flushPages();
        await letOthersRun();
      }
      file.end();
      // Nothing of it waits for anything: all that was written is there.
      return file.read();
    },
  };
}
