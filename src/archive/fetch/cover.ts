import { setTimeout as sleep } from 'node:timers/promises';
import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import { documentRoute } from '../../clients/documents/listings.ts';
import type { ReceivedDocument } from '../../clients/documents/replies/results.ts';
import type { Lease } from '../../db/replicas.ts';
import { daysOf, daysWith, type Period, periodsOf } from '../../documents/days.ts';
import type { Archive, Arrival, DocumentChange, Received } from '../archive.ts';
import { ArchiveError } from '../errors.ts';
import type { Freshness } from '../freshness.ts';
import type { DateField, Holding, Scope } from '../references.ts';
import { type CollectionOptions, type CollectionResult, collect, type MissingDays } from './collect.ts';

/** A question's basis: a company's documents of some days, in both directions. */
export interface CoverRequest extends Holding, Period {
  readonly by: DateField;
}

export interface CoverOptions extends Omit<CollectionOptions<Received>, 'fetch' | 'store' | 'longestWindow'> {
  readonly archive: Archive;
  readonly client: TaxDocumentsClient;
  readonly freshness: Freshness;
  readonly now: () => number;
}

const LONGEST_WINDOW_DAYS = 31;

/** Failed days, deduplicated with the first reason: a day can fail in both directions. */
export function firstOfEachDay(missing: readonly MissingDays[]): MissingDays[] {
  const named = new Set<string>();
  return missing
    .toSorted((one, other) => (one.from < other.from ? -1 : 1))
    .flatMap(({ error, ...range }) => {
      const days = daysOf(range).filter((day) => !named.has(day));
      for (const day of days) named.add(day);
      return periodsOf(days).map((part) => ({ ...part, error }));
    });
}

const MOST_CHANGES = 200;

/** One of the service's listings, and its days to fetch. */
interface Part {
  readonly scope: Scope;
  readonly ranges: readonly Period[];
}

const noTurn: Lease = { end: async () => undefined };

/** Longest polling interval while other processes fetch, in milliseconds. */
const lookAgainMs = 500;

/**
 * Acquires the lease to fetch missing days, once no other process on the archive is fetching any of them.
 * @param lacking returns the period from the first to the last missing day; undefined if none is missing
 * @returns undefined if other processes are still fetching at the deadline
 * @throws ArchiveError
 */
export async function turnToFetch(
  { takeTurn }: Pick<Archive, 'takeTurn'>,
  lacking: () => Promise<(Scope & Period) | undefined>,
  signal: AbortSignal,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Lease | undefined> {
  for (;;) {
    const days = await lacking();
    if (takeTurn === undefined || days === undefined) return noTurn;
    const turn = await takeTurn(days);
    if (turn !== undefined) return turn;
    if (Date.now() + lookAgainMs >= deadline) return undefined;
    await sleep(lookAgainMs / 2 + (Math.random() * lookAgainMs) / 2, undefined, { signal }).catch(() => {
      throw new ArchiveError('cancelled');
    });
  }
}

/**
 * Fetches the days that a question needs and that are missing or possibly outdated in the archive. It always fetches
 * both directions, so that a document's direction is derived from the document, not from the listing.
 * @throws the service's error, if the archive has nothing of the period; Cancelled; ArchiveError
 */
export async function cover(request: CoverRequest, options: CoverOptions) {
  const { area, by, company, from, to } = request;
  const { archive, client, signal, freshness, deadline } = options;
  const route = documentRoute({ document: area, by });
  if (route === undefined) throw new TypeError(`no listing of ${area} by ${by}`);
  let parts: readonly Part[] = [];
  /** The days to fetch, in order; a day needed in both directions appears twice. */
  const findLacking = async (): Promise<string[]> => {
    const found: Part[] = [];
    for (const direction of route.directions) {
      const scope = { company, area, by, direction };
      found.push({ scope, ranges: await archive.missing({ ...scope, from, to }, freshness) });
    }
    parts = found;
    return parts.flatMap(({ ranges }) => ranges.flatMap(daysOf)).sort();
  };
  let days: number | undefined;
  const waitFor = async () => {
    const left = await findLacking();
    const [start, end] = [left[0], left.at(-1)];
    if (days !== undefined) options.onProgress({ daysDone: days - left.length, days, documents: 0 });
    days ??= left.length;
    return start && end ? { company, area, by, from: start, to: end } : undefined;
  };
  const turn = await turnToFetch(archive, waitFor, signal, deadline);
  const elsewhere = new Set<string>();
  const changes: DocumentChange[] = [];
  let changes_total = 0;
  const results: CollectionResult[] = [];
  const total = (name: 'daysDone' | 'documents') => results.reduce((sum, result) => sum + result[name], 0);
  try {
    // Another process may have stored days just before the lease was acquired.
    const left = turn === noTurn ? days : (await findLacking()).length;
    const all = days ?? 0;
    const doneByOthers = all - (left ?? 0);
    for (const { scope, ranges } of parts) {
      const before = { daysDone: doneByOthers + total('daysDone'), documents: total('documents') };
      const { direction } = scope;
      const result = await collect<Received>(ranges, {
        ...options,
        concurrency: turn === undefined ? 0 : options.concurrency,
        longestWindow: by === 'issue' ? LONGEST_WINDOW_DAYS : 1,
        onProgress(now) {
          const daysDone = before.daysDone + now.daysDone;
          options.onProgress({ daysDone, days: all, documents: before.documents + now.documents });
        },
        async fetch(window, stop) {
          const asked = daysWith(window);
          async function* arrivalsOf(documents: AsyncIterable<ReceivedDocument>): AsyncGenerator<Arrival> {
            for await (const { summary, xml } of documents) {
              const day = summary.issued_at?.slice(0, 10) ?? asked.from;
              const isElsewhere = day < asked.from || day > asked.to;
              if (by === 'issue' && summary.kind !== 'event' && isElsewhere)
                elsewhere.add(summary.key ?? `${summary.issuer?.id} ${summary.number}`);
              yield { summary, xml };
            }
          }
          const { list, read: received } = await client.list(
            route.operation,
            { company, ...window, direction },
            (documents) => archive.receive(area, arrivalsOf(documents)),
            { signal: stop },
          );
          return { arrivals: [received], count: received.identities.length, unreadable: list.unreadable };
        },
        async store(range, { arrivals, unreadable }) {
          const { receivedTogether } = await import('../write/arrival.ts');
          const window = { ...scope, ...range, fetchedAt: new Date(options.now()), unreadable };
          const stored = await archive.store(window, receivedTogether(arrivals), signal);
          changes.push(...stored.changes.slice(0, MOST_CHANGES - changes.length));
          changes_total += stored.changes_total;
        },
      });
      results.push(result);
    }
  } finally {
    await turn?.end();
  }
  const missing = firstOfEachDay(results.flatMap((result) => result.missing));
  const fetched = await archive.fetched(request);
  if (fetched.as_of === undefined && missing[0] !== undefined) throw missing[0].error;
  return {
    daysDone: total('daysDone'),
    documents: total('documents'),
    missing,
    pending: periodsOf(results.flatMap((result) => result.pending.flatMap(daysOf))),
    /**
     * Documents listed under another day of issue than their own, which counts. The service's clock then differs from
     * theirs, and documents at the period's edges may be listed outside it.
     */
    datedElsewhere: elsewhere.size,
    /** Changes to known documents, the first two hundred of `changes_total`. */
    changes,
    changes_total,
    ...fetched,
  };
}
