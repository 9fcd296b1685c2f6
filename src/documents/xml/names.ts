/** The part after the prefix; undefined where the name is no prefix and local part. */
export function localPart(qualified: string): string | undefined {
  const colon = qualified.indexOf(':');
  if (colon === -1) return qualified;
  const local = qualified.slice(colon + 1);
  return colon === 0 || local === '' || local.includes(':') ? undefined : local;
}

/** Whether this stands in the text at this place. Faster than `startsWith` where it is short. */
export function standsAt(text: string, at: number, expected: string): boolean {
  for (let i = 0; i < expected.length; i++) {
    if (text.charCodeAt(at + i) !== expected.charCodeAt(i)) return false;
  }
  return true;
}
