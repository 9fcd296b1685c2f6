/** Characters of an answer's text; hosts cut or spill what is longer. Source: docs/hosts.md, Results. */
export const LONGEST_TEXT = 50_000;

/**
 * Characters that lists, records and results may take in it: the rest is for the sentences around them, which say what
 * was left out, what to be careful with and how the answer goes on.
 */
export const LONGEST_CONTENT = 40_000;

/** As many of the first items as fit into so many characters. */
export function thatFit<T>(
  items: readonly T[],
  characters: number,
  lengthOf: (item: T) => number,
): readonly T[] {
  let room = characters;
  const tooMany = items.findIndex((item) => {
    room -= lengthOf(item);
    return room < 0;
  });
  return tooMany === -1 ? items : items.slice(0, tooMany);
}

/**
 * As many lines as a text has room for after its opening, so that a page ends where its text does and its cursor
 * passes over nothing; one line at least, so that pages go on.
 */
export function linesThatFit(opening: readonly string[], lines: readonly string[]): readonly string[] {
  const room = LONGEST_CONTENT - opening.join('\n').length;
  const fitting = thatFit(lines, room, (line) => line.length + 1);
  return fitting.length > 0 ? fitting : lines.slice(0, 1);
}
