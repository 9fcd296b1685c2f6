import type { Problem } from '../problems.ts';

/** What `normalizeJustification` had to change, in the order in which it does so. */
export type JustificationChange =
  | 'invisible'
  | 'composed'
  | 'quotes'
  | 'dashes'
  | 'ellipsis'
  | 'line_breaks'
  | 'blanks'
  | 'edges'
  | 'runs';

export interface Justification {
  /** The text as it can be sent. */
  readonly text: string;
  readonly changes: readonly JustificationChange[];
  /** Empty when the text can be sent as it is. */
  readonly problems: readonly Problem[];
}

/** Least and most characters of a justification. Source: `xJust` of the event schemas e210220 and e210240. */
const justificationLength = { least: 15, most: 255 } as const;

const CHARACTERS_NAMED = 5;
/** Nothing that a chat adds makes a text of 255 characters as long as this; it is not looked at. */
const LONGEST_WRITTEN = 10_000;

type Correction = readonly [JustificationChange, (text: string) => string];

const corrections: readonly Correction[] = [
  [
    'invisible',
    (text) => text.replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, ''),
  ],
  ['composed', (text) => text.normalize('NFC')],
  [
    'quotes',
    (text) => text.replace(/[\u2018-\u201b\u2032\u2039\u203a]/g, "'").replace(/[\u201c-\u201f\u2033]/g, '"'),
  ],
  ['dashes', (text) => text.replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')],
  ['ellipsis', (text) => text.replace(/\u2026/g, '...')],
  ['line_breaks', (text) => text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')],
  ['blanks', (text) => text.replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')],
  ['edges', (text) => text.trim()],
  ['runs', (text) => text.replace(/ {2,}/g, ' ')],
];

function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{M}]/u.test(character) ? name : `${character} (${name})`;
}

function lengthProblem(length: number): Problem {
  return { code: 'justification_length', values: { length: String(length) } };
}

function problemsOf(text: string): Problem[] {
  const characters = [...text];
  const foreign = [...new Set(characters.filter((character) => !isAllowed(character)))];
  if (foreign.length > 0) {
    const named = foreign.slice(0, CHARACTERS_NAMED).map(nameOf).join(', ');
    const found = foreign.length > CHARACTERS_NAMED ? `${named}, …` : named;
    return [{ code: 'justification_characters', values: { found } }];
  }
  const { length } = characters;
  if (length >= justificationLength.least && length <= justificationLength.most) return [];
  return [lengthProblem(length)];
}

/**
 * Turns what people and chats write (curly quotes, dashes, line breaks, doubled blanks, characters no one sees)
 * into the characters an event takes, and says what it changed. Nothing visible is dropped: a character that has no
 * plain equivalent, such as an emoji, is a problem that names it. The length, 15 to 255 characters, is that of the
 * corrected text. Control characters inside U+0020 to U+00FF are refused as well: no keyboard writes them.
 * Source: `xJust` of the event schemas (only U+0020 to U+00FF, no blank at the edges), docs/fiscal/events.md.
 */
export function normalizeJustification(written: string): Justification {
  if (written.length > LONGEST_WRITTEN) {
    return { text: written, changes: [], problems: [lengthProblem(written.length)] };
  }
  const changes: JustificationChange[] = [];
  let text = written;
  for (const [change, correct] of corrections) {
    const corrected = correct(text);
    if (corrected !== text) changes.push(change);
    text = corrected;
  }
  return { text, changes, problems: problemsOf(text) };
}
