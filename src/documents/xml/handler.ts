import type { XmlAttributes } from './markup.ts';

export interface XmlLimits {
  /** Open elements at once. */
  readonly depth: number;
  /** Characters held at once: of a tag, a comment, a reference. */
  readonly textLength: number;
}

/** `empty`: no element; `truncated`: ends inside the root; `too_deep`, `too_long`: over the limits. */
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

/** Returned by a handler for an element whose content it does not want. */
export const SKIP = Symbol('skip');

/** Handles a document in its order. Names are local names: prefixes are cut off, namespaces are not resolved. */
export interface XmlHandler {
  /** After SKIP the content is checked and not reported; the next event is this element's `close`. */
  open(name: string, attributes: XmlAttributes): typeof SKIP | undefined;
  /** Text and CDATA, references resolved. One text may come in several pieces. */
  text(text: string): void;
  close(name: string): void;
  /**
   * Optional, in place of `open`, `text` and `close`: an element with plain text and without attributes. `text` cuts
   * the text out, during the call only. Returns false to get the three instead.
   */
  field?(name: string, text: () => string): boolean;
}

/** Reads one document from text that arrives in pieces cut anywhere. */
export interface XmlReader {
  /** Returns the characters used: fewer than all once the root is closed. */
  write(text: string): number;
  /** Throws unless the root has been closed. */
  end(): void;
  readonly rootClosed: boolean;
  /** Where the element being opened begins, in characters from the start. Only within `open`. */
  readonly tagStart: number;
  /** Just after the tag, in characters from the start. Only within `open` and `close`. */
  readonly position: number;
}
