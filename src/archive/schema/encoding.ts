import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DocumentSummary, Party } from '../../documents/summary/summary.ts';

/** For a few kilobytes, setting up larger tables takes longer than deflating. */
const quick = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4096 };

/** Deflates text for storage; `inflated` reverts it. */
export function deflated(text: string): Uint8Array {
  // A copy: zlib returns a view that would keep a larger buffer alive.
  return new Uint8Array(deflateRawSync(text, quick));
}

/** Inflates a stored text. */
export function inflated(bytes: Uint8Array | ArrayBuffer): string {
  return inflateRawSync(bytes).toString('utf8');
}

/** Written by this archive, so trusted; `verify` compares digests. */
export function summaryFrom(bytes: Uint8Array): DocumentSummary {
  return JSON.parse(inflated(bytes)) as DocumentSummary;
}

/** Normalises text for searching: no accents, lower case, single blanks. */
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

/** An import declaration's number without separators. */
export function declarationNumber(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** Stored form: each number between blanks, so that whole numbers match. */
export function declarationsText(numbers: readonly string[] = []): string {
  return numbers.length === 0 ? '' : ` ${numbers.map(declarationNumber).join(' ')} `;
}

type Referring = Pick<DocumentSummary, 'references' | 'items' | 'linked_keys'>;

/** Distinct keys of documents referred to or carried; numbers for those without a key. */
export function referencesOf({ references, items, linked_keys }: Referring): string[] {
  const named = references.map(({ key, number = '' }) => key ?? number);
  const all = [...named, ...items.map(({ reference = '' }) => reference), ...linked_keys];
  return [...new Set(all)].filter((one) => one !== '');
}

/** Searched characters of remarks. */
const mostRemarks = 20_000;

/** Searched remarks: of the document and its items, payment words, and components of a CT-e's freight. */
export function remarksText({ notes, items, payments, components = [] }: DocumentSummary): string {
  return searchText(
    notes,
    ...items.map((item) => item.notes),
    ...payments.map(({ description }) => description),
    ...components.map(({ name }) => name),
  ).slice(0, mostRemarks);
}

/** Searched characters of a document's head. */
const mostCharacters = 1_000;
/** A PostgreSQL index entry holds 2,704 bytes; a UTF-16 unit takes up to three in UTF-8. */
const mostBytes = 2_500;
const fewerCharacters = 800;

/**
 * Searched head of a document: names and ids of its parties, its subject, and unusual numbers or keys. Documents with
 * equal heads share a row of `heads`.
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
