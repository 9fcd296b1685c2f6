import { create } from 'qrcode';
import { keyGroups } from '../printed.ts';
import type { Fact, Sheet } from '../sheet.ts';
import { code128 } from './code-128.ts';
import { firstLines, type Lettering, wrapText, writeLine } from './fitting.ts';
import type { Paper, Style } from './paper.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Modules that must stay white on each side of a bar code. */
const QUIET = 10;

/** Draws a bar code into a box, with quiet zones; nothing if the text can't be encoded. */
function drawBarCode(paper: Paper, text: string, { x, y, width, height }: Box): void {
  const widths = code128(text) ?? [];
  const module = width / (widths.reduce((sum, one) => sum + one, 0) + 2 * QUIET);
  const bars: [number, number, number, number][] = [];
  let at = x + QUIET * module;
  widths.forEach((one, i) => {
    if (i % 2 === 0) bars.push([at, y, one * module, height]);
    at += one * module;
  });
  if (bars.length > 0) paper.fillAreas(bars);
}

/** Longer addresses make squares too small to be read from paper. */
const LONGEST_QR = 1_000;

/** Draws a QR code into a square; nothing if the text is longer than `LONGEST_QR`. */
function drawQrCode(paper: Paper, text: string, x: number, y: number, side: number): void {
  if (text === '' || text.length > LONGEST_QR) return;
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const unit = side / size;
  const squares: [number, number, number, number][] = [];
  for (let row = 0; row < size; row++) {
    // Adjacent dark modules become one area.
    for (let column = 0, start = 0; column < size; column++) {
      if (!modules.get(row, column)) start = column + 1;
      else if (column + 1 === size || !modules.get(row, column + 1))
        squares.push([x + start * unit, y + row * unit, (column + 1 - start) * unit, unit]);
    }
  }
  paper.fillAreas(squares);
}

/** Position of the page number, which is written once the page count is known. */
export type PageNumberPlace = ReturnType<typeof drawTitle>;

interface DrawnHead {
  readonly height: number;
  /** Undefined on a form of one page. */
  readonly pageNumber?: PageNumberPlace;
}

const CENTIMETRE = 28.3465;
const PADDING = 4;
const GREY = '#f2f2f2';
const RED = '#ff0000';
/** Keys with a bar code; an NFS-e has a QR code instead. */
const BAR_CODE_KEY = /^[0-9A-Z]{44}$/;

/** Writes lines centred in a box; returns the `y` below them. */
function centred(
  paper: Paper,
  lines: readonly string[],
  { x, y, width }: Omit<Box, 'height'>,
  lettering: Lettering,
  lead: number,
): number {
  const place = { x, room: width, free: 2 * PADDING, align: 'center' } as const;
  let at = y;
  for (const line of lines) {
    writeLine(paper, line, { ...place, y: at }, lettering, 5);
    at += lead;
  }
  return at;
}

function drawIssuer(paper: Paper, lines: readonly string[], box: Box, style: Style): void {
  const [name = '', ...rest] = lines;
  const bold = { face: style.title.face, size: 11 };
  const width = box.width - 2 * PADDING;
  const names = firstLines(paper, name, bold, width, 3);
  let at = box.y + 12;
  at = centred(paper, names, { ...box, y: at }, bold, 12) + 3;
  const small = { face: style.value.face, size: 8 };
  const room = Math.floor((box.y + box.height - at) / 9);
  centred(paper, rest.slice(0, room), { ...box, y: at }, small, 9);
}

function drawTitle(paper: Paper, { head }: Sheet, box: Box, style: Style) {
  let at = centred(paper, [head.title], { ...box, y: box.y + 5 }, style.titleFace, style.titleFace.size + 3);
  at = centred(paper, head.subtitle, { ...box, y: at }, { face: style.value.face, size: 6.5 }, 7.5) + 2;
  if (head.flow !== undefined) {
    const small = { face: style.value.face, size: 8 };
    head.flow.meanings.forEach((meaning, i) => {
      paper.write(meaning, box.x + 8, at + i * 9, small);
    });
    paper.box(box.x + box.width - 26, at, 16, 16);
    const code = { face: style.title.face, size: 11 };
    const x = box.x + box.width - 18 - paper.widthOf(head.flow.code.slice(0, 2), code) / 2;
    paper.write(head.flow.code.slice(0, 2), x, at + 3, code);
    at += 21;
  }
  const bold = { face: style.title.face, size: head.facts.length > 3 ? 8 : 10 };
  const lead = bold.size + 1.5;
  const facts = head.facts.map(({ label, value }) => `${label} ${value}`);
  at = centred(paper, facts, { ...box, y: at }, bold, lead);
  return { x: box.x, y: at, width: box.width, lettering: bold };
}

/** Bar code, key, QR code and instructions for looking the document up. */
function drawCodes(paper: Paper, { head }: Sheet, box: Box, style: Style): void {
  const { key, qr, secondCode, consultation } = head;
  let at = box.y;
  if (key !== undefined && BAR_CODE_KEY.test(key)) {
    drawBarCode(paper, key, { x: box.x, y: at + 4, width: box.width, height: 30 });
    at += 38;
  }
  if (key !== undefined) {
    paper.line(box.x, at, box.x + box.width, at);
    paper.write('CHAVE DE ACESSO', box.x + PADDING, at + 2, style.label);
    centred(paper, [keyGroups(key)], { ...box, y: at + 9.5 }, { face: style.title.face, size: 8.5 }, 0);
    at += 20;
    paper.line(box.x, at, box.x + box.width, at);
  }
  if (secondCode !== undefined) {
    drawBarCode(paper, secondCode.code, { x: box.x, y: at + 4, width: box.width, height: 22 });
    const text = `${secondCode.label} ${keyGroups(secondCode.code)}`;
    at = centred(paper, [text], { ...box, y: at + 28 }, { face: style.title.face, size: 7 }, 9);
  }
  const side = qr === undefined ? 0 : Math.min(76, box.y + box.height - at - 6);
  if (qr !== undefined) drawQrCode(paper, qr, box.x + box.width - side - 4, at + 3, side);
  const text = { face: style.value.face, size: 7.5 };
  const room = { ...box, width: box.width - side - (side > 0 ? 6 : 0) };
  const most = Math.floor((box.y + box.height - at) / 9);
  const lines = firstLines(paper, consultation, text, room.width - 2 * PADDING, most);
  const top = at + Math.max(2, (box.y + box.height - at - lines.length * 9) / 2);
  centred(paper, lines, { ...room, y: top }, text, 9);
}

/** Three boxes: issuer, kind of document, and key with codes. */
function drawThreeBoxes(paper: Paper, sheet: Sheet, y: number, style: Style): DrawnHead {
  const { issuer, qr, secondCode } = sheet.head;
  const width = paper.width - 2 * style.margin;
  const height = 104 + (qr === undefined ? 0 : 34) + (secondCode === undefined ? 0 : 20);
  let x = style.margin;
  const box = (share: number): Box => {
    const one = { x, y, width: share, height };
    if (share > 0) paper.box(x, y, share, height);
    x += share;
    return one;
  };
  const issuerBox = box(issuer.length === 0 ? 0 : width * 0.37);
  const titleBox = box(width * (issuer.length === 0 ? 0.5 : 0.21));
  const codesBox = box(width - issuerBox.width - titleBox.width);
  if (issuer.length > 0) drawIssuer(paper, issuer, issuerBox, style);
  const pageNumber = drawTitle(paper, sheet, titleBox, style);
  drawCodes(paper, sheet, codesBox, style);
  return { height, pageNumber };
}

/** The head of a DANFSe at its prescribed positions. Source: NT SE/CGNFS-e 008 v1.02, sections 2.4.3 and 2.4.5. */
function drawDanfseHead(paper: Paper, { head }: Sheet, style: Style): DrawnHead {
  const { margin } = style;
  const width = paper.width - 2 * margin;
  const band = 1.17 * CENTIMETRE;
  const corner = 15.62 * CENTIMETRE;
  paper.shade(margin, margin, width, band, GREY);
  const middle = { x: 5.41 * CENTIMETRE, y: margin + 3, width: 10.19 * CENTIMETRE, height: band };
  let at = centred(paper, [head.title, ...head.subtitle], middle, style.titleFace, 10);
  if (head.warning !== undefined) {
    const start = middle.x + (middle.width - paper.widthOf(head.warning, style.titleFace)) / 2;
    paper.write(head.warning, start, at, style.titleFace, RED);
  }
  head.corner.forEach((line, i) => {
    const y = margin + 4 + (i === 0 ? 0 : 4 + i * 8);
    const place = { x: corner, y, room: paper.width - margin - corner, free: 0 };
    writeLine(paper, line, place, { face: style.value.face, size: i === 0 ? 8 : 6 }, 6);
  });
  at = margin + band;
  paper.line(margin, at, margin + width, at);
  const drawFact = ({ label, value }: Fact, x: number, y: number, room: number) => {
    const place = { x, room, free: 2 * PADDING };
    writeLine(paper, label, { ...place, y: y + 1.5 }, { face: style.title.face, size: 7 });
    writeLine(paper, value, { ...place, y: y + 9.5 }, style.value, style.least);
  };
  const key = { label: 'CHAVE DE ACESSO DA NFS-e', value: head.key ?? '-' };
  drawFact(key, margin, at + 1, 15.3 * CENTIMETRE);
  const columns = [0.3, 5.41, 10.51].map((one) => one * CENTIMETRE);
  head.facts.forEach((fact, i) => {
    drawFact(fact, columns[i % 3] ?? margin, at + 22 + Math.floor(i / 3) * 19, 5.1 * CENTIMETRE);
  });
  const side = 1.6 * CENTIMETRE;
  if (head.qr !== undefined) drawQrCode(paper, head.qr, 17.48 * CENTIMETRE, 1.67 * CENTIMETRE, side);
  const small = { face: style.value.face, size: 6 };
  firstLines(paper, head.consultation, small, paper.width - margin - corner, 4).forEach((line, i) => {
    paper.write(line, corner, 1.67 * CENTIMETRE + side + 5 + i * 7, small);
  });
  return { height: band + 80 };
}

/** The head of a report, on its first page; page numbers go to the foot. */
function drawReportHead(paper: Paper, { head }: Sheet, y: number, style: Style): DrawnHead {
  const { margin, titleFace, label, numberWidth = 0 } = style;
  const width = paper.width - 2 * margin;
  const foot = paper.height - margin - 6;
  const number = { x: paper.width - margin - numberWidth, y: foot, width: numberWidth, lettering: label };
  if (paper.pages > 1) return { height: 0, pageNumber: number };
  paper.shade(margin, y, width, 2, 'black');
  const [name = '', id = ''] = head.issuer;
  const line = { x: margin, y: y + 8, room: width, padding: 0 };
  writeLine(paper, name, { ...line, free: paper.widthOf(id, style.value) + 10 }, style.value, 5);
  writeLine(paper, id, { ...line, free: 0, align: 'right' }, style.value, 5);
  const lines = wrapText(paper, head.title, titleFace, width, 3);
  lines.forEach((line, i) => {
    paper.write(line, margin, y + 24 + i * 24, titleFace);
  });
  return { height: 30 + lines.length * 24, pageNumber: number };
}

/** Draws a sheet's head at this height of the page. */
export function drawHead(paper: Paper, sheet: Sheet, y: number, style: Style): DrawnHead {
  if (sheet.form === 'report') return drawReportHead(paper, sheet, y, style);
  return sheet.form === 'danfse'
    ? drawDanfseHead(paper, sheet, style)
    : drawThreeBoxes(paper, sheet, y, style);
}
