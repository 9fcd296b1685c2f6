import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isDecimal } from '../../../documents/decimals.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';

/** Amounts are kept as whole millionths of a real. Source: the totals of all layouts have 2 decimals, some have 4. */
const places = 6;
/** Ninety of the largest amounts, of a hundred billion reais each, still add up within 64 bits. */
const largest = 10n ** 17n;

const shownPlaces = 2;

/** Millionths; undefined where the text is no number or has more decimals or digits than can be held exactly. */
export function unitsOf(text: string): bigint | undefined {
  if (!isDecimal(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const kept = decimals.replace(/(?<!0)0+$/, '');
  if (kept.length > places) return undefined;
  const units = BigInt(whole.replace('-', '') + kept.padEnd(places, '0'));
  if (units >= largest) return undefined;
  return text.startsWith('-') ? -units : units;
}

/** The decimal text of a whole number of millionths, with two decimals or as many more as it takes. */
export function amountText(units: string): string {
  const negative = units.startsWith('-');
  const digits = units.slice(negative ? 1 : 0).padStart(places + 1, '0');
  const decimals = digits
    .slice(-places)
    .replace(/(?<!0)0+$/, '')
    .padEnd(shownPlaces, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -places)}.${decimals}`;
}

const quick = { level: 1 };

/** Text in the form it is kept in; `inflated` gives it back. */
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

/** A LIKE pattern, for the escape character `\`, of all that contains a text as it is. */
export function containing(text: string): string {
  return `%${literally(searchText(text))}%`;
}

function literally(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
