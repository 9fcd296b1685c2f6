import { LRUCache } from 'lru-cache';
import type { Archive } from '../../archive/archive.ts';

/** Work that goes on over several calls: steps that yield where a call may stop. */
export class Resumable<Call extends { readonly signal: AbortSignal }> {
  isDone = false;
  /** A step threw: the work can't go on, and what it came to is not whole. */
  isBroken = false;
  readonly #begin: (current: () => Call) => AsyncGenerator<void>;
  #steps: AsyncGenerator<void> | undefined;
  #turn: Promise<void> = Promise.resolve();
  #current: Call | undefined;

  /** @param begin takes the call that is at work, and is called with the first one */
  constructor(begin: (current: () => Call) => AsyncGenerator<void>) {
    this.#begin = begin;
  }

  /** Goes on until all is done or the time is over; concurrent calls take turns. @throws what a step throws */
  proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(() => this.#proceed(call, isOver));
    return this.#turn;
  }

  async #proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#current = call;
    this.#steps ??= this.#begin(() => this.#current ?? call);
    while (!this.isDone) {
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

/** Keeps what calls have begun for their next pages, by question and the archive that it is asked of. */
export function keptByQuestion<Work extends object>(options: { max: number; ttl?: number }) {
  const ofArchives = new WeakMap<Archive, LRUCache<string, Work>>();
  return (archive: Archive): LRUCache<string, Work> => {
    const kept = ofArchives.get(archive) ?? new LRUCache(options);
    ofArchives.set(archive, kept);
    return kept;
  };
}
