import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import { documentRoute } from '../../clients/documents/listings.ts';
import type { OperationOf } from '../../clients/documents/operations.ts';
import type { ReceivedDocument } from '../../clients/documents/replies/results.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { Archive, Arrival, DocumentChange, Received } from '../archive.ts';
import { daysOf, type Period, periodsOf } from '../days.ts';
import type { Freshness } from '../freshness.ts';
import type { DateField, Holding, Scope } from '../scope.ts';
import { lookAgainMs, noTurn, type Turn, untilNextLook } from '../turns.ts';
import { type CollectionProgress, type CollectionResult, collect, type MissingDays } from './collect.ts';
import type { FetchWindow } from './windows.ts';

/** What a question rests on: a company's documents of some days, in both directions. */
export interface CoverRequest extends Holding, Period {
  readonly by: DateField;
}

export interface CoverOptions {
  readonly archive: Archive;
  readonly client: TaxDocumentsClient;
  readonly concurrency: number;
  readonly hasTimes: boolean;
  readonly keepXml: boolean;
  readonly freshness: Freshness;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CollectionProgress) => void;
}

const LONGEST_WINDOW_DAYS = 31;

/** Days that failed, each once with its first reason: the same days can fail in both directions. */
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

/** What `cover` fetched, and what became of it. */
export interface CoverResult extends CollectionResult {
  /**
   * Documents listed for days of issue that are not their own: they count on the day they bear. The service's clock
   * is another than theirs then, and documents at the period's edges may be listed beyond them.
   */
  readonly datedElsewhere: number;
  /** What became other than it was known, the first two hundred of `changes_total`. */
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
  /** The oldest moment that a day of the period was last asked for; undefined where none was. */
  readonly as_of: string | undefined;
}

/** What the windows of a call did, together. */
interface Gathered {
  readonly elsewhere: Set<string>;
  readonly changes: DocumentChange[];
  changesTotal: number;
}

const MOST_CHANGES = 200;

/** One of the service's listings, and the days of it that must be fetched. */
interface Part {
  readonly scope: Scope;
  readonly ranges: readonly Period[];
  readonly days: number;
}

type Route = NonNullable<ReturnType<typeof documentRoute>>;

/** What a question lacks, and whether it may be fetched here. */
interface Plan {
  readonly parts: readonly Part[];
  readonly days: number;
  /** Undefined where others are at it for longer than this call may wait. */
  readonly turn: Turn | undefined;
}

async function partsOf(request: CoverRequest, route: Route, options: CoverOptions): Promise<Part[]> {
  const { area, by, company, from, to } = request;
  const parts: Part[] = [];
  const freshness = { ...options.freshness, clock: new Date(options.now()) };
  for (const direction of route.directions) {
    const scope = { company, area, by, direction };
    const ranges = await options.archive.missing({ ...scope, from, to }, freshness);
    parts.push({ scope, ranges, days: ranges.flatMap(daysOf).length });
  }
  return parts;
}

const daysIn = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.days, 0);

/** From the first to the last day that is lacking; undefined where none is. */
function spanOf(parts: readonly Part[]): Period | undefined {
  const ranges = parts.flatMap((part) => part.ranges);
  const from = ranges.map((range) => range.from).sort()[0];
  const to = ranges
    .map((range) => range.to)
    .sort()
    .at(-1);
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * Looks what is lacking and takes the turn to fetch it. While others who share the archive fetch days of it, they are
 * waited for, and what they brought is lacking no more.
 * @throws ArchiveCancelled; ArchiveError
 */
async function planInTurn(request: CoverRequest, route: Route, options: CoverOptions): Promise<Plan> {
  const { archive, signal, deadline } = options;
  const { company, area, by } = request;
  const first = await partsOf(request, route, options);
  const days = daysIn(first);
  for (let parts = first; ; parts = await partsOf(request, route, options)) {
    const span = spanOf(parts);
    if (archive.takeTurn === undefined || span === undefined) return { parts, days, turn: noTurn };
    const turn = await archive.takeTurn({ company, area, by, ...span });
    // What was lacking a moment ago may have come before the turn was had.
    if (turn !== undefined) return { parts: await partsOf(request, route, options), days, turn };
    options.onProgress({ daysDone: days - daysIn(parts), days, documents: 0 });
    if (Date.now() + lookAgainMs >= deadline) return { parts, days, turn: undefined };
    await untilNextLook(signal);
  }
}

/**
 * Fetches what a question needs and the archive lacks or may have outdated. Both directions are always fetched, so
 * that a document's direction is decided from the document and not from which list it came in.
 * @throws what the service answered, where the archive has nothing of the period either; Cancelled; ArchiveError
 */
export async function cover(request: CoverRequest, options: CoverOptions): Promise<CoverResult> {
  const { area, by } = request;
  const route = documentRoute({ document: area, by });
  if (route === undefined) throw new TypeError(`no listing of ${area} by ${by}`);
  const plan = await planInTurn(request, route, options);
  try {
    return await fetchPlanned(request, route.operation, plan, options);
  } finally {
    await plan.turn?.end();
  }
}

async function fetchPlanned(
  { area, by, company, from, to }: CoverRequest,
  operation: OperationOf<'documents'>,
  { parts, days, turn }: Plan,
  options: CoverOptions,
): Promise<CoverResult> {
  const { archive } = options;
  const doneByOthers = days - daysIn(parts);
  const concurrency = turn === undefined ? 0 : options.concurrency;
  const results: CollectionResult[] = [];
  const gathered: Gathered = { elsewhere: new Set(), changes: [], changesTotal: 0 };
  for (const part of parts) {
    const before = totalOf(results);
    const onProgress = ({ daysDone, documents }: CollectionProgress) =>
      options.onProgress({
        daysDone: doneByOthers + before.daysDone + daysDone,
        days,
        documents: before.documents + documents,
      });
    results.push(await collectPart(part, operation, { ...options, concurrency, onProgress }, gathered));
  }
  const missing = firstOfEachDay(results.flatMap((result) => result.missing));
  const total = totalOf(results);
  const as_of = await archive.asOf({ company, area, by, from, to });
  if (as_of === undefined && missing[0] !== undefined) throw missing[0].error;
  const pending = periodsOf(results.flatMap((result) => result.pending.flatMap(daysOf)));
  const { elsewhere, changes, changesTotal: changes_total } = gathered;
  const datedElsewhere = elsewhere.size;
  return { ...total, missing, pending, datedElsewhere, changes, changes_total, as_of };
}

function isDatedElsewhere({ issued_at, kind }: DocumentSummary, { from, to }: FetchWindow): boolean {
  const day = issued_at?.slice(0, 10);
  return kind !== 'event' && day !== undefined && (day < from.date || day > to.date);
}

function totalOf(results: readonly CollectionResult[]): { daysDone: number; documents: number } {
  return {
    daysDone: results.reduce((sum, { daysDone }) => sum + daysDone, 0),
    documents: results.reduce((sum, { documents }) => sum + documents, 0),
  };
}

function collectPart(
  { scope, ranges }: Part,
  operation: OperationOf<'documents'>,
  options: CoverOptions,
  gathered: Gathered,
): Promise<CollectionResult> {
  const { archive, client, keepXml, signal } = options;
  const { company, direction } = scope;
  return collect<Received>(ranges, {
    ...options,
    longestWindow: scope.by === 'issue' ? LONGEST_WINDOW_DAYS : 1,
    async fetch(window, begin, stop) {
      async function* arrivalsOf(documents: AsyncIterable<ReceivedDocument>): AsyncGenerator<Arrival> {
        for await (const { summary, xml } of documents) {
          if (scope.by === 'issue' && isDatedElsewhere(summary, window)) {
            gathered.elsewhere.add(summary.key ?? `${summary.issuer?.id} ${summary.number}`);
          }
          yield keepXml ? { summary, xml } : { summary };
        }
      }
      const read = async (documents: AsyncIterable<ReceivedDocument>): Promise<void> => {
        const arrive = begin();
        const received = await archive.receive(scope.area, arrivalsOf(documents));
        arrive(received, received.identities.length);
      };
      const inputs = { company, ...window, direction };
      const { list } = await client.list(operation, inputs, read, { signal: stop });
      return list.unreadable;
    },
    async store(range, { arrivals, unreadable }) {
      const { receivedTogether } = await import('../write/incoming.ts');
      const clock = new Date(options.now());
      const window = { ...scope, ...range, fetchedAt: clock, unreadable, clock };
      const { changes, changes_total } = await archive.store(window, receivedTogether(arrivals), signal);
      gathered.changes.push(...changes.slice(0, MOST_CHANGES - gathered.changes.length));
      gathered.changesTotal += changes_total;
    },
  });
}
