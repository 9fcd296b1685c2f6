import { flatten } from '../../../documents/plain.ts';
import {
  createDocumentReader,
  type DocumentReader,
  type UnreadDocument,
} from '../../../documents/summary/read-document.ts';
import {
  createXmlReader,
  type SKIP,
  type XmlAttributes,
  XmlError,
  type XmlReader,
} from '../../../documents/xml/xml.ts';
import { createDamage, type Damage } from './damage.ts';
import { isMarkup } from './forms.ts';
import type { OpenText } from './json.ts';
import { limits, requireWithin, Unreadable } from './limits.ts';
import { type Reading, type TextReader, UnreadableText } from './reading.ts';

/** The wrapper that ASP.NET puts around a string result when it answers in XML. */
const STRING_WRAPPER = 'string';
/** A root of this name is what the service sends and no broken declaration: the frame is inside it. */
const LITERAL_XML_ROOT = 'xml';
const SHOWN_NAME_LENGTH = 60;

/** An open element; `tag` is its opening tag in the text, undefined where that is gone. */
interface Opened {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly tag: string | undefined;
}

/** An open element of the frame around documents. */
interface Element extends Opened {
  readonly isWrapper: boolean;
  hasChildren: boolean;
  text: string;
  /** The reader of its text, where that is a text in quotes. */
  content: TextReader | undefined;
}

/** An element that is named like a document, or is one. */
interface Candidate extends Opened {
  readonly start: number;
}

/** The text from the start of a tag or document that is not complete yet. Places count from the start of all text. */
class RecentText {
  #text = '';
  #start = 0;
  #last = '';
  /** Where the last tag begins; it is not searched for in all text, which would be copied for that. */
  #tag = Number.NEGATIVE_INFINITY;

  get end(): number {
    return this.#start + this.#text.length;
  }

  add(piece: string): void {
    const tag = piece.lastIndexOf('<');
    if (tag !== -1) this.#tag = this.end + tag;
    this.#text += piece;
    this.#last = piece;
  }

  /** A copy of the text between two places; undefined where it is gone. */
  slice(from: number, to: number): string | undefined {
    return from < this.#start ? undefined : flatten(this.#text.slice(from - this.#start, to - this.#start));
  }

  /** The text behind a place, taken from the last piece alone where it lies there. */
  rest(from: number): string {
    const ofLast = from - this.end + this.#last.length;
    return ofLast >= 0 ? this.#last.slice(ofLast) : this.#text.slice(from - this.#start);
  }

  /** Drops the text before a place, or before the last tag that may be incomplete. */
  forget(before: number | undefined): void {
    if (before !== undefined) requireWithin(this.end - before, limits.document);
    const kept = before ?? (this.end - this.#tag <= limits.tag ? this.#tag : this.end);
    if (kept <= this.#start) return;
    this.#text = this.#text.slice(kept - this.#start);
    this.#start = kept;
  }
}

/** The frame around documents, as pieces. */
class Frame {
  readonly elements: Element[] = [];
  readonly #reading: Reading;
  readonly #openText: OpenText;

  constructor(reading: Reading, openText: OpenText) {
    this.#reading = reading;
    this.#openText = openText;
  }

  /** A child begins, an element or a document. */
  enterChild(): Element | undefined {
    const parent = this.elements.at(-1);
    if (parent === undefined) return undefined;
    if (parent.text !== '' || parent.content !== undefined) throw new Unreadable('mixed content');
    parent.hasChildren = true;
    return parent;
  }

  open({ name, attributes, tag }: Opened): void {
    const reading = this.#reading;
    const parent = this.enterChild();
    if (parent === undefined || parent.name === LITERAL_XML_ROOT) this.#note(name);
    const isWrapper = name === STRING_WRAPPER;
    const element = { name, attributes, tag, isWrapper, hasChildren: false, text: '', content: undefined };
    this.elements.push(element);
    if (isWrapper) {
      reading.note('string wrapper');
      this.#openContent('string', parent !== undefined);
    } else reading.open(name, attributes, parent === undefined);
  }

  text(part: string): void {
    const element = this.elements.at(-1);
    if (element === undefined) return;
    if (element.content !== undefined) {
      element.content.write(part);
      return;
    }
    const added = element.text === '' ? part.trimStart() : part;
    if (added === '') return;
    if (element.hasChildren) throw new Unreadable('mixed content');
    if (element.text === '' && isMarkup(added) && this.#reading.takes.markup === true) {
      this.#reading.note('xml in text');
      this.#openContent('markup', true).write(added);
      return;
    }
    element.text += added;
    requireWithin(element.text.length, this.#reading.limits.value);
  }

  close(): void {
    const element = this.elements.at(-1);
    if (element === undefined) return;
    const { text, content, isWrapper } = element;
    content?.end();
    this.elements.pop();
    if (isWrapper) return;
    if (text !== '') this.#reading.value(flatten(text.trimEnd()));
    this.#reading.close();
  }

  #openContent(quoting: 'string' | 'markup', isEntry: boolean): TextReader {
    const text = this.#openText(quoting);
    const content = isEntry ? this.#reading.entry(text) : text;
    const element = this.elements.at(-1);
    if (element !== undefined) element.content = content;
    return content;
  }

  #note(name: string): void {
    if (name === LITERAL_XML_ROOT || name === STRING_WRAPPER) return;
    const shown = name.slice(0, SHOWN_NAME_LENGTH);
    this.#reading.note(`xml envelope ${shown}`, `xml <${shown}>`);
  }
}

/**
 * Reads XML texts that stand one after the other, each with or without its own declaration; blanks and byte-order marks
 * may stand between them. A document that is broken is passed over where it can be seen to end. Places are counted in
 * characters from the start of the first text.
 */
export function createMarkupReader(reading: Reading, openText: OpenText): TextReader {
  const frame = new Frame(reading, openText);
  const recent = new RecentText();
  const takesDocuments = reading.takes.documents === true;
  let reader: XmlReader | undefined;
  let readerStart = 0;
  let roots = 0;
  /** An element that is named like a document; its first child decides. */
  let undecided: Candidate | undefined;
  /** The document that is being read, and the elements open in it, itself included. */
  let current: Candidate | undefined;
  let depth = 0;
  let isWhole = false;
  let unread: UnreadDocument | undefined;
  let damage: Damage | undefined;
  /** The frame is opened again for a new reader, behind a document that was broken. */
  let isRepeating = false;
  let documents = newDocumentReader();

  function newDocumentReader(): DocumentReader {
    return createDocumentReader(
      (summary, start) => {
        isWhole = true;
        const xml = recent.slice(start, position());
        if (xml === undefined) throw new Unreadable('too long a tag');
        reading.emit({ kind: 'document', xml, summary });
      },
      () => tagStart(),
      (document) => {
        unread = document;
      },
    );
  }

  function tagStart(): number {
    return readerStart + (reader?.tagStart ?? 0);
  }

  function position(): number {
    return readerStart + (reader?.position ?? 0);
  }

  /** An undecided element that is no document after all is part of the frame. */
  function release(): void {
    if (undecided === undefined) return;
    const opened = undecided;
    undecided = undefined;
    frame.open(opened);
  }

  function beginDocument(candidate: Candidate): void {
    current = candidate;
    undecided = undefined;
    isWhole = false;
    unread = undefined;
    depth = 2;
    frame.enterChild();
    reading.isInDocument = true;
    if (frame.elements.length === 0) reading.note('xml document', 'xml document');
  }

  function endDocument(): void {
    const reason = unread?.reason === 'identity' ? 'no identity' : 'no known layout';
    const root = current?.name;
    current = undefined;
    const { family, outline } = unread ?? {};
    if (!isWhole) reading.emit({ kind: 'unreadable', root, family, reason, outline });
  }

  function openOutside(name: string, attributes: XmlAttributes): void {
    const start = documents.startedAt;
    if (undecided !== undefined && start === undecided.start) {
      beginDocument(undecided);
      return;
    }
    release();
    const tag = recent.slice(tagStart(), position());
    if (start === undefined) frame.open({ name, attributes, tag });
    else undecided = { name, attributes, start, tag };
  }

  const events = {
    open(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
      if (isRepeating) return undefined;
      const content = takesDocuments ? documents.open(name, attributes) : undefined;
      if (depth > 0) depth++;
      else openOutside(name, attributes);
      return content;
    },
    text(text: string): void {
      if (depth > 0) documents.text(text);
      else if (undecided === undefined || text.trim() !== '') {
        release();
        frame.text(text);
      }
    },
    field(name: string, text: () => string): boolean {
      return depth > 0 && documents.field(name, text);
    },
    close(name: string): void {
      if (takesDocuments) documents.close(name);
      if (depth > 0) {
        depth--;
        if (depth === 0) endDocument();
      } else {
        release();
        frame.close();
      }
    },
  };

  /** Reads the text behind a place, to the end of what has come. */
  function readFrom(place: number): void {
    for (let at: number | undefined = place; at !== undefined && at < recent.end; ) {
      const rest = recent.rest(at);
      try {
        at = readRoot(at, rest);
      } catch (error) {
        at = passOver(error);
      }
    }
  }

  /** Gives the place behind the root that ended in the text, or undefined where the text is used up. */
  function readRoot(at: number, text: string): number | undefined {
    let begun = text;
    if (reader === undefined) {
      begun = text.trimStart();
      if (begun === '') return undefined;
      readerStart = at + text.length - begun.length;
      reader = createXmlReader(events);
    }
    const used = reader.write(begun);
    if (!reader.rootClosed) return undefined;
    reader = undefined;
    roots++;
    return at + text.length - begun.length + used;
  }

  /** Gives the place behind a broken document, or undefined where it is yet to come. @throws the error of any other text */
  function passOver(error: unknown): number | undefined {
    const broken = current ?? undecided;
    const isMalformed = error instanceof XmlError && error.reason === 'malformed';
    const isFrameKnown = frame.elements.every(({ tag }) => tag !== undefined);
    if (!isMalformed || broken?.tag === undefined || !isFrameKnown) throw error;
    damage = createDamage(broken.name, broken.start, broken.tag, frame.elements.at(-1)?.tag);
    return seekEnd();
  }

  function seekEnd(): number | undefined {
    if (damage === undefined) return undefined;
    const place = damage.seek(recent.rest(damage.from));
    if (place === undefined) return undefined;
    frame.enterChild();
    reading.emit({ kind: 'unreadable', root: damage.root, reason: 'malformed' });
    damage = undefined;
    undecided = undefined;
    current = undefined;
    depth = 0;
    documents = newDocumentReader();
    beginAnew(place);
    return place;
  }

  function beginAnew(place: number): void {
    reader = undefined;
    if (frame.elements.length === 0) {
      roots++;
      return;
    }
    const opening = frame.elements.map(({ tag }) => tag).join('');
    reader = createXmlReader(events);
    isRepeating = true;
    reader.write(opening);
    isRepeating = false;
    readerStart = place - opening.length;
  }

  /** The text ends too early: the damage is its own where it is that of its last document. */
  function cut(error: unknown): unknown {
    const broken = damage?.root ?? (current ?? undecided)?.name;
    if (broken === undefined || frame.elements.length > 0) return error;
    return new UnreadableText(damage === undefined ? 'truncated' : 'malformed', broken);
  }

  return {
    write(text) {
      const place = recent.end;
      recent.add(text);
      const from = damage === undefined ? place : seekEnd();
      if (from !== undefined) readFrom(from);
      recent.forget(damage?.from ?? (depth > 0 ? current : undecided)?.start);
    },
    end() {
      try {
        if (damage !== undefined) throw new Unreadable('malformed');
        reader?.end();
      } catch (error) {
        const onlyComments = roots > 0 && error instanceof XmlError && error.reason === 'empty';
        if (!onlyComments) throw cut(error);
      }
    },
  };
}
