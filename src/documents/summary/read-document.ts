import {
  isDocumentRoot,
  type Layout,
  layoutFor,
  mayBeWrapper,
  unreadFamily,
} from '../layouts/document-roots.ts';
import type { OtherDocument } from '../layouts/other-models.ts';
import { createXmlSequence } from '../xml/sequence.ts';
import type { SKIP, XmlAttributes, XmlHandler } from '../xml/xml.ts';
import { type Collector, createCollector, createTextPool } from './collector.ts';
import type { Collected } from './fields.ts';
import type { DocumentSummary } from './summary.ts';

export { isDocumentRoot, mayBeWrapper, unreadFamily };

/** Finds the fiscal documents in XML events, in any envelope. */
export interface DocumentReader extends XmlHandler {
  /** Start of a document or of a possible one: text from there on must be kept. */
  readonly startedAt: number | undefined;
  field(name: string, text: () => string): boolean;
}

/** A fiscal document, or an element named like one, that gives no summary. */
export interface UnreadDocument {
  /** Local name of its root element. */
  readonly root: string;
  /** Model or layout, if known, e.g. `MDF-e`, `NFS-e SmarAPD`. */
  readonly family: string | undefined;
  /** `layout`: none that is read. `identity`: the layout is, and the file gives neither key nor number. */
  readonly reason: 'layout' | 'identity';
  /** Its identification, for models with a public layout. */
  readonly outline?: OtherDocument | undefined;
}

/** An element named like a document, whose first child decides. */
interface Candidate {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly start: number;
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
  let collector: Collector | undefined;
  let layout: Layout | undefined;

  function openOutside(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
    layout = candidate && layoutFor(candidate.name, name);
    if (candidate !== undefined && layout !== undefined) {
      collector = createCollector(layout.node, pool);
      collector.open(candidate.name, candidate.attributes);
      return collector.open(name, attributes);
    }
    candidate = isDocumentRoot(name) ? { name, attributes, start: tagStart() } : undefined;
    return undefined;
  }

  function finish(collected: Collected): void {
    const { name: root = '', start = 0 } = candidate ?? {};
    const { summarize, unread: family, outline } = layout ?? {};
    collector = undefined;
    candidate = undefined;
    const document = summarize?.(collected);
    if (document !== undefined) {
      onDocument(document, start);
      return;
    }
    const reason = family === undefined ? 'identity' : 'layout';
    onUnread({ root, family, reason, outline: outline?.(collected) }, start);
  }

  return {
    get startedAt() {
      return candidate?.start;
    },
    open(name, attributes) {
      return collector === undefined ? openOutside(name, attributes) : collector.open(name, attributes);
    },
    text(piece) {
      collector?.text(piece);
    },
    field(name, text) {
      return collector?.field(name, text) ?? false;
    },
    close(name) {
      collector?.close(name);
      if (collector === undefined) candidate = undefined;
      else if (collector.complete) finish(collector.collected);
    },
  };
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
