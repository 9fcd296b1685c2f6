import { accepted, type Checked, refused } from '../problems.ts';

const ZERO = 48;

/**
 * The modulo-11 check digit of access keys, CNPJ and national NFS-e keys: each character counts as its ASCII
 * code less 48 (so A is 17 … Z is 42), weights 2 to 9 repeat from right to left; 0 and 1 become 0.
 * Source: docs/fiscal/keys.md (NT Conjunta DFe 2025.001).
 */
export function modulo11(text: string): string {
  let weight = 2;
  let sum = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    sum += (text.charCodeAt(i) - ZERO) * weight;
    weight = weight === 9 ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

/** One CPF check digit: weights grow from 2 by one from right to left, without repeating. */
export function modulo11Growing(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    sum += (digits.charCodeAt(i) - ZERO) * (digits.length + 1 - i);
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

/** Drops the mask (dots, dashes, slashes, blanks) and puts letters in upper case. */
export function unmaskTaxId(text: string): string {
  return PLAIN.test(text) ? text : text.replace(/[\s./-]/g, '').toUpperCase();
}

/** A CNPJ, also one with letters, or a CPF with its mask; anything else as it is. */
export function maskTaxId(id: string): string {
  if (/^[0-9A-Z]{12}\d{2}$/.test(id)) return id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return /^\d{11}$/.test(id) ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : id;
}

/** Checks a CNPJ, masked or not, numeric or alphanumeric; a wrong check digit is reported with the right one. */
export function checkCnpj(text: string): Checked<string> {
  const id = unmaskTaxId(text);
  if (id.length !== 14) return refused('cnpj_length', { length: String(id.length) });
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(id)) return refused('cnpj_form');
  if (/^(.)\1*$/.test(id)) return refused('cnpj_repeated');
  const first = modulo11(id.slice(0, 12));
  const expected = first + modulo11(id.slice(0, 12) + first);
  if (id.slice(12) !== expected) {
    return refused('cnpj_check_digits', { found: id.slice(12), expected });
  }
  return accepted(id);
}

/** The same where wrong check digits are only a warning: files of companies have such numbers. */
export function readCnpj(text: string): Checked<string> {
  const checked = checkCnpj(text);
  if (checked.ok || checked.problem.code !== 'cnpj_check_digits') return checked;
  return accepted(unmaskTaxId(text), [checked.problem]);
}

/** A CPF, masked or not. */
export function checkCpf(text: string): Checked<string> {
  const id = unmaskTaxId(text);
  if (!/^[0-9]{11}$/.test(id)) return refused('cpf_form', { length: String(id.length) });
  if (/^(.)\1*$/.test(id)) return refused('cpf_repeated');
  const first = modulo11Growing(id.slice(0, 9));
  const expected = first + modulo11Growing(id.slice(0, 9) + first);
  if (id.slice(9) !== expected) return refused('cpf_check_digits', { found: id.slice(9), expected });
  return accepted(id);
}

/** Checks a CNPJ or a CPF, by its length. */
export function checkTaxId(text: string): Checked<TaxId> {
  const length = unmaskTaxId(text).length;
  const type = length === 11 ? 'cpf' : 'cnpj';
  const checked = type === 'cpf' ? checkCpf(text) : checkCnpj(text);
  return checked.ok ? accepted({ type, id: checked.value }) : checked;
}
