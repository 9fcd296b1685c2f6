import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ArchiveCancelled } from '../errors.ts';
import { eventLine } from '../schema/asked-window.ts';
import type { DocumentArea } from '../scope.ts';
import type { Arrival } from './arrival.ts';
import { type PreparedEvent, prepareEvent } from './events.ts';
import { type HeldDocument, holdDocument, type PreparedDocument, preparedFrom } from './prepare.ts';

/** Documents and events to be written together. */
export interface Batch {
  readonly documents: readonly (HeldDocument | PreparedDocument)[];
  readonly events: readonly PreparedEvent[];
}

/** So many documents are looked up and written as one; a longer list in parts, so that memory does not grow with it. */
export const mostAtOnce = 600;

/** Documents worked on without letting others run. */
const stride = 8;

/** What came, with the identities in the order it came. */
export interface Received extends Batch {
  readonly identities: readonly string[];
}

/** Takes arrivals as they come; nothing is written. */
export async function receive(
  area: DocumentArea,
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  signal?: AbortSignal,
): Promise<Received> {
  const documents: HeldDocument[] = [];
  const events: PreparedEvent[] = [];
  const identities: string[] = [];
  let holding: Promise<HeldDocument>[] = [];
  const hold = async () => {
    for (const document of await Promise.all(holding)) documents.push(document);
    holding = [];
    await letOthersRun();
  };
  for await (const arrival of arrivals) {
    if (signal?.aborted) throw new ArchiveCancelled();
    if (arrival.summary.kind === 'event') {
      const event = prepareEvent(arrival, keepXml);
      events.push(event);
      identities.push(eventLine(event.identity));
    } else {
      const { identity, held } = holdDocument(area, arrival, keepXml);
      holding.push(held);
      identities.push(identity);
    }
    if (identities.length % stride === 0) await hold();
  }
  await hold();
  return { documents, events, identities };
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

/** A part of what came, in the form it is stored in. */
export async function preparedPart(part: Batch['documents']): Promise<PreparedDocument[]> {
  const prepared: PreparedDocument[] = [];
  for (const document of part) {
    prepared.push(preparedFrom(document));
    if (prepared.length % stride === 0) await letOthersRun();
  }
  return prepared;
}

/** Documents in the order they came, some at a time; all of one identity are in the same part. */
export function* partsOf(documents: Batch['documents']): Generator<Batch['documents']> {
  const same = new Map<string, Batch['documents'][number][]>();
  for (const document of documents) {
    const before = same.get(document.identity);
    if (before === undefined) same.set(document.identity, [document]);
    else before.push(document);
  }
  let part: Batch['documents'][number][] = [];
  for (const some of same.values()) {
    part.push(...some);
    if (part.length < mostAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
