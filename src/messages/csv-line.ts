/** One line of comma-separated values; quotes where a value needs them. */
export function csvLine(values: readonly (string | undefined)[]): string {
  return values
    .map((value = '') => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(',');
}
