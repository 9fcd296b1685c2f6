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

interface Connection {
  readonly socket: Socket;
  readonly network: string;
  readonly since: number;
  isAuthenticated: boolean;
  /** Requests under way. */
  requests: number;
}

/** The connections of a server. */
export interface Connections {
  /** Marks a request on a connection; call the result once when it is over. */
  begin(socket: Socket): () => void;
  authenticated(socket: Socket): void;
}

/** An address, or of IPv6 the network of 64 bits in which one client has any number of addresses. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(Math.max(8 - head.length - tail.length, 0)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

/**
 * Bounds the connections of a server by evicting idle ones for new ones: of an address with too many that never
 * authenticated, else the least recently used, unauthenticated first. Unauthenticated ones with requests under way
 * are evicted last.
 */
export function limitConnections(
  server: Server,
  { total, unauthenticated, graceMs }: ConnectionLimits = connectionLimits,
): Connections {
  /** Least recently used first. */
  const connections = new Map<Socket, Connection>();

  const idle = (isMeant: (one: Connection) => boolean): Connection[] =>
    [...connections.values()].filter((one) => one.requests === 0 && isMeant(one));
  /** A client that reads no replies keeps its requests under way. */
  const busyStrangers = (now: number): Connection[] =>
    [...connections.values()].filter(
      (one) => one.requests > 0 && !one.isAuthenticated && now - one.since >= graceMs,
    );
  const end = ({ socket }: Connection): void => {
    connections.delete(socket);
    socket.destroy();
  };

  server.on('connection', (socket) => {
    const now = performance.now();
    const network = networkOf(socket.remoteAddress ?? '');
    if (connections.size >= unauthenticated) {
      const strangers = [...idle((one) => !one.isAuthenticated), ...busyStrangers(now)].filter(
        (one) => one.network === network,
      );
      const excess = strangers.slice(0, Math.max(strangers.length + 1 - unauthenticated, 0));
      for (const one of excess) if (now - one.since >= graceMs) end(one);
    }
    if (connections.size >= total) {
      const [first] = [
        ...idle((one) => !one.isAuthenticated),
        ...idle((one) => one.isAuthenticated),
        ...busyStrangers(now),
      ];
      if (first === undefined) return void socket.destroy();
      end(first);
    }
    connections.set(socket, { socket, network, since: now, isAuthenticated: false, requests: 0 });
    socket.once('close', () => connections.delete(socket));
  });

  /** Makes a connection the most recently used. */
  const touch = (one: Connection): void => {
    if (!connections.delete(one.socket)) return;
    connections.set(one.socket, one);
  };
  return {
    begin(socket) {
      const one = connections.get(socket);
      if (one === undefined) return () => undefined;
      one.requests += 1;
      return () => {
        one.requests -= 1;
        touch(one);
      };
    },
    authenticated(socket) {
      const one = connections.get(socket);
      if (one !== undefined) one.isAuthenticated = true;
    },
  };
}
