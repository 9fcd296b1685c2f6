/** One line of comma-separated values, whatever is in them; quotes where a value needs them. */
export function csvLine(values: readonly (string | undefined)[]): string {
  return values
    .map((value = '') => value.replace(/\s+/g, ' '))
    .map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(',');
}
