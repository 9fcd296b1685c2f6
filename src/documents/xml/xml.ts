import {
  ASCII,
  asciiNameAt,
  characterLength,
  closesAt,
  createName,
  type ElementName,
  isHighSurrogate,
  nameEnd,
  plainTextEnd,
  referenceEnd,
  resolveReference,
  skipSpaces,
  type Units,
  withUnits,
} from './characters.ts';
import {
  commentEnd,
  instructionEnd,
  noAttributes,
  type Refuse,
  readAttributes,
  requireCharacters,
  SKIP,
  type XmlAttributes,
  XmlError,
  type XmlErrorReason,
  type XmlHandler,
} from './markup.ts';

export type * from './markup.ts';
export { SKIP, XmlError } from './markup.ts';

const noUnits: Units = new Uint16Array(0);
const CARRIAGE_RETURN = 0x0d;
const BANG = 0x21;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = 0xfeff;
const COMMENT = '<!--';
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const DOCTYPE = '<!DOCTYPE';
const LONGEST_AWAITED = 3;
const NOWHERE = Number.MAX_SAFE_INTEGER;
const WINDOW = 32 * 1024;
const LONGEST_PIECE = 64 * 1024;

/** Limit of nesting. */
const DEEPEST = 64;
/** Limit of characters buffered for an incomplete tag, comment or reference. */
const LONGEST_HELD = 16 * 1024 * 1024;

/**
 * A strict reader: any well-formedness error, DOCTYPE or unknown entity throws an XmlError, and so does every later
 * call. Comments and processing instructions are skipped; version 1.1 is read by the rules of 1.0. Memory does not grow
 * with the document.
 *
 * Tags, comments, instructions and references are read whole or not at all: each `read…` method returns the index after
 * what it read, or the same index if it needs more text. So the result does not depend on how the text is split.
 */
class Reader {
  rootClosed = false;
  /** Offset of the element being opened, in characters. Valid only within `open`. */
  tagStart = 0;
  /** Offset after the tag, in characters. Valid only within `open` and `close`. */
  position = 0;
  readonly #handler: XmlHandler;
  readonly #hasFields: boolean;
  readonly #names: ElementName[] = [];
  #skipDepth = NOWHERE;
  /** The text being read; `#start` is its offset in the document. */
  #text = '';
  #units: Units = noUnits;
  #start = 0;
  #documentStart = 0;
  /** An incomplete construct, parsed again once `awaited` has arrived. */
  #held = '';
  #awaited = '';
  #lastHeld = '';
  #inCdata = false;
  #pending = '';
  #written = 0;
  #failure: XmlError | undefined;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
    this.#hasFields = handler.field !== undefined;
  }

  /** Returns the number of characters consumed: fewer than given once the root is closed. */
  write(piece: string): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.rootClosed) return 0;
    const before = this.#written;
    for (let from = 0; from < piece.length && !this.rootClosed; ) {
      // A long tag is parsed again only after its length has doubled, so that time stays linear.
      const to = from + Math.max(WINDOW, this.#held.length);
      this.#writeWindow(piece.slice(from, to));
      from = to;
    }
    this.#written = this.rootClosed ? this.position : before + piece.length;
    return this.#written - before;
  }

  #writeWindow(piece: string): void {
    if (this.#mustWait(piece)) this.#held += piece;
    else this.#read(this.#held + piece);
    if (this.#held.length > LONGEST_HELD) this.#fail('too_long', this.#held.length);
  }

  end(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.rootClosed) return;
    this.#read(this.#held);
    const isBlank = this.#names.length === 0 && (this.#held === '' || this.#held === '\r');
    this.#fail(isBlank ? 'empty' : 'truncated', this.#written - this.#start);
  }

  /** Parsing a tag or comment again with each piece would take quadratic time. */
  #mustWait(piece: string): boolean {
    if (this.#awaited === '') return false;
    const recent = this.#lastHeld + piece;
    this.#lastHeld = recent.slice(-LONGEST_AWAITED);
    return !recent.includes(this.#awaited);
  }

  /** Holds back half of a line end or surrogate pair, so that no other code has to handle it. */
  #read(arrived: string): void {
    const last = arrived.charCodeAt(arrived.length - 1);
    const isHalf = last === CARRIAGE_RETURN || isHighSurrogate(last);
    this.#text = isHalf ? arrived.slice(0, -1) : arrived;
    this.#awaited = '';
    let at = 0;
    withUnits(this.#text, (units) => {
      this.#units = units;
      at = this.#readUnits();
    });
    this.#units = noUnits;
    this.#report();
    this.#held = this.rootClosed ? '' : arrived.slice(at);
    this.#lastHeld = this.#held.slice(-LONGEST_AWAITED);
    this.#start += at;
    this.#text = '';
  }

  #readUnits(): number {
    let at = 0;
    while (at < this.#text.length && !this.rootClosed) {
      const end = this.#readNext(at);
      if (end === at) break;
      at = end;
    }
    return at;
  }

  #readNext(at: number): number {
    if (this.#inCdata) return this.#readCdata(at);
    if (this.#units[at] !== LESS) return this.#names.length > 0 ? this.#readText(at) : this.#readOutside(at);
    const end = this.#readMarkup(at);
    if (end - at > LONGEST_HELD) this.#fail('too_long', end);
    return end;
  }

  #readMarkup(at: number): number {
    switch (this.#units[at + 1]) {
      case SLASH:
        return this.#readCloseTag(at);
      case BANG:
        return this.#readBang(at);
      case QUESTION:
        return this.#readInstruction(at);
      default:
        return this.#readOpenTag(at);
    }
  }

  #readOpenTag(at: number): number {
    const text = this.#text;
    const start = at + 1;
    if (start === text.length) return at;
    let name = asciiNameAt(text, this.#units, start);
    let end = start + (name?.units.length ?? 0);
    if (name === undefined || (this.#units[end] ?? 0) >= ASCII) {
      end = nameEnd(text, start);
      if (end === start) return this.#refuse('element name', start + 1);
      name = createName(text.slice(start, end));
    }
    if (end === text.length) return this.#waitFor('>', at);
    if (name.local === undefined) return this.#refuse('element name', end);
    if (this.#units[end] === GREATER) return this.#readPlainElement(at, name, end + 1);
    return this.#readTagFrom(at, name, end);
  }

  /** Reads a whole field; for any other element only its opening tag, which ends at `end`. */
  #readPlainElement(at: number, name: ElementName, end: number): number {
    const depth = this.#names.length;
    const isSkipped = depth >= this.#skipDepth;
    const mayBeField = depth > 0 && depth < DEEPEST && (isSkipped || this.#hasFields);
    const textEnd = mayBeField ? plainTextEnd(this.#units, end) : end;
    const isField = textEnd > end && textEnd - end <= LONGEST_PIECE && closesAt(this.#units, textEnd, name);
    if (isField && (isSkipped || this.#reportField(name, end, textEnd)))
      return textEnd + (name.units.length + 3);
    return this.#open(at, name, noAttributes, end);
  }

  #reportField({ local = '' }: ElementName, from: number, to: number): boolean {
    this.#report();
    return this.#handler.field?.(local, this.#text.slice(from, to)) ?? false;
  }

  #readTagFrom(at: number, name: ElementName, nameStop: number): number {
    const read = readAttributes(this.#text, nameStop, this.#refuse);
    if ('awaited' in read) return this.#waitFor(read.awaited, at);
    this.#open(at, name, read.attributes, read.end);
    return this.#text.charCodeAt(read.end - 2) === SLASH ? this.#close(read.end) : read.end;
  }

  #open(at: number, name: ElementName, attributes: XmlAttributes, end: number): number {
    if (this.#names.length === DEEPEST) this.#fail('too_deep', end);
    this.#names.push(name);
    if (this.#names.length > this.#skipDepth) return end;
    this.#report();
    this.tagStart = this.#start + at;
    this.position = this.#start + end;
    if (this.#handler.open(name.local ?? '', attributes) === SKIP) this.#skipDepth = this.#names.length;
    return end;
  }

  #readCloseTag(at: number): number {
    const name = this.#names[this.#names.length - 1];
    if (name !== undefined && closesAt(this.#units, at, name)) {
      return this.#close(at + (name.units.length + 3));
    }
    const start = at + 2;
    const nameStop = nameEnd(this.#text, start);
    const end = skipSpaces(this.#text, nameStop);
    if (end === this.#text.length) return this.#waitFor('>', at);
    if (this.#text.charCodeAt(end) !== GREATER) this.#refuse('character in a closing tag', end + 1);
    if (this.#text.slice(start, nameStop) !== name?.qualified) this.#refuse('unexpected close tag', end + 1);
    return this.#close(end + 1);
  }

  #close(end: number): number {
    const { local = '' } = this.#names.pop() ?? {};
    this.position = this.#start + end;
    this.rootClosed = this.#names.length === 0;
    if (this.#names.length >= this.#skipDepth) return end;
    this.#skipDepth = NOWHERE;
    this.#report();
    this.#handler.close(local);
    return end;
  }

  #readText(at: number): number {
    const text = this.#text;
    const end = plainTextEnd(this.#units, at);
    if (end > at) {
      this.#addText(text, at, end);
      return end;
    }
    switch (text.charCodeAt(at)) {
      case AMPERSAND:
        return this.#readReference(at);
      case CLOSE_BRACKET:
        return this.#readBracket(at);
      case CARRIAGE_RETURN:
        this.#addText('\n');
        return text.startsWith('\n', at + 1) ? at + 2 : at + 1;
      default: {
        const length = characterLength(text, at) || this.#refuse('character', at + 1);
        this.#addText(text, at, at + length);
        return at + length;
      }
    }
  }

  #readBracket(at: number): number {
    const start = this.#text.slice(at, at + CDATA_END.length);
    if (start === CDATA_END) this.#refuse('end of CDATA in text', at + CDATA_END.length);
    if (CDATA_END.startsWith(start)) return at;
    this.#addText(']');
    return at + 1;
  }

  #readReference(at: number): number {
    const end = referenceEnd(this.#text, at);
    if (end === this.#text.length) return at;
    const isEnded = this.#text.charAt(end) === ';';
    const character = isEnded ? resolveReference(this.#text.slice(at + 1, end)) : undefined;
    if (character === undefined) return this.#refuse('reference', end + 1);
    this.#addText(character);
    return end + 1;
  }

  /** Stops before the last two brackets, which may begin the end marker. */
  #readCdata(at: number): number {
    const text = this.#text;
    const found = text.indexOf(CDATA_END, at);
    let end = found === -1 ? text.length : found;
    const least = Math.max(at, text.length - 2);
    if (found === -1) while (end > least && text.charCodeAt(end - 1) === CLOSE_BRACKET) end--;
    const cdata = text.slice(at, end);
    requireCharacters(cdata, at, this.#refuse);
    this.#addText(cdata.replace(/\r\n?/g, '\n'));
    this.#inCdata = found === -1;
    return this.#inCdata ? end : end + CDATA_END.length;
  }

  #readBang(at: number): number {
    const start = this.#text.slice(at, at + CDATA.length);
    if (start.startsWith(COMMENT))
      return commentEnd(this.#text, at, this.#refuse) ?? this.#waitFor('-->', at);
    if (start === DOCTYPE) this.#fail('doctype', at + DOCTYPE.length);
    if (start === CDATA && this.#names.length > 0) {
      this.#inCdata = true;
      return at + CDATA.length;
    }
    const isCut = start !== CDATA && [COMMENT, CDATA, DOCTYPE].some((known) => known.startsWith(start));
    return isCut ? at : this.#refuse('markup', at + 2);
  }

  #readInstruction(at: number): number {
    const isFirst = this.#start + at === this.#documentStart;
    return instructionEnd(this.#text, at, isFirst, this.#refuse) ?? this.#waitFor('?>', at);
  }

  #readOutside(at: number): number {
    if (this.#start + at === 0 && this.#text.charCodeAt(0) === BYTE_ORDER_MARK) {
      this.#documentStart = 1;
      return 1;
    }
    const end = skipSpaces(this.#text, at);
    if (end < this.#text.length && this.#text.charCodeAt(end) !== LESS) {
      this.#refuse('text outside of the root', end + 1);
    }
    return end;
  }

  /** Collects text between two indices, so that most texts are reported in one piece. */
  #addText(text: string, from = 0, to = text.length): void {
    if (this.#names.length >= this.#skipDepth) return;
    for (let start = from; start < to; start += LONGEST_PIECE) {
      const piece = text.slice(start, Math.min(start + LONGEST_PIECE, to));
      if (this.#pending.length + piece.length > LONGEST_PIECE) this.#report();
      this.#pending += piece;
    }
  }

  #report(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#handler.text(text);
  }

  #waitFor(end: string, at: number): number {
    this.#awaited = end;
    return at;
  }

  #fail(reason: XmlErrorReason, index: number, detail?: string): never {
    this.#failure = new XmlError(reason, this.#start + index, detail);
    throw this.#failure;
  }

  readonly #refuse: Refuse = (detail, index, reason = 'malformed') => this.#fail(reason, index, detail);
}

/** Reads one document from text split anywhere. */
export function createXmlReader(handler: XmlHandler): Readonly<Reader> {
  return new Reader(handler);
}
