import { createXmlReader, XmlError, type XmlHandler } from './xml.ts';

/**
 * Reads consecutive documents in one text, each with or without a declaration. Blanks, comments and byte-order marks
 * may separate them; anything else is malformed.
 */
export class XmlSequence {
  readonly #handler: XmlHandler;
  readonly #start: number;
  #reader: ReturnType<typeof createXmlReader> | undefined;
  #readerStart: number;
  #count = 0;

  /** @param start offset of the documents in a longer text: positions are relative to that text */
  constructor(handler: XmlHandler, start = 0) {
    this.#handler = handler;
    this.#start = start;
    this.#readerStart = start;
  }

  get tagStart(): number {
    return this.#readerStart + (this.#reader?.tagStart ?? 0);
  }

  get position(): number {
    return this.#readerStart + (this.#reader?.position ?? 0);
  }

  write(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (this.#reader === undefined) {
        const blanks = rest.length - rest.trimStart().length;
        this.#readerStart += blanks;
        rest = rest.slice(blanks);
        if (rest === '') return;
        this.#reader = createXmlReader(this.#handler);
      }
      rest = rest.slice(this.#reader.write(rest));
      if (!this.#reader.rootClosed) return;
      this.#readerStart += this.#reader.position;
      this.#reader = undefined;
      this.#count++;
    }
  }

  /** Returns the number of documents read, 0 for a blank text. Throws if the last document is truncated. */
  end(): number {
    try {
      this.#reader?.end();
    } catch (error) {
      const isFirst = this.#count === 0 && this.#start === 0;
      if (isFirst || !(error instanceof XmlError) || error.reason !== 'empty') throw error;
    }
    return this.#count;
  }
}
