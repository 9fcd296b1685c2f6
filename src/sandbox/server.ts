import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or chunks generated while sending. */
  readonly body: string | Iterable<string>;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** A text as a JSON string, in chunks generated while sending. */
export function quotedReply(pieces: Iterable<string>): Reply {
  function* quoted(): Generator<string> {
    yield '"';
    for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  }
  return { status: 200, headers: JSON_TYPE, body: quoted() };
}

const emptyReply = (status: number): Reply => ({ status, headers: {}, body: '' });

export interface SandboxRequest {
  readonly method: string;
  /** Percent-decoded, in the original case; the services compare it in lower case. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Length of path and query together, percent-encoded. */
  readonly targetLength: number;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const LARGEST_BODY = 1_048_576;

/** Reads a whole request; rejects if its path is invalid or its body exceeds 1 MiB. */
async function readRequest(message: IncomingMessage): Promise<SandboxRequest> {
  const { method = '', url = '', headers } = message;
  const { pathname, searchParams } = new URL(url, 'http://sandbox');
  let body = '';
  for await (const chunk of message.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LARGEST_BODY) throw new RangeError('the body is too long');
  }
  return {
    method,
    path: decodeURIComponent(pathname),
    query: searchParams,
    targetLength: url.length,
    host: headers.host ?? 'localhost',
    authorization: headers.authorization,
    body,
  };
}

export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const faultSchema = z.strictObject({
  /** Substring of the affected paths and queries, percent-decoded; default all requests. */
  match: z.string().default(''),
  times: z.int().min(0).default(1),
  delayMs: z.int().min(0).default(0),
  /** Replaces the real status and body; with a status the operation is not performed. */
  status: z.int().min(200).max(599).optional(),
  body: z.string().optional(),
  /** Breaks the connection within the body: the operation is performed, its reply lost. */
  cut: z.boolean().default(false),
  /** Cuts the body to this many bytes, with a matching `Content-Length`. */
  truncateBytes: z.int().min(0).optional(),
});

type Fault = z.output<typeof faultSchema>;

/** Sends a reply; rejects if the client disconnects meanwhile. */
async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  } else {
    response.writeHead(status, headers);
    await pipeline(Readable.from(body, { objectMode: false }), response);
  }
}

/** Bytes sent of a cut body. */
const CUT_AFTER = 1_024;

async function sendSpoiled(response: ServerResponse, reply: Reply, fault: Fault): Promise<void> {
  const { status = reply.status, body = reply.body, truncateBytes, cut } = fault;
  const { headers } = reply;
  if (!cut && truncateBytes === undefined) return send(response, { status, headers, body });
  const length = truncateBytes ?? CUT_AFTER;
  let beginning = '';
  for (const piece of body) {
    if (beginning.length >= length) break;
    beginning += piece;
  }
  const bytes = Buffer.from(beginning).subarray(0, length);
  response.writeHead(status, { ...headers, 'content-length': bytes.length + (cut ? CUT_AFTER : 0) });
  if (cut) response.write(bytes, () => response.socket?.destroy());
  else response.end(bytes);
}

const SECRETS = ['usuario', 'senha', 'sig'];
const MASK = '***';

/** A request's log entry: percent-decoded, without credentials. */
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
export function createHttpServer(
  application: (request: SandboxRequest) => Reply | Promise<Reply>,
  closing: AbortSignal,
): Server {
  let faults: Fault[] = [];
  const log: ReturnType<typeof shown>[] = [];

  function control({ method, path, body }: SandboxRequest): Reply {
    switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
      case 'POST faults': {
        const { success, data } = faultSchema.safeParse(jsonOf(body));
        if (success && data.times > 0) faults.push(data);
        return success ? emptyReply(204) : jsonReply(400, { message: 'not a fault' });
      }
      case 'DELETE faults':
        faults = [];
        return emptyReply(204);
      case 'GET requests':
        return jsonReply(200, log);
      default:
        return jsonReply(404, { message: 'no such control' });
    }
  }

  function faultFor({ path, query }: ReturnType<typeof shown>): Fault | undefined {
    const names = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const target = `${path}?${names.join('&')}`.toLowerCase();
    const at = faults.findIndex(({ match }) => target.includes(match.toLowerCase()));
    const fault = faults[at];
    if (fault) faults.splice(at, 1, ...(fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []));
    return fault;
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
    const fault = faultFor(asked);
    if (!fault) return send(response, await answer(request));
    await wait(fault.delayMs, undefined, { signal: closing });
    const reply = fault.status === undefined ? await answer(request) : emptyReply(fault.status);
    return sendSpoiled(response, reply, fault);
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // Idle connections never time out. Node's default timeout could close one just as a client writes to it: both can
  // share a process, which a long list keeps busy for longer than that.
  server.keepAliveTimeout = 0;
  return server;
}
