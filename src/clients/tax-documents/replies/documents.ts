import { Unreadable } from '../pieces/forms.ts';
import { type Arrival, decode, decodeWhole } from './decoding.ts';
import { createDocumentCollection, type DocumentCollection } from './document-collection.ts';
import type { DocumentList, ReceivedDocument, ReplyBody, SingleDocument } from './results.ts';

/** The documents of a reply, each as soon as it is whole and its surroundings have been read. */
async function* documentsIn(
  { pieces }: Arrival,
  collection: DocumentCollection,
): AsyncGenerator<ReceivedDocument> {
  for await (const part of pieces) {
    for (const piece of part) {
      collection.take(piece);
      yield* collection.ready(false);
    }
  }
  yield* collection.ready(true);
}

/**
 * Reads a list of documents of any length as it arrives: each is given as soon as it is whole, no more of the reply is
 * read before the next one is asked for, and nothing is kept. What the list says about itself comes at its end. A
 * document that cannot be understood makes the whole reply not understood, with its place in the list.
 */
export function readDocuments(reply: ReplyBody): AsyncGenerator<ReceivedDocument, DocumentList> {
  return decode(reply, 'documents', { documents: true, markup: true }, async function* (arrival) {
    const collection = createDocumentCollection(reply.call);
    yield* documentsIn(arrival, collection);
    const { count } = collection;
    return { count, forms: arrival.forms.met, ...collection.envelope.verdict(count) };
  });
}

/** Documents that may come with the one asked for; each is one of its events. */
const MOST_TOGETHER = 100;

/** The one document among its events: what happened to a document names the same key. */
export function singleOut(received: readonly ReceivedDocument[]): {
  document: ReceivedDocument;
  events: ReceivedDocument[];
} {
  const notes = received.filter(({ summary }) => summary.kind !== 'event');
  const [document, ...others] = notes.length > 0 ? notes : received;
  if (document === undefined) throw new Unreadable('no document');
  if (others.length > 0) throw new Unreadable('several documents');
  const events = received.filter((candidate) => candidate !== document);
  const isOwn = ({ summary }: ReceivedDocument) =>
    summary.key === undefined || document.summary.key === undefined || summary.key === document.summary.key;
  if (!events.every(isOwn)) throw new Unreadable('events of another document');
  return { document, events };
}

/** Gathers the few documents of a reply about one document. */
export async function gatherDocuments(
  arrival: Arrival,
  collection: DocumentCollection,
): Promise<ReceivedDocument[]> {
  const received: ReceivedDocument[] = [];
  for await (const document of documentsIn(arrival, collection)) {
    if (received.length === MOST_TOGETHER) throw new Unreadable('several documents');
    received.push(document);
  }
  return received;
}

/**
 * Reads the one document asked for. Its events may come with it; two documents are not understood. An answer that
 * says that there is none is a refusal.
 */
export function readDocument(reply: ReplyBody): Promise<SingleDocument> {
  return decodeWhole(reply, 'document', { documents: true, markup: true }, async (arrival) => {
    const collection = createDocumentCollection(reply.call);
    const received = await gatherDocuments(arrival, collection);
    if (received.length === 0) throw collection.envelope.nothing();
    const { document, events } = singleOut(received);
    return { ...document, events, forms: arrival.forms.met, ...collection.envelope.verdict(received.length) };
  });
}
