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

/** A speaker that knows what the answer brought of words, too. What has no word is called by its name. */
export function withWords(speaker: Speaker, { words }: Told): Speaker {
  return {
    ...speaker,
    name(group, value) {
      const key = `${group}.${value}`;
      const told = Object.hasOwn(words, key) ? textOf(membersOf(words[key])[speaker.language]) : undefined;
      return told ?? speaker.name(group, value).replaceAll('_', ' ');
    },
  };
}

/** What the answer rests on, with columns called as in the table; empty where the answer doesn't say it in words. */
export function linesIn(speaker: Speaker, { lines }: Told): string[] {
  return listOf(lines[speaker.language])
    .map(textOf)
    .filter((line) => line !== undefined)
    .map((line) => line.replace(/\b(icms|[a-z]+(_[a-z]+)+)\b/g, (name) => speaker.name('column', name)));
}
