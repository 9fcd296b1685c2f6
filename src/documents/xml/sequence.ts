import { createXmlReader, XmlError, type XmlHandler, type XmlReader } from './xml.ts';

/** Reads documents that follow one another in one text, each with or without its own declaration. */
export interface XmlSequence {
  write(text: string): void;
  /** Returns the number of documents read, 0 for a blank text. Throws if the last document is cut. */
  end(): number;
}

/** Blanks, comments and byte-order marks may stand between the documents; anything else there is malformed. */
export function createXmlSequence(handler: XmlHandler): XmlSequence {
  let reader: XmlReader | undefined;
  let count = 0;
  return {
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (reader === undefined) {
          rest = rest.trimStart();
          if (rest === '') return;
          reader = createXmlReader(handler);
        }
        rest = rest.slice(reader.write(rest));
        if (!reader.rootClosed) return;
        reader = undefined;
        count++;
      }
    },
    end() {
      try {
        reader?.end();
      } catch (error) {
        if (!(count > 0 && error instanceof XmlError && error.reason === 'empty')) throw error;
      }
      return count;
    },
  };
}
