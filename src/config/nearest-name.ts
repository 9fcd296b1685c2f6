import { closest, distance } from 'fastest-levenshtein';

/** The known name nearest to a mistyped one, or undefined where there is none at all. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}

/** Mistakes that a name may have and still be recognised: two, or a third of a long one. */
function mostMistakes({ length }: string): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** The known name that a mistyped one was meant to be, or undefined where none is near: it is another word then. */
export function recognisedName(name: string, among: readonly string[]): string | undefined {
  const nearest = nearestName(name, among);
  return nearest !== undefined && distance(name, nearest) <= mostMistakes(name) ? nearest : undefined;
}
