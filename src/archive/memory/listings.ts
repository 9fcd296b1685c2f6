import { abortable } from '../../clients/http/abortable.ts';
import { firstOf, lastingFor } from '../../clients/http/signals.ts';
import type { TaxDocumentsClient } from '../../clients/tax-documents/client.ts';
import type { DocumentRoute } from '../../clients/tax-documents/listings.ts';
import type { OperationOf } from '../../clients/tax-documents/operations.ts';
import type { ReplyWarning } from '../../clients/tax-documents/replies/results.ts';
import type { WallClock } from '../../clients/tax-documents/wire-formats.ts';
import { ArchiveCancelled, StillFetching } from '../errors.ts';
import { waitForTurn } from '../fetch/turns.ts';
import { isFresh, type RefreshRule } from '../freshness.ts';
import type { DateField, Holding } from '../scope.ts';
import type {
  Archive,
  Arrival,
  AskedWindow,
  DocumentChange,
  Foreseen,
  StoredDocument,
  Unreadable,
} from '../store/archive.ts';

/** A listing as a person asks for it. */
export interface Listed extends Holding {
  readonly by: DateField;
  readonly from: WallClock;
  readonly to: WallClock;
}

/** A page of a listing. Its lines are as they are known now, not as they were listed. */
export interface RememberedList extends Told {
  readonly lines: readonly StoredDocument[];
  readonly total: number;
  /** Lines that the service repeated; they are in neither. */
  readonly repeated: number;
  /** When the service was asked, ISO 8601 in UTC; of two listings the older. */
  readonly as_of: string;
  /** Whether the service was asked by this call. */
  readonly isFetched: boolean;
  readonly unreadable: readonly Unreadable[];
}

export interface ListRecall {
  /** Aborted when the caller goes away: what nobody waits for any more is given up. */
  readonly signal: AbortSignal;
  /** Aborted when the caller has to be answered: what is being fetched goes on, and who asks again finds it. */
  readonly patience?: AbortSignal | undefined;
  readonly refresh?: boolean | undefined;
  /** Is told now and then, while the service answers, how many documents and events have come. */
  readonly onArrival?: ((arrived: number) => void) | undefined;
  /** The listing that is gone on with, by its moment: it comes from the memory, however old it is. */
  readonly goesOn?: boolean | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** What the service's listings have answered. */
export interface Listings {
  /**
   * What one listing of the service answers, or the same one answered lately enough. It is downloaded once, however many
   * ask for it at the same time and however often somebody asks again while it is being fetched.
   * @throws StillFetching; what the client throws; ArchiveError
   */
  list(
    asked: Listed,
    operation: OperationOf<'documents'>,
    direction: DocumentRoute['directions'][number],
    recall: ListRecall,
  ): Promise<RememberedList>;
  /** Ends what is being fetched. */
  close(): Promise<void>;
}

export interface ListingsOptions {
  readonly archive: () => Promise<Archive>;
  readonly client: () => Promise<TaxDocumentsClient>;
  readonly rules: readonly RefreshRule[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What was told while a listing was fetched. */
interface Told {
  readonly warnings: readonly ReplyWarning[];
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

const nothingTold: Told = { warnings: [], changes: [], changes_total: 0 };

/** A listing that is being fetched, or was while nobody could wait for it. */
interface UnderWay {
  /** Until all of it is kept. */
  readonly work: Promise<Told>;
  /** Until it can be answered. */
  told: Promise<Told>;
  readonly stop: AbortController;
  waiting: number;
  /** How many documents and events have come. */
  arrived: number;
  /** What it answers while it is still being written. */
  foreseen: Foreseen | undefined;
  /** Whether it was answered and could not be kept then: who goes on with it is told why. */
  isLost: boolean;
  /** Whether somebody was told to ask again. */
  isPromised: boolean;
  /** Milliseconds since 1970, once it has. */
  endedAt: number | undefined;
}

/** What is told of a listing while it is fetched. */
interface FetchEvents {
  /** Aborted when it is given up. */
  readonly signal: AbortSignal;
  readonly onArrival: () => void;
  readonly onForeseen: (foreseen: Foreseen, told: Told) => void;
}

/** How long the end of the program waits for what was answered and is yet to be written. */
const LONGEST_CLOSING_MS = 1_500;

/** Who was told to ask again does so within this. */
const LONGEST_PROMISE_MS = 10 * 60_000;

/** A host may give up on a call that is silent for longer than five seconds. */
const TOLD_EVERY_MS = 3_000;

/** As it is asked: `YYYY-MM-DDTHH:mm:ss`, without a zone. */
export const momentOf = ({ date, time }: WallClock): string => `${date}T${time}`;

/** The whole days of a listing by issue, which questions need not fetch again. */
function coveredBy({ by, from, to }: Listed) {
  const isWhole = from.time === '00:00:00' && to.time >= '23:59:59';
  return by === 'issue' && isWhole ? { from: from.date, to: to.date } : undefined;
}

export function createListings({ archive, client, rules, now }: ListingsOptions): Listings {
  const underWay = new Map<string, UnderWay>();

  /** Asks the service, and keeps what it answers: the storing of a long list may take longer than the download. */
  async function fetchList(
    question: AskedWindow,
    asked: Listed,
    operation: OperationOf<'documents'>,
    events: FetchEvents,
  ): Promise<Told> {
    const { company, area, by, from, to } = asked;
    const { signal } = events;
    const store = await archive();
    const days = { from: from.date, to: to.date };
    const answered = async () => (await store.findAnswer(question, { limit: 1 }))?.fetched_at;
    const before = store.takeTurn && (await answered());
    const { turn, hasWaited } = await waitForTurn(store, { company, area, by, ...days }, signal);
    try {
      const after = hasWaited ? await answered() : undefined;
      if (after !== undefined && after !== before) return nothingTold;
      return await fetchInTurn(question, asked, operation, events);
    } finally {
      await turn.end();
    }
  }

  async function fetchInTurn(
    question: AskedWindow,
    asked: Listed,
    operation: OperationOf<'documents'>,
    { signal, onArrival, onForeseen }: FetchEvents,
  ): Promise<Told> {
    const { company, area, from, to } = asked;
    const fetchedAt = new Date(now());
    const [store, service] = await Promise.all([archive(), client()]);
    async function* counted(arrivals: AsyncIterable<Arrival>): AsyncGenerator<Arrival> {
      for await (const one of arrivals) {
        onArrival();
        yield one;
      }
    }
    const { list, read: arrivals } = await service.list(
      operation,
      { company, from, to, direction: question.direction },
      (documents) => store.receive(area, counted(documents), { signal }),
      { signal },
    );
    const { unreadable, warnings } = list;
    const answer = { fetchedAt, arrivals, covers: coveredBy(asked), unreadable, clock: new Date(now()) };
    const tell = (foreseen: Foreseen) => onForeseen(foreseen, { ...nothingTold, warnings });
    const { changes, changes_total } = await store.recordAnswer(question, answer, signal, tell);
    return { warnings, changes, changes_total };
  }

  function begin(key: string, signal: AbortSignal, fetch: (events: FetchEvents) => Promise<Told>): UnderWay {
    const stop = lastingFor(signal);
    let answer: (told: Told) => void = () => undefined;
    const early = new Promise<Told>((resolve) => {
      answer = resolve;
    });
    const work = fetch({
      signal: stop.signal,
      onArrival() {
        entry.arrived += 1;
      },
      onForeseen(foreseen, told) {
        entry.foreseen = foreseen;
        answer(told);
      },
    });
    const told = Promise.race([early, work]);
    const entry: UnderWay = {
      work,
      told,
      stop,
      waiting: 0,
      arrived: 0,
      foreseen: undefined,
      isLost: false,
      isPromised: false,
      endedAt: undefined,
    };
    underWay.set(key, entry);
    const end = () => {
      entry.endedAt = now();
      entry.foreseen = undefined;
      if (!entry.isLost && (!entry.isPromised || entry.waiting > 0)) underWay.delete(key);
    };
    work.then(end, () => {
      entry.isLost = entry.foreseen !== undefined;
      if (entry.isLost) entry.told = work;
      end();
    });
    told.catch(() => undefined);
    return entry;
  }

  /** What is being fetched for a question, or has been since somebody was told to ask again. */
  function pending(key: string): UnderWay | undefined {
    const entry = underWay.get(key);
    if (entry?.endedAt === undefined) return entry;
    underWay.delete(key);
    return now() - entry.endedAt > LONGEST_PROMISE_MS ? undefined : entry;
  }

  async function waitFor(entry: UnderWay, { signal, patience, onArrival }: ListRecall): Promise<Told> {
    const ticker = onArrival && setInterval(() => onArrival(entry.arrived), TOLD_EVERY_MS);
    const both = patience === undefined ? signal : firstOf(signal, patience);
    entry.waiting += 1;
    try {
      return await abortable(entry.told, both);
    } catch (error) {
      if (!both.aborted || error !== both.reason) throw error;
      if (!signal.aborted) {
        entry.isPromised = true;
        throw new StillFetching(entry.arrived);
      }
      const isWanted = entry.waiting > 1 || entry.isPromised || entry.foreseen !== undefined;
      if (!isWanted) entry.stop.abort();
      throw new ArchiveCancelled();
    } finally {
      clearInterval(ticker);
      entry.waiting -= 1;
    }
  }

  return {
    async list(asked, operation, direction, recall) {
      const { refresh = false, goesOn = false, limit, offset = 0 } = recall;
      const { company, area, by, from, to } = asked;
      const window = { from: momentOf(from), to: momentOf(to) };
      const question: AskedWindow = { company, area, by, direction, operation, ...window };
      const key = JSON.stringify(question);
      const store = await archive();
      const page = { limit, offset };
      const latest = underWay.get(key);
      const isAhead = latest !== undefined && (latest.foreseen !== undefined || latest.isLost);
      // Who asks for it now has been given the one that is being written.
      if (refresh && isAhead && !latest.isPromised) await latest.work.catch(() => undefined);
      const running = goesOn && !isAhead ? undefined : pending(key);
      const kept = running === undefined && !refresh ? await store.findAnswer(question, page) : undefined;
      const at = new Date(now());
      const today = at.toISOString().slice(0, 10);
      const lastDay = to.date < today ? to.date : today;
      if (kept !== undefined && (goesOn || isFresh(lastDay, kept.fetched_at, { now: at, rules }))) {
        return { ...kept, ...nothingTold, as_of: kept.fetched_at, isFetched: false };
      }
      const entry =
        running ??
        pending(key) ??
        begin(key, recall.signal, (events) => fetchList(question, asked, operation, events));
      const told = await waitFor(entry, recall);
      const answered = entry.foreseen?.(page) ?? (await store.findAnswer(question, page));
      if (answered === undefined) throw new Error('an answer that was just recorded is not there');
      const isMore = goesOn && running !== undefined;
      const news = isMore ? nothingTold : told;
      return { ...answered, ...news, as_of: answered.fetched_at, isFetched: !isMore };
    },

    async close() {
      const all = [...underWay.values()];
      for (const { stop, foreseen } of all) if (foreseen === undefined) stop.abort();
      const late = setTimeout(() => {
        for (const { stop } of all) stop.abort();
      }, LONGEST_CLOSING_MS);
      await Promise.allSettled(all.map(({ work }) => work));
      clearTimeout(late);
    },
  };
}
