import { closest } from 'fastest-levenshtein';

/** The known name nearest to a mistyped one, or undefined where there is none at all. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}
