import { createDocumentReader } from '../../../documents/summary/read-document.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import type { DocumentSink } from './content.ts';
import type { RecentText } from './recent-text.ts';
import { Unreadable } from './unreadable.ts';

/** The service names the entries of its lists so, as well as a document. */
const AMBIGUOUS_ROOT = 'NFSe';

/** Places in the XML text, in characters from its start. */
export interface Places {
  readonly tagStart: () => number;
  readonly position: () => number;
}

/** Takes the documents out of a stream of XML events. Each function tells whether the event was a document's. */
export interface DocumentCapture {
  /** Whether text from a tag on must be kept: a document is being read or may have begun. */
  readonly needsText: boolean;
  open(name: string, attributes: XmlAttributes): boolean;
  text(piece: string): boolean;
  close(name: string): boolean;
}

/** `openFrame` gets an element that is named like a document and turned out to be none, before what stands in it. */
export function createDocumentCapture(
  sink: DocumentSink,
  recent: RecentText,
  places: Places,
  openFrame: (name: string, attributes: XmlAttributes) => void,
): DocumentCapture {
  let undecided: { name: string; attributes: XmlAttributes; start: number } | undefined;
  let depth = 0;
  let completed = false;
  const reader = createDocumentReader((summary, start) => {
    completed = true;
    sink.complete(recent.slice(start, places.position()), summary);
  }, places.tagStart);

  function release(): void {
    if (undecided === undefined) return;
    const { name, attributes } = undecided;
    undecided = undefined;
    if (name !== AMBIGUOUS_ROOT) throw new Unreadable('no known layout');
    openFrame(name, attributes);
  }

  return {
    get needsText() {
      return depth > 0 || undecided !== undefined;
    },
    open(name, attributes) {
      reader.open(name, attributes);
      if (depth > 0) {
        depth++;
        return true;
      }
      const start = reader.startedAt;
      if (start !== undefined && start === undecided?.start) {
        undecided = undefined;
        completed = false;
        depth = 2;
        sink.begin();
        return true;
      }
      release();
      if (start === undefined) return false;
      undecided = { name, attributes, start };
      return true;
    },
    text(piece) {
      if (depth > 0) {
        reader.text(piece);
        return true;
      }
      if (undecided === undefined) return false;
      if (piece.trim() === '') return true;
      release();
      return false;
    },
    close(name) {
      reader.close(name);
      if (depth === 0) {
        release();
        return false;
      }
      if (--depth === 0 && !completed) throw new Unreadable('no known layout');
      return true;
    },
  };
}
