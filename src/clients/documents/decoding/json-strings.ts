import { Unreadable } from './forms.ts';
import type { TextReader } from './reading.ts';

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

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** A JSON string, from behind its opening quote, whose content is read while it arrives. */
export interface StringReader {
  /** The text behind the closing quote; undefined while the string goes on. @throws Unreadable */
  write(text: string): string | undefined;
}

/** Unescapes a string for the reader of its content, which is ended with it. */
export function createStringReader(content: TextReader): StringReader {
  let held = '';
  let halfPair = '';
  return {
    write(text) {
      const escaped = held + text;
      const quote = closingQuote(escaped);
      const end = quote === -1 ? escaped.length - unfinishedEscape(escaped) : quote;
      const part = halfPair + unescaped(escaped.slice(0, end));
      held = escaped.slice(end);
      halfPair = quote === -1 && endsInHighSurrogate(part) ? part.slice(-1) : '';
      content.write(halfPair === '' ? part : part.slice(0, -1));
      if (quote === -1) return undefined;
      content.end();
      return escaped.slice(quote + 1);
    },
  };
}
