import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a listening address, or a host in a URL, is loopback. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** Whether a URL leads to another machine over plain http. */
export function isPlainHttp(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** A host as written in a URL and in a `Host` header, without its port. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Allowed `Host` names, without ports: any other is a page whose own name resolves to this machine (DNS rebinding). */
export function allowedHosts(listening: string, publicUrl: string): string[] {
  const named = [new URL(publicUrl).hostname, inUrl(listening)];
  if (isLoopback(listening)) return [...new Set([...named, ...loopbackNames])];
  const isEverywhere = listening === '0.0.0.0' || listening === '::';
  const own = isEverywhere
    ? Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => inUrl(address)))
    : [];
  return [...new Set([...named, ...(isEverywhere ? [...loopbackNames, hostname(), ...own] : [])])];
}

/** Headers that a proxy adds: behind one, a loopback address is no proof that the caller is on this machine. */
const forwarding =
  /^(?:x-forwarded|forwarded(?:-for)?$|via$|cdn-loop$|x-real-ip$|(?:x-)?client-ip$|x-cluster-client-ip$|x-original-|true-client-ip$|cf-|fastly-client-ip$|fly-client-ip$|x-envoy-|x-azure-|x-arr-|x-amzn-trace-id$|wl-proxy-|x-proxyuser-ip$)/;

export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => forwarding.test(name));
}
