import { createDocumentReader } from '../../../documents/summary/read-document.ts';
import { flatten } from '../../../documents/untrusted.ts';
import { XmlSequence } from '../../../documents/xml/sequence.ts';
import { type SKIP, type XmlAttributes, XmlError } from '../../../documents/xml/xml.ts';
import { isMarkup } from './forms.ts';
import type { OpenText } from './json.ts';
import { limits, type Reading, requireWithin, type TextReader, Unreadable } from './reading.ts';

/** ASP.NET's wrapper of a string result in XML. */
const STRING_WRAPPER = 'string';
/** The service sends roots of this name; they are not broken declarations. The frame is inside. */
const LITERAL_XML_ROOT = 'xml';
const SHOWN_NAME_LENGTH = 60;

/** An open element. */
interface Opened {
  readonly name: string;
  readonly attributes: XmlAttributes;
  /** Offset of its start. */
  readonly start: number;
  /** Its opening tag; undefined if no longer buffered. */
  readonly tag: string | undefined;
}

/** An open element of the frame around documents. */
interface FrameElement extends Opened {
  hasChildren: boolean;
  text: string;
  /** Reader of its text as it arrives, where it is the string wrapper around the reply. */
  content: TextReader | undefined;
}

/** The last pieces of a text, for an incomplete tag or document. Offsets count from the start of the whole text. */
class RecentText {
  readonly #pieces: string[] = [];
  #start = 0;
  end = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.end += piece.length;
  }

  /** The text between two offsets, as a view of it; undefined if no longer buffered. */
  slice(from: number, to = this.end): string | undefined {
    if (from < this.#start) return undefined;
    const last = this.#pieces.at(-1) ?? '';
    const isInLast = from >= this.end - last.length;
    const [text, start] = isInLast ? [last, this.end - last.length] : [this.#pieces.join(''), this.#start];
    return text.slice(from - start, to - start);
  }

  /** Drops whole pieces before an offset. */
  forget(before: number): void {
    requireWithin(this.end - before, limits.document);
    for (let [first] = this.#pieces; first !== undefined; [first] = this.#pieces) {
      if (this.#start + first.length > before) return;
      this.#start += first.length;
      this.#pieces.shift();
    }
  }
}

/** A malformed document, and the pattern of its end. */
interface Damage {
  readonly root: string;
  readonly end: RegExp;
  /** Offset at which the search continues. */
  from: number;
}

/** Characters searched again with the next chunk. */
const OVERLAP = 512;

/**
 * Pattern of a malformed document's end: its root's closing tag, at the latest the start of another of its kind, the
 * end of the element around it or, without one, the next XML declaration.
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
 * Reads concatenated XML texts, each with or without a declaration, separated by blanks or byte-order marks. Skips a
 * malformed document whose end can be found. Offsets are in characters from the start of the first text.
 */
export function createMarkupReader(reading: Reading, openText: OpenText): TextReader {
  const frame: FrameElement[] = [];
  const recent = new RecentText();
  const takesDocuments = reading.takes.documents === true;
  /** An element named like a document, while it may be one and is read as one. */
  let candidate: Opened | undefined;
  let damage: Damage | undefined;
  /** Whether the frame is being reopened for a new reader, after a malformed document. */
  let isRepeating = false;
  let documents = newDocumentReader();

  function newDocumentReader() {
    return createDocumentReader(
      (summary, start) => {
        const xml = recent.slice(start, sequence.position);
        if (xml === undefined) throw new Unreadable('too long a tag');
        candidate = undefined;
        reading.emit({ kind: 'document', xml: flatten(xml), summary });
      },
      () => sequence.tagStart,
      (unread) => {
        candidate = undefined;
        reading.emit({ kind: 'unreadable', ...unread });
      },
    );
  }

  /** Checks that the open element may have a child, an element or a document. */
  function enterChild(): FrameElement | undefined {
    const parent = frame.at(-1);
    if (parent === undefined) return undefined;
    if (parent.text !== '' || parent.content !== undefined) throw new Unreadable('mixed content');
    parent.hasChildren = true;
    return parent;
  }

  function openFrame(opened: Opened): void {
    const { name, attributes } = opened;
    const parent = enterChild();
    const element: FrameElement = { ...opened, hasChildren: false, text: '', content: undefined };
    frame.push(element);
    if (name === STRING_WRAPPER) {
      reading.note('string wrapper');
      if (parent === undefined) element.content = openText('string');
      return;
    }
    if (name !== LITERAL_XML_ROOT && (parent === undefined || parent.name === LITERAL_XML_ROOT)) {
      const shown = name.slice(0, SHOWN_NAME_LENGTH);
      reading.note(`xml envelope ${shown}`, `xml <${shown}>`);
    }
    reading.open(name, attributes, parent === undefined);
  }

  function addText(part: string): void {
    const element = frame.at(-1);
    if (element?.content !== undefined) element.content.write(part);
    else if (element !== undefined) {
      element.text += element.text === '' ? part.trimStart() : part;
      if (element.hasChildren && element.text !== '') throw new Unreadable('mixed content');
      requireWithin(element.text.length, reading.limits.value);
    }
  }

  function closeFrame(): void {
    const { name, content, hasChildren, text: padded = '' } = frame.pop() ?? {};
    const text = padded.trimEnd();
    content?.end();
    if (name === STRING_WRAPPER) {
      if (content === undefined && !hasChildren) reading.readEntry(text, openText('string'));
    } else if (isMarkup(text) && reading.takes.markup === true) {
      reading.note('xml in text');
      reading.readEntry(text, openText('markup'));
      reading.close();
    } else reading.close(flatten(text));
  }

  /** Makes an undecided element part of the frame: it is no document. */
  function release(): void {
    const opened = candidate;
    candidate = undefined;
    if (opened !== undefined) openFrame(opened);
  }

  function openOutside(name: string, attributes: XmlAttributes): void {
    if (documents.isReading) {
      enterChild();
      reading.isInDocument = true;
      if (frame.length === 0) reading.note('xml document', 'xml document');
      return;
    }
    release();
    const { tagStart: start, position } = sequence;
    const tag = recent.slice(start, position);
    const opened = { name, attributes, start, tag: tag && flatten(tag) };
    if (documents.startedAt === undefined) openFrame(opened);
    else candidate = opened;
  }

  const events = {
    open(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
      if (isRepeating) return undefined;
      const isInside = documents.isReading;
      const content = takesDocuments ? documents.open(name, attributes) : undefined;
      if (!isInside) openOutside(name, attributes);
      return content;
    },
    text(text: string): void {
      if (documents.isReading) documents.text(text);
      else if (candidate === undefined || text.trim() !== '') {
        release();
        addText(text);
      }
    },
    field(name: string, text: string): boolean {
      return documents.isReading && documents.field(name, text);
    },
    close(): void {
      const isInside = documents.isReading;
      if (takesDocuments) documents.close();
      if (isInside) return;
      release();
      closeFrame();
    },
  };

  /** The malformed document that caused an error. @throws the error if it has another cause */
  function damageOf(error: unknown): Damage {
    const isMalformed = error instanceof XmlError && error.reason === 'malformed';
    const isFrameKnown = frame.every(({ tag }) => tag !== undefined);
    if (!isMalformed || candidate?.tag === undefined || !isFrameKnown) throw error;
    const { name, tag, start } = candidate;
    return { root: name, end: endOfDamage(tag, frame.at(-1)?.tag), from: start + tag.length };
  }

  /** Offset after a malformed document; undefined until its end arrives. */
  function seekEnd(broken: Damage): number | undefined {
    const text = recent.slice(broken.from) ?? '';
    const found = broken.end.exec(text);
    if (found !== null) return broken.from + found.index + found[0].length;
    broken.from += Math.max(0, text.length - OVERLAP);
    return undefined;
  }

  /** Continues after a malformed document, inside the open frame. */
  function passOver({ root }: Damage, place: number): void {
    enterChild();
    reading.emit({ kind: 'unreadable', root, reason: 'malformed' });
    [candidate, damage] = [undefined, undefined];
    documents = newDocumentReader();
    const opening = frame.map(({ tag }) => tag).join('');
    sequence = new XmlSequence(events, place - opening.length);
    isRepeating = true;
    sequence.write(opening);
    isRepeating = false;
  }

  function read(text: string): void {
    for (let rest = text; ; ) {
      try {
        if (damage === undefined) {
          sequence.write(rest);
          return;
        }
      } catch (error) {
        damage = damageOf(error);
      }
      const end = seekEnd(damage);
      if (end === undefined) return;
      passOver(damage, end);
      rest = recent.slice(end) ?? '';
    }
  }

  let sequence = new XmlSequence(events);
  return {
    write(text) {
      recent.add(text);
      read(text);
      recent.forget(damage?.from ?? candidate?.start ?? recent.end - limits.tag);
    },
    end() {
      try {
        if (damage !== undefined) throw new Unreadable('malformed');
        sequence.end();
      } catch (error) {
        // Truncated: the damage is confined to this text if it is in its last document.
        const broken = damage?.root ?? candidate?.name;
        if (broken === undefined || frame.length > 0) throw error;
        throw new Unreadable(damage === undefined ? 'truncated' : 'malformed', { root: broken });
      }
    },
  };
}
