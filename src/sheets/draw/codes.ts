import { create } from 'qrcode';
import { code128 } from './code-128.ts';
import type { Paper } from './paper.ts';

/** Modules that must stay white on each side of a bar code. */
const QUIET = 10;

/** Draws a bar code into a box, with its quiet zones; nothing where the text can't be one. */
export function drawBarCode(
  paper: Paper,
  text: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  const widths = code128(text);
  if (widths === undefined) return;
  const modules = widths.reduce((sum, one) => sum + one, 0) + 2 * QUIET;
  const module = width / modules;
  const bars: [number, number, number, number][] = [];
  let at = x + QUIET * module;
  widths.forEach((one, i) => {
    if (i % 2 === 0) bars.push([at, y, one * module, height]);
    at += one * module;
  });
  paper.fillAreas(bars);
}

/** Longer addresses make squares too small to be read from paper. */
const LONGEST_QR = 1_000;

/** Draws a QR code into a square; nothing where the text is too long for one that can be read. */
export function drawQrCode(paper: Paper, text: string, x: number, y: number, side: number): void {
  if (text === '' || text.length > LONGEST_QR) return;
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const unit = side / modules.size;
  const squares: [number, number, number, number][] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; ) {
      const start = column;
      while (column < modules.size && modules.get(row, column)) column += 1;
      if (column > start) squares.push([x + start * unit, y + row * unit, (column - start) * unit, unit]);
      else column += 1;
    }
  }
  paper.fillAreas(squares);
}
