import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import type { OperationOf } from '../../clients/documents/operations.ts';
import type { ReplyWarning } from '../../clients/documents/replies/results.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import { abortable } from '../../clients/http/call.ts';
import { daysWith, earlier, type Period } from '../../documents/days.ts';
import type {
  AnswerPage,
  Archive,
  Arrival,
  AskedWindow,
  DocumentChange,
  LeftOut,
  Listing,
  Selection,
  StoredDocument,
  Unreadable,
} from '../archive.ts';
import { ArchiveError } from '../errors.ts';
import type { MissingDays } from '../fetch/collect.ts';
import { turnToFetch } from '../fetch/cover.ts';
import { isFresh, type RefreshRule } from '../freshness.ts';
import { everyStatus } from '../references.ts';

/** A question to one of the service's listings of documents. */
export interface ListingQuestion extends AskedWindow {
  readonly operation: OperationOf<'documents'>;
}

interface News {
  readonly warnings: readonly ReplyWarning[];
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

/** A page of a listing, with the current state of its lines, not the listed one. */
export interface RememberedList extends News {
  readonly lines: readonly StoredDocument[];
  readonly total: number;
  /** Duplicate lines in the service's reply, excluded from `lines` and `total`. */
  readonly repeated: number;
  /** Time of the service's answer, ISO 8601 in UTC; the oldest of several. */
  readonly as_of: string;
  readonly unreadable: readonly Unreadable[];
  /** Days that could not be fetched now, answered with stored documents. */
  readonly missing: readonly MissingDays[];
  /** Documents of those days missing from the list. */
  readonly leftOut: readonly LeftOut[];
}

export interface ListRecall {
  /** Aborted when the caller disconnects; a fetch without callers is cancelled. */
  readonly signal: AbortSignal;
  /** Aborted when the caller must get an answer: the fetch continues, and the next caller joins it. */
  readonly patience?: AbortSignal | undefined;
  readonly refresh?: boolean | undefined;
  /** Called periodically during the reply with the number of documents and events so far. */
  readonly onArrival?: ((arrived: number) => void) | undefined;
  /** A further page: answered from the archive at any age. */
  readonly goesOn?: boolean | undefined;
  readonly limit: number;
  readonly offset?: number;
}

export interface ListingsOptions {
  readonly archive: () => Promise<Archive>;
  readonly client: () => Promise<TaxDocumentsClient>;
  readonly rules: readonly RefreshRule[];
  readonly now: () => number;
}

const noNews: News = { warnings: [], changes: [], changes_total: 0 };

/** A listing in progress, or a finished one whose caller has to retry. */
interface Fetch {
  work: Promise<News>;
  readonly stop: AbortController;
  waiting: number;
  arrived: number;
  isPromised: boolean;
  endedAt?: number;
}

/** How long a finished fetch is held for a caller that has to retry. */
const LONGEST_PROMISE_MS = 10 * 60_000;
/** Hosts may give up on a call that is silent for more than five seconds. */
const PROGRESS_EVERY_MS = 3_000;
/** Limit above any list's length. */
const ALL = 1_000_000;

const isOfWholeDays = ({ from, to }: Period): boolean =>
  from.endsWith('T00:00:00') && to.slice(11) >= '23:59:59';

/** A page of the archive's documents in a period given in moments, ordered by day. */
export async function listKnown(
  archive: Archive,
  asked: Selection,
  { limit, offset = 0 }: AnswerPage,
): Promise<Pick<Listing, 'documents' | 'total' | 'left_out'>> {
  const selection = { ...asked, ...daysWith(asked) };
  if (isOfWholeDays(asked)) return archive.list({ ...selection, limit, offset });
  const all = await archive.list({ ...selection, limit: ALL });
  const documents = all.documents.filter(({ summary }) => {
    const moment = summary.issued_at?.slice(0, 19) ?? '';
    return moment.length < 19 || (moment >= asked.from && moment <= asked.to);
  });
  return { ...all, documents: documents.slice(offset, offset + limit), total: documents.length };
}

/** Cached answers of the service's listings. Opens the archive and calls the service only on use. */
export function createListings({ archive, client, rules, now }: ListingsOptions) {
  const underWay = new Map<string, Fetch>();

  async function fetchList(question: ListingQuestion, entry: Fetch): Promise<News> {
    const { company, area, by, direction, from, to } = question;
    const { signal } = entry.stop;
    const store = await archive();
    const days = daysWith(question);
    const answeredAt = async () =>
      store.takeTurn && (await store.findAnswer(question, { limit: 1 }))?.fetched_at;
    const before = await answeredAt();
    const turn = await turnToFetch(store, async () => ({ company, area, by, ...days }), signal);
    async function* counted(arrivals: AsyncIterable<Arrival>): AsyncGenerator<Arrival> {
      for await (const one of arrivals) {
        entry.arrived += 1;
        yield one;
      }
    }
    try {
      const after = await answeredAt();
      // Another process has just fetched the same listing.
      if (after !== undefined && after !== before) return noNews;
      const fetchedAt = new Date(now());
      const { list, read: arrivals } = await (await client()).list(
        question.operation,
        { company, from, to, direction },
        (documents) => store.receive(area, counted(documents), signal),
        { signal },
      );
      const covers = by === 'issue' && isOfWholeDays(question) ? days : undefined;
      const { unreadable, warnings } = list;
      const answer = { fetchedAt, arrivals, covers, unreadable };
      const { changes, changes_total } = await store.recordAnswer(question, answer, signal);
      return { warnings, changes, changes_total };
    } finally {
      await turn?.end();
    }
  }

  function begin(key: string, question: ListingQuestion): Fetch {
    const work = Promise.resolve(noNews);
    const entry: Fetch = { work, stop: new AbortController(), waiting: 0, arrived: 0, isPromised: false };
    entry.work = fetchList(question, entry).finally(() => {
      entry.endedAt = now();
      if (!entry.isPromised || entry.waiting > 0) underWay.delete(key);
    });
    underWay.set(key, entry);
    return entry;
  }

  /** A question's fetch: in progress, or finished and held for its caller's retry. */
  function pending(key: string): Fetch | undefined {
    const entry = underWay.get(key);
    if (entry?.endedAt === undefined) return entry;
    underWay.delete(key);
    return now() - entry.endedAt > LONGEST_PROMISE_MS ? undefined : entry;
  }

  async function waitFor(entry: Fetch, { signal, patience, onArrival }: ListRecall): Promise<News> {
    const ticker = onArrival && setInterval(() => onArrival(entry.arrived), PROGRESS_EVERY_MS);
    const both = patience === undefined ? signal : AbortSignal.any([signal, patience]);
    entry.waiting += 1;
    try {
      return await abortable(entry.work, both);
    } catch (error) {
      if (!both.aborted || error !== both.reason) throw error;
      if (!signal.aborted) {
        entry.isPromised = true;
        throw new ArchiveError('still_fetching', { documents: entry.arrived });
      }
      if (entry.waiting === 1 && !entry.isPromised) entry.stop.abort();
      throw new ArchiveError('cancelled');
    } finally {
      clearInterval(ticker);
      entry.waiting -= 1;
    }
  }

  /** The stored documents of a list that the service can't deliver now; undefined if none of its days is known. */
  async function knownBefore(
    store: Archive,
    question: ListingQuestion,
    { refresh, ...page }: ListRecall,
    error: UpstreamError,
  ): Promise<RememberedList | undefined> {
    const { operation: _, ...scope } = question;
    const days = { ...scope, ...daysWith(scope) };
    const stale = await store.missing(days, { now: new Date(now()), rules, refresh });
    const rest = { ...noNews, missing: stale.map((range) => ({ ...range, error })) };
    const kept = await store.findAnswer(question, page);
    if (kept !== undefined) return { ...kept, ...rest, as_of: kept.fetched_at, leftOut: [] };
    const { as_of, unreadable } = await store.fetched(days);
    if (as_of === undefined) return undefined;
    const all = { ...scope, filters: { status: everyStatus } };
    const { documents, total, left_out: leftOut } = await listKnown(store, all, page);
    return { ...rest, lines: documents, total, repeated: 0, as_of, unreadable, leftOut };
  }

  return {
    /**
     * A listing's answer: the cached one if fresh enough, else a new download, which concurrent and repeated callers
     * share. If the service fails, the answer has the days known before.
     * @throws the client's errors, if none of the days is known; ArchiveError
     */
    async list(question: ListingQuestion, recall: ListRecall): Promise<RememberedList> {
      const { refresh, goesOn } = recall;
      const key = JSON.stringify(question);
      const store = await archive();
      const answered = async (news: News): Promise<RememberedList | undefined> => {
        const kept = await store.findAnswer(question, recall);
        return kept && { ...kept, ...news, as_of: kept.fetched_at, missing: [], leftOut: [] };
      };
      const running = goesOn ? undefined : pending(key);
      if (running === undefined && !refresh) {
        const kept = await answered(noNews);
        const at = new Date(now());
        const lastDay = earlier(question.to.slice(0, 10), at.toISOString().slice(0, 10));
        if (kept !== undefined && (goesOn || isFresh(lastDay, kept.as_of, { now: at, rules }))) return kept;
      }
      const entry = running ?? pending(key) ?? begin(key, question);
      try {
        const list = await answered(await waitFor(entry, recall));
        if (list === undefined) throw new Error('an answer that was just recorded is not there');
        return list;
      } catch (error) {
        if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
        const known = await knownBefore(store, question, recall, error);
        if (known === undefined) throw error;
        return known;
      }
    },

    async close(): Promise<void> {
      const all = [...underWay.values()];
      for (const { stop } of all) stop.abort();
      await Promise.allSettled(all.map(({ work }) => work));
    },
  };
}
