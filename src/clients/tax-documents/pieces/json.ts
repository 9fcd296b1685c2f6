import type { OpenText } from './entry.ts';
import { Unreadable } from './forms.ts';
import { readJsonFrame, shapeOfJson } from './json-frame.ts';
import { contentOfString } from './json-strings.ts';
import { requireWithin } from './limits.ts';
import type { Piece, Reading } from './piece.ts';
import { type More, TextCursor } from './text-cursor.ts';

/** The next character that is no blank, used up; undefined at the end. */
function* nextMark(text: TextCursor): Generator<More, string | undefined> {
  for (;;) {
    const piece = yield* text.take();
    if (piece === undefined) return undefined;
    const at = piece.search(/[^ \t\r\n]/);
    if (at === -1) continue;
    text.putBack(piece.slice(at + 1));
    return piece.charAt(at);
  }
}

/** All that is left, of at most so many characters. */
function* rest(text: TextCursor, begun: string, most: number): Generator<More, string> {
  for (let gathered = begun; ; ) {
    requireWithin(gathered.length, most);
    const piece = yield* text.take();
    if (piece === undefined) return gathered;
    gathered += piece;
  }
}

/**
 * Reads a JSON text strictly. A string and an array of strings are read on as they come, whatever their size; objects,
 * numbers and other arrays are gathered and read as frames.
 */
export function* readJson(text: TextCursor, reading: Reading, open: OpenText): Generator<Piece | More> {
  const { forms } = reading;

  function* emptyArray(): Generator<Piece> {
    forms.note('empty array');
    yield { kind: 'empty', form: 'empty array' };
  }

  function* whole(begun: string): Generator<Piece | More> {
    const json = yield* rest(text, begun, reading.limits.value);
    const shape = yield* shapeOfJson(json, reading.takes.bytes === true);
    const { isList, entries, bytes } = shape;
    if (isList && entries === 0) {
      yield* emptyArray();
      return;
    }
    forms.note(isList ? 'json array' : 'json object');
    if (bytes !== undefined) {
      forms.note('byte array', 'json array');
      yield { kind: 'bytes', bytes };
    } else yield* readJsonFrame(json, shape, reading, open);
  }

  /** From behind the first opening quote. */
  function* array(): Generator<Piece | More> {
    forms.note('json array');
    for (;;) {
      yield* open(new TextCursor(contentOfString(text)), { form: 'string', isEntry: true });
      const after = yield* nextMark(text);
      if (after === ']') return;
      if (after !== undefined && after !== ',') throw new Unreadable('malformed json array');
      const next = yield* nextMark(text);
      if (next === undefined) throw new Unreadable('truncated');
      if (next !== '"') throw new Unreadable('mixed json array');
    }
  }

  const first = yield* nextMark(text);
  if (first === '"') {
    forms.note('json string', 'json string');
    yield* open(new TextCursor(contentOfString(text)), { form: 'string', isEntry: false });
  } else if (first === '[') {
    forms.noteKind('json array');
    const mark = yield* nextMark(text);
    if (mark === undefined) throw new Unreadable('truncated');
    if (mark === ']') {
      yield* emptyArray();
    } else if (mark === '"') yield* array();
    else return yield* whole(`[${mark}`);
  } else {
    forms.noteKind('json object');
    return yield* whole(first ?? '');
  }
  if ((yield* nextMark(text)) !== undefined) throw new Unreadable('content after the end');
}
