import { flatten } from '../../../documents/untrusted.ts';
import { isMarkup } from './forms.ts';
import { limits, type Reading, requireWithin, type TextReader, Unreadable } from './reading.ts';

/** Strings (an unterminated one up to the end), and punctuation and numbers outside them. */
const TOKENS =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[:,[\]{}]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

type Quoting = 'string' | 'markup';
/** Creates the reader of a quoted text; `markup` if it is known to be XML. */
export type OpenText = (quoting: Quoting) => TextReader;

/**
 * Parses a JSON value of bounded size. Numbers become strings, so that an access key keeps all its digits.
 *
 * @throws Unreadable for invalid JSON, and for a repeated member, since one of the two would be lost
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

/** The list in OData's wrapper object. Source: OData JSON Format 4.01, 4.5. */
function wrappedList(value: object): unknown[] | undefined {
  const members = Object.entries(value).filter(([name]) => !name.includes('@'));
  const [[name, list] = []] = members;
  return members.length === 1 && name === 'value' && Array.isArray(list) ? list : undefined;
}

const BYTE_ARRAY = /^\[[\d\s,]*\]$/;

/** Bytes written as a list of numbers, as by services without base64. */
function bytesIn(json: string): Uint8Array | undefined {
  if (!BYTE_ARRAY.test(json.trim())) return undefined;
  try {
    const values: number[] = JSON.parse(json);
    return values.length > 0 && values.every((value) => value < 256) ? Buffer.from(values) : undefined;
  } catch {
    throw new Unreadable('broken json');
  }
}

/** Emits a value as elements: an object's members are its children, an array repeats its name. */
function emitValue(name: string, value: unknown, reading: Reading, open: OpenText): void {
  if (Array.isArray(value)) {
    for (const one of value) if (one !== null) emitValue(name, one, reading, open);
    return;
  }
  reading.open(name);
  let text = '';
  if (typeof value === 'object' && value !== null) {
    for (const [member, one] of Object.entries(value)) emitValue(flatten(member), one, reading, open);
  } else {
    text = String(value ?? '').trim();
    if (reading.takes.markup === true && isMarkup(text)) {
      reading.readEntry(text, open('markup'));
      text = '';
    }
  }
  reading.close(flatten(text));
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

/** An escape that continues in the next chunk. */
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

/** Coroutine that yields when it needs more text. */
type Waiting<T = void> = Generator<undefined, T, string>;

/** Reads a JSON text strictly. Strings and arrays of strings stream; objects and other arrays are read whole. */
export function createJsonReader(reading: Reading, open: OpenText): TextReader {
  let rest = '';
  const gathered: string[] = [];
  let isWhole = false;

  /** The next character that is not blank. */
  function* nextMark(): Waiting<string> {
    for (;;) {
      const at = rest.search(/[^ \t\r\n]/);
      if (at === -1) rest = yield;
      else {
        const mark = rest.charAt(at);
        rest = rest.slice(at + 1);
        return mark;
      }
    }
  }

  /** Unescapes a string after its opening quote, feeds the reader of its content, and ends that reader. */
  function* readString(content: TextReader): Waiting {
    for (let halfPair = ''; ; rest += yield) {
      let end = rest.indexOf('"');
      while (end !== -1 && isEscaped(rest, end)) end = rest.indexOf('"', end + 1);
      const isOver = end !== -1;
      if (!isOver) {
        const [unfinished = ''] = UNFINISHED.exec(rest.slice(-LONGEST_UNFINISHED)) ?? [];
        end = rest.length - unfinished.length;
        if (isEscaped(rest, end)) end = rest.length;
      }
      const part = halfPair + unescaped(rest.slice(0, end));
      rest = rest.slice(end);
      halfPair = (!isOver && /[\ud800-\udbff]$/.exec(part)?.[0]) || '';
      content.write(halfPair === '' ? part : part.slice(0, -1));
      if (!isOver) continue;
      rest = rest.slice(1);
      content.end();
      return;
    }
  }

  function* gather(start: string): Waiting<never> {
    rest = start + rest;
    for (let length = 0; ; rest = yield) {
      length += rest.length;
      requireWithin(length, reading.limits.value);
      gathered.push(rest);
    }
  }

  /** Reads an array of strings after the first quote. */
  function* readStrings(): Waiting {
    reading.note('json array');
    for (;;) {
      yield* readString(reading.gather((text) => reading.readEntry(text, open('string'))));
      const mark = yield* nextMark();
      if (mark === ']') return;
      if (mark !== ',') throw new Unreadable('malformed json array');
      if ((yield* nextMark()) !== '"') throw new Unreadable('mixed json array');
    }
  }

  function* readText(): Waiting {
    const mark = yield* nextMark();
    reading.noteKind(mark === '"' ? 'json string' : mark === '[' ? 'json array' : 'json object');
    if (mark === '"') {
      reading.note('json string');
      yield* readString(open('string'));
    } else {
      if (mark !== '[') yield* gather(mark);
      const first = yield* nextMark();
      if (first === '"') yield* readStrings();
      else if (first !== ']') yield* gather(`[${first}`);
      else emitEmptyArray(reading);
    }
    isWhole = true;
    yield* nextMark();
    throw new Unreadable('content after the end');
  }

  const steps = readText();
  steps.next();
  return {
    write: (text) => void steps.next(text),
    end() {
      if (gathered.length > 0) emitJson(gathered.join(''), reading, open);
      else if (!isWhole) throw new Unreadable('truncated');
    },
  };
}
