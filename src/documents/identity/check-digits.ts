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
