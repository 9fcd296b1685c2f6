/** Breaks a line at spaces and commas, and anywhere where there are none. */
function wrap(line, width) {
  const parts = [];
  let rest = line;
  while (rest.length > width) {
    // A comma in an amount is no place to break, while there is a blank.
    const places = [rest.lastIndexOf(' ', width), rest.lastIndexOf(',', width - 1) + 1];
    const at = places.find((place) => place > width / 2) ?? width;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest];
}

/** A text as rows of a screen: wrapped, tokens and cursors shortened. */
export function rowsOf(text, width) {
  return text
    .replace(/[\w-]{51,}/g, (token) => `${token.slice(0, 12)}…`)
    .split('\n')
    .flatMap((line) => wrap(line, width));
}
