import { limits } from './limits.ts';

/**
 * Yielded where the text that has arrived is used up, and now and then in long work: who drives the reading brings more
 * where that is wanted, lets others have their turn, and goes on.
 */
export const MORE = Symbol('more');
export type More = typeof MORE;

/**
 * A text that is read while it arrives. Its generators are delegated to (`yield*`), so that they can wait for more. They
 * are methods of a class because a list makes a cursor for each document: the engine gives a generator function that is
 * made anew a hidden class of its own, which keeps alive what the function knows until the next full collection.
 */
export class TextCursor {
  readonly #source: Iterator<string | More>;
  #held = '';
  #isBroken = false;

  constructor(source: Iterator<string | More>) {
    this.#source = source;
  }

  /** Whether the text itself came to an end with an error, and not only what was made of it. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** What is there, else the next piece, never empty; undefined at the end. */
  *take(): Generator<More, string | undefined> {
    if (this.#held !== '') {
      const text = this.#held;
      this.#held = '';
      return text;
    }
    for (;;) {
      const part = this.#next();
      if (part.done === true) return undefined;
      if (part.value === MORE) yield MORE;
      else if (part.value !== '') return part.value;
    }
  }

  /** Without blanks at its beginning, at least so many characters where there are as many. Nothing is used up. */
  *start(length: number): Generator<More, string> {
    let text = '';
    while (text.length < length) {
      const piece = yield* this.take();
      if (piece === undefined) break;
      text = (text + piece).trimStart();
    }
    this.#held = text;
    return text;
  }

  /** Gives back what was taken and not used. */
  putBack(text: string): void {
    this.#held = text + this.#held;
  }

  #next(): IteratorResult<string | More> {
    try {
      return this.#source.next();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }
}

/** A cursor over a text that is there already. */
export function cursorOf(text: string): TextCursor {
  return new TextCursor(slicesOf(text));
}

function* slicesOf(text: string): Generator<string | More> {
  for (let at = 0; at < text.length; at += limits.slice) {
    if (at > 0) yield MORE;
    yield text.slice(at, at + limits.slice);
  }
}
