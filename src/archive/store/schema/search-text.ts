/** Text as it is compared in a search: without accents, in lower case, blanks made one. */
export function searchText(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** A LIKE pattern, for the escape character `\`, of all that contains a text as it is. */
export function containing(text: string): string {
  return `%${literally(searchText(text))}%`;
}

function literally(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
