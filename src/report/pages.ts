import { type Lettering, printable, wrapText } from '../sheets/draw/fitting.ts';
import { createPaper, type Paper } from '../sheets/draw/paper.ts';
import type { Report } from './model.ts';

/** 15 mm; the foot has 17. */
const MARGIN = 42.5;
const FOOT = 48;

export const colors = {
  ink: '#191a1d',
  soft: '#55585f',
  hair: '#dededa',
  rule: '#85878d',
  bar: '#6886ab',
  bad: '#ab1d18',
  soon: '#865000',
} as const;

export const letterings = {
  title: { face: 'Times-Bold', size: 21 },
  section: { face: 'Times-Bold', size: 13 },
  number: { face: 'Times-Roman', size: 13 },
  lead: { face: 'Helvetica', size: 9.5 },
  figure: { face: 'Helvetica-Bold', size: 13 },
  body: { face: 'Helvetica', size: 8 },
  bold: { face: 'Helvetica-Bold', size: 8 },
  small: { face: 'Helvetica', size: 7 },
  key: { face: 'Helvetica', size: 6.5 },
} as const satisfies Record<string, Lettering>;

/** Points from one line to the next. */
export const lead = ({ size }: Lettering): number => size * 1.35;

/** The standard fonts have no minus sign, and what they lack becomes a question mark. */
export const writable = (text: string): string => printable(text.replaceAll('\u2212', '\u2013'));

const MOST_LINES = 200;

/** The pages of a report while they are being filled from top to bottom. */
export class Pages {
  readonly paper: Paper;
  readonly left = MARGIN;
  readonly right: number;
  y = MARGIN;
  readonly #limit: number;
  readonly #report: Report;

  constructor(report: Report, date: Date) {
    this.#report = report;
    this.paper = createPaper({ title: report.answer, date, language: report.language });
    this.right = this.paper.width - MARGIN;
    this.#limit = this.paper.height - FOOT;
    this.paper.beginSheet(report.answer);
    this.paper.addPage();
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Whether so much more fits onto this page. */
  fits(height: number): boolean {
    return this.y + height <= this.#limit;
  }

  turn(): void {
    this.paper.addPage();
    this.y = MARGIN;
  }

  /** Goes on with the next page where there is no room for what must not be divided. */
  reserve(height: number): void {
    if (!this.fits(height)) this.turn();
  }

  rule(color: string, thickness = 0.5): void {
    this.paper.shade(this.left, this.y, this.width, thickness, color);
  }

  lines(text: string, lettering: Lettering, width: number = this.width): string[] {
    return wrapText(this.paper, text.replaceAll('\u2212', '\u2013'), lettering, width, MOST_LINES);
  }

  /** Writes a text over as many lines as it takes, each whole on its page. */
  paragraph(text: string, lettering: Lettering, color: string, width = this.width, x = this.left): void {
    for (const line of this.lines(text, lettering, width)) {
      this.reserve(lead(lettering));
      this.paper.write(line, x, this.y, lettering, color);
      this.y += lead(lettering);
    }
  }

  /** Writes a text that ends at `right`. */
  writeRight(text: string, right: number, y: number, lettering: Lettering, color: string): void {
    const line = writable(text);
    this.paper.write(line, right - this.paper.widthOf(line, lettering), y, lettering, color);
  }

  /** Writes the foot of every page, now that their number is known, and ends the file. */
  finish(): Promise<Uint8Array> {
    const { foot, pageOf } = this.#report;
    const { pages, height } = this.paper;
    for (let page = 0; page < pages; page++) {
      this.paper.turnTo(page);
      const y = height - FOOT + 16;
      const number = pageOf.replace('{page}', String(page + 1)).replace('{pages}', String(pages));
      const room = this.width - 60;
      const [line = ''] = this.lines(foot, letterings.small, room);
      this.paper.write(line, this.left, y, letterings.small, colors.soft);
      this.writeRight(number, this.right, y, letterings.small, colors.soft);
    }
    return this.paper.finish();
  }
}
