import type { DocumentSummary, Party } from '../../documents/summary/summary.ts';
import { searchText } from './encoding.ts';

/**
 * Words that a document is found by beside those of its items: names and ids of its parties, its number and key, what it
 * is about. Most documents have all but number and key in common with many others; what they have in common is kept once
 * (the table `heads`), so that a word is looked for in some thousand texts instead of in every document.
 */

/** So many characters are searched. */
const mostCharacters = 1_000;
/** In PostgreSQL an entry of an index has at most 2,704 bytes; a UTF-16 unit takes at most three in UTF-8. */
const mostBytes = 2_500;
const fewerCharacters = 800;

const plainNumber = /^\d*$/;
const plainKey = /^[0-9A-Z]*$/;

/** The text that a document may have in common with others. A number or key of other than plain characters is in it. */
export function headText(
  { number, key, operation, service }: DocumentSummary,
  parties: readonly Party[],
): string {
  const names = parties.flatMap(({ name, id }) => [name, id]);
  const unusual = [plainNumber.test(number ?? '') ? '' : number, plainKey.test(key ?? '') ? '' : key];
  const left = mostCharacters - searchText(number, key).length - 1;
  const text = searchText(...names, ...unusual, operation, service?.description).slice(0, left);
  return Buffer.byteLength(text) <= mostBytes ? text : text.slice(0, fewerCharacters);
}

/** A word of a search, as it is looked for in the head of a document. */
export interface HeadWord {
  /** As it stands between blanks, if it must be a word of its own. */
  readonly inText: string;
  readonly isWhole: boolean;
  /** As it can stand in a plain number or key; undefined where it can't. */
  readonly code: string | undefined;
}

/** Three digits are in every other key: a number so short is looked for as a word of its own. */
const shortNumber = /^\d{1,3}$/;
const plainWord = /^[0-9a-z]+$/;

/** @param word of a text as `searchText` makes it */
export function headWord(word: string): HeadWord {
  const isWhole = shortNumber.test(word);
  return {
    inText: isWhole ? ` ${word} ` : word,
    isWhole,
    code: plainWord.test(word) ? word.toUpperCase() : undefined,
  };
}
