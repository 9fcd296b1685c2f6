import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ArchiveCancelled } from '../../errors.ts';
import { boundYoungSpace } from '../../heap.ts';
import type { DocumentArea } from '../../scope.ts';
import { eventLine } from '../schema/asked-window.ts';
import type { Arrival } from './arrival.ts';
import { type PreparedEvent, prepareEvent } from './events.ts';
import {
  type ArrivedDocument,
  boxedTogether,
  type HeldDocument,
  holdDocument,
  identityIn,
  isPrepared,
  type PreparedDocument,
  preparedBeside,
} from './prepare.ts';

/** Documents and events to be written together. */
export interface Batch {
  readonly documents: readonly (ArrivedDocument | PreparedDocument)[];
  readonly events: readonly PreparedEvent[];
}

/** So many documents are written as one: a window of a collection is. */
export const mostAtOnce = 600;

/** Of more than that so many at a time are put away and taken out, so that memory does not grow with a list. */
const partSize = 32;

/** Documents made ready without letting others run. */
const stride = 8;

/** What came, with the identities in the order it came. */
export interface Received extends Batch {
  readonly identities: readonly string[];
}

/** The same documents in the form they are stored in, without holding others up. */
async function withForms(documents: Batch['documents']): Promise<PreparedDocument[]> {
  const made: PreparedDocument[] = [];
  for (let start = 0; start < documents.length; start += stride) {
    for (const one of await Promise.all(documents.slice(start, start + stride).map(preparedBeside)))
      made.push(one);
    await letOthersRun();
  }
  return made;
}

/**
 * Takes documents in: few as they are, of more the summaries put away together. Of what is written next the first are
 * put into the form they are stored in at once: with all that they say beside it they would take three times the room.
 */
function createIntake(isWrittenNext: boolean) {
  const documents: Batch['documents'][number][] = [];
  /** The last ones, which are as they came. */
  let held: HeldDocument[] = [];
  let puttingAway = Promise.resolve();

  async function putAway(some: readonly HeldDocument[], first: number): Promise<void> {
    const boxed = await boxedTogether(some);
    boxed.forEach((document, index) => {
      documents[first + index] = document;
    });
  }

  async function putInForm(): Promise<void> {
    const some = held;
    held = [];
    const made = await Promise.all(some.map(preparedBeside));
    documents.splice(documents.length - made.length, made.length, ...made);
  }

  return {
    documents,
    async take(document: HeldDocument): Promise<void> {
      documents.push(document);
      held.push(document);
      if (isWrittenNext && documents.length <= mostAtOnce) {
        if (documents.length % stride === 0) await putInForm();
        return;
      }
      while (documents.length > mostAtOnce && held.length >= partSize) {
        // One box at a time: what waits for it takes room too.
        await puttingAway;
        puttingAway = putAway(held.slice(0, partSize), documents.length - held.length);
        puttingAway.catch(() => undefined);
        held = held.slice(partSize);
      }
    },
    /** Resolves once all that is put away is. */
    async ready(): Promise<void> {
      await puttingAway;
      if (isWrittenNext && documents.length <= mostAtOnce) await putInForm();
    },
  };
}

/** How what arrives is taken. */
export interface Reception {
  readonly signal?: AbortSignal | undefined;
  /** Whether it is written as soon as all of it has come, and nobody asks before what it says. */
  readonly isWrittenNext?: boolean;
}

/** Takes arrivals as they come: few as they are, of many the summaries deflated. */
export async function receive(
  area: DocumentArea,
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  { signal, isWrittenNext = false }: Reception = {},
): Promise<Received> {
  const intake = createIntake(isWrittenNext);
  const events: PreparedEvent[] = [];
  const identities: string[] = [];
  for await (const arrival of arrivals) {
    if (signal?.aborted) throw new ArchiveCancelled();
    if (arrival.summary.kind === 'event') {
      const event = prepareEvent(arrival, keepXml);
      events.push(event);
      identities.push(eventLine(event.identity));
    } else {
      const document = holdDocument(area, arrival, keepXml);
      await intake.take(document);
      identities.push(document.identity);
    }
    if (identities.length % stride > 0) continue;
    boundYoungSpace();
    await letOthersRun();
  }
  await intake.ready();
  return { documents: intake.documents, events, identities };
}

/** The same in the form it is stored in, where it is few enough: better made before the transaction than in it. */
export async function readyToWrite<B extends Batch>(batch: B): Promise<Omit<B, 'documents'> & Batch> {
  const { documents } = batch;
  const isReady = documents.length > mostAtOnce || documents.every(isPrepared);
  return isReady ? batch : { ...batch, documents: await withForms(documents) };
}

/** A part of what came, in the form it is stored in: made now where it was not before. */
export async function preparedPart(part: Batch['documents']): Promise<PreparedDocument[]> {
  return part.every(isPrepared) ? [...part] : withForms(part);
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
  return 'identities' in arrivals ? arrivals : receive(area, arrivals, keepXml, { signal });
}

/** Documents in the order they came, some at a time; all of one identity are in the same part. */
export function* partsOf(documents: Batch['documents']): Generator<Batch['documents']> {
  const size = documents.length > mostAtOnce ? partSize : mostAtOnce;
  const same = new Map<string, Batch['documents'][number][]>();
  for (const document of documents) {
    const identity = identityIn(document);
    const before = same.get(identity);
    if (before === undefined) same.set(identity, [document]);
    else before.push(document);
  }
  let part: Batch['documents'][number][] = [];
  for (const some of same.values()) {
    for (const document of some) part.push(document);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
