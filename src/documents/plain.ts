const SPACE = 0x20;
/** Printable ASCII and the letters and signs of western Europe, without the blank and the hyphen that are not seen. */
const isPlainUnit = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  Number((unit >= SPACE && unit < 0x7f) || (unit > 0xa0 && unit !== 0xad)),
);

/** Whether a text has such characters alone and no blank edges, as nearly every field: it is clean as it is. */
export function isPlain(text: string): boolean {
  const last = text.length - 1;
  if (text.charCodeAt(0) === SPACE || text.charCodeAt(last) === SPACE) return false;
  for (let i = 0; i <= last; i++) if (isPlainUnit[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Up to this length V8 copies a substring; a longer one points into the text it was cut from. */
const LONGEST_COPIED = 12;
/** Longest text copied through the scratch buffer. */
const SCRATCH_LENGTH = 256;

const WIDE = /[\u0100-\uffff]/;
const scratch = Buffer.allocUnsafe(2 * SCRATCH_LENGTH);

/** Copies a text, so that it does not retain the reply it was cut from. Source: docs/decisions/xml-reader.md. */
export function flatten(text: string): string {
  if (text.length <= LONGEST_COPIED) return text;
  if (text.length > SCRATCH_LENGTH) {
    const encoding = WIDE.test(text) ? 'utf16le' : 'latin1';
    return Buffer.from(text, encoding).toString(encoding);
  }
  scratch.write(text, 'utf16le');
  return scratch.toString('utf16le', 0, 2 * text.length);
}
