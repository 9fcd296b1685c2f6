import fc from 'fast-check';

/**
 * Any code point, lone halves of pairs too: what fast-check calls `binary`, for which it would make a table of all of
 * them first, a second's work in every process.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
