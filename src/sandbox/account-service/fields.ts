/** The object a client sent, before anything is known of its fields. */
export type SentObject = Readonly<Record<string, unknown>>;

/** What is wrong with a field that was sent. */
export class WrongField extends Error {}

export function isObject(value: unknown): value is SentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text field, null where it was not sent. */
export function textField(sent: SentObject, name: string): string | null {
  const value = sent[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new WrongField(`Field ${name} must be a string.`);
}

/** An integer field, null where it was not sent. */
export function integerField(sent: SentObject, name: string): number | null {
  const value = sent[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WrongField(`Field ${name} must be an integer.`);
}

/** A date-time field, ISO 8601 without zone, null where it was not sent. */
export function dateField(sent: SentObject, name: string): string | null {
  const value = textField(sent, name);
  if (value === null) return null;
  if (/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?)?$/.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
  throw new WrongField(`Field ${name} must be a date and time, e.g. 2026-01-31T00:00:00.`);
}
