import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Every client behind one proxy may connect at once. */
const MOST_CONNECTIONS = 4_000;

/**
 * Bounds the connections of a server. Where it is full, a new one takes the place of the oldest that never
 * authenticated; without one, those that are kept idle end. Where all have requests under way it is refused.
 * @returns marks a connection as authenticated
 */
export function limitConnections(server: Server, most = MOST_CONNECTIONS): (socket: Socket) => void {
  const connections = new Set<Socket>();
  const strangers = new Set<Socket>();
  const forget = (socket: Socket): void => {
    connections.delete(socket);
    strangers.delete(socket);
  };

  server.on('connection', (socket) => {
    const [oldest] = strangers;
    if (connections.size >= most && oldest !== undefined) {
      forget(oldest);
      oldest.destroy();
    }
    if (connections.size >= most) {
      server.closeIdleConnections();
      for (const one of connections) if (one.destroyed) forget(one);
    }
    if (connections.size >= most) return void socket.destroy();
    connections.add(socket);
    strangers.add(socket);
    socket.once('close', () => forget(socket));
  });
  return (socket) => void strangers.delete(socket);
}

/** Bytes of one body: arguments, never documents. An object of a hundred thousand members takes a quarter of a second. */
const LARGEST_BODY = 1024 ** 2;
/** Bytes of all bodies under way, and of one caller's. */
const MOST_BYTES = 64 * 1024 ** 2;
const MOST_BYTES_OF_CALLER = 4 * 1024 ** 2;

/** An answer of the protocol to what is not read as a message. */
export function protocolError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = { connection: 'close' },
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

const tooLarge = () =>
  protocolError(413, -32_000, `Payload Too Large: Request body must not exceed ${LARGEST_BODY} bytes`);

/** Reads request bodies within limits per body, per caller and in total. */
export function createBodies() {
  const byCaller = new Map<string, number>();
  let total = 0;
  const count = (caller: string, bytes: number): void => {
    total += bytes;
    const ofCaller = (byCaller.get(caller) ?? 0) + bytes;
    if (ofCaller === 0) byCaller.delete(caller);
    else byCaller.set(caller, ofCaller);
  };

  return {
    /**
     * Returns the text of a body, whose declared size counts against the caller until `isOver` resolves, or the
     * response that refuses it.
     * @throws when the client disconnects midway
     */
    async read(request: IncomingMessage, caller: string, isOver: Promise<void>): Promise<string | Response> {
      const size = Number(request.headers['content-length'] ?? LARGEST_BODY);
      if (size > LARGEST_BODY) return tooLarge();
      const ofCaller = (byCaller.get(caller) ?? 0) + size;
      if (total + size > MOST_BYTES || ofCaller > MOST_BYTES_OF_CALLER) {
        const words = 'Service Unavailable: too many bytes of requests under way';
        return protocolError(503, -32_000, words, { 'retry-after': '5' });
      }
      count(caller, size);
      void isOver.then(() => count(caller, -size));
      // One buffer: a kept chunk of one byte costs hundreds.
      const body = Buffer.allocUnsafe(size);
      let bytes = 0;
      // A destroyed request would take its connection, and with it the response, along.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (bytes + chunk.length > size) return tooLarge();
        bytes += chunk.copy(body, bytes);
      }
      return body.toString('utf8', 0, bytes).replace(/^\uFEFF/, '');
    },
  };
}
