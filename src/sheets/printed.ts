import { maskTaxId } from '../documents/identity/tax-ids.ts';

/** Placeholder for a missing field, on forms that require one. */
export const DASH = '-';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

function inThousands(digits: string): string {
  const first = digits.length % 3 || 3;
  return [digits.slice(0, first), ...(digits.slice(first).match(/\d{3}/g) ?? [])].join('.');
}

function grouped(digits: string): string {
  return inThousands(digits.replace(/^0+(?=\d)/, ''));
}

/** A decimal in Brazilian notation, with the file's decimal places but at least `least`; other text unchanged. */
function decimal(text: string | undefined, least: number): string {
  const [, sign = '', whole = '', places = ''] = DECIMAL.exec(text ?? '') ?? [];
  if (whole === '') return text ?? '';
  const shown = places.padEnd(least, '0');
  return `${sign}${grouped(whole)}${shown === '' ? '' : `,${shown}`}`;
}

/** `1234.5` as `1.234,50`; empty if absent. */
export function money(text: string | undefined): string {
  return decimal(text, 2);
}

/** A quantity with the file's decimal places: `9.3000` as `9,3000`. */
export function quantity(text: string | undefined): string {
  return decimal(text, 0);
}

/** A unit value or rate without padding zeros: `12.5000000000` as `12,50`. */
export function unitValue(text: string | undefined): string {
  const [, sign = '', whole = '', places = ''] = DECIMAL.exec(text ?? '') ?? [];
  if (whole === '') return text ?? '';
  return money(`${sign}${whole}.${places.replace(/(?<!0)0+$/, '').padEnd(2, '0')}`);
}

/** `2026-11-22T10:00:00-03:00` as `22/11/2026`; other text unchanged. */
export function day(text: string | undefined): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? '') ?? [];
  return year === undefined ? (text ?? '') : `${date}/${month}/${year}`;
}

/** The file's time of day, never converted between zones: `10:00:00`. */
export function clock(text: string | undefined): string {
  return /T(\d{2}:\d{2}(?::\d{2})?)/.exec(text ?? '')?.[1] ?? '';
}

/** The file's day and time, in its own zone. */
export function moment(text: string | undefined): string {
  return joined(' ', day(text), clock(text));
}

/** The defined texts, joined by a separator. */
export function joined(between: string, ...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(between);
}

/** A CNPJ (also alphanumeric) or CPF with its mask; other text unchanged. */
export function taxId(text: string | undefined): string {
  return maskTaxId(text ?? '');
}

/** `01310100` as `01310-100`. */
export function postalCode(text: string | undefined): string {
  return (text ?? '').replace(/^(\d{5})(\d{3})$/, '$1-$2');
}

/** `11987654321` as `(11) 98765-4321`. */
export function phone(text: string | undefined): string {
  return (text ?? '').replace(/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');
}

/** A key in groups of four. */
export function keyGroups(key: string): string {
  return key.replace(/.{4}(?=.)/g, '$& ');
}

/** A document's number in groups of three: `000.001.234`. */
export function documentNumber(text: string | undefined): string {
  const number = text ?? '';
  return /^\d{1,9}$/.test(number) ? inThousands(number.padStart(9, '0')) : number;
}

export type Codes = Readonly<Record<string, string>>;

/** The meaning of a code; undefined if unknown. */
export function knownMeaning(code: string | undefined, table: Codes): string | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

/** The meaning of a code, or the code itself if unknown. */
export function meaningOf(code: string | undefined, table: Codes): string {
  return knownMeaning(code, table) ?? code ?? '';
}

/** A code with its description, `1 - Normal`; an unknown code alone. */
export function described(code: string | undefined, table: Codes): string {
  return joined(' - ', code, knownMeaning(code, table));
}
