import { searchText } from '../schema/encoding.ts';

/** Whether a name has every word, or part of a word, of a text in it, whatever their order, accents and case. */
export function isNamed(name: string, text: string): boolean {
  const written = searchText(name);
  return searchText(text)
    .split(' ')
    .every((word) => written.includes(word));
}
