import { type Call, Refused } from '../errors.ts';
import type { HttpCall, HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';

/** Whose reply the address was, for errors, and what bounds the fetching. */
type Caller = Call & Pick<HttpCall, 'maxBytes' | 'signal'>;
type Read<T> = (reply: HttpReply) => Promise<T>;

/** The host's name; a final dot makes it no other host. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

/**
 * Fetches files that replies point at: without credentials, over https and from the public network, or from the
 * service's own origin (scheme, host and port). An address is a secret, since whoever has it has the file.
 *
 * @param base the service's own address. Where it is plain http the addresses came unprotected, too, and may be so
 * @param renew exchanges an address that has expired for a new one
 */
export function createFileFetcher(
  http: HttpClient,
  base: string,
  renew: (url: string, signal: AbortSignal | undefined) => Promise<string>,
) {
  const own = new URL(base);

  /** @throws Refused with the code `address` for one that is not followed */
  function requestOf(address: string, { service, operation, maxBytes, signal }: Caller): HttpCall {
    const target = URL.canParse(address) ? new URL(address) : undefined;
    const isOwn = target?.origin === own.origin;
    // Another port of the service's own host is another service, behind the same firewall.
    const isOtherHost = target !== undefined && hostOf(target) !== hostOf(own);
    const isPlain = target?.protocol === 'http:' && (isOwn || (own.protocol === 'http:' && isOtherHost));
    const isSafe = target?.protocol === 'https:' || isPlain;
    if (target === undefined || !isSafe || target.username !== '' || target.password !== '') {
      throw new Refused({ service, operation }, { code: 'address' });
    }
    return {
      service,
      operation,
      method: 'GET',
      url: target.href,
      kind: 'read',
      signal,
      maxBytes,
      network: isOwn ? 'any' : 'public',
      takesRedirects: true,
    };
  }

  /** Follows one redirect at most. */
  async function fetchFrom<T>(address: string, caller: Caller, read: Read<T>): Promise<T> {
    for (let [url, redirects] = [address, 0]; redirects <= 1; redirects++) {
      const outcome = await http.call(requestOf(url, caller), async (reply) => {
        const { location } = reply.headers;
        if (reply.status < 300 || location === undefined) return { value: await read(reply) };
        if (!URL.canParse(location, url)) throw new Refused(caller, { code: 'address' });
        return { location: new URL(location, url).href };
      });
      if (outcome.location === undefined) return outcome.value;
      url = outcome.location;
    }
    throw new Refused(caller, { code: 'address' });
  }

  /** Fetches a file and reads it. An expired address is renewed once. @throws UpstreamError */
  return async function fetchFile<T>(address: string, caller: Caller, read: Read<T>): Promise<T> {
    try {
      return await fetchFrom(address, caller, read);
    } catch (error) {
      // The error of a blob storage for a shared-access URL whose time is over or whose signature isn't right any more.
      const refusal = error instanceof Refused ? error.refusal : {};
      if (refusal.status !== 403 || refusal.code === undefined) throw error;
      return fetchFrom(await renew(address, caller.signal), caller, read);
    }
  };
}
