// biome-ignore-all lint/complexity/useLiteralKeys: this is how TypeScript lets private fields of saxes be read.
import { SaxesParser } from 'saxes';

/** What a document says, in order. Names are local names: a prefix is cut off, namespaces are not resolved. */
export interface XmlEvents {
  open(name: string, attributes: XmlAttributes): void;
  /** Text and CDATA, entities resolved. One text may come in several pieces. */
  text(text: string): void;
  close(name: string): void;
}

/** Attributes by local name, without namespace declarations. Has no prototype. */
export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlLimits {
  /** Open elements at once. */
  readonly depth: number;
  /** Characters held at once: of a piece of text, an attribute value, a comment. */
  readonly textLength: number;
}

export const defaultXmlLimits: XmlLimits = { depth: 64, textLength: 16 * 1024 * 1024 };

/**
 * Why a text is not a document: `empty` has no element at all, `truncated` ends before its root is closed,
 * `too_deep` and `too_long` pass the limits.
 */
export type XmlErrorReason = 'empty' | 'truncated' | 'malformed' | 'doctype' | 'too_deep' | 'too_long';

/** A text that is not one whole well-formed document. The message holds nothing of the text. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly reason: XmlErrorReason;
  /** Characters from the start of this document to where it went wrong. */
  readonly position: number;

  constructor(reason: XmlErrorReason, position: number, detail = '') {
    super(`XML ${reason.replace('_', ' ')} at character ${position}${detail && ` (${detail})`}`);
    this.reason = reason;
    this.position = position;
  }
}

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

const COLON = 58;
const PIECE = 64 * 1024;
const MOST_ATTRIBUTES = 1000;
const IN_TEXT = 13;
const IN_CDATA = 20;
const NO_ATTRIBUTES: XmlAttributes = Object.freeze(Object.create(null));

/**
 * A strict reader over saxes: any error of well-formedness, a DOCTYPE or an unknown entity throws an XmlError, and so
 * does every later call. Comments and processing instructions are passed over. Memory does not grow with the
 * document: text is handed on at the latest after 64 K characters.
 */
export function createXmlReader(events: XmlEvents, limits: XmlLimits = defaultXmlLimits): XmlReader {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names: string[] = [];
  let lastMarkup = 0;
  let attributes: Record<string, string> | undefined;
  let position = 0;
  let unconfirmedClose: string | undefined;
  let rootClosed = false;
  let written = 0;
  let failure: XmlError | undefined;

  function fail(reason: XmlErrorReason, detail?: string): never {
    failure = new XmlError(reason, parser.position, detail);
    throw failure;
  }

  function localName(name: string): string {
    const colon = colonIn(name);
    if (colon === -1) return name;
    const local = name.slice(colon + 1);
    if (colon === 0 || local === '' || local.includes(':')) fail('malformed', 'name');
    return local;
  }

  /** saxes reports a closing tag before it looks at its name: the event waits until that was right. */
  function confirmClose(): void {
    if (unconfirmedClose === undefined) return;
    const name = unconfirmedClose;
    unconfirmedClose = undefined;
    events.close(name);
  }

  function handOn(text: string): void {
    if (text.length > limits.textLength) fail('too_long');
    if (names.length === 0 || text === '') return;
    confirmClose();
    events.text(text);
  }

  parser.on('error', (error) => fail('malformed', withoutNames(error.message)));
  parser.on('doctype', () => fail('doctype'));
  parser.on('attribute', ({ name, value }) => {
    if (name === 'xmlns' || name.startsWith('xmlns:')) return;
    const found: Record<string, string> = attributes ?? Object.create(null);
    found[localName(name)] ??= value;
    attributes = found;
  });
  parser.on('opentag', (tag) => {
    confirmClose();
    const name = localName(tag.name);
    names.push(name);
    if (names.length > limits.depth) fail('too_deep');
    position = parser.position;
    const found = attributes ?? NO_ATTRIBUTES;
    attributes = undefined;
    events.open(name, found);
  });
  parser.on('text', handOn);
  parser.on('cdata', handOn);
  parser.on('closetag', () => {
    confirmClose();
    position = parser.position;
    unconfirmedClose = names.pop();
    if (names.length > 0) return;
    rootClosed = true;
    parser['i'] = parser['chunk'].length;
  });

  /** saxes gathers a text until the next markup; what it has so far is handed on between two pieces. */
  function drain(): void {
    const state = parser['state'];
    if (names.length > 0 && (state === IN_TEXT || state === IN_CDATA)) {
      const text = parser['text'];
      parser['text'] = '';
      handOn(text);
    }
    const held = parser['text'].length + parser['name'].length + parser['entity'].length;
    if (held > limits.textLength || parser['attribList'].length > MOST_ATTRIBUTES) fail('too_long');
  }

  /** An open tag has no `<` but its first, so that the last one before its end is where it begins. */
  function tagStart(before: number): number {
    const at = parser['chunk'].lastIndexOf('<', before);
    return at === -1 ? lastMarkup : parser['chunkPosition'] + at;
  }

  function feed(piece: string): void {
    const start = parser['chunkPosition'];
    parser.write(piece);
    const at = parser['chunk'].lastIndexOf('<');
    if (at !== -1) lastMarkup = start + at;
    confirmClose();
    drain();
  }

  return {
    write(text) {
      if (failure !== undefined) throw failure;
      const before = written;
      for (let at = 0; at < text.length && !rootClosed; at += PIECE) {
        feed(text.length <= PIECE ? text : text.slice(at, at + PIECE));
        written = rootClosed ? position : before + Math.min(at + PIECE, text.length);
      }
      return written - before;
    },
    end() {
      if (failure !== undefined) throw failure;
      if (rootClosed) return;
      const complaints: string[] = [];
      parser.on('error', (error) => complaints.push(error.message));
      parser.close();
      failure = new XmlError(complaints.every(saysNoRoot) ? 'empty' : 'truncated', written);
      throw failure;
    },
    get rootClosed() {
      return rootClosed;
    },
    get tagStart() {
      return tagStart(parser['i'] - 1);
    },
    get position() {
      return position;
    },
  };
}

/** Names are short and one in a hundred has a prefix: a loop costs a fifth of `indexOf`. */
function colonIn(name: string): number {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) === COLON) return i;
  return -1;
}

function saysNoRoot(complaint: string): boolean {
  return complaint === 'document must contain a root element.';
}

/** saxes puts names from the text after a colon. */
function withoutNames(message: string): string {
  return message.replace(/[:.].*$/s, '');
}

/** Reads documents that stand one after the other in one text, each with or without its own declaration. */
export interface XmlSequence {
  write(text: string): void;
  /** Throws if the last document is cut. Gives the number of documents read, 0 for a blank text. */
  end(): number;
}

/** Blanks, comments and byte-order marks may stand between the documents; anything else there is malformed. */
export function createXmlSequence(events: XmlEvents, limits: XmlLimits = defaultXmlLimits): XmlSequence {
  let reader: XmlReader | undefined;
  let count = 0;
  return {
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (reader === undefined) {
          rest = rest.trimStart();
          if (rest === '') return;
          reader = createXmlReader(events, limits);
        }
        rest = rest.slice(reader.write(rest));
        if (!reader.rootClosed) return;
        reader = undefined;
        count++;
      }
    },
    end() {
      try {
        reader?.end();
      } catch (error) {
        if (!(count > 0 && error instanceof XmlError && error.reason === 'empty')) throw error;
      }
      return count;
    },
  };
}
