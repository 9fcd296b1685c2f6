import fc from 'fast-check';

/**
 * Any code point, including lone surrogates, like fast-check's `binary`, which builds a table of all of them: a second
 * in every process.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
