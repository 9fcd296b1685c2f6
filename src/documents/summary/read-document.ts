import {
  isDocumentRoot,
  type Layout,
  layoutFor,
  mayBeWrapper,
  unreadFamily,
} from '../layouts/document-roots.ts';
import type { OtherDocument } from '../layouts/other-models.ts';
import { createTextPool } from '../xml/text.ts';
import { createXmlSequence, nobody, type Taker, type XmlAttributes, type XmlEvents } from '../xml/xml.ts';
import { type Collector, createCollector } from './collector.ts';
import type { DocumentSummary } from './summary.ts';

export { isDocumentRoot, mayBeWrapper, unreadFamily };

/** Finds the fiscal documents in a stream of XML events, whatever envelope they are in. */
export interface DocumentReader extends XmlEvents {
  /** Start of what is or may be a document: text from there on must be kept. */
  readonly startedAt: number | undefined;
  readonly wantsText: boolean;
}

/** A fiscal document, or what is named like one, that gives no summary. */
export interface UnreadDocument {
  /** Local name of its root element. */
  readonly root: string;
  /** What it is, where that is known, e.g. `MDF-e`, `NFS-e SmarAPD`. */
  readonly family: string | undefined;
  /** `layout`: none that is read. `identity`: the layout is, and the file gives neither key nor number. */
  readonly reason: 'layout' | 'identity';
  /** What names it, of a model whose layout is public. */
  readonly outline?: OtherDocument | undefined;
}

interface Candidate {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly start: number;
}

interface Reading extends Pick<Layout, 'summarize' | 'unread' | 'outline'> {
  readonly collector: Collector;
  readonly root: string;
  readonly start: number;
}

interface ReaderState {
  startedAt: number | undefined;
  readonly wantsText: boolean;
}

/**
 * Reads all events of a text, in whatever envelope; `tagStart` is the XML reader's, for where documents
 * begin.
 */
export function createDocumentReader(
  onDocument: (document: DocumentSummary, start: number) => void,
  tagStart: () => number = () => 0,
  onUnread: (document: UnreadDocument, start: number) => void = () => undefined,
): DocumentReader {
  const pool = createTextPool();
  let candidate: Candidate | undefined;
  let reading: Reading | undefined;

  function begin(
    { name, attributes, start }: Candidate,
    { node, summarize, unread, outline }: Layout,
  ): Collector {
    const collector = createCollector(node, pool);
    collector.open(name, attributes);
    reading = { collector, summarize, unread, outline, root: name, start };
    return collector;
  }

  function finish({ collector, summarize, unread, outline, root, start }: Reading): void {
    reading = undefined;
    reader.startedAt = undefined;
    const document = summarize(collector.collected);
    if (document !== undefined) onDocument(document, start);
    else {
      const reason = unread === undefined ? 'identity' : 'layout';
      onUnread({ root, family: unread, reason, outline: outline?.(collector.collected) }, start);
    }
  }

  /** In what may be a document, or outside of one. */
  function openOutside(name: string, attributes: XmlAttributes): Taker {
    const layout = candidate && layoutFor(candidate.name, name);
    const collector = candidate && layout && begin(candidate, layout);
    candidate =
      layout === undefined && isDocumentRoot(name) ? { name, attributes, start: tagStart() } : undefined;
    reader.startedAt = reading?.start ?? candidate?.start;
    return collector && openIn(collector, name, attributes);
  }

  /** What is in an element of a document goes to its collector at once. */
  function openIn(collector: Collector, name: string, attributes: XmlAttributes): Taker {
    return collector.open(name, attributes) === nobody ? nobody : collector;
  }

  const reader: ReaderState & XmlEvents = {
    startedAt: undefined,
    wantsText: false,
    open(name, attributes) {
      return reading === undefined
        ? openOutside(name, attributes)
        : openIn(reading.collector, name, attributes);
    },
    text() {},
    close(name) {
      if (reading === undefined) {
        candidate = undefined;
        reader.startedAt = undefined;
        return;
      }
      reading.collector.close(name);
      if (reading.collector.complete) finish(reading);
    },
  };
  return reader;
}

/**
 * Every fiscal document in a text, in any envelope. Throws an XmlError unless it is well-formed to its end.
 */
export function readDocuments(xml: string): DocumentSummary[] {
  const documents: DocumentSummary[] = [];
  const sequence = createXmlSequence(createDocumentReader((document) => documents.push(document)));
  sequence.write(xml);
  sequence.end();
  return documents;
}
