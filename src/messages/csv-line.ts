import { oneLine } from '../documents/untrusted.ts';

/** A cell that a reader could take for the beginning of a sentence of ours, were it the first of its line. */
const WORDS = /^[^\d"].* /;

/** One line of comma-separated values, whatever is in them; quotes where a value needs them. */
export function csvLine(values: readonly (string | undefined)[]): string {
  return values
    .map((value = '') => oneLine(value))
    .map((value, index) =>
      /[",]/.test(value) || (index === 0 && WORDS.test(value)) ? `"${value.replaceAll('"', '""')}"` : value,
    )
    .join(',');
}
