import { fullerOf } from '../../../documents/summary/fuller.ts';
import { Unreadable } from '../decoding/limits.ts';
import { type Asked, isSameDocument, onlyAsked } from './asked.ts';
import { decode, decodeWhole, type PieceReader } from './decode.ts';
import { DocumentCollection } from './document-collection.ts';
import type { DocumentList, ReceivedDocument, ReplyBody, ReplyWarning, SingleDocument } from './results.ts';

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

/** A document with what happened to it, and how many others came with it that were not asked for. */
export interface Single {
  readonly document: ReceivedDocument;
  /** The same document with another text. */
  readonly otherContents: ReceivedDocument[];
  readonly events: ReceivedDocument[];
  readonly others: number;
}

/**
 * The one document asked for, with its events: what happened to a document names the same key. Of several files of it
 * the fuller one counts.
 *
 * @throws Unreadable where there are several and none is the one asked for
 */
export function singleOut(received: readonly ReceivedDocument[], asked: Asked = {}): Single {
  const notes = received.filter(({ summary }) => summary.kind !== 'event');
  const candidates = notes.length > 0 ? notes : received;
  if (notes.length === 0 && candidates.length > 1) throw new Unreadable('several documents');
  const wanted = candidates.length > 1 ? onlyAsked(candidates, asked) : candidates;
  const [first, ...further] = wanted;
  if (first === undefined) throw new Unreadable(candidates.length > 0 ? 'several documents' : 'no document');
  if (!further.every(({ summary }) => isSameDocument(summary, first.summary))) {
    throw new Unreadable('several documents');
  }
  const document = further.reduce(fuller, first);
  const isOwn = ({ summary: { kind, key } }: ReceivedDocument) =>
    kind === 'event' && (key ?? document.summary.key) === (document.summary.key ?? key);
  const rest = received.filter((one) => !wanted.includes(one));
  const events = rest.filter(isOwn);
  const others = rest.length - events.length;
  if (others > 0 && candidates.length === 1) throw new Unreadable('events of another document');
  const otherContents = wanted.filter(({ xml }) => xml !== document.xml);
  return { document, otherContents, events, others };
}

function fuller(kept: ReceivedDocument, arrived: ReceivedDocument): ReceivedDocument {
  return fullerOf(kept.summary, arrived.summary) === kept.summary ? kept : arrived;
}

/** Gathers the few documents of a reply about one document. */
export function gatherDocuments<R>(
  collection: DocumentCollection,
  end: (received: readonly ReceivedDocument[]) => R | Promise<R>,
): PieceReader<never, R> {
  const received: ReceivedDocument[] = [];
  return {
    take(piece, isEnvelopes) {
      const document = collection.take(piece, isEnvelopes);
      if (document === undefined) return undefined;
      if (received.length === MOST_TOGETHER) throw new Unreadable('several documents');
      received.push(document);
    },
    end: () => end(received),
  };
}

/** What is to be said of documents that were not asked for. */
export function othersLeftOut(others: number): ReplyWarning[] {
  return others === 0 ? [] : [{ code: 'others_left_out', values: { count: String(others) } }];
}

/** Reads the one document asked for, among events and other documents. @throws Refused where there is none */
export function readDocument(reply: ReplyBody, asked?: Asked): Promise<SingleDocument> {
  return decodeWhole(reply, 'document', { documents: true, markup: true }, (envelope, { forms }) => {
    const collection = new DocumentCollection(reply, envelope);
    return gatherDocuments(collection, (received) => {
      if (received.length === 0) throw collection.nothing();
      const { document, otherContents, events, others } = singleOut(received, asked);
      const { warnings, ...said } = collection.verdict();
      return {
        ...document,
        service_checks: collection.checks,
        otherContents,
        events,
        forms,
        ...said,
        warnings: [...warnings, ...othersLeftOut(others)],
      };
    });
  });
}
