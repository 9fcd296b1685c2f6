import * as z from 'zod';
import { checkCnpj, checkTaxId } from '../../documents/identity/tax-ids.ts';

/** Restores the text of a JSON number; undefined if digits may be lost. */
type Spelling = (number: number) => string | undefined;

/** Text schemas that also accept JSON numbers. */
const spellings = z.registry<{ readonly spell: Spelling }>();

/** Accepts a JSON number for a text if `spell` can restore it. */
export function alsoAsNumber<S extends z.ZodType>(schema: S, spell: Spelling): S {
  spellings.add(schema, { spell });
  return schema;
}

/** Text of a JSON number under a schema; undefined if the schema needs text. */
export function spelled(number: number, schema: z.ZodType): string | undefined {
  return spellings.get(schema)?.spell(number);
}

/** For values where leading zeros are meaningless or impossible. */
export const wholeNumber: Spelling = (number) =>
  Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined;

/** Decimal digits a double preserves. Source: ECMA-262, Number::toString. */
const EXACT_DIGITS = 15;

/** An amount; trailing zeros are meaningless. */
export const decimal: Spelling = (number) => {
  const text = String(number);
  return /^-?[\d.]+$/.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS ? text : undefined;
};

/** A code of one of these lengths, or any code that can't have lost a zero. */
export function ofDigits(...lengths: readonly number[]): Spelling {
  return (number) => {
    const text = wholeNumber(number);
    return text !== undefined && lengths.includes(text.length) ? text : undefined;
  };
}

/** A CNPJ of 14 digits. */
export const cnpjNumber: Spelling = ofDigits(14);

/** A CNPJ, its root, or a CPF, unless 11 digits may be a CNPJ without three zeros. */
export const taxIdNumber: Spelling = (number) => {
  const text = ofDigits(8, 11, 14)(number);
  if (text?.length !== 11) return text;
  return checkTaxId(text).ok && !checkCnpj(text.padStart(14, '0')).ok ? text : undefined;
};

/** As `taxIdNumber`, or a foreign id, unless it may be a CPF or CNPJ without zeros. */
export const partyNumber: Spelling = (number) => {
  const text = wholeNumber(number);
  if (text === undefined || [8, 11, 14].includes(text.length)) return taxIdNumber(number);
  const hasLostZeros = checkTaxId(text.padStart(11, '0')).ok || checkCnpj(text.padStart(14, '0')).ok;
  return hasLostZeros || text.length === 7 || text.length > 11 ? undefined : text;
};
