import { Unreadable } from './forms.ts';
import type { More, TextCursor } from './text-cursor.ts';

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

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw new Unreadable('malformed json string');
  }
}

/** A part of a string's content. */
export interface StringPart {
  /** Unescaped. It may end between the halves of a surrogate pair. */
  readonly content: string;
  /** Characters of the text that it took, the closing quote among them where `isLast`. */
  readonly length: number;
  readonly isLast: boolean;
}

/**
 * The beginning of a text that stands inside of a string, behind its opening quote or an earlier part of it: to the
 * string's end, else as far as no escape sequence is cut.
 *
 * @throws Unreadable for what JSON has no place for in a string
 */
export function startOfString(text: string): StringPart {
  const quote = closingQuote(text);
  const end = quote === -1 ? text.length - unfinishedEscape(text) : quote;
  const content = unescaped(text.slice(0, end));
  return { content, length: quote === -1 ? end : end + 1, isLast: quote !== -1 };
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** The content of a string from behind its opening quote, unescaped, in pieces; uses up the closing quote. */
export function* contentOfString(text: TextCursor): Generator<string | More> {
  let halfPair = '';
  for (let held = ''; ; ) {
    const piece = yield* text.take();
    if (piece === undefined) throw new Unreadable('truncated');
    const escaped = held + piece;
    const part = startOfString(escaped);
    const content = halfPair + part.content;
    if (part.isLast) {
      text.putBack(escaped.slice(part.length));
      yield content;
      return;
    }
    held = escaped.slice(part.length);
    halfPair = endsInHighSurrogate(content) ? content.slice(-1) : '';
    yield halfPair === '' ? content : content.slice(0, -1);
  }
}
