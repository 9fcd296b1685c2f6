/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day (`YYYY-MM-DD`) that it is at a moment in a zone, by its IANA name. */
export function dayInZone(timeZone: string, moment: Date | number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(moment);
}
