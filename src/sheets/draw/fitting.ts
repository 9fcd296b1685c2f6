/** The standard PDF fonts that sheets use. */
export type Face = 'Times-Roman' | 'Times-Bold' | 'Helvetica' | 'Helvetica-Bold';

export interface Lettering {
  readonly face: Face;
  readonly size: number;
}

/** Characters of WinAnsi outside ISO-8859-1. */
const BEYOND_LATIN = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || BEYOND_LATIN.has(character);
}

/** The letter without marks that the fonts lack, or a question mark. */
function nearest(character: string): string {
  const plain = Array.from(character.normalize('NFKD').replace(/\p{Mark}/gu, ''));
  return plain.length > 0 && plain.every(isPrintable) ? plain.join('') : '?';
}

/** A text as one line in the characters of the standard fonts; others become their plain letter or `?`. */
export function printable(text: string): string {
  // The fonts lack the minus sign; an en dash replaces it.
  const line = text.normalize('NFC').replaceAll('\u2212', '\u2013').replace(/\s+/gu, ' ').trim();
  return /^[\x20-\x7e\xa0-\xff]*$/.test(line)
    ? line
    : Array.from(line, (character) => (isPrintable(character) ? character : nearest(character))).join('');
}

/** Marks a cut value; the forms prescribe three points. */
const ELLIPSIS = '...';
/** Longest text that any field holds in the smallest size. */
const LONGEST_LINE = 400;
const STEP = 0.5;

export interface Measure {
  widthOf(text: string, lettering: Lettering): number;
}

/** Length of the longest prefix that fits, at least 1, found by doubling and bisection. */
function fittingLength(paper: Measure, text: string, lettering: Lettering, width: number): number {
  let [fits, fails] = [1, 2];
  while (fails <= text.length && paper.widthOf(text.slice(0, fails), lettering) <= width) {
    [fits, fails] = [fails, 2 * fails];
  }
  fails = Math.min(fails, text.length + 1);
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (paper.widthOf(text.slice(0, middle), lettering) <= width) fits = middle;
    else fails = middle;
  }
  return fits;
}

/** The text cut to a width, ending with an ellipsis. */
function cutTo(paper: Measure, text: string, lettering: Lettering, width: number): string {
  const room = width - paper.widthOf(ELLIPSIS, lettering);
  return `${text.slice(0, fittingLength(paper, text, lettering, room)).trimEnd()}${ELLIPSIS}`;
}

/** Placement of a line: start x, available width, share of it left blank. */
interface LinePlace {
  readonly x: number;
  readonly y: number;
  readonly room: number;
  /** Blank part of the width; text that isn't centred usually starts half of it from the edge. */
  readonly free: number;
  readonly padding?: number;
  readonly align?: 'right' | 'center' | undefined;
  readonly color?: string | undefined;
}

/** Writes one line: shrinks it down to `least` points, then cuts it with an ellipsis. */
export function writeLine(
  paper: Measure & { write(text: string, x: number, y: number, lettering: Lettering, color?: string): void },
  value: string,
  { x, y, room, free, padding = free / 2, align, color }: LinePlace,
  { face, size: wanted }: Lettering,
  least: number = wanted,
): void {
  const width = room - free;
  const isLonger = value.length > LONGEST_LINE * 2;
  const whole = printable(value.slice(0, LONGEST_LINE * 2));
  let size = wanted;
  while (size >= least && (isLonger || paper.widthOf(whole, { face, size }) > width)) size -= STEP;
  const isWhole = size >= least;
  const lettering = { face, size: isWhole ? size : least };
  const text = isWhole ? whole : cutTo(paper, whole.slice(0, LONGEST_LINE), lettering, width);
  const rest = align === undefined ? 0 : room - paper.widthOf(text, lettering);
  const starts = { left: x + padding, right: x + rest - padding, center: x + rest / 2 };
  paper.write(text, starts[align ?? 'left'], y, lettering, color);
}

/** The lines of one paragraph; breaks words wider than a line. */
function* paragraphLines(
  paper: Measure,
  text: string,
  lettering: Lettering,
  width: number,
): Generator<string> {
  const blank = paper.widthOf(' ', lettering);
  let line = '';
  let lineWidth = 0;
  for (const word of printable(text).split(' ')) {
    const wordWidth = paper.widthOf(word, lettering);
    // Adding up word widths keeps this linear; measuring whole lines would repeat each word.
    const longerWidth = line === '' ? wordWidth : lineWidth + blank + wordWidth;
    if (longerWidth <= width) {
      line = line === '' ? word : `${line} ${word}`;
      lineWidth = longerWidth;
      continue;
    }
    if (line !== '') yield line;
    line = word;
    lineWidth = wordWidth;
    if (wordWidth <= width) continue;
    for (;;) {
      const length = fittingLength(paper, line, lettering, width);
      if (length >= line.length) break;
      yield line.slice(0, length);
      line = line.slice(length);
    }
    lineWidth = paper.widthOf(line, lettering);
  }
  yield line;
}

/** Breaks a text into lines at line breaks and at the width; one line more than the maximum if too long. */
export function wrapText(
  paper: Measure,
  text: string,
  lettering: Lettering,
  width: number,
  most: number,
): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    for (const line of paragraphLines(paper, paragraph, lettering, width)) {
      if (lines.push(line) > most) return lines;
    }
  }
  return lines;
}

/** The first lines of a text; the last ends with an ellipsis if the text continues. */
export function firstLines(
  paper: Measure,
  text: string,
  lettering: Lettering,
  width: number,
  most: number,
): string[] {
  const lines = wrapText(paper, text, lettering, width, most);
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  const last = kept.pop();
  if (last === undefined) return [];
  const marked = `${last}${ELLIPSIS}`;
  return [...kept, paper.widthOf(marked, lettering) <= width ? marked : cutTo(paper, last, lettering, width)];
}
