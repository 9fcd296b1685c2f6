import { isDocumentRoot, type Layout, layoutFor } from '../layouts/document-roots.ts';
import type { UnreadFacts } from '../layouts/other-models.ts';
import { XmlSequence } from '../xml/sequence.ts';
import type { SKIP, XmlAttributes } from '../xml/xml.ts';
import { Collector } from './collector.ts';
import type { DocumentSummary } from './summary.ts';

/** A fiscal document, or an element named like one, that can't be summarised. */
export interface UnreadDocument extends UnreadFacts {
  readonly root: string;
  /** `no identity`: supported layout, but neither key nor number. */
  readonly reason: 'no known layout' | 'no identity';
}

interface Candidate {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly start: number;
}

interface Reading extends Pick<Candidate, 'name' | 'start'> {
  readonly collector: Collector;
  readonly layout: Layout;
}

/**
 * Finds fiscal documents in the events of a text, in any envelope. `tagStart` of the XML reader gives their offsets.
 */
export function createDocumentReader(
  onDocument: (document: DocumentSummary, start: number) => void,
  tagStart: () => number = () => 0,
  onUnread: (document: UnreadDocument, start: number) => void = () => undefined,
) {
  let candidate: Candidate | undefined;
  let reading: Reading | undefined;

  function finish({ collector: { collected }, layout, name: root, start }: Reading): void {
    reading = undefined;
    reader.startedAt = undefined;
    reader.isReading = false;
    const document = layout.summarize(collected);
    if (document !== undefined) onDocument(document, start);
    else {
      const { unread: family, outline } = layout;
      const reason = family === undefined ? 'no identity' : 'no known layout';
      onUnread({ root, family, reason, outline: outline?.(collected) }, start);
    }
  }

  function openOutside(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
    const layout = candidate && layoutFor(candidate.name, name);
    if (candidate !== undefined && layout !== undefined) {
      const collector = new Collector(layout.root());
      collector.open(candidate.name, candidate.attributes);
      reading = { name: candidate.name, start: candidate.start, collector, layout };
      candidate = undefined;
      reader.isReading = true;
      return collector.open(name, attributes);
    }
    candidate = isDocumentRoot(name) ? { name, attributes, start: tagStart() } : undefined;
    reader.startedAt = candidate?.start;
    return undefined;
  }

  // Plain properties: an accessor would give every reader its own hidden class and slow its methods down.
  const reader = {
    /** Offset of a document or candidate: text from there on must be kept. */
    startedAt: undefined as number | undefined,
    /** True once the first child has confirmed a document. */
    isReading: false,
    open(name: string, attributes: XmlAttributes) {
      return reading === undefined ? openOutside(name, attributes) : reading.collector.open(name, attributes);
    },
    text(piece: string) {
      reading?.collector.text(piece);
    },
    field(name: string, text: string) {
      return reading?.collector.field(name, text) ?? false;
    },
    close() {
      if (reading === undefined) {
        candidate = undefined;
        reader.startedAt = undefined;
        return;
      }
      reading.collector.close();
      if (reading.collector.complete) finish(reading);
    },
  };
  return reader;
}

/** All fiscal documents in a text, in any envelope. @throws XmlError unless the whole text is well-formed */
export function readDocuments(xml: string): DocumentSummary[] {
  const documents: DocumentSummary[] = [];
  const sequence = new XmlSequence(createDocumentReader((document) => documents.push(document)));
  sequence.write(xml);
  sequence.end();
  return documents;
}
