import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The code of an error about an address that is not in the public network. */
export const notPublic = 'ENOTPUBLIC';

/** Looks a host name up; `dns.lookup` but in tests. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Networks without public servers. Source: IANA special-purpose address registries (RFC 6890), looked up 2026-11-22. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
/** Of IPv6 only what is given out for the whole world is public, without tunnels, which may lead anywhere. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address can be one of a public server. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

function refusal(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is not in the public network`), { code: notPublic });
}

/** @throws an error with the code `ENOTPUBLIC` where the host is given by an address, which nothing looks up */
export function requirePublicLiteral(hostname: string): void {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal(hostname);
}

/** A look-up that gives public addresses only. Its result is connected to, whatever the name means a moment later. */
export function publicLookup(lookup: Lookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const [first, ...others] = found.filter(({ address }) => isPublicAddress(address));
      if (first === undefined) callback(refusal(hostname), '', 0);
      else if (options.all === true) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    });
  };
}
