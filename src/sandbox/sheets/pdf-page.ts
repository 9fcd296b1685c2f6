import PDFDocument from 'pdfkit';

/** One piece of text on the page. The origin is the lower left corner, in points. */
export interface PageText {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly bold?: boolean;
}

/** A straight line. */
export interface PageLine {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** A4 in points. */
export const PAGE_WIDTH = 595;
export const PAGE_HEIGHT = 842;

/** A PDF of one A4 page in Helvetica. The same page is the same bytes, whenever it is made. */
export function writePdf(title: string, texts: readonly PageText[], lines: readonly PageLine[]): Buffer {
  const page = new PDFDocument({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    info: { Title: title, CreationDate: new Date(0) },
  });
  page.lineWidth(0.5);
  for (const { from, to } of lines) {
    page
      .moveTo(from[0], PAGE_HEIGHT - from[1])
      .lineTo(to[0], PAGE_HEIGHT - to[1])
      .stroke();
  }
  for (const { x, y, size, text, bold } of texts) {
    page.font(bold ? 'Helvetica-Bold' : 'Helvetica', size);
    page.text(text, x, PAGE_HEIGHT - y, { lineBreak: false, baseline: 'alphabetic' });
  }
  page.end();
  // Nothing of it waits for anything: all that was written is there.
  return page.read();
}
