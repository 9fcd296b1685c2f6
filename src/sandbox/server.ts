import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createFaultQueue, type Fault } from './faults.ts';
import { emptyReply, jsonOf, jsonReply, type Reply, readRequest, type SandboxRequest } from './http.ts';

/** Answers any request that is not a control. */
export type Application = (request: SandboxRequest) => Reply | Promise<Reply>;

/** Sends a reply; the promise is rejected where the other side goes away in the middle of it. */
async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  } else {
    response.writeHead(status, headers);
    await pipeline(Readable.from(body, { objectMode: false }), response);
  }
}

/** Sends the beginning of a body, which says to be longer, and breaks the connection. */
function sendBeginning(response: ServerResponse, { status, headers, body }: Reply): void {
  const [beginning] = typeof body === 'string' ? [body.slice(0, body.length / 2) || '{'] : body;
  response.writeHead(status, { ...headers, 'content-length': 1_048_576 });
  response.write(beginning, () => response.socket?.destroy());
}

/** The first bytes of a body; of one that is made while it is sent, no more is made. */
function truncated(body: Reply['body'], bytes: number): Buffer {
  let beginning = '';
  for (const piece of typeof body === 'string' ? [body] : body) {
    beginning += piece;
    if (beginning.length >= bytes) break;
  }
  return Buffer.from(beginning).subarray(0, bytes);
}

async function sendSpoiled(response: ServerResponse, reply: Reply, fault: Fault): Promise<void> {
  const { status = reply.status, body = reply.body, retryAfter, truncateBytes } = fault;
  const headers: Record<string, string> = { ...reply.headers };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  const spoiled = { status, body, headers };
  const { socket } = response;
  if (fault.cut === 'before-reply') socket?.destroy();
  else if (fault.cut === 'in-headers')
    socket?.write(`HTTP/1.1 ${status} \r\ncontent-type: appli`, () => socket.destroy());
  else if (fault.cut === 'in-body') sendBeginning(response, spoiled);
  else if (truncateBytes !== undefined) {
    const bytes = truncated(body, truncateBytes);
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
  } else await send(response, spoiled);
}

/** A fault that leaves nothing of the real reply keeps the operation from being performed, unless it says otherwise. */
function isPerformed({ status, cut, afterPerforming }: Fault): boolean {
  return afterPerforming || (status === undefined && (cut === undefined || cut === 'in-body'));
}

const SECRETS = ['usuario', 'senha', 'sig'];
const MASK = '***';

/** A request as the log shows it: percent-decoded, without credentials. */
function shown({ method, path, query }: SandboxRequest) {
  const values = [...query].map(([name, value]) => [
    name,
    SECRETS.includes(name.toLowerCase()) ? MASK : value.replace(/([?&]sig=)[^&]*/gi, `$1${MASK}`),
  ]);
  return { method, path, query: Object.fromEntries(values) as Record<string, string> };
}

const CONTROL_PREFIX = '/__sandbox/';
const MOST_LOGGED = 200;

/** The HTTP server of an application, with its controls: faults, and a log of requests; `closing` ends delays. */
export function createHttpServer(application: Application, closing: AbortSignal): Server {
  const faults = createFaultQueue();
  const log: ReturnType<typeof shown>[] = [];

  function control({ method, path, body }: SandboxRequest): Reply {
    switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
      case 'POST faults':
        return faults.add(jsonOf(body)) ? emptyReply(204) : jsonReply(400, { message: 'not a fault' });
      case 'DELETE faults':
        faults.clear();
        return emptyReply(204);
      case 'GET requests':
        return jsonReply(200, log);
      default:
        return jsonReply(404, { message: 'no such control' });
    }
  }

  async function answer(request: SandboxRequest): Promise<Reply> {
    try {
      return await application(request);
    } catch (error) {
      return jsonReply(500, { Message: 'An error has occurred.', ExceptionMessage: String(error) });
    }
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message).catch(() => undefined);
    if (!request) return send(response, jsonReply(400, { Message: 'Bad Request' }, { connection: 'close' }));
    if (request.path.startsWith(CONTROL_PREFIX)) return send(response, control(request));
    const asked = shown(request);
    if (log.push(asked) > MOST_LOGGED) log.shift();
    const query = Object.entries(asked.query).map(([name, value]) => `${name}=${value}`);
    const fault = faults.take(`${asked.path}?${query.join('&')}`);
    if (!fault) return send(response, await answer(request));
    await wait(fault.delayMs, undefined, { signal: closing });
    return sendSpoiled(response, isPerformed(fault) ? await answer(request) : emptyReply(200), fault);
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // A kept connection ends with its client or with the sandbox. Dropped after a while, as Node would, it is gone under a
  // client that has just written to it: both can share one process, which is busy for longer than that while it writes
  // or reads a long list.
  server.keepAliveTimeout = 0;
  return server;
}
