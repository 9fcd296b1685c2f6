/**
 * Locations of values that differ from the expected ones. Fields that are not named are ignored; `null` means an absent
 * field, `contains` a part of its text, `length` the length of a list.
 */
export function differences(found: unknown, expected: unknown, place = ''): string[] {
  const differs = [`${place}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`];
  if (expected === null) return found === undefined ? [] : differs;
  if (typeof expected !== 'object') return found === expected ? [] : differs;
  if ('contains' in expected) return String(found).includes(String(expected.contains)) ? [] : differs;
  if (Array.isArray(expected) && (found as unknown[]).length !== expected.length) return differs;
  return Object.entries(expected).flatMap(([name, value]) =>
    differences((found as Record<string, unknown> | undefined)?.[name], value, `${place}.${name}`),
  );
}
