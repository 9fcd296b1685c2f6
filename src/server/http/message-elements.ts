/** Brackets, commas and colons of one message: a tool takes two thousand values, and an object of many costs a second. */
export const MOST_ELEMENTS = 20_000;

const [QUOTE, BACKSLASH, OPEN, OPEN_LIST, COLON, COMMA] = Buffer.from('"\\{[:,');

/** Counts what a JSON text is made of while it arrives, without keeping any of it. */
export interface ElementCount {
  read(bytes: Uint8Array): void;
  /** Brackets that open, commas and colons outside of texts. */
  count(): number;
}

export function createElementCount(): ElementCount {
  let isInString = false;
  let isEscaped = false;
  let elements = 0;
  return {
    read(bytes) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at];
        if (isEscaped) isEscaped = false;
        else if (isInString) {
          if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) isInString = true;
        else if (byte === COMMA || byte === COLON || byte === OPEN || byte === OPEN_LIST) elements += 1;
      }
    },
    count: () => elements,
  };
}
