import type { TextSink } from './text-sink.ts';
import { Unreadable } from './unreadable.ts';

/** What a JSON text turned out to be. */
export interface JsonEvents {
  /** A string begins, alone or in an array; the sink gets its content, unescaped, in pieces. */
  string(): TextSink;
  /** An array of strings begins. */
  array(): void;
  emptyArray(): void;
  /** Anything else, parsed as a whole. */
  value(value: unknown): void;
}

type State =
  | 'start'
  | 'first element'
  | 'string'
  | 'after element'
  | 'next element'
  | 'after'
  | 'other value';

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

const LONGEST_ESCAPE = 6;

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

function unescaped(escaped: string): string {
  return String(parse(`"${escaped}"`, 'malformed json string'));
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Unescapes the inside of one JSON string, in pieces cut anywhere. */
function createUnescaper(sink: TextSink): { take(text: string): number | undefined; isOpen(): boolean } {
  let held = '';
  let halfPair = '';
  let open = true;

  function pass(escaped: string, isLast: boolean): void {
    let text = halfPair + unescaped(escaped);
    halfPair = '';
    if (!isLast && endsInHighSurrogate(text)) {
      halfPair = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text !== '') sink.write(text);
  }

  return {
    isOpen: () => open,
    /** Gives how many characters were used up to and with the closing quote; undefined while it is to come. */
    take(text) {
      const escaped = held + text;
      const quote = closingQuote(escaped);
      if (quote === -1) {
        const whole = escaped.length - unfinishedEscape(escaped);
        pass(escaped.slice(0, whole), false);
        held = escaped.slice(whole);
        return undefined;
      }
      open = false;
      pass(escaped.slice(0, quote), true);
      sink.end();
      return quote + 1 - held.length;
    },
  };
}

/**
 * Reads a JSON text strictly. A string and an array of strings are passed on as they come, whatever their size;
 * objects, numbers and other arrays are gathered, up to `limit` characters.
 */
export function createJsonReader(events: JsonEvents, limit: number): TextSink {
  let state: State = 'start';
  let inArray = false;
  let unescaper: ReturnType<typeof createUnescaper> | undefined;
  let gathered = '';

  function beginString(): void {
    unescaper = createUnescaper(events.string());
    state = 'string';
  }

  function beginOther(text: string): void {
    gathered = text;
    state = 'other value';
  }

  function takeMark(mark: string): void {
    switch (state) {
      case 'start':
        if (mark === '"') beginString();
        else if (mark === '[') state = 'first element';
        else beginOther(mark);
        break;
      case 'first element':
        if (mark === '"') {
          inArray = true;
          events.array();
          beginString();
        } else if (mark === ']') {
          events.emptyArray();
          state = 'after';
        } else beginOther(`[${mark}`);
        break;
      case 'next element':
        if (mark !== '"') throw new Unreadable('mixed json array');
        beginString();
        break;
      case 'after element':
        if (mark !== ',' && mark !== ']') throw new Unreadable('malformed json array');
        state = mark === ',' ? 'next element' : 'after';
        break;
      default:
        throw new Unreadable('content after the end');
    }
  }

  function takeString(text: string, at: number): number {
    const used = unescaper?.take(text.slice(at));
    if (used === undefined) return text.length;
    state = inArray ? 'after element' : 'after';
    return at + used;
  }

  function takeOther(text: string, at: number): number {
    gathered += text.slice(at);
    if (gathered.length > limit) throw new Unreadable('too large');
    return text.length;
  }

  return {
    write(text) {
      let at = 0;
      while (at < text.length) {
        if (state === 'string') at = takeString(text, at);
        else if (state === 'other value') at = takeOther(text, at);
        else {
          const mark = text.charAt(at++);
          if (!/[ \t\r\n]/.test(mark)) takeMark(mark);
        }
      }
    },
    end() {
      if (state === 'other value') events.value(parse(gathered, 'broken json'));
      else if (state !== 'after') throw new Unreadable('truncated');
    },
  };
}
