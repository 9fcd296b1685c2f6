import type { XmlAttributes } from './attributes.ts';
import { nobody, type XmlEvents } from './events.ts';
import type { ElementName } from './names.ts';
import type { TextWindow } from './window.ts';

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
