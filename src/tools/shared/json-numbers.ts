import * as z from 'zod';
import { checkCnpj, checkTaxId } from '../../documents/identity/tax-ids.ts';

/** The text of a JSON number; undefined where digits may be lost. */
type Spelling = (number: number) => string | undefined;

/** Texts that a call may also give as JSON numbers. What is not in here has to come as text. */
const spellings = z.registry<{ readonly spell: Spelling }>();

/** Accepts a JSON number for a text, as far as `spell` restores it. */
export function alsoAsNumber<S extends z.ZodType>(schema: S, spell: Spelling): S {
  spellings.add(schema, { spell });
  return schema;
}

/** The text of a JSON number under a schema; undefined where text is required. */
export function spelled(number: number, schema: z.ZodType): string | undefined {
  return spellings.get(schema)?.spell(number);
}

/** Where zeros at the beginning say nothing, or cannot be there: the digits are all there is. */
export const wholeNumber: Spelling = (number) =>
  Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined;

/** Doubles hold so many digits of a decimal exactly as they were written. Source: ECMA-262, Number::toString. */
const EXACT_DIGITS = 15;

/** An amount: trailing zeros say nothing. */
export const decimal: Spelling = (number) => {
  const text = String(number);
  return /^-?[\d.]+$/.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS ? text : undefined;
};

/** A code of so many digits, or that begins with another digit than zero whatever its length. */
export function ofDigits(...lengths: readonly number[]): Spelling {
  return (number) => {
    const text = wholeNumber(number);
    return text !== undefined && lengths.includes(text.length) ? text : undefined;
  };
}

/** A CNPJ of all its 14 digits. */
export const cnpjNumber: Spelling = ofDigits(14);

/** A CNPJ, its root, or a CPF, unless its 11 digits may be a CNPJ that has lost three zeros. */
export const taxIdNumber: Spelling = (number) => {
  const text = ofDigits(8, 11, 14)(number);
  if (text?.length !== 11) return text;
  return checkTaxId(text).ok && !checkCnpj(text.padStart(14, '0')).ok ? text : undefined;
};

/** The same, or an id of another country, unless it may be a CPF or CNPJ that has lost its zeros. */
export const partyNumber: Spelling = (number) => {
  const text = wholeNumber(number);
  if (text === undefined || [8, 11, 14].includes(text.length)) return taxIdNumber(number);
  const hasLostZeros = checkTaxId(text.padStart(11, '0')).ok || checkCnpj(text.padStart(14, '0')).ok;
  return hasLostZeros || text.length === 7 || text.length > 11 ? undefined : text;
};
