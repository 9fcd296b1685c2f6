import { closest, distance } from 'fastest-levenshtein';

/** The known name nearest to a mistyped one; undefined without candidates. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}

/** Edit distance up to which a name is recognised: two, or a third of a long one. */
function mostMistakes({ length }: string): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** The known name meant by a mistyped one; undefined when none is near. */
export function recognisedName(name: string, among: readonly string[]): string | undefined {
  const nearest = nearestName(name, among);
  return nearest !== undefined && distance(name, nearest) <= mostMistakes(name) ? nearest : undefined;
}
