import type { ToolResult } from '../frame/host.ts';
import { listOf, membersOf, textOf, type Unknown } from '../frame/reading.ts';
import type { Speaker } from '../frame/words.ts';

/** Under this name an answer carries what only its view needs; the server has the same. */
const VIEW_DATA = 'docfiscal/view';

/** An answer about a period, and what came beside it. */
export interface Told {
  readonly answer: Unknown;
  /** What the answer rests on, in sentences, in each language. */
  readonly lines: Unknown;
  /** What columns and their values are called, in each language. */
  readonly words: Unknown;
}

export function toldBy({ structuredContent, _meta }: ToolResult): Told {
  const { lines, words } = membersOf(_meta?.[VIEW_DATA]);
  return {
    answer: membersOf(structuredContent),
    lines: membersOf(lines),
    words: membersOf(words),
  };
}

/** What the answer brought for a word; undefined where it brought none. */
function wordIn({ words }: Told, { language }: Speaker, key: string): string | undefined {
  if (!Object.hasOwn(words, key)) return undefined;
  const [portuguese, english] = listOf(words[key]);
  return textOf(language === 'en' ? english : portuguese);
}

/** A speaker that knows what the answer brought of words, too. What has no word is called by its name. */
export function withWords(speaker: Speaker, told: Told): Speaker {
  return {
    ...speaker,
    name: (group, value) =>
      wordIn(told, speaker, `${group}.${value}`) ?? speaker.name(group, value).replaceAll('_', ' '),
  };
}

/** The basis in words, with columns called as in the table; other names, of files for one, stay. */
export function linesIn(speaker: Speaker, told: Told): string[] {
  const inWords = (name: string) => wordIn(told, speaker, `column.${name}`) ?? name;
  return listOf(told.lines[speaker.language]).flatMap(
    (line) => textOf(line)?.replace(/\bicms\b|\b[a-z]+_[a-z_]+(?![\w.])/g, inWords) ?? [],
  );
}
