import { createDocumentReader } from '../../../documents/summary/read-document.ts';
import { flatten } from '../../../documents/untrusted.ts';
import {
  createXmlReader,
  type SKIP,
  type XmlAttributes,
  XmlError,
  type XmlReader,
} from '../../../documents/xml/xml.ts';
import { isMarkup } from './forms.ts';
import type { OpenText } from './json.ts';
import {
  limits,
  type Reading,
  requireWithin,
  type TextReader,
  Unreadable,
  UnreadableText,
} from './reading.ts';

/** The wrapper that ASP.NET puts around a string result when it answers in XML. */
const STRING_WRAPPER = 'string';
/** A root of this name is what the service sends and no broken declaration: the frame is inside it. */
const LITERAL_XML_ROOT = 'xml';
const SHOWN_NAME_LENGTH = 60;

/** An open element. */
interface Opened {
  readonly name: string;
  readonly attributes: XmlAttributes;
  /** Where it begins. */
  readonly start: number;
  /** Its opening tag in the text, undefined where that is gone. */
  readonly tag: string | undefined;
}

/** An open element of the frame around documents. */
interface Element extends Opened {
  hasChildren: boolean;
  text: string;
  /** The reader of its text, where that is a text in quotes. */
  content: TextReader | undefined;
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

  open(opened: Opened): void {
    const { name, attributes } = opened;
    const reading = this.#reading;
    const parent = this.enterChild();
    const element: Element = { ...opened, hasChildren: false, text: '', content: undefined };
    this.elements.push(element);
    if (name === STRING_WRAPPER) {
      reading.note('string wrapper');
      this.#openContent(element, 'string', parent !== undefined);
      return;
    }
    if (name !== LITERAL_XML_ROOT && (parent === undefined || parent.name === LITERAL_XML_ROOT)) {
      const shown = name.slice(0, SHOWN_NAME_LENGTH);
      reading.note(`xml envelope ${shown}`, `xml <${shown}>`);
    }
    reading.open(name, attributes, parent === undefined);
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
      this.#openContent(element, 'markup', true).write(added);
      return;
    }
    element.text += added;
    requireWithin(element.text.length, this.#reading.limits.value);
  }

  close(): void {
    const element = this.elements.at(-1);
    element?.content?.end();
    this.elements.pop();
    if (element === undefined || element.name === STRING_WRAPPER) return;
    if (element.text !== '') this.#reading.value(flatten(element.text.trimEnd()));
    this.#reading.close();
  }

  #openContent(element: Element, quoting: 'string' | 'markup', isEntry: boolean): TextReader {
    const text = this.#openText(quoting);
    element.content = isEntry ? this.#reading.entry(text) : text;
    return element.content;
  }
}

/** A document that is broken, and how it can be seen to end. */
interface Damage {
  readonly root: string;
  readonly end: RegExp;
  /** Where the search goes on. */
  from: number;
}

/** Characters of a tag that are searched again with the next piece of text. */
const OVERLAP = 512;

/**
 * The end of a broken document: its root's closing tag, at the latest where another of its kind begins, where the element
 * around it ends, or, with none around it, where another text declares itself.
 *
 * @param tag its opening tag
 * @param around the opening tag of the element around it
 */
export function endOfDamage(tag: string, around: string | undefined): RegExp {
  const nameOf = (text: string) =>
    /^<([^\s/>]+)/.exec(text)?.[1]?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') ?? '';
  const name = nameOf(tag);
  const further = around === undefined ? '<\\?xml\\s' : `</${nameOf(around)}\\s{0,99}>`;
  return new RegExp(`</${name}\\s{0,99}>|(?=<${name}[\\s/>])|(?=${further})`);
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
  let undecided: Opened | undefined;
  /** The document that is being read. */
  let current: Opened | undefined;
  let damage: Damage | undefined;
  /** The frame is opened again for a new reader, behind a document that was broken. */
  let isRepeating = false;
  let documents = newDocumentReader();

  function newDocumentReader() {
    return createDocumentReader(
      (summary, start) => {
        const xml = recent.slice(start, position());
        if (xml === undefined) throw new Unreadable('too long a tag');
        current = undefined;
        reading.emit({ kind: 'document', xml, summary });
      },
      () => tagStart(),
      ({ root, family, outline, reason }) => {
        current = undefined;
        const problem = reason === 'identity' ? 'no identity' : 'no known layout';
        reading.emit({ kind: 'unreadable', root, family, reason: problem, outline });
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

  function openOutside(name: string, attributes: XmlAttributes): void {
    const start = documents.startedAt;
    if (undecided !== undefined && start === undecided.start) {
      current = undecided;
      undecided = undefined;
      frame.enterChild();
      reading.isInDocument = true;
      if (frame.elements.length === 0) reading.note('xml document', 'xml document');
      return;
    }
    release();
    const opened = { name, attributes, start: start ?? 0, tag: recent.slice(tagStart(), position()) };
    if (start === undefined) frame.open(opened);
    else undecided = opened;
  }

  const events = {
    open(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
      if (isRepeating) return undefined;
      const content = takesDocuments ? documents.open(name, attributes) : undefined;
      if (current === undefined) openOutside(name, attributes);
      return content;
    },
    text(text: string): void {
      if (current !== undefined) documents.text(text);
      else if (undecided === undefined || text.trim() !== '') {
        release();
        frame.text(text);
      }
    },
    field(name: string, text: () => string): boolean {
      return current !== undefined && documents.field(name, text);
    },
    close(name: string): void {
      const isOutside = current === undefined;
      if (takesDocuments) documents.close(name);
      if (!isOutside) return;
      release();
      frame.close();
    },
  };

  /** Reads the text behind a place, to the end of what has come. */
  function readFrom(place: number): void {
    for (let at: number | undefined = place; at !== undefined && at < recent.end; ) {
      try {
        at = readRoot(at, recent.rest(at));
      } catch (error) {
        at = passOver(error);
      }
    }
  }

  /** Gives the place behind the root that ended in the text, or undefined where the text is used up. */
  function readRoot(at: number, text: string): number | undefined {
    const begun = reader === undefined ? text.trimStart() : text;
    if (begun === '') return undefined;
    const start = at + text.length - begun.length;
    if (reader === undefined) {
      readerStart = start;
      reader = createXmlReader(events);
    }
    const used = reader.write(begun);
    if (!reader.rootClosed) return undefined;
    reader = undefined;
    roots++;
    return start + used;
  }

  /** Gives the place behind a broken document, or undefined where it is yet to come. @throws the error of any other text */
  function passOver(error: unknown): number | undefined {
    const broken = current ?? undecided;
    const isMalformed = error instanceof XmlError && error.reason === 'malformed';
    const isFrameKnown = frame.elements.every(({ tag }) => tag !== undefined);
    if (!isMalformed || broken?.tag === undefined || !isFrameKnown) throw error;
    const end = endOfDamage(broken.tag, frame.elements.at(-1)?.tag);
    damage = { root: broken.name, end, from: broken.start + broken.tag.length };
    return seekEnd(damage);
  }

  function seekEnd(broken: Damage): number | undefined {
    const text = recent.rest(broken.from);
    const found = broken.end.exec(text);
    if (found === null) {
      broken.from += Math.max(0, text.length - OVERLAP);
      return undefined;
    }
    frame.enterChild();
    reading.emit({ kind: 'unreadable', root: broken.root, reason: 'malformed' });
    damage = undefined;
    undecided = undefined;
    current = undefined;
    documents = newDocumentReader();
    const place = broken.from + found.index + found[0].length;
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

  return {
    write(text) {
      const place = recent.end;
      recent.add(text);
      const from = damage === undefined ? place : seekEnd(damage);
      if (from !== undefined) readFrom(from);
      recent.forget(damage?.from ?? (current ?? undecided)?.start);
    },
    end() {
      try {
        if (damage !== undefined) throw new Unreadable('malformed');
        reader?.end();
      } catch (error) {
        const onlyComments = roots > 0 && error instanceof XmlError && error.reason === 'empty';
        if (onlyComments) return;
        // The text ends too early: the damage is its own where it is that of its last document.
        const broken = damage?.root ?? (current ?? undecided)?.name;
        if (broken === undefined || frame.elements.length > 0) throw error;
        throw new UnreadableText(damage === undefined ? 'truncated' : 'malformed', broken);
      }
    },
  };
}
