import {
  createDocumentReader,
  type DocumentReader,
  type UnreadDocument,
} from '../../../documents/summary/read-document.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import {
  createXmlReader,
  type Taker,
  type XmlAttributes,
  XmlError,
  type XmlEvents,
  type XmlReader,
} from '../../../documents/xml/xml.ts';
import { createDamage, type Damage } from './damage.ts';
import { Unreadable, UnreadableText } from './forms.ts';
import type { Reading, UnreadablePart } from './piece.ts';
import { createRecentText } from './recent-text.ts';

/** What XML texts say, documents in one piece. */
export type Token =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: XmlAttributes }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'begin document' }
  | { readonly kind: 'document'; readonly xml: string; readonly summary: DocumentSummary }
  | ({ readonly kind: 'unreadable' } & UnreadablePart);

/**
 * Reads XML texts that stand one after the other, each with or without its own declaration; blanks and byte-order marks
 * may stand between them. A document that is broken is passed over where it can be seen to end.
 */
export interface XmlTokens {
  write(text: string): void;
  end(): void;
  /** The next token of what was written, or undefined. @throws what was wrong with the text behind the last one */
  next(): Token | undefined;
}

interface Candidate {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly start: number;
  /** Its opening tag as it stands in the text; undefined where that is gone. */
  readonly tag: string | undefined;
}

/** Places are counted in characters from the start of the first text. */
export function createXmlTokens(reading: Reading): XmlTokens {
  const tokens: Token[] = [];
  let taken = 0;
  let failure: unknown;
  const recent = createRecentText();
  let reader: XmlReader | undefined;
  let readerStart = 0;
  let roots = 0;
  /** An element that is named like a document; what stands first in it decides. */
  let undecided: Candidate | undefined;
  /** The document that is being read, and the elements open in it, itself included. */
  let current: Candidate | undefined;
  let depth = 0;
  let isWhole = false;
  let unread: UnreadDocument | undefined;
  /** The opening tags of the frame's open elements. */
  const frame: (string | undefined)[] = [];
  let damage: Damage | undefined;
  /** The frame is told to a new reader, behind a document that was broken. */
  let isRepeating = false;
  let documents = newDocumentReader();

  function newDocumentReader(): DocumentReader {
    return createDocumentReader(
      (summary, start) => {
        isWhole = true;
        const xml = recent.slice(start, position());
        if (xml === undefined) throw new Unreadable('too long a tag');
        tokens.push({ kind: 'document', xml, summary });
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

  function openFrame(name: string, attributes: XmlAttributes, tag: string | undefined): void {
    frame.push(tag);
    tokens.push({ kind: 'open', name, attributes });
  }

  /** What was undecided is no document that is known: it is read as a frame. */
  function release(): void {
    if (undecided === undefined) return;
    const { name, attributes, tag } = undecided;
    undecided = undefined;
    openFrame(name, attributes, tag);
  }

  function beginDocument(candidate: Candidate): void {
    current = candidate;
    undecided = undefined;
    isWhole = false;
    unread = undefined;
    depth = 2;
    tokens.push({ kind: 'begin document' });
    if (frame.length === 0) reading.forms.note('xml document', 'xml document');
  }

  function endDocument(): void {
    const reason = unread?.reason === 'identity' ? 'no identity' : 'no known layout';
    if (!isWhole) tokens.push({ kind: 'unreadable', root: current?.name, family: unread?.family, reason });
    current = undefined;
  }

  function openOutside(name: string, attributes: XmlAttributes): void {
    const start = documents.startedAt;
    if (undecided !== undefined && start === undecided.start) {
      beginDocument(undecided);
      return;
    }
    release();
    const tag = recent.slice(tagStart(), position());
    if (start === undefined) openFrame(name, attributes, tag);
    else undecided = { name, attributes, start, tag };
  }

  const all = {
    wantsText: true,
    open(name: string, attributes: XmlAttributes): Taker {
      if (isRepeating) return undefined;
      const inside = documents.open(name, attributes);
      if (depth > 0) depth++;
      else openOutside(name, attributes);
      all.wantsText = depth === 0;
      return inside;
    },
    text(text: string): void {
      if (undecided === undefined) tokens.push({ kind: 'text', text });
      else if (text.trim() !== '') {
        release();
        tokens.push({ kind: 'text', text });
      }
    },
    close(name: string): void {
      documents.close(name);
      if (depth > 0) {
        depth--;
        if (depth === 0) endDocument();
      } else {
        release();
        frame.pop();
        tokens.push({ kind: 'close', name });
      }
      all.wantsText = depth === 0;
    },
  };

  const framesOnly: XmlEvents = {
    open(name, attributes) {
      tokens.push({ kind: 'open', name, attributes });
    },
    text(text) {
      tokens.push({ kind: 'text', text });
    },
    close(name) {
      tokens.push({ kind: 'close', name });
    },
  };

  const events = reading.takes.documents === true ? all : framesOnly;

  /** Reads what lies behind a place, to the end of what has come. */
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
    if (!isMalformed || broken?.tag === undefined || frame.includes(undefined)) throw error;
    damage = createDamage(broken.name, broken.start, broken.tag, frame.at(-1));
    return seekEnd();
  }

  function seekEnd(): number | undefined {
    if (damage === undefined) return undefined;
    const place = damage.seek(recent.rest(damage.from));
    if (place === undefined) return undefined;
    tokens.push({ kind: 'unreadable', root: damage.root, reason: 'malformed' });
    damage = undefined;
    undecided = undefined;
    current = undefined;
    depth = 0;
    all.wantsText = true;
    documents = newDocumentReader();
    beginAnew(place);
    return place;
  }

  function beginAnew(place: number): void {
    reader = undefined;
    if (frame.length === 0) {
      roots++;
      return;
    }
    const opening = frame.join('');
    reader = createXmlReader(events);
    isRepeating = true;
    reader.write(opening);
    isRepeating = false;
    readerStart = place - opening.length;
  }

  /** The text ends where it should not: the damage is its own where it is that of its last document. */
  function cut(error: unknown): unknown {
    const broken = damage?.root ?? (current ?? undecided)?.name;
    if (broken === undefined || frame.length > 0) return error;
    return new UnreadableText(damage === undefined ? 'truncated' : 'malformed', broken);
  }

  return {
    write(text) {
      if (failure !== undefined) return;
      const place = recent.end;
      recent.add(text);
      try {
        const from = damage === undefined ? place : seekEnd();
        if (from !== undefined) readFrom(from);
        recent.forget(damage?.from ?? (depth > 0 ? current : undecided)?.start);
      } catch (error) {
        failure = error;
      }
    },
    end() {
      if (failure !== undefined) return;
      try {
        if (damage !== undefined) throw new Unreadable('malformed');
        reader?.end();
      } catch (error) {
        const onlyComments = roots > 0 && error instanceof XmlError && error.reason === 'empty';
        if (!onlyComments) failure = cut(error);
      }
      // One of these for each document of a list: what is left of it must not hold on to the list's text.
      recent.forget(recent.end);
    },
    next() {
      const token = tokens[taken++];
      if (token !== undefined) return token;
      tokens.length = 0;
      taken = 0;
      if (failure !== undefined) throw failure;
      return undefined;
    },
  };
}
