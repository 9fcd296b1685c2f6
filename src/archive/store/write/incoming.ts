import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ArchiveCancelled } from '../../errors.ts';
import type { DocumentArea } from '../../scope.ts';
import { boundYoungSpace } from '../heap.ts';
import { eventLine } from '../schema/asked-window.ts';
import type { Arrival } from './arrival.ts';
import { type PreparedEvent, prepareEvent } from './events.ts';
import { type ArrivedDocument, holdDocument, packDocument, packed, withForm } from './prepare.ts';

/** Documents and events as they came, to be written together. In the form they are stored in they take tenfold. */
export interface Batch {
  readonly documents: readonly ArrivedDocument[];
  readonly events: readonly PreparedEvent[];
}

/** So many documents are written as one: a window of a collection is. */
export const mostAtOnce = 600;

/** Of more than that so many at a time are taken out, so that memory does not grow with a list. */
const partSize = 32;

/** Documents made ready without letting others run. */
const stride = 8;

/** What came, with the identities in the order it came. */
export interface Received extends Batch {
  readonly identities: readonly string[];
}

/** The same of each document, without holding others up. */
async function each<One>(
  documents: readonly ArrivedDocument[],
  make: (document: ArrivedDocument) => One,
): Promise<One[]> {
  const made: One[] = [];
  for (const document of documents) {
    made.push(make(document));
    if (made.length % stride === 0) await letOthersRun();
  }
  return made;
}

/** Takes arrivals as they come: few as they are, many packed. */
export async function receive(
  area: DocumentArea,
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  signal?: AbortSignal,
): Promise<Received> {
  let documents: ArrivedDocument[] = [];
  const events: PreparedEvent[] = [];
  const identities: string[] = [];
  for await (const arrival of arrivals) {
    if (signal?.aborted) throw new ArchiveCancelled();
    if (arrival.summary.kind === 'event') {
      const event = prepareEvent(arrival, keepXml);
      events.push(event);
      identities.push(eventLine(event.identity));
    } else {
      const isFew = documents.length < mostAtOnce;
      const document = (isFew ? holdDocument : packDocument)(area, arrival, keepXml);
      if (documents.length === mostAtOnce) documents = await each(documents, packed);
      documents.push(document);
      identities.push(document.identity);
    }
    if (identities.length % stride > 0) continue;
    boundYoungSpace();
    await letOthersRun();
  }
  return { documents, events, identities };
}

/** The same in the form it is stored in, where it is few enough: better made before the transaction than in it. */
export async function readyToWrite<B extends Batch>(batch: B): Promise<B> {
  const { documents } = batch;
  return documents.length > mostAtOnce ? batch : { ...batch, documents: await each(documents, withForm) };
}

/** What came in several parts, as one. */
export function receivedTogether(parts: readonly Received[]): Received {
  return {
    documents: parts.flatMap(({ documents }) => documents),
    events: parts.flatMap(({ events }) => events),
    identities: parts.flatMap(({ identities }) => identities),
  };
}

/** The same of what may have been received before. */
export async function received(
  area: DocumentArea,
  arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  signal?: AbortSignal,
): Promise<Received> {
  return 'identities' in arrivals ? arrivals : receive(area, arrivals, keepXml, signal);
}

/** Documents in the order of their identities, some at a time; all of one identity are in the same part. */
export function* partsOf(documents: Batch['documents']): Generator<Batch['documents']> {
  const size = documents.length > mostAtOnce ? partSize : mostAtOnce;
  const order = ({ identity: one }: ArrivedDocument, { identity: other }: ArrivedDocument) =>
    one === other ? 0 : one < other ? -1 : 1;
  const sorted = [...documents].sort(order);
  for (let start = 0; start < sorted.length; ) {
    let end = Math.min(start + size, sorted.length);
    while (end < sorted.length && sorted[end]?.identity === sorted[end - 1]?.identity) end += 1;
    yield sorted.slice(start, end);
    start = end;
  }
}
