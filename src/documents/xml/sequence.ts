import { createXmlReader, XmlError, type XmlHandler, type XmlReader } from './xml.ts';

/** Reads documents that follow one another in one text, each with or without its own declaration. */
export interface XmlSequence extends Pick<XmlReader, 'tagStart' | 'position'> {
  write(text: string): void;
  /** Returns the number of documents read, 0 for a blank text. Throws if the last document is cut. */
  end(): number;
}

/**
 * Blanks, comments and byte-order marks may stand between the documents; anything else there is malformed.
 *
 * @param start where the documents begin in a longer text: places count from the start of that one
 */
export function createXmlSequence(handler: XmlHandler, start = 0): XmlSequence {
  let reader: XmlReader | undefined;
  let readerStart = start;
  let count = 0;
  return {
    get tagStart() {
      return readerStart + (reader?.tagStart ?? 0);
    },
    get position() {
      return readerStart + (reader?.position ?? 0);
    },
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (reader === undefined) {
          const blanks = rest.length - rest.trimStart().length;
          readerStart += blanks;
          rest = rest.slice(blanks);
          if (rest === '') return;
          reader = createXmlReader(handler);
        }
        rest = rest.slice(reader.write(rest));
        if (!reader.rootClosed) return;
        readerStart += reader.position;
        reader = undefined;
        count++;
      }
    },
    end() {
      try {
        reader?.end();
      } catch (error) {
        const isFirst = count === 0 && start === 0;
        if (isFirst || !(error instanceof XmlError) || error.reason !== 'empty') throw error;
      }
      return count;
    },
  };
}
