import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DocumentSummary, Party } from '../../documents/summary/summary.ts';

/** For texts of some kilobytes setting up larger tables takes longer than deflating. */
const quick = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4096 };

/** Text in the form it is stored in; `inflated` reverts it. */
export function deflated(text: string): Uint8Array {
  // A copy: what zlib gives is a view of a larger buffer, which it would keep alive.
  return new Uint8Array(deflateRawSync(text, quick));
}

/** The text of what an engine gave for a column of bytes. */
export function inflated(bytes: Uint8Array | ArrayBuffer): string {
  return inflateRawSync(bytes).toString('utf8');
}

/** What the archive wrote is what it reads; `verify` compares the text with its digest. */
export function summaryFrom(bytes: Uint8Array): DocumentSummary {
  return JSON.parse(inflated(bytes)) as DocumentSummary;
}

/** Text as it is compared in a search: without accents, in lower case, blanks made one. */
export function searchText(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** A number of an import declaration without the marks it is printed with. */
export function declarationNumber(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** The numbers as they are kept: each between blanks, so that a whole one can be found. */
export function declarationsText(numbers: readonly string[] = []): string {
  return numbers.length === 0 ? '' : ` ${numbers.map(declarationNumber).join(' ')} `;
}

type Referring = Pick<DocumentSummary, 'references' | 'items' | 'linked_keys'>;

/** Keys of the documents that one refers to or carries, each once; of those without a key their numbers. */
export function referencesOf({ references, items, linked_keys }: Referring): string[] {
  const named = references.map(({ key, number = '' }) => key ?? number);
  const all = [...named, ...items.map(({ reference = '' }) => reference), ...linked_keys];
  return [...new Set(all)].filter((one) => one !== '');
}

/** So many characters of what a document says beside its head are searched. */
const mostRemarks = 20_000;

/** Remarks of the document and its items, payment in words, and what the freight of a CT-e is made of. */
export function remarksText({ notes, items, payments, components = [] }: DocumentSummary): string {
  return searchText(
    notes,
    ...items.map((item) => item.notes),
    ...payments.map(({ description }) => description),
    ...components.map(({ name }) => name),
  ).slice(0, mostRemarks);
}

/** So many characters of a document are searched. */
const mostCharacters = 1_000;
/** An entry of PostgreSQL's index has at most 2,704 bytes; a UTF-16 unit takes at most three in UTF-8. */
const mostBytes = 2_500;
const fewerCharacters = 800;

/**
 * The searched text of a document beside its items: names and ids of its parties, its subject, and a number or key of
 * other than plain characters. Documents that have it in common share one row of `heads`, which are few.
 */
export function headText(
  { number = '', key = '', operation, service }: DocumentSummary,
  parties: readonly Party[],
): string {
  const names = parties.flatMap(({ name, id }) => [name, id]);
  const unusual = [/^\d*$/.test(number) ? '' : number, /^[0-9A-Z]*$/.test(key) ? '' : key];
  const left = mostCharacters - searchText(number, key).length - 1;
  const text = searchText(...names, ...unusual, operation, service?.description).slice(0, left);
  return Buffer.byteLength(text) <= mostBytes ? text : text.slice(0, fewerCharacters);
}
