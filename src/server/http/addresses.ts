import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address that is listened on, or a host in a URL, is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** A host as it stands in a URL and in a `Host` header, without its port. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/**
 * The names under which requests may come in, without ports: whatever else a `Host` header says is a page that had its
 * own name resolve to this machine (DNS rebinding).
 */
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
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

export function isForwarded(headers: Headers): boolean {
  return forwarding.some((name) => headers.has(name));
}
