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

/** Characters of windows-1252 outside ISO-8859-1 that fiscal text uses. */
const WINDOWS_1252: Readonly<Record<string, number>> = {
  '–': 0x96,
  '—': 0x97,
  '“': 0x93,
  '”': 0x94,
  '…': 0x85,
};

/** A PDF string in WinAnsi, as one byte for each character; what the encoding lacks becomes a question mark. */
function pdfString(text: string): string {
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const known = code < 0x80 || (code >= 0xa0 && code <= 0xff);
    return String.fromCharCode(known ? code : (WINDOWS_1252[character] ?? 0x3f));
  });
  return `(${bytes.join('').replace(/[\\()]/g, '\\$&')})`;
}

function contentStream(texts: readonly PageText[], lines: readonly PageLine[]): string {
  const drawn = lines.map(({ from, to }) => `${from.join(' ')} m ${to.join(' ')} l S`);
  const written = texts.map(
    ({ x, y, size, text, bold }) =>
      `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${x} ${y} Td ${pdfString(text)} Tj ET`,
  );
  return ['0.5 w', ...drawn, ...written].join('\n');
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

/** A PDF 1.4 file of one A4 page in Helvetica. The same page is the same bytes. */
export function writePdf(title: string, texts: readonly PageText[], lines: readonly PageLine[]): Buffer {
  const content = contentStream(texts, lines);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents 4 0 R ` +
      '/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${pdfString(title)} >>`,
  ];
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\n`;
  return Buffer.from(`${file}${table}${trailer}startxref\n${file.length}\n%%EOF\n`, 'latin1');
}
