import {
  characterLength,
  createName,
  type ElementName,
  isAscii,
  isHighSurrogate,
  nameBetween,
  nameEnd,
  plainNameEnd,
  referenceEnd,
  resolveReference,
  runEnd,
  skipSpaces,
  standsAt,
  startsName,
  withLineFeeds,
} from './characters.ts';
import {
  defaultXmlLimits,
  PIECE,
  Telling,
  XmlError,
  type XmlErrorReason,
  type XmlEvents,
  type XmlLimits,
  type XmlReader,
} from './events.ts';
import {
  COMMENT,
  checkCharacters,
  commentEnd,
  instructionEnd,
  noAttributes,
  readAttributes,
  type XmlAttributes,
} from './markup.ts';
import { END, type TextWindow, through, WINDOW } from './text.ts';

const CARRIAGE_RETURN = 0x0d;
const BANG = 0x21;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = 0xfeff;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const DOCTYPE = '<!DOCTYPE';
const LONGEST_AWAITED = 3;

const nothing: TextWindow = { text: '', units: new Uint16Array(0), bytes: Buffer.alloc(0) };

/**
 * A strict reader: any error of well-formedness, a DOCTYPE or an unknown entity throws an XmlError, and so does every
 * later call. Comments and processing instructions are passed over; what declares itself as version 1.1 is read by
 * the rules of 1.0. Memory does not grow with the document: text is handed on as it comes, in pieces of 64 K
 * characters at most.
 *
 * Tags, comments, instructions and references are read as a whole or not at all: each `read…` function gives the
 * index it got to, and one that has not moved needs more text. So a document means the same wherever it is cut.
 */
class Reader implements XmlReader {
  rootClosed = false;
  tagStart = 0;
  position = 0;
  readonly #telling: Telling;
  readonly #limits: XmlLimits;
  /** What is being read, the index that was got to, and the first character's position in the document. */
  #window = nothing;
  #at = 0;
  #chunkStart = 0;
  /** The first position after a byte-order mark. */
  #documentStart = 0;
  /** Begun and not whole; not looked at again before `awaited` has come. */
  #held = '';
  #awaited = '';
  #lastHeld = '';
  #inCdata = false;
  #written = 0;
  #failure: XmlError | undefined;

  constructor(events: XmlEvents, limits: XmlLimits) {
    this.#telling = new Telling(events);
    this.#limits = limits;
  }

  write(piece: string): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.rootClosed) return 0;
    const before = this.#written;
    if (piece.length <= WINDOW) this.#writeWindow(piece);
    else this.#writeWindows(piece);
    this.#written = this.rootClosed ? this.position : before + piece.length;
    return this.#written - before;
  }

  end(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.rootClosed) return;
    this.#readArrived(this.#held);
    const isBlank = this.#telling.depth === 0 && (this.#held === '' || this.#held === '\r');
    this.#fail(isBlank ? 'empty' : 'truncated', this.#written - this.#chunkStart);
  }

  /** What begins a tag that is long already is looked at with as much again, so that its length is what it costs. */
  #writeWindows(piece: string): void {
    for (let from = 0; from < piece.length && !this.rootClosed; ) {
      const to = from + Math.max(WINDOW, this.#held.length);
      this.#writeWindow(piece.slice(from, to));
      from = to;
    }
  }

  #writeWindow(piece: string): void {
    if (this.#mustWait(piece)) this.#held += piece;
    else this.#readArrived(this.#held + piece);
    if (this.#held.length > this.#limits.textLength) this.#fail('too_long', this.#held.length);
  }

  /** Looking at a tag or comment anew with each piece would take time with the square of its length. */
  #mustWait(piece: string): boolean {
    if (this.#awaited === '') return false;
    const recent = this.#lastHeld + piece;
    this.#lastHeld = recent.slice(-LONGEST_AWAITED);
    return !recent.includes(this.#awaited);
  }

  /** Half of a line end or of a surrogate pair is held back, so that nothing has to look for the other half. */
  #readArrived(arrived: string): void {
    const last = arrived.charCodeAt(arrived.length - 1);
    const isHalf = last === CARRIAGE_RETURN || isHighSurrogate(last);
    const chunk = isHalf ? arrived.slice(0, -1) : arrived;
    this.#awaited = '';
    through(chunk, (window) => this.#readWindow(window));
    this.#held = this.rootClosed ? '' : arrived.slice(this.#at);
    this.#lastHeld = this.#held.slice(-LONGEST_AWAITED);
    this.#chunkStart += this.#at;
    this.#window = nothing;
  }

  #readWindow(window: TextWindow): void {
    const { length } = window.text;
    this.#window = window;
    this.#at = 0;
    while (this.#at < length && !this.rootClosed) {
      const end = this.#readNext(this.#at);
      if (end === this.#at) break;
      this.#at = end;
    }
    this.#telling.handOn();
  }

  #readNext(at: number): number {
    if (this.#inCdata) return this.#readCdata(at);
    const isInside = this.#telling.depth > 0;
    const plainEnd = isInside ? this.#readPlain(at) : at;
    if (plainEnd > at) return plainEnd;
    if (this.#window.units[at] !== LESS) return isInside ? this.#readOddCharacter(at) : this.#readOutside(at);
    const end = this.#readMarkup(at);
    if (end - at > this.#limits.textLength) this.#fail('too_long', end);
    return end;
  }

  #readMarkup(at: number): number {
    switch (this.#window.units[at + 1]) {
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

  /** Texts and tags without attributes, as long as one follows the other and each is as plain as nearly all are. */
  #readPlain(at: number): number {
    let end = at;
    while (!this.rootClosed) {
      const next = this.#readNextPlain(end);
      if (next === end) break;
      end = next;
    }
    return end;
  }

  #readNextPlain(at: number): number {
    const { units } = this.#window;
    if (units[at] !== LESS) return this.#readRun(at);
    return units[at + 1] === SLASH ? this.#readPlainCloseTag(at) : this.#readPlainElement(at);
  }

  /** Text in which every character is simply itself. */
  #readRun(at: number): number {
    const end = runEnd(this.#window.units, at);
    if (!this.#telling.wantsText) return end;
    for (let from = at; from < end; from += PIECE) {
      const to = Math.min(from + PIECE, end);
      this.#telling.text(this.#window.text.slice(from, to), to - from);
    }
    return end;
  }

  /** A field as a whole, of any other element the opening tag. */
  #readPlainElement(at: number): number {
    const { units } = this.#window;
    const start = at + 1;
    const stop = plainNameEnd(units, start);
    const from = stop + 1;
    if (stop === start || units[stop] !== GREATER || from - at > this.#limits.textLength) return at;
    const name = nameBetween(units, start, stop);
    if (name.local === '' || this.#telling.depth === this.#limits.depth) return at;
    if (!this.#telling.takesFields) return this.#open(at, name, noAttributes, from);
    const to = runEnd(units, from);
    const end = to > from && to - from <= PIECE ? this.#closeTagEnd(to, name) : to;
    if (end === to) return this.#open(at, name, noAttributes, from);
    this.#telling.field(name, this.#window, from, to);
    return end;
  }

  #readPlainCloseTag(at: number): number {
    const { name } = this.#telling;
    const end = name === undefined ? at : this.#closeTagEnd(at, name);
    return end === at || end - at > this.#limits.textLength ? at : this.#close(end);
  }

  /** The index behind the closing tag of such a name, where it stands there and has no blanks in it. */
  #closeTagEnd(at: number, { units: name }: ElementName): number {
    const { units } = this.#window;
    const end = at + name.length + 3;
    const isThere = units[at] === LESS && units[at + 1] === SLASH && units[end - 1] === GREATER;
    return isThere && standsAt(units, at + 2, name) ? end : at;
  }

  #readOpenTag(at: number): number {
    const units = this.#window.units;
    const start = at + 1;
    let end = plainNameEnd(units, start);
    const isPlain = end > start && isAscii(units[end] ?? END);
    if (!isPlain) {
      if (start === this.#window.text.length) return at;
      if (!startsName(this.#window.text, start)) this.#refuse('element name', start + 1);
      end = nameEnd(this.#window.text, end);
      if (end === this.#window.text.length) return this.#waitFor('>', at);
    }
    const name = isPlain ? nameBetween(units, start, end) : createName(this.#window.text.slice(start, end));
    if (name.local === '') return this.#refuse('element name', end);
    if (units[end] === GREATER) return this.#open(at, name, noAttributes, end + 1);
    return this.#readTagFrom(at, name, end);
  }

  /** The rest of an opening tag, from behind its name. */
  #readTagFrom(at: number, name: ElementName, nameStop: number): number {
    const read = readAttributes(this.#window, nameStop, this.#refuse);
    if ('awaited' in read) return this.#waitFor(read.awaited, at);
    const closesItself = this.#window.units[read.end] === SLASH;
    const end = closesItself ? read.end + 2 : read.end + 1;
    if (end > this.#window.text.length) return at;
    if (this.#window.units[end - 1] !== GREATER) this.#refuse('character in a tag', end);
    this.#open(at, name, read.attributes, end);
    return closesItself ? this.#close(end) : end;
  }

  #open(at: number, name: ElementName, attributes: XmlAttributes, end: number): number {
    if (this.#telling.depth === this.#limits.depth) this.#fail('too_deep', end);
    this.tagStart = this.#chunkStart + at;
    this.position = this.#chunkStart + end;
    this.#telling.open(name, attributes);
    return end;
  }

  #readCloseTag(at: number): number {
    const start = at + 2;
    const nameStop = nameEnd(this.#window.text, start);
    const end = skipSpaces(this.#window.text, nameStop);
    if (end === this.#window.text.length) return this.#waitFor('>', at);
    if (this.#window.units[end] !== GREATER) this.#refuse('character in a closing tag', end + 1);
    if (this.#window.text.slice(start, nameStop) !== this.#telling.name?.qualified)
      this.#refuse('unexpected close tag', end + 1);
    return this.#close(end + 1);
  }

  #close(end: number): number {
    this.position = this.#chunkStart + end;
    this.rootClosed = this.#telling.depth === 1;
    this.#telling.close();
    return end;
  }

  #readOddCharacter(at: number): number {
    switch (this.#window.units[at]) {
      case AMPERSAND:
        return this.#readReference(at);
      case CLOSE_BRACKET:
        return this.#readBracket(at);
      case CARRIAGE_RETURN:
        this.#telling.text('\n', 1);
        return this.#window.text.startsWith('\n', at + 1) ? at + 2 : at + 1;
      default: {
        const length = characterLength(this.#window.text, at) || this.#refuse('character', at + 1);
        this.#telling.text(this.#window.text.slice(at, at + length), length);
        return at + length;
      }
    }
  }

  #readBracket(at: number): number {
    const start = this.#window.text.slice(at, at + CDATA_END.length);
    if (start === CDATA_END) this.#refuse('end of CDATA in text', at + CDATA_END.length);
    if (CDATA_END.startsWith(start)) return at;
    this.#telling.text(']', 1);
    return at + 1;
  }

  #readReference(at: number): number {
    const { text } = this.#window;
    const end = referenceEnd(text, at);
    if (end === text.length) return at;
    const character = text[end] === ';' ? resolveReference(text.slice(at + 1, end)) : undefined;
    if (character === undefined) return this.#refuse('reference', end + 1);
    this.#telling.text(character, character.length);
    return end + 1;
  }

  /** Up to the last two brackets, which may begin the end. */
  #readCdata(at: number): number {
    const chunk = this.#window.text;
    const found = chunk.indexOf(CDATA_END, at);
    let end = found === -1 ? chunk.length : found;
    const least = Math.max(at, chunk.length - 2);
    if (found === -1) while (end > least && this.#window.units[end - 1] === CLOSE_BRACKET) end--;
    checkCharacters(chunk, at, end, this.#refuse);
    const lines = withLineFeeds(chunk.slice(at, end));
    for (let from = 0; from < lines.length; from += PIECE) {
      const piece = lines.slice(from, from + PIECE);
      this.#telling.text(piece, piece.length);
    }
    this.#inCdata = found === -1;
    return this.#inCdata ? end : end + CDATA_END.length;
  }

  #readBang(at: number): number {
    const start = this.#window.text.slice(at, at + CDATA.length);
    if (start.startsWith(COMMENT))
      return commentEnd(this.#window.text, at, this.#refuse) ?? this.#waitFor('-->', at);
    if (start === DOCTYPE) this.#fail('doctype', at + DOCTYPE.length);
    if (start === CDATA && this.#telling.depth > 0) {
      this.#inCdata = true;
      return at + CDATA.length;
    }
    const isCut = start !== CDATA && [COMMENT, CDATA, DOCTYPE].some((known) => known.startsWith(start));
    return isCut ? at : this.#refuse('markup', at + 2);
  }

  #readInstruction(at: number): number {
    const isFirst = this.#chunkStart + at === this.#documentStart;
    return instructionEnd(this.#window.text, at, isFirst, this.#refuse) ?? this.#waitFor('?>', at);
  }

  #readOutside(at: number): number {
    const chunk = this.#window.text;
    if (this.#chunkStart + at === 0 && this.#window.units[0] === BYTE_ORDER_MARK) {
      this.#documentStart = 1;
      return 1;
    }
    const end = skipSpaces(chunk, at);
    if (end < chunk.length && this.#window.units[end] !== LESS)
      this.#refuse('text outside of the root', end + 1);
    return end;
  }

  #waitFor(end: string, at: number): number {
    this.#awaited = end;
    return at;
  }

  #fail(reason: XmlErrorReason, index: number, detail?: string): never {
    this.#failure = new XmlError(reason, this.#chunkStart + index, detail);
    throw this.#failure;
  }

  readonly #refuse = (detail: string, index: number, reason: XmlErrorReason = 'malformed'): never =>
    this.#fail(reason, index, detail);
}

export function createXmlReader(events: XmlEvents, limits: XmlLimits = defaultXmlLimits): XmlReader {
  return new Reader(events, limits);
}
