import type { OpenText } from './entry.ts';
import { isByteArray, isMarkup, Unreadable } from './forms.ts';
import { limits, requireWithin } from './limits.ts';
import type { Piece, Reading } from './piece.ts';
import { cursorOf, type More, TextCursor } from './text-cursor.ts';

const noAttributes = Object.freeze({});
const LONGEST_ESCAPE = 6;

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === '\\') count++;
  return count;
}

function closingQuote(text: string): number {
  let at = text.indexOf('"');
  while (at !== -1 && backslashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1);
  return at;
}

/** How many last characters are an escape sequence that goes on in the next piece. */
function unfinishedEscape(text: string): number {
  for (let length = 1; length < LONGEST_ESCAPE && length <= text.length; length++) {
    const at = text.length - length;
    if (text[at] !== '\\' || backslashesBefore(text, at) % 2 === 1) continue;
    const whole = text[at + 1] === 'u' ? LONGEST_ESCAPE : 2;
    return length < whole ? length : 0;
  }
  return 0;
}

function parse(json: string, reason: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Unreadable(reason);
  }
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** The content of a string from behind its opening quote, unescaped, in pieces; uses up the closing quote. */
function* contentOfString(text: TextCursor): Generator<string | More> {
  let halfPair = '';
  for (let held = ''; ; ) {
    const piece = yield* text.take();
    if (piece === undefined) throw new Unreadable('truncated');
    const escaped = held + piece;
    const quote = closingQuote(escaped);
    const end = quote === -1 ? escaped.length - unfinishedEscape(escaped) : quote;
    const content = halfPair + String(parse(`"${escaped.slice(0, end)}"`, 'malformed json string'));
    if (quote !== -1) {
      text.putBack(escaped.slice(quote + 1));
      yield content;
      return;
    }
    held = escaped.slice(end);
    halfPair = endsInHighSurrogate(content) ? content.slice(-1) : '';
    yield halfPair === '' ? content : content.slice(0, -1);
  }
}

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

/** The list in the wrapper of OData services, whose other members are its own. Source: OData JSON Format 4.01, 4.5. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { value: list, ...others } = value as { value?: unknown };
  const isWrapper = Array.isArray(list) && Object.keys(others).every((name) => name.includes('@'));
  return isWrapper ? list : value;
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
    const value = unwrapped(parse(yield* rest(text, begun, reading.limits.value), 'broken json'));
    if (Array.isArray(value) && value.length === 0) {
      yield* emptyArray();
      return;
    }
    forms.note(Array.isArray(value) ? 'json array' : 'json object');
    if (reading.takes.bytes === true && isByteArray(value)) {
      forms.note('byte array', 'json array');
      yield { kind: 'bytes', bytes: Uint8Array.from(value) };
    } else yield* readFrame(value, reading, open);
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

/**
 * A parsed JSON value as a frame, as if each object were an element, each member a child and an array the repetition of
 * its name. Null is an element with nothing in it.
 */
function* readFrame(value: unknown, { takes }: Reading, open: OpenText): Generator<Piece | More> {
  function* read(name: string, inner: unknown, depth: number): Generator<Piece | More> {
    if (depth > limits.jsonDepth) throw new Unreadable('nested too deeply');
    if (Array.isArray(inner)) {
      for (const entry of inner) if (entry !== null) yield* read(name, entry, depth + 1);
      return;
    }
    yield { kind: 'open', name, attributes: noAttributes, isRoot: false };
    if (typeof inner === 'object' && inner !== null) {
      for (const [member, entry] of Object.entries(inner)) yield* read(member, entry, depth + 1);
    } else yield* readScalar(name, String(inner ?? '').trim());
    yield { kind: 'close', name };
  }

  function* readScalar(name: string, text: string): Generator<Piece | More> {
    if (text === '') return;
    if (isMarkup(text) && takes.markup) yield* open(cursorOf(text), { form: 'markup', isEntry: true });
    else yield { kind: 'value', name, text };
  }

  yield* read(Array.isArray(value) ? 'entry' : 'object', value, 0);
}
