import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import type { KeyListing } from '../../clients/documents/listings.ts';
import type { KeyList } from '../../clients/documents/replies/results.ts';
import type { Archive, AskedWindow, KeptKeys } from '../archive.ts';
import type { Direction } from '../scope.ts';
import { type Listed, momentOf } from './listings.ts';

/** What is no key and is kept of a listing; how many there were is one of its warnings. */
const MOST_REJECTED_KEPT = 100;

/** The keys that the service's listings have answered. */
export interface KeyLists {
  /**
   * What one listing of keys answers. It is asked anew, unless somebody goes on in the list that it answered last: that
   * is downloaded once, however many pages it is read in.
   * @throws what the client throws; ArchiveError
   */
  keys(
    asked: Listed,
    operation: KeyListing,
    direction: Direction | undefined,
    recall: { readonly signal: AbortSignal; readonly goesOn: boolean },
  ): Promise<KeptKeys>;
}

export interface KeyListsOptions {
  /** Undefined where nothing is kept: every page is asked anew then. */
  readonly archive: () => Promise<Archive | undefined>;
  readonly client: () => Promise<TaxDocumentsClient>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

function shortened(list: KeyList): KeyList {
  return { ...list, rejected: list.rejected.slice(0, MOST_REJECTED_KEPT) };
}

/** Makes the memory of key listings; nothing is opened or asked before it is used. */
export function createKeyLists({ archive, client, now }: KeyListsOptions): KeyLists {
  return {
    async keys(asked, operation, direction, { signal, goesOn }) {
      const { company, area, by, from, to } = asked;
      const window = { from: momentOf(from), to: momentOf(to) };
      const question: AskedWindow = { company, area, by, direction, operation, ...window };
      const store = await archive();
      const kept = goesOn ? await store?.findKeys(question) : undefined;
      if (kept !== undefined) return kept;
      const fetched_at = new Date(now()).toISOString();
      const service = await client();
      const list = shortened(await service.call(operation, { company, from, to, direction }, { signal }));
      const answer = { fetched_at, list };
      await store?.recordKeys(question, answer);
      return answer;
    },
  };
}
