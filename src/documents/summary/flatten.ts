/** Up to this length V8 copies a substring; a longer one points into the text it was cut from. */
export const LONGEST_COPIED = 12;
/** Characters of a text that is copied by way of the scratch pad. */
const SCRATCH_LENGTH = 256;

const WIDE = /[\u0100-\uffff]/;
const scratch = Buffer.allocUnsafe(2 * SCRATCH_LENGTH);

/**
 * A copy of the text that does not keep the text it was cut from alive. Every string kept from a reply goes through
 * here: a 44-character key would else hold megabytes. What comes from UTF-16 has one byte a character where that is
 * enough. Source: docs/decisions/xml-reader.md.
 */
export function flatten(text: string): string {
  if (text.length <= LONGEST_COPIED) return text;
  if (text.length > SCRATCH_LENGTH) {
    const encoding = WIDE.test(text) ? 'utf16le' : 'latin1';
    return Buffer.from(text, encoding).toString(encoding);
  }
  scratch.write(text, 'utf16le');
  return scratch.toString('utf16le', 0, 2 * text.length);
}
