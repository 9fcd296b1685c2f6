/** Characters of WinAnsi outside ISO-8859-1. */
const BEYOND_LATIN = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || BEYOND_LATIN.has(character);
}

/** The same letter without what the fonts don't have, or a question mark. */
function nearest(character: string): string {
  const plain = Array.from(character.normalize('NFKD').replace(/\p{Mark}/gu, ''));
  return plain.length > 0 && plain.every(isPrintable) ? plain.join('') : '?';
}

/** A text in characters that the standard fonts have, as one line: what they lack becomes its plain letter or `?`. */
export function printable(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  return /^[\x20-\x7e\xa0-\xff]*$/.test(line)
    ? line
    : Array.from(line, (character) => (isPrintable(character) ? character : nearest(character))).join('');
}
