import { noAttributes, readAttributes, type XmlAttributes } from './attributes.ts';
import {
  characterLength,
  isHighSurrogate,
  nameEnd,
  plainNameEnd,
  resolveReference,
  runEnd,
  skipSpaces,
  startsName,
  withLineFeeds,
} from './characters.ts';
import { localPart, standsAt } from './names.ts';
import { COMMENT, checkCharacters, commentEnd, instructionEnd } from './passed-over.ts';
import { XmlError, type XmlErrorReason } from './xml-error.ts';

/** What a document says, in order. Names are local names: a prefix is cut off, namespaces are not resolved. */
export interface XmlEvents {
  open(name: string, attributes: XmlAttributes): void;
  /** Text and CDATA, entities resolved. One text may come in several pieces. */
  text(text: string): void;
  close(name: string): void;
  /** False while text would be for nothing: it is checked and need not be handed on. Left out, all is wanted. */
  readonly wantsText?: boolean;
}

export interface XmlLimits {
  /** Open elements at once. */
  readonly depth: number;
  /** Characters held at once: of a tag, a comment, a reference. */
  readonly textLength: number;
}

export const defaultXmlLimits: XmlLimits = { depth: 64, textLength: 16 * 1024 * 1024 };

/** Reads one document from text that arrives in pieces cut anywhere. */
export interface XmlReader {
  /**
   * Gives the number of characters used: all of them, or fewer once the root has been closed. What is left belongs
   * to the next document, for a reader of its own.
   */
  write(text: string): number;
  /** Throws unless the root has been closed. */
  end(): void;
  readonly rootClosed: boolean;
  /** Where the element being opened begins, in characters from the start. Only within `open`. */
  readonly tagStart: number;
  /** Just after the tag, in characters from the start. Only within `open` and `close`. */
  readonly position: number;
}

const PIECE = 64 * 1024;
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

/**
 * A strict reader: any error of well-formedness, a DOCTYPE or an unknown entity throws an XmlError, and so does every
 * later call. Comments and processing instructions are passed over; what declares itself as version 1.1 is read by
 * the rules of 1.0. Memory does not grow with the document: text is handed on as it comes, in pieces of 64 K
 * characters at most.
 *
 * Tags, comments, instructions and references are read as a whole or not at all: each `read…` function gives the
 * index it got to, and one that has not moved needs more text. So a document means the same wherever it is cut.
 */
export function createXmlReader(events: XmlEvents, limits: XmlLimits = defaultXmlLimits): XmlReader {
  /** The open elements by qualified name, the root first; beside them their local names. */
  const elements: string[] = [];
  const localNames: string[] = [];
  /** What is being read, the index that was got to, and the first character's position in the document. */
  let chunk = '';
  let at = 0;
  let chunkStart = 0;
  /** The first position after a byte-order mark. */
  let documentStart = 0;
  /** Begun and not whole; not looked at again before `awaited` has come. */
  let held = '';
  let awaited = '';
  let lastHeld = '';
  let text = '';
  let textLength = 0;
  let inCdata = false;
  let sawRoot = false;
  let written = 0;
  let failure: XmlError | undefined;

  function fail(reason: XmlErrorReason, index: number, detail?: string): never {
    failure = new XmlError(reason, chunkStart + index, detail);
    throw failure;
  }

  function refuse(detail: string, index: number, reason: XmlErrorReason = 'malformed'): never {
    return fail(reason, index, detail);
  }

  function waitFor(end: string): number {
    awaited = end;
    return at;
  }

  function checkLength(end: number): void {
    if (end - at > limits.textLength) fail('too_long', end);
  }

  function handOn(): void {
    const whole = text;
    text = '';
    textLength = 0;
    events.text(whole);
  }

  /** `length` is the piece's, at most PIECE. */
  function addText(piece: string, length: number): void {
    if (textLength + length > PIECE) handOn();
    text = textLength === 0 ? piece : text + piece;
    textLength += length;
  }

  function readOutside(): number {
    if (chunkStart + at === 0 && chunk.charCodeAt(0) === BYTE_ORDER_MARK) {
      documentStart = 1;
      return 1;
    }
    const end = skipSpaces(chunk, at);
    if (end < chunk.length && chunk.charCodeAt(end) !== LESS) refuse('text outside of the root', end + 1);
    return end;
  }

  function readText(): number {
    const end = runEnd(chunk, at, Math.min(chunk.length, at + PIECE));
    if (end === at) return readOddCharacter();
    if (events.wantsText !== false) addText(chunk.slice(at, end), end - at);
    return end;
  }

  function readOddCharacter(): number {
    switch (chunk.charCodeAt(at)) {
      case CLOSE_BRACKET:
        return readBracket();
      case CARRIAGE_RETURN:
        addText('\n', 1);
        return chunk.startsWith('\n', at + 1) ? at + 2 : at + 1;
      default: {
        const length = characterLength(chunk, at) || refuse('character', at + 1);
        addText(chunk.slice(at, at + length), length);
        return at + length;
      }
    }
  }

  function readBracket(): number {
    const start = chunk.slice(at, at + CDATA_END.length);
    if (start === CDATA_END) refuse('end of CDATA in text', at + CDATA_END.length);
    if (CDATA_END.startsWith(start)) return at;
    addText(']', 1);
    return at + 1;
  }

  function readReference(): number {
    const end = chunk.indexOf(';', at);
    if (end === -1) return waitFor(';');
    checkLength(end);
    const character = resolveReference(chunk.slice(at + 1, end)) ?? refuse('reference', end + 1);
    addText(character, character.length);
    return end + 1;
  }

  /** Up to the last two brackets, which may begin the end. */
  function readCdata(): number {
    const found = chunk.indexOf(CDATA_END, at);
    let end = found === -1 ? chunk.length : found;
    const least = Math.max(at, chunk.length - 2);
    if (found === -1) while (end > least && chunk.charCodeAt(end - 1) === CLOSE_BRACKET) end--;
    checkCharacters(chunk, at, end, refuse);
    const lines = withLineFeeds(chunk.slice(at, end));
    for (let from = 0; from < lines.length; from += PIECE) {
      const piece = lines.slice(from, from + PIECE);
      addText(piece, piece.length);
    }
    inCdata = found === -1;
    return inCdata ? end : end + CDATA_END.length;
  }

  function readBang(): number {
    const start = chunk.slice(at, at + CDATA.length);
    if (start.startsWith(COMMENT)) return commentEnd(chunk, at, refuse) ?? waitFor('-->');
    if (start === DOCTYPE) fail('doctype', at + DOCTYPE.length);
    if (start === CDATA && elements.length > 0) {
      inCdata = true;
      return at + CDATA.length;
    }
    const isCut = start !== CDATA && [COMMENT, CDATA, DOCTYPE].some((known) => known.startsWith(start));
    return isCut ? at : refuse('markup', at + 2);
  }

  function open(qualified: string, name: string, attributes: XmlAttributes, end: number): number {
    elements.push(qualified);
    localNames.push(name);
    if (elements.length > limits.depth) fail('too_deep', end);
    if (textLength > 0) handOn();
    sawRoot = true;
    reader.tagStart = chunkStart + at;
    reader.position = chunkStart + end;
    events.open(name, attributes);
    return end;
  }

  function close(end: number): number {
    if (textLength > 0) handOn();
    elements.pop();
    const name = localNames.pop() ?? '';
    reader.rootClosed = elements.length === 0;
    reader.position = chunkStart + end;
    events.close(name);
    return end;
  }

  function readOpenTag(): number {
    const nameStart = at + 1;
    if (nameStart === chunk.length) return at;
    if (!startsName(chunk, nameStart)) refuse('element name', nameStart + 1);
    const plainStop = plainNameEnd(chunk, nameStart);
    const nameStop = nameEnd(chunk, plainStop);
    if (nameStop === chunk.length) return waitFor('>');
    const qualified = chunk.slice(nameStart, nameStop);
    const name = nameStop === plainStop ? qualified : localPart(qualified);
    if (name === undefined) return refuse('element name', nameStop);
    if (chunk.charCodeAt(nameStop) === GREATER) return open(qualified, name, noAttributes, nameStop + 1);
    const read = readAttributes(chunk, nameStop, refuse);
    if ('awaited' in read) return waitFor(read.awaited);
    const closesItself = chunk.charCodeAt(read.end) === SLASH;
    const end = closesItself ? read.end + 2 : read.end + 1;
    if (end > chunk.length) return at;
    if (chunk.charCodeAt(end - 1) !== GREATER) refuse('character in a tag', end);
    open(qualified, name, read.attributes, end);
    return closesItself ? close(end) : end;
  }

  function readCloseTag(): number {
    const name = elements[elements.length - 1];
    const nameStart = at + 2;
    const expected = nameStart + (name === undefined ? 0 : name.length);
    const isExpected = chunk.charCodeAt(expected) === GREATER && name !== undefined;
    if (isExpected && standsAt(chunk, nameStart, name)) return close(expected + 1);
    const nameStop = nameEnd(chunk, nameStart);
    const end = skipSpaces(chunk, nameStop);
    if (end === chunk.length) return waitFor('>');
    if (chunk.charCodeAt(end) !== GREATER) refuse('character in a closing tag', end + 1);
    if (chunk.slice(nameStart, nameStop) !== name) refuse('unexpected close tag', end + 1);
    return close(end + 1);
  }

  function readMarkup(): number {
    switch (chunk.charCodeAt(at + 1)) {
      case SLASH:
        return readCloseTag();
      case BANG:
        return readBang();
      case QUESTION:
        return instructionEnd(chunk, at, chunkStart + at === documentStart, refuse) ?? waitFor('?>');
      default:
        return readOpenTag();
    }
  }

  function readNext(): number {
    if (inCdata) return readCdata();
    const code = chunk.charCodeAt(at);
    if (code === LESS) {
      const end = readMarkup();
      checkLength(end);
      return end;
    }
    if (elements.length === 0) return readOutside();
    return code === AMPERSAND ? readReference() : readText();
  }

  function readChunk(): void {
    at = 0;
    while (at < chunk.length && !reader.rootClosed) {
      const end = readNext();
      if (end === at) break;
      at = end;
    }
    if (textLength > 0) handOn();
  }

  /** Looking at a tag or comment anew with each piece would take time with the square of its length. */
  function mustWait(piece: string): boolean {
    if (awaited === '') return false;
    const recent = lastHeld + piece;
    lastHeld = recent.slice(-LONGEST_AWAITED);
    return !recent.includes(awaited);
  }

  /** Half of a line end or of a surrogate pair is held back, so that nothing has to look for the other half. */
  function readArrived(arrived: string): void {
    const last = arrived.charCodeAt(arrived.length - 1);
    const isHalf = last === CARRIAGE_RETURN || isHighSurrogate(last);
    chunk = isHalf ? arrived.slice(0, -1) : arrived;
    awaited = '';
    readChunk();
    held = reader.rootClosed ? '' : arrived.slice(at);
    lastHeld = held.slice(-LONGEST_AWAITED);
    chunkStart += at;
    chunk = '';
  }

  /** Its state stands in it as it is: a getter in an object that is made for each document costs it its speed. */
  const reader = {
    rootClosed: false,
    tagStart: 0,
    position: 0,
    write(piece: string): number {
      if (failure !== undefined) throw failure;
      if (reader.rootClosed) return 0;
      if (mustWait(piece)) held += piece;
      else readArrived(held + piece);
      if (held.length > limits.textLength) fail('too_long', held.length);
      const before = written;
      written = reader.rootClosed ? reader.position : before + piece.length;
      return written - before;
    },
    end(): void {
      if (failure !== undefined) throw failure;
      if (reader.rootClosed) return;
      readArrived(held);
      const isBlank = !sawRoot && (held === '' || held === '\r');
      fail(isBlank ? 'empty' : 'truncated', written - chunkStart);
    },
  };
  return reader;
}
