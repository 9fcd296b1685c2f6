import type { ElementName } from './characters.ts';
import type { XmlAttributes } from './markup.ts';
import type { TextWindow } from './text.ts';

export interface XmlLimits {
  /** Open elements at once. */
  readonly depth: number;
  /** Characters held at once: of a tag, a comment, a reference. */
  readonly textLength: number;
}

export const defaultXmlLimits: XmlLimits = { depth: 64, textLength: 16 * 1024 * 1024 };

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

/** Who takes what is in an element: the one who was told of it, another one, or nobody. */
export type Taker = XmlEvents | typeof nobody | undefined;

/** What is in an element is for nothing: it is checked and no more. */
export const nobody = Symbol('nobody');

/** Takes what a document says, in order. Names are local names: a prefix is cut off, namespaces are not resolved. */
export interface XmlEvents {
  /** Says who takes what is in the element; its `close` comes here whoever that is. */
  open(name: string, attributes: XmlAttributes): Taker;
  /** Text and CDATA, entities resolved. One text may come in several pieces. */
  text(text: string): void;
  close(name: string): void;
  /**
   * Optional, in place of `open`, `text`, `close` for an element with plain text only; the window is reused.
   */
  field?(name: ElementName, window: TextWindow, from: number, to: number): void;
  /** False while text would be for nothing: it is checked and need not be handed on. Left out, all is wanted. */
  readonly wantsText?: boolean;
}

const NOWHERE = Number.MAX_SAFE_INTEGER;

/** Characters of a text that are handed on at once. */
export const PIECE = 64 * 1024;

/** Tells what was read to who takes it, element by element, and keeps which of them are open. */
export class Telling {
  /** How many elements are open. */
  depth = 0;
  /** Whether whoever takes what is read now takes plain elements as a whole. */
  takesFields: boolean;
  /** Who takes what is read, and the depth of the element in which it is so; before them those around, outermost first. */
  #events: XmlEvents;
  #start = 0;
  readonly #around: { readonly events: XmlEvents; readonly start: number }[] = [];
  /** The depth of the element in which nothing is wanted. */
  #quiet = NOWHERE;
  /** The names of the open elements, the root's first; behind them those of elements that were closed. */
  readonly #names: ElementName[] = [];
  /** Text that has not been handed on. */
  #text = '';
  #textLength = 0;

  constructor(events: XmlEvents) {
    this.#events = events;
    this.takesFields = events.field !== undefined;
  }

  /** The name of the innermost open element. */
  get name(): ElementName | undefined {
    return this.depth === 0 ? undefined : this.#names[this.depth - 1];
  }

  open(name: ElementName, attributes: XmlAttributes): void {
    this.#names[this.depth++] = name;
    if (this.depth > this.#quiet) return;
    this.handOn();
    const taker = this.#events.open(name.local, attributes);
    if (taker === nobody) this.#quiet = this.depth;
    else if (taker !== undefined && taker !== this.#events) {
      this.#around.push({ events: this.#events, start: this.#start });
      this.#start = this.depth;
      this.#goOnTo(taker);
    }
  }

  close(): void {
    this.depth--;
    if (this.depth >= this.#quiet) return;
    this.#quiet = NOWHERE;
    this.handOn();
    if (this.depth < this.#start) this.#goBack();
    this.#events.close(this.#names[this.depth]?.local ?? '');
  }

  /** An element with the text between two places of the window and nothing else. */
  field(name: ElementName, window: TextWindow, from: number, to: number): void {
    if (this.depth >= this.#quiet) return;
    this.handOn();
    this.#events.field?.(name, window, from, to);
  }

  get wantsText(): boolean {
    return this.depth < this.#quiet && this.#events.wantsText !== false;
  }

  /** `length` is the piece's, at most PIECE. */
  text(piece: string, length: number): void {
    if (!this.wantsText) return;
    if (this.#textLength + length > PIECE) this.handOn();
    this.#text = this.#textLength === 0 ? piece : this.#text + piece;
    this.#textLength += length;
  }

  handOn(): void {
    if (this.#textLength === 0) return;
    const whole = this.#text;
    this.#text = '';
    this.#textLength = 0;
    this.#events.text(whole);
  }

  #goOnTo(events: XmlEvents): void {
    this.#events = events;
    this.takesFields = events.field !== undefined;
  }

  #goBack(): void {
    const around = this.#around.pop();
    if (around === undefined) return;
    this.#start = around.start;
    this.#goOnTo(around.events);
  }
}
