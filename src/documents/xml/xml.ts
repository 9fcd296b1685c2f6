import { defaultXmlLimits, XmlError, type XmlEvents, type XmlLimits, type XmlReader } from './events.ts';
import { createXmlReader } from './reader.ts';

export type { ElementName } from './characters.ts';
export {
  nobody,
  type Taker,
  XmlError,
  type XmlErrorReason,
  type XmlEvents,
  type XmlLimits,
  type XmlReader,
} from './events.ts';
export type { XmlAttributes } from './markup.ts';
export { createXmlReader } from './reader.ts';
export { copyBetween, type TextWindow } from './text.ts';

/** Reads documents that stand one after the other in one text, each with or without its own declaration. */
export interface XmlSequence {
  write(text: string): void;
  /** Throws if the last document is cut. Gives the number of documents read, 0 for a blank text. */
  end(): number;
}

/** Blanks, comments and byte-order marks may stand between the documents; anything else there is malformed. */
export function createXmlSequence(events: XmlEvents, limits: XmlLimits = defaultXmlLimits): XmlSequence {
  let reader: XmlReader | undefined;
  let count = 0;
  return {
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (reader === undefined) {
          rest = rest.trimStart();
          if (rest === '') return;
          reader = createXmlReader(events, limits);
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
