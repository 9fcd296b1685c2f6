/** Up to this length V8 copies a substring; a longer one points into the text it was cut from. */
const LONGEST_COPIED = 12;
/** What fits is copied by way of the scratch pad. */
const SCRATCH_SIZE = 256;

const WIDE = /[\u0100-\uffff]/;
const scratch = Buffer.allocUnsafe(SCRATCH_SIZE);

/**
 * A copy of the text that does not keep the text it was cut from alive. Every string kept from a reply goes through
 * here: a 44-character key would else hold megabytes. Source: docs/decisions/xml-reader.md.
 */
export function flatten(text: string): string {
  if (text.length <= LONGEST_COPIED) return text;
  if (WIDE.test(text)) return Buffer.from(text, 'utf16le').toString('utf16le');
  if (text.length > SCRATCH_SIZE) return Buffer.from(text, 'latin1').toString('latin1');
  scratch.write(text, 'latin1');
  return scratch.toString('latin1', 0, text.length);
}
