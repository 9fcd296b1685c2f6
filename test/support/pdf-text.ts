import { inflateSync } from 'node:zlib';

/** Bytes of windows-1252 outside ISO-8859-1, as WinAnsi has them. */
const decoder = new TextDecoder('windows-1252');

/** The streams of a PDF as they are when unpacked, in the order of the file. */
function contents(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString('latin1');
  return [...file.matchAll(/\/Length (\d+)[^>]*>>\s*stream\n/g)].map((match) => {
    const start = match.index + match[0].length;
    const bytes = Buffer.from(file.slice(start, start + Number(match[1])), 'latin1');
    return (match[0].includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  });
}

/**
 * Extracts the text of a PDF in standard fonts without another program: one line for each piece of text, in drawing
 * order. Throws if a stream does not match its length.
 */
export function pdfTexts(pdf: Uint8Array): string[] {
  return contents(pdf).flatMap((content) =>
    [...content.matchAll(/\[((?:<[0-9a-f]*>|[-\d. ]+)+)\] TJ/g)].map(([, pieces = '']) => {
      const hex = [...pieces.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits).join('');
      return decoder.decode(Buffer.from(hex, 'hex'));
    }),
  );
}

/** Faults in the skeleton of a PDF: a cross-reference that doesn't lead to its object, a count that is wrong. */
export function pdfFaults(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n?$/.exec(file)?.[1] ?? -1);
  if (!file.startsWith('%PDF-') || !file.startsWith('xref\n', start)) return ['no beginning or no end'];
  const size = Number(/^xref\n0 (\d+)\n/.exec(file.slice(start))?.[1]);
  const entries = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)];
  const astray = entries.filter(([, offset], i) => !file.startsWith(`${i + 1} 0 obj\n`, Number(offset)));
  return [
    ...(entries.length === size - 1 ? [] : [`${entries.length} objects, ${size - 1} said`]),
    ...astray.map(([, offset]) => `no object at ${offset}`),
  ];
}
