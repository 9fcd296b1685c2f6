import { type Call, NotUnderstood, Refused } from '../errors.ts';
import type { HttpCall, HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';

/** How the file at an address is fetched. */
export interface Following<T> {
  /** Whose reply the address was, for errors. */
  readonly call: Call;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
  readonly read: (reply: HttpReply) => Promise<T>;
  /** Exchanges an address that has expired for a new one. */
  readonly renew: (url: string) => Promise<string>;
}

type Outcome<T> = { readonly value: T } | { readonly location: string };

/** The error of a blob storage for a shared-access URL whose time is over or whose signature isn't right any more. */
function isExpired(error: unknown): boolean {
  return error instanceof Refused && error.refusal.status === 403 && error.refusal.code !== undefined;
}

/** The host's name; a final dot makes it no other host. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

/**
 * Fetches files that replies point at: without credentials, over https and from the public network, or from the
 * service's own origin (scheme, host and port). An address is a secret, since whoever has it has the file.
 *
 * @param base the service's own address. Where it is plain http the addresses came unprotected, too, and may be so
 */
export function createFileFetcher(http: HttpClient, base: string) {
  const own = new URL(base);

  /** @throws Refused with the code `address` for one that is not followed */
  function requestOf<T>(address: string, { call, maxBytes, signal }: Following<T>): HttpCall {
    const target = URL.canParse(address) ? new URL(address) : undefined;
    const isOwn = target?.origin === own.origin;
    const isSecure = target?.protocol === 'https:';
    // Another port of the service's own host is another service, behind the same firewall.
    const isOtherHost = target !== undefined && hostOf(target) !== hostOf(own);
    const isPlain = target?.protocol === 'http:' && (isOwn || (own.protocol === 'http:' && isOtherHost));
    if (target === undefined || !(isSecure || isPlain) || target.username !== '' || target.password !== '') {
      throw new Refused(call, { code: 'address' });
    }
    return {
      service: call.service,
      operation: call.operation,
      method: 'GET',
      url: target.href,
      kind: 'read',
      signal,
      maxBytes,
      network: isOwn ? 'any' : 'public',
      takesRedirects: true,
    };
  }

  async function fetchOnce<T>(address: string, following: Following<T>): Promise<Outcome<T>> {
    return http.call(requestOf(address, following), async (reply): Promise<Outcome<T>> => {
      const { location } = reply.headers;
      if (reply.status < 300 || location === undefined) return { value: await following.read(reply) };
      if (!URL.canParse(location, address)) throw new Refused(following.call, { code: 'address' });
      return { location: new URL(location, address).href };
    });
  }

  /** Follows one redirect at most. */
  async function fetchFrom<T>(address: string, following: Following<T>): Promise<T> {
    for (let [url, redirects] = [address, 0]; redirects <= 1; redirects++) {
      const outcome = await fetchOnce(url, following);
      if ('value' in outcome) return outcome.value;
      url = outcome.location;
    }
    throw new Refused(following.call, { code: 'address' });
  }

  /** Fetches a file and reads it. An expired address is renewed once. @throws UpstreamError */
  return async function fetchFile<T>(address: string, following: Following<T>): Promise<T> {
    try {
      return await fetchFrom(address, following);
    } catch (error) {
      if (!isExpired(error)) throw error;
      return fetchFrom(await following.renew(address), following);
    }
  };
}

/** The error for a file that holds no answer but another address. */
export function anotherAddress(call: Call): NotUnderstood {
  return new NotUnderstood(call, 'another address instead of the file', { kind: 'url', bytes: 0, start: '' });
}
