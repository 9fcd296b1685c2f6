/** Yielded where the text that has arrived is used up: who drives the reading brings more and goes on. */
export const MORE = Symbol('more');
export type More = typeof MORE;

/** A text that is read while it arrives. Its functions are delegated to (`yield*`), so that they can wait for more. */
export interface TextCursor {
  /** What is there, else the next piece, never empty; undefined at the end. */
  take(): Generator<More, string | undefined>;
  /** Without blanks at its beginning, at least so many characters where there are as many. Nothing is used up. */
  start(length: number): Generator<More, string>;
  /** Gives back what was taken and not used. */
  putBack(text: string): void;
  /** Whether the text itself came to an end with an error, and not only what was made of it. */
  readonly isBroken: boolean;
}

export function createTextCursor(source: Iterator<string | More>): TextCursor {
  let held = '';
  let isBroken = false;

  function next(): IteratorResult<string | More> {
    try {
      return source.next();
    } catch (error) {
      isBroken = true;
      throw error;
    }
  }

  const cursor: TextCursor = {
    *take() {
      if (held !== '') {
        const text = held;
        held = '';
        return text;
      }
      for (;;) {
        const part = next();
        if (part.done === true) return undefined;
        if (part.value === MORE) yield MORE;
        else if (part.value !== '') return part.value;
      }
    },
    *start(length) {
      let text = '';
      while (text.length < length) {
        const piece = yield* cursor.take();
        if (piece === undefined) break;
        text = (text + piece).trimStart();
      }
      held = text;
      return text;
    },
    putBack(text) {
      held = text + held;
    },
    get isBroken() {
      return isBroken;
    },
  };
  return cursor;
}

/** A cursor over a text that is there already. */
export function cursorOf(text: string): TextCursor {
  return createTextCursor([text].values());
}
