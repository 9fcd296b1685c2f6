import { type Arrival, CallerError, decodeReply } from './arrival.ts';
import { createDocumentCollection, type DocumentCollection } from './document-collection.ts';
import type { DocumentList, ReceivedDocument, ReplyBody, SingleDocument } from './results.ts';
import { readContent, wholeReplyLimit } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

/** Who takes a document; the next part of the reply is not read before it is done. */
export type TakeDocument = (document: ReceivedDocument) => void | Promise<void>;

/** Keeps an error of the taker apart from the decoder's own. */
function guarded(onDocument: TakeDocument): TakeDocument {
  return async (document) => {
    try {
      await onDocument(document);
    } catch (cause) {
      throw new CallerError('the taker of a document failed', { cause });
    }
  };
}

/** Reads a reply into a collection and hands over what is complete after each piece. */
export async function collectDocuments(
  arrival: Arrival,
  collection: DocumentCollection,
  onDocument: TakeDocument,
): Promise<void> {
  async function handOver(all: boolean): Promise<void> {
    for (const document of collection.take(all)) await onDocument(document);
  }

  try {
    await readContent(arrival, collection.content, () => handOver(false));
    await handOver(true);
  } catch (error) {
    if (collection.ordinal !== undefined) arrival.place = `document ${collection.ordinal}: `;
    throw error;
  }
}

/**
 * Reads a list of documents of any length as it arrives: each is handed over as soon as it is whole, and nothing of it
 * is kept. A document that cannot be understood makes the whole reply not understood, with its place in the list.
 */
export function readDocuments(reply: ReplyBody, onDocument: TakeDocument): Promise<DocumentList> {
  return decodeReply(reply, Number.POSITIVE_INFINITY, async (arrival) => {
    const collection = createDocumentCollection(reply.call);
    await collectDocuments(arrival, collection, guarded(onDocument));
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
  await collectDocuments(arrival, collection, (document) => {
    if (received.length === MOST_TOGETHER) throw new Unreadable('several documents');
    received.push(document);
  });
  return received;
}

/**
 * Reads the one document asked for. Its events may come with it; two documents are not understood. An answer that
 * says that there is none is a refusal.
 */
export function readDocument(reply: ReplyBody): Promise<SingleDocument> {
  return decodeReply(reply, wholeReplyLimit, async (arrival) => {
    const collection = createDocumentCollection(reply.call);
    const received = await gatherDocuments(arrival, collection);
    if (received.length === 0) throw collection.envelope.nothing();
    const { document, events } = singleOut(received);
    return { ...document, events, forms: arrival.forms.met, ...collection.envelope.verdict(received.length) };
  });
}
