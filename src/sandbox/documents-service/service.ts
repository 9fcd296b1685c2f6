import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReplyForm } from '../control.ts';
import type { Books } from '../data/books.ts';
import { isoMoment, type Moment, momentOf, SECONDS_IN_HOUR } from '../data/calendar.ts';
import type { Manifestations } from './manifestations.ts';

/** A file that a shared-access URL leads to. */
export interface StoredFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Answers that were put aside as files, because their reply is a URL. */
interface StoredFiles {
  /** Keeps a file that is made when it is first asked for; gives its path. */
  keep(extension: string, type: string, make: () => Buffer): string;
  at(path: string): StoredFile | undefined;
}

/** The latest ones only: a sandbox that runs for days must not grow. */
const MOST_FILES = 50;

export function createStoredFiles(prefix: string): StoredFiles {
  const files = new Map<string, () => StoredFile>();
  let count = 0;
  return {
    keep(extension, type, make) {
      count += 1;
      const path = `${prefix}resposta/${count}.${extension}`;
      let made: StoredFile | undefined;
      files.set(path, () => (made ??= { type, bytes: make() }));
      const [oldest] = files.keys();
      if (files.size > MOST_FILES && oldest !== undefined) files.delete(oldest);
      return path;
    },
    at: (path) => files.get(path)?.(),
  };
}

/** Shared-access URLs of files: anyone who has one can read the file for an hour. */
interface SharedAccess {
  /** A URL for a path below the server's base; one that has expired already where that is asked for. */
  grant(path: string, hasExpired?: boolean): string;
  /** A new URL for the file an older one was for, or undefined where it was not one of this server's. */
  renew(oldUrl: string): string | undefined;
  /** Whether the signature fits the path and has not expired. */
  allows(path: string, query: URLSearchParams): boolean;
}

export const BLOB_PREFIX = '/blob/';
/** Files below it have moved to the place without it. */
export const MOVED_PREFIX = '/blob/movido/';

export function createSharedAccess(seed: string, baseUrl: () => string, now: () => Moment): SharedAccess {
  function signature(path: string, expiry: string): string {
    return createHmac('sha256', `sandbox ${seed}`).update(`${path}\n${expiry}`).digest('base64');
  }

  function grant(path: string, hasExpired = false): string {
    const expiry = isoMoment(now() + (hasExpired ? -SECONDS_IN_HOUR : SECONDS_IN_HOUR));
    const query = new URLSearchParams({
      sv: '2026-02-06',
      sr: 'b',
      sp: 'r',
      se: expiry,
      sig: signature(path, expiry),
    });
    return `${baseUrl()}${path}?${query}`;
  }

  return {
    grant,
    renew(oldUrl) {
      const base = `${baseUrl()}${BLOB_PREFIX}`;
      return oldUrl.startsWith(base) && URL.canParse(oldUrl) ? grant(new URL(oldUrl).pathname) : undefined;
    },
    allows(path, query) {
      const expiry = query.get('se') ?? '';
      const given = Buffer.from(query.get('sig') ?? '');
      const right = Buffer.from(signature(path, expiry));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
      return momentOf(new Date(expiry)) >= now();
    },
  };
}

/** What the operations of one sandbox work with. */
export interface DocumentsService {
  readonly books: Books;
  readonly manifestations: Manifestations;
  readonly sharedAccess: SharedAccess;
  now(): Moment;
  replyForm(): ReplyForm;
  readonly files: StoredFiles;
  /** A list of more is refused with a code that asks for a shorter period. */
  readonly maxDocumentsPerReply: number | undefined;
}

/** The inputs of one call; the names are those of its route. */
export interface Inputs {
  text(name: string): string;
  integer(name: string): number;
}
