import { Unreadable } from '../decoding/reading.ts';
import { type Asked, singleOut } from './asked.ts';
import { DocumentCollection } from './collection.ts';
import { decode, decodeWhole, type PieceReader } from './decode.ts';
import type { DocumentList, ReceivedDocument, ReplyBody, SingleDocument } from './results.ts';

/**
 * Reads a list of documents of any length as it arrives: each is given as soon as it is whole, no more of the reply is
 * read before the next one is asked for, and nothing is kept. What the list says about itself comes at its end. A
 * broken document, or one of unknown layout, is reported there with its place; a list in which nothing can be read is
 * not understood.
 */
export function readDocuments(reply: ReplyBody): AsyncGenerator<ReceivedDocument, DocumentList> {
  return decode(reply, 'documents', { documents: true, markup: true }, (envelope) => {
    const collection = new DocumentCollection(reply, envelope);
    return {
      take: (piece, isEnvelopes) => collection.take(piece, isEnvelopes),
      end: () => ({ count: collection.count, ...collection.verdict() }),
    };
  });
}

/** Documents that may come with the one asked for; each is one of its events, or another. */
const MOST_TOGETHER = 1000;

/** Gathers the few documents of a reply about one document. */
export function gatherDocuments<R>(
  collection: DocumentCollection,
  end: (received: readonly ReceivedDocument[]) => R | Promise<R>,
): PieceReader<never, R> {
  const received: ReceivedDocument[] = [];
  return {
    take(piece, isEnvelopes) {
      const document = collection.take(piece, isEnvelopes);
      if (document === undefined) return;
      if (received.length === MOST_TOGETHER) throw new Unreadable('several documents');
      received.push(document);
    },
    end: () => end(received),
  };
}

/** Reads the one document asked for, among events and other documents. @throws Refused where there is none */
export function readDocument(reply: ReplyBody, asked?: Asked): Promise<SingleDocument> {
  return decodeWhole(reply, 'document', { documents: true, markup: true }, (envelope, { forms }) => {
    const collection = new DocumentCollection(reply, envelope);
    return gatherDocuments(collection, (received) => {
      if (received.length === 0) throw collection.nothing();
      const { document, otherContents, events, warnings } = singleOut(received, asked);
      const said = collection.verdict();
      return {
        ...document,
        service_checks: collection.checks,
        otherContents,
        events,
        forms,
        ...said,
        warnings: [...said.warnings, ...warnings],
      };
    });
  });
}
