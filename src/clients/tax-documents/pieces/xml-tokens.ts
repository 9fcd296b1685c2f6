import { flatten } from '../../../documents/summary/flatten.ts';
import { createDocumentReader, mayBeWrapper } from '../../../documents/summary/read-document.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { createXmlReader, type XmlAttributes, XmlError, type XmlReader } from '../../../documents/xml/xml.ts';
import { Unreadable } from './forms.ts';
import { limits, requireWithin } from './limits.ts';
import type { Reading } from './piece.ts';

/** What XML texts say, documents in one piece. */
export type Token =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: XmlAttributes }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'begin document' }
  | { readonly kind: 'document'; readonly xml: string; readonly summary: DocumentSummary };

/**
 * Reads XML texts that stand one after the other, each with or without its own declaration; blanks and byte-order marks
 * may stand between them.
 */
export interface XmlTokens {
  write(text: string): void;
  end(): void;
  /** The next token of what was written, or undefined. @throws what was wrong with the text behind the last one */
  next(): Token | undefined;
}

/** The text from the start of a tag or document that is not complete yet, and little more. */
function createRecentText() {
  let pieces: string[] = [];
  let start = 0;
  let end = 0;
  let lastTag = 0;
  return {
    add(piece: string): void {
      const tag = piece.lastIndexOf('<');
      if (tag !== -1) lastTag = end + tag;
      pieces.push(piece);
      end += piece.length;
    },
    /** A copy of what lies between two places. */
    slice(from: number, to: number): string {
      if (from < start) throw new Unreadable('too long a tag');
      const parts: string[] = [];
      let at = start;
      for (const piece of pieces) {
        const next = at + piece.length;
        if (next > from && at < to) parts.push(piece.slice(Math.max(0, from - at), to - at));
        at = next;
      }
      const [only = '', ...others] = parts;
      return others.length === 0 ? flatten(only) : parts.join('');
    },
    /** Lets go of what lies before a place, or before the last tag begun where there is none. */
    forget(before: number | undefined): void {
      const isWithinReach = end - lastTag <= limits.tag;
      const kept = before ?? (isWithinReach ? lastTag : end);
      let gone = 0;
      for (const piece of pieces) {
        if (start + piece.length > kept) break;
        start += piece.length;
        gone++;
      }
      if (gone > 0) pieces = pieces.slice(gone);
      if (before !== undefined) requireWithin(end - before, limits.document);
    },
  };
}

interface Undecided {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly start: number;
}

/** Places are counted in characters from the start of the first text. */
export function createXmlTokens(reading: Reading): XmlTokens {
  const tokens: Token[] = [];
  let taken = 0;
  let failure: unknown;
  const recent = createRecentText();
  let reader: XmlReader | undefined;
  let readerStart = 0;
  let end = 0;
  let roots = 0;
  /** An element that is named like a document; what stands first in it decides. */
  let undecided: Undecided | undefined;
  /** Elements open in a frame, and in a document. */
  let frameDepth = 0;
  let depth = 0;
  let isWhole = false;

  const documents = createDocumentReader(
    (summary, start) => {
      isWhole = true;
      const xml = recent.slice(start, readerStart + (reader?.position ?? 0));
      tokens.push({ kind: 'document', xml, summary });
    },
    () => readerStart + (reader?.tagStart ?? 0),
  );

  /** What was undecided is none: a frame, where it may be one. */
  function release(): void {
    if (undecided === undefined) return;
    const { name, attributes } = undecided;
    undecided = undefined;
    if (!mayBeWrapper(name)) throw new Unreadable('no known layout');
    openFrame(name, attributes);
  }

  function openFrame(name: string, attributes: XmlAttributes): void {
    frameDepth++;
    tokens.push({ kind: 'open', name, attributes });
  }

  function beginDocument(): void {
    undecided = undefined;
    isWhole = false;
    depth = 2;
    tokens.push({ kind: 'begin document' });
    if (frameDepth === 0) reading.forms.note('xml document', 'xml document');
  }

  function openOutside(name: string, attributes: XmlAttributes): void {
    const start = documents.startedAt;
    if (start !== undefined && start === undecided?.start) {
      beginDocument();
      return;
    }
    release();
    if (start === undefined) openFrame(name, attributes);
    else undecided = { name, attributes, start };
  }

  const all = {
    wantsText: true,
    open(name: string, attributes: XmlAttributes): void {
      documents.open(name, attributes);
      if (depth > 0) depth++;
      else openOutside(name, attributes);
      all.wantsText = depth === 0 || documents.wantsText === true;
    },
    text(text: string): void {
      if (depth > 0) documents.text(text);
      else if (undecided === undefined) tokens.push({ kind: 'text', text });
      else if (text.trim() !== '') {
        release();
        tokens.push({ kind: 'text', text });
      }
    },
    close(name: string): void {
      documents.close(name);
      if (depth > 0) {
        depth--;
        if (depth === 0 && !isWhole) throw new Unreadable('no known layout');
      } else {
        release();
        frameDepth--;
        tokens.push({ kind: 'close', name });
      }
      all.wantsText = depth === 0 || documents.wantsText === true;
    },
  };

  const framesOnly = {
    open: openFrame,
    text(text: string): void {
      tokens.push({ kind: 'text', text });
    },
    close(name: string): void {
      frameDepth--;
      tokens.push({ kind: 'close', name });
    },
  };

  const events = reading.takes.documents === true ? all : framesOnly;

  function read(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (reader === undefined) {
        rest = rest.trimStart();
        if (rest === '') return;
        readerStart = end - rest.length;
        reader = createXmlReader(events);
      }
      rest = rest.slice(reader.write(rest));
      if (!reader.rootClosed) return;
      reader = undefined;
      roots++;
    }
  }

  return {
    write(text) {
      if (failure !== undefined) return;
      recent.add(text);
      end += text.length;
      try {
        read(text);
        recent.forget(depth > 0 || undecided !== undefined ? documents.startedAt : undefined);
      } catch (error) {
        failure = error;
      }
    },
    end() {
      try {
        reader?.end();
      } catch (error) {
        const onlyComments = roots > 0 && error instanceof XmlError && error.reason === 'empty';
        if (!onlyComments) failure ??= error;
      }
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
