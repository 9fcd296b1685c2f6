import { flatten } from '../../../documents/plain.ts';
import { isMarkup } from './forms.ts';
import { limits, requireWithin, Unreadable } from './limits.ts';
import type { Reading, TextReader } from './reading.ts';

/** Strings (one without its end to the end), and the marks and numbers outside of them. */
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[:,[\]{}]|-?\d[\d.eE+-]*/g;

type Quoting = 'string' | 'markup';
/** Makes the reader of a text in quotes. `markup` where it is known to be XML. */
export type OpenText = (quoting: Quoting) => TextReader;

/**
 * A JSON value of bounded size. Numbers become strings, so that an access key keeps all its digits.
 *
 * @throws Unreadable for what is no JSON, and where a member stands twice, of which one would be lost
 */
function parseJson(json: string): unknown {
  let [values, members, depth] = [0, 0, 0];
  const withoutNumbers = json.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token;
    if (/[-\d]/.test(token)) return `"${token}"`;
    requireWithin(++values, limits.jsonValues);
    if (token === ':') members++;
    else if (token !== ',') depth += token === '[' || token === '{' ? 1 : -1;
    if (depth > limits.jsonDepth) throw new Unreadable('nested too deeply');
    return token;
  });
  try {
    JSON.parse(json);
    const value: unknown = JSON.parse(withoutNumbers);
    if (membersIn(value) === members) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable('broken json');
  }
  throw new Unreadable('repeated json member');
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return inside.reduce<number>((sum, one) => sum + membersIn(one), Array.isArray(value) ? 0 : inside.length);
}

/** The list in the object that OData services put around one. Source: OData JSON Format 4.01, 4.5. */
function wrappedList(value: object): unknown[] | undefined {
  const members = Object.entries(value).filter(([name]) => !name.includes('@'));
  const [[name, list] = []] = members;
  return members.length === 1 && name === 'value' && Array.isArray(list) ? list : undefined;
}

const BYTE_ARRAY = /^\[[\d\s,]*\]$/;

/** A list of byte values, which is how services without base64 write them. */
function bytesIn(json: string): Uint8Array | undefined {
  if (!BYTE_ARRAY.test(json.trim())) return undefined;
  try {
    const values: number[] = JSON.parse(json);
    return values.length > 0 && values.every((value) => value < 256) ? Buffer.from(values) : undefined;
  } catch {
    throw new Unreadable('broken json');
  }
}

/** Emits a value as if each object were an element, each member a child, and an array the repetition of its name. */
function emitValue(name: string, value: unknown, isEntry: boolean, reading: Reading, open: OpenText): void {
  if (Array.isArray(value)) {
    for (const one of value) emitValue(name, one, true, reading, open);
    return;
  }
  if (value === null && isEntry) return;
  reading.open(name);
  if (typeof value === 'object' && value !== null) {
    for (const [member, one] of Object.entries(value)) emitValue(flatten(member), one, false, reading, open);
  } else if (value !== null) emitScalar(String(value).trim(), reading, open);
  reading.close();
}

function emitScalar(text: string, reading: Reading, open: OpenText): void {
  if (text === '') return;
  if (reading.takes.markup !== true || !isMarkup(text)) {
    reading.value(flatten(text));
    return;
  }
  const inner = reading.entry(open('markup'));
  inner.write(text);
  inner.end();
}

/** An object, or an array of anything but strings. */
function emitJson(json: string, reading: Reading, open: OpenText): void {
  const bytes = reading.takes.bytes === true ? bytesIn(json) : undefined;
  if (bytes !== undefined) {
    reading.note('json array');
    reading.note('byte array', 'json array');
    reading.emit({ kind: 'bytes', bytes });
    return;
  }
  const value = parseJson(json);
  const list = Array.isArray(value) ? value : wrappedList(value ?? {});
  if (list?.length === 0) {
    emitEmptyArray(reading);
    return;
  }
  reading.note(list === undefined ? 'json object' : 'json array');
  emitValue(list ? 'entry' : 'object', list ?? value, false, reading, open);
}

function emitEmptyArray(reading: Reading): void {
  reading.note('empty array');
  reading.emit({ kind: 'empty', form: 'empty array' });
}

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

/** Length of an escape sequence at the end that goes on in the next piece. */
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

/** A JSON string, from behind its opening quote, whose content is read while it arrives. */
interface StringReader {
  /** The text behind the closing quote; undefined while the string goes on. @throws Unreadable */
  write(text: string): string | undefined;
}

/** Unescapes a string for the reader of its content, which is ended with it. */
function createStringReader(content: TextReader): StringReader {
  let held = '';
  let halfPair = '';
  return {
    write(text) {
      const escaped = held + text;
      const quote = closingQuote(escaped);
      const end = quote === -1 ? escaped.length - unfinishedEscape(escaped) : quote;
      const part = halfPair + unescaped(escaped.slice(0, end));
      held = escaped.slice(end);
      halfPair = (quote === -1 && /[\ud800-\udbff]$/.exec(part)?.[0]) || '';
      content.write(halfPair === '' ? part : part.slice(0, -1));
      if (quote === -1) return undefined;
      content.end();
      return escaped.slice(quote + 1);
    },
  };
}

/** Where the reader of a JSON text is; `gathering` for all that is read whole. */
type Place = 'before' | 'opened' | 'string' | 'behind' | 'comma' | 'gathering' | 'done';

/** Reads a JSON text strictly. Strings and arrays of strings stream; objects and other arrays are gathered. */
export function createJsonReader(reading: Reading, open: OpenText): TextReader {
  const gathered: string[] = [];
  let length = 0;
  let place: Place = 'before';
  let isArray = false;
  let string: StringReader | undefined;

  function gather(text: string): void {
    place = 'gathering';
    length += text.length;
    requireWithin(length, reading.limits.value);
    gathered.push(text);
  }

  function beginString(): void {
    if (isArray) reading.note('json array');
    else reading.note('json string', 'json string');
    const content = open('string');
    string = createStringReader(isArray ? reading.entry(content) : content);
    place = 'string';
  }

  function takeMark(mark: string): void {
    switch (place) {
      case 'before':
        if (mark === '"') beginString();
        else if (mark === '[') place = 'opened';
        else gather(mark);
        reading.noteKind(mark === '"' ? 'json string' : mark === '[' ? 'json array' : 'json object');
        return;
      case 'opened':
        isArray = true;
        if (mark === '"') beginString();
        else if (mark !== ']') gather(`[${mark}`);
        else {
          emitEmptyArray(reading);
          place = 'done';
        }
        return;
      case 'behind':
        if (mark !== ']' && mark !== ',') throw new Unreadable('malformed json array');
        place = mark === ']' ? 'done' : 'comma';
        return;
      case 'comma':
        if (mark !== '"') throw new Unreadable('mixed json array');
        beginString();
        return;
      default:
        throw new Unreadable('content after the end');
    }
  }

  /** Takes one mark, or as much as belongs together; gives what is behind it. */
  function step(text: string): string {
    if (place === 'gathering') {
      gather(text);
      return '';
    }
    if (place === 'string') {
      const behind = string?.write(text);
      if (behind !== undefined) place = isArray ? 'behind' : 'done';
      return behind ?? '';
    }
    const at = text.search(/[^ \t\r\n]/);
    if (at === -1) return '';
    takeMark(text.charAt(at));
    return text.slice(at + 1);
  }

  return {
    write(text) {
      for (let rest = text; rest !== ''; ) rest = step(rest);
    },
    end() {
      if (place === 'gathering') emitJson(gathered.join(''), reading, open);
      else if (place !== 'done') throw new Unreadable('truncated');
    },
  };
}
