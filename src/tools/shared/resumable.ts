import { LRUCache } from 'lru-cache';
import type { Archive } from '../../archive/archive.ts';

/** Work over several calls: a generator that yields where a call may stop. */
export class Resumable<Call extends { readonly signal: AbortSignal }> {
  isDone = false;
  /** A step threw: the work can't continue, and its result is incomplete. */
  isBroken = false;
  readonly #begin: (current: () => Call) => AsyncGenerator<void>;
  #steps: AsyncGenerator<void> | undefined;
  #turn: Promise<void> = Promise.resolve();
  #current: Call | undefined;

  /** @param begin starts the work; `current` returns the call that runs the current step */
  constructor(begin: (current: () => Call) => AsyncGenerator<void>) {
    this.#begin = begin;
  }

  /**
   * Runs steps until all are done or the time is over; concurrent calls take turns. Broken work runs no further step.
   * @throws the error of a step of this call; the signal's reason
   */
  proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(() => this.#proceed(call, isOver));
    return this.#turn;
  }

  async #proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#current = call;
    this.#steps ??= this.#begin(() => this.#current ?? call);
    while (!this.isDone && !this.isBroken) {
      call.signal.throwIfAborted();
      try {
        this.isDone = (await this.#steps.next()).done === true;
      } catch (error) {
        this.isBroken = true;
        throw error;
      }
      if (isOver()) return;
    }
  }
}

/** Milliseconds since its last page. */
const KEPT_MS = 10 * 60_000;

/** Cache of work for its next pages, by archive and question. */
export function keptByQuestion<Work extends object>({ max }: { readonly max: number }) {
  const options = { max, ttl: KEPT_MS, ttlAutopurge: true, updateAgeOnGet: true };
  const ofArchives = new WeakMap<Archive, LRUCache<string, Work>>();
  return (archive: Archive): LRUCache<string, Work> => {
    const kept = ofArchives.get(archive) ?? new LRUCache(options);
    ofArchives.set(archive, kept);
    return kept;
  };
}
