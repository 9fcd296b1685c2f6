import { createHmac, timingSafeEqual } from 'node:crypto';
import { isoMoment, type Moment, momentOf, SECONDS_IN_HOUR } from '../data/calendar.ts';

/** Shared-access URLs of files: anyone who has one can read the file for an hour. */
export interface SharedAccess {
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
