/** A value that came from outside, read without trusting its shape. */
export type Unknown = Readonly<Record<string, unknown>>;

/** An object's members; none of what is no object. */
export function membersOf(value: unknown): Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Unknown) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text or number as text; undefined for anything else and for an empty one. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
