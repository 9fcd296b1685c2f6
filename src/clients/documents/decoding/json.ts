import { flatten } from '../../../documents/untrusted.ts';
import { isMarkup } from './forms.ts';
import { limits, type Reading, requireWithin, type TextReader, Unreadable } from './reading.ts';

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
function emitValue(name: string, value: unknown, reading: Reading, open: OpenText): void {
  if (Array.isArray(value)) {
    for (const one of value) if (one !== null) emitValue(name, one, reading, open);
    return;
  }
  reading.open(name);
  if (typeof value === 'object' && value !== null) {
    for (const [member, one] of Object.entries(value)) emitValue(flatten(member), one, reading, open);
  } else {
    const text = String(value ?? '').trim();
    if (reading.takes.markup === true && isMarkup(text)) {
      const inner = reading.entry(open('markup'));
      inner.write(text);
      inner.end();
    } else if (text !== '') reading.value(flatten(text));
  }
  reading.close();
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
  emitValue(list ? 'entry' : 'object', list ?? value, reading, open);
}

function emitEmptyArray(reading: Reading): void {
  reading.note('empty array');
  reading.emit({ kind: 'empty', form: 'empty array' });
}

/** An escape that goes on in the next piece. */
const UNFINISHED = /\\(?:u[\da-f]{0,3})?$/i;
const LONGEST_UNFINISHED = 5;

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw new Unreadable('malformed json string');
  }
}

/**
 * Reads a JSON string from behind its opening quote and unescapes it for the reader of its content, which is ended with
 * it. Gives the text behind the closing quote; undefined while the string goes on.
 */
function createStringReader(content: TextReader): (text: string) => string | undefined {
  let held = '';
  let halfPair = '';
  return (text) => {
    const escaped = held + text;
    let end = escaped.indexOf('"');
    while (end !== -1 && isEscaped(escaped, end)) end = escaped.indexOf('"', end + 1);
    const isOver = end !== -1;
    if (!isOver) {
      const [unfinished = ''] = UNFINISHED.exec(escaped.slice(-LONGEST_UNFINISHED)) ?? [];
      end = escaped.length - unfinished.length;
      if (isEscaped(escaped, end)) end = escaped.length;
    }
    held = escaped.slice(end);
    const part = halfPair + unescaped(escaped.slice(0, end));
    halfPair = (!isOver && /[\ud800-\udbff]$/.exec(part)?.[0]) || '';
    content.write(halfPair === '' ? part : part.slice(0, -1));
    if (!isOver) return undefined;
    content.end();
    return held.slice(1);
  };
}

/** Reads a JSON text strictly. Strings and arrays of strings stream; objects and other arrays are read whole. */
export function createJsonReader(reading: Reading, open: OpenText): TextReader {
  const gathered: string[] = [];
  let length = 0;
  let place: 'before' | 'opened' | 'behind' | 'comma' | 'done' = 'before';
  let isArray = false;
  /** Takes text inside a string, or all of it, and gives what is behind. */
  let inside: ((text: string) => string | undefined) | undefined;

  function gather(text: string): undefined {
    inside = gather;
    length += text.length;
    requireWithin(length, reading.limits.value);
    gathered.push(text);
  }

  function beginString(): void {
    if (isArray) reading.note('json array');
    else reading.note('json string', 'json string');
    const content = open('string');
    inside = createStringReader(isArray ? reading.entry(content) : content);
    place = isArray ? 'behind' : 'done';
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
      case 'done':
        throw new Unreadable('content after the end');
    }
  }

  return {
    write(text) {
      for (let rest = text; rest !== ''; ) {
        if (inside !== undefined) {
          const behind = inside(rest);
          if (behind === undefined) return;
          inside = undefined;
          rest = behind;
          continue;
        }
        const at = rest.search(/[^ \t\r\n]/);
        if (at === -1) return;
        takeMark(rest.charAt(at));
        rest = rest.slice(at + 1);
      }
    },
    end() {
      if (gathered.length > 0) emitJson(gathered.join(''), reading, open);
      else if (place !== 'done' || inside !== undefined) throw new Unreadable('truncated');
    },
  };
}
