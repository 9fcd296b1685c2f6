import { accepted, type Checked, refused } from '../problems.ts';

const ZERO = 48;

/** Largest weights: for access keys, CNPJ and national NFS-e keys; and for CPF, whose weights don't repeat. */
const LARGEST_WEIGHT = 9;
const LARGEST_WEIGHT_OF_CPF = 11;

/**
 * Modulo-11 check digit: each character counts as its ASCII code less 48 (A is 17 … Z is 42), weights from 2 on repeat
 * from right to left; 0 and 1 become 0. Source: docs/fiscal/keys.md (NT Conjunta DFe 2025.001).
 */
export function modulo11(text: string, largest = LARGEST_WEIGHT): string {
  let weight = 2;
  let sum = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    sum += (text.charCodeAt(i) - ZERO) * weight;
    weight = weight === largest ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

export interface TaxId {
  readonly type: 'cnpj' | 'cpf';
  /** 14 characters (CNPJ, letters allowed in the first twelve since July 2026) or 11 digits (CPF), no mask. */
  readonly id: string;
}

const PLAIN = /^[0-9A-Z]*$/;

/** Removes the mask (dots, dashes, slashes, blanks) and converts letters to upper case. */
export function unmaskTaxId(text: string): string {
  return PLAIN.test(text) ? text : text.replace(/[\s./-]/g, '').toUpperCase();
}

/** Masks a CNPJ, alphanumeric ones included, or a CPF; returns anything else unchanged. */
export function maskTaxId(id: string): string {
  if (/^[0-9A-Z]{12}\d{2}$/.test(id)) return id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return /^\d{11}$/.test(id) ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : id;
}

/** The first digit is included in the computation of the second. */
function twoCheckDigits(base: string, largest: number): string {
  const first = modulo11(base, largest);
  return first + modulo11(base + first, largest);
}

/** Checks a CNPJ, masked or not, numeric or alphanumeric; wrong check digits are reported with the right ones. */
export function checkCnpj(text: string): Checked<string> {
  const id = unmaskTaxId(text);
  if (id.length !== 14) return refused('cnpj_length', { length: String(id.length) });
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(id)) return refused('cnpj_form');
  if (/^(.)\1*$/.test(id)) return refused('cnpj_repeated');
  const [found, expected] = [id.slice(12), twoCheckDigits(id.slice(0, 12), LARGEST_WEIGHT)];
  return found === expected ? accepted(id) : refused('cnpj_check_digits', { found, expected });
}

/** Like `checkCnpj`, but wrong check digits are only a warning: companies' files contain such numbers. */
export function readCnpj(text: string): Checked<string> {
  const checked = checkCnpj(text);
  if (checked.ok || checked.problem.code !== 'cnpj_check_digits') return checked;
  return accepted(unmaskTaxId(text), [checked.problem]);
}

/** Checks a CPF, masked or not. */
export function checkCpf(text: string): Checked<string> {
  const id = unmaskTaxId(text);
  if (!/^[0-9]{11}$/.test(id)) return refused('cpf_form', { length: String(id.length) });
  if (/^(.)\1*$/.test(id)) return refused('cpf_repeated');
  const [found, expected] = [id.slice(9), twoCheckDigits(id.slice(0, 9), LARGEST_WEIGHT_OF_CPF)];
  return found === expected ? accepted(id) : refused('cpf_check_digits', { found, expected });
}

/** Checks a CNPJ or a CPF, chosen by length. */
export function checkTaxId(text: string): Checked<TaxId> {
  const length = unmaskTaxId(text).length;
  const type = length === 11 ? 'cpf' : 'cnpj';
  const checked = type === 'cpf' ? checkCpf(text) : checkCnpj(text);
  return checked.ok ? accepted({ type, id: checked.value }) : checked;
}
