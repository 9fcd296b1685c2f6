import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

/** How many connections there may be. */
export interface ConnectionLimits {
  readonly total: number;
  /** Connections of one address that never authenticated. */
  readonly unauthenticated: number;
  /** Milliseconds after which a connection that never authenticated counts for its address. */
  readonly graceMs: number;
}

/** Every client behind one proxy may connect at once: those of a burst authenticate before they count. */
const connectionLimits: ConnectionLimits = { total: 4_000, unauthenticated: 500, graceMs: 10_000 };

/** An address, or of IPv6 the network of 64 bits in which one client has any number of addresses. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(Math.max(8 - head.length - tail.length, 0)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

/**
 * Bounds the connections of a server. A new one takes the place of the oldest that never authenticated: of its address
 * where there are too many of them, of all where the server is full; without one those that are kept idle end. Where all
 * have requests under way the new connection is refused.
 * @returns marks a connection as authenticated
 */
export function limitConnections(
  server: Server,
  { total, unauthenticated, graceMs }: ConnectionLimits = connectionLimits,
): (socket: Socket) => void {
  const connections = new Set<Socket>();
  /** Oldest first. */
  const strangers = new Map<Socket, { readonly network: string; readonly since: number }>();

  const end = (socket: Socket): void => {
    connections.delete(socket);
    strangers.delete(socket);
    socket.destroy();
  };

  server.on('connection', (socket) => {
    const now = performance.now();
    const network = networkOf(socket.remoteAddress ?? '');
    const beside = [...strangers].filter(([, one]) => one.network === network && now - one.since >= graceMs);
    const [oldest] = strangers.keys();
    const [neighbour] = beside.length >= unauthenticated ? (beside[0] ?? []) : [];
    if (neighbour !== undefined) end(neighbour);
    else if (connections.size >= total && oldest !== undefined) end(oldest);
    if (connections.size >= total) {
      server.closeIdleConnections();
      for (const one of connections) if (one.destroyed) end(one);
    }
    if (connections.size >= total) return void socket.destroy();
    connections.add(socket);
    strangers.set(socket, { network, since: now });
    socket.once('close', () => {
      connections.delete(socket);
      strangers.delete(socket);
    });
  });
  return (socket) => void strangers.delete(socket);
}
