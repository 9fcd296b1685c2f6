/** A CNPJ that issues the notes of these tests. */
export const supplier = '11222333000181';
/** The company that manifests in these tests. */
export const company = '58716523000119';

/** Computed here and not by the program. Source: docs/fiscal/keys.md. */
function checkDigit(text: string): string {
  const sum = [...text]
    .reverse()
    .reduce((total, sign, place) => total + (sign.charCodeAt(0) - 48) * (2 + (place % 8)), 0);
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

/** The access key of a note of November 2026, series 1, by its number. */
export function keyOfNote(number: number, { issuer = supplier, model = '55' } = {}): string {
  const base = `352611${issuer}${model}001${String(number).padStart(9, '0')}1${String(number).padStart(8, '0')}`;
  return base + checkDigit(base);
}

export function keysOfNotes(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => keyOfNote(first + index));
}
