import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { CONTROL_PREFIX, type Controls, callControl, type Fault, shownTarget } from './control.ts';
import { bytesOf, emptyReply, jsonReply, type Reply, readRequest, type SandboxRequest } from './http.ts';

/** What a fault makes of a reply. */
function spoiled(reply: Reply, fault: Fault): Reply {
  const headers =
    fault.retryAfter === undefined
      ? reply.headers
      : { ...reply.headers, 'retry-after': String(fault.retryAfter) };
  const { status = reply.status, truncateBytes } = fault;
  const whole = fault.body === undefined ? reply.body : Buffer.from(fault.body);
  const body = truncateBytes === undefined ? whole : bytesOf(whole, truncateBytes).subarray(0, truncateBytes);
  return { status, headers, body };
}

/** Sends a reply; the promise is rejected where the other side goes away in the middle of it. */
async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  if (Buffer.isBuffer(body)) {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.end(body);
  } else {
    response.writeHead(status, headers);
    await pipeline(Readable.from(body, { objectMode: false }), response);
  }
}

const MEBIBYTE = 1_048_576;

/** Sends half of a body, or of the first MiB of a longer one, and breaks the connection. */
function sendHalf(response: ServerResponse, { status, headers, body }: Reply): void {
  const made = bytesOf(body, MEBIBYTE);
  const beginning = made.length > 1 ? made : Buffer.from('{}');
  response.writeHead(status, { ...headers, 'content-length': beginning.length });
  response.write(beginning.subarray(0, Math.ceil(beginning.length / 2)), () => response.socket?.destroy());
}

/** Sends as much of a reply as the fault allows and breaks the connection. */
function sendAndCut(response: ServerResponse, reply: Reply, cut: NonNullable<Fault['cut']>): void {
  const { socket } = response;
  if (cut === 'in-headers') {
    socket?.write(`HTTP/1.1 ${reply.status} \r\ncontent-type: appli`, () => socket.destroy());
  } else if (cut === 'in-body') {
    sendHalf(response, reply);
  } else {
    socket?.destroy();
  }
}

/** Answers any request that is not a control. */
export type Application = (request: SandboxRequest) => Reply | Promise<Reply>;

async function answer(application: Application, request: SandboxRequest): Promise<Reply> {
  try {
    return await application(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return jsonReply(500, { Message: 'An error has occurred.', ExceptionMessage: reason });
  }
}

/** A fault that leaves nothing of the real reply keeps the operation from being performed, unless it says otherwise. */
function isPerformed(fault: Fault): boolean {
  const keepsReply = fault.status === undefined && (fault.cut === undefined || fault.cut === 'in-body');
  return fault.afterPerforming === true || keepsReply;
}

async function deliver(
  response: ServerResponse,
  application: Application,
  request: SandboxRequest,
  fault: Fault,
): Promise<void> {
  const reply = isPerformed(fault) ? await answer(application, request) : emptyReply(fault.status ?? 200);
  const wrong = spoiled(reply, fault);
  if (fault.cut) sendAndCut(response, wrong, fault.cut);
  else await send(response, wrong);
}

/** The HTTP server; `closing` ends the delays of faults. */
export function createHttpServer(application: Application, controls: Controls, closing: AbortSignal): Server {
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    if (!request) return send(response, jsonReply(400, { Message: 'Bad Request' }, { connection: 'close' }));
    if (request.path.startsWith(CONTROL_PREFIX)) return send(response, callControl(request, controls));
    controls.log.add(request);
    const fault = controls.faults.take(shownTarget(request));
    if (!fault) return send(response, await answer(application, request));
    if (fault.delayMs) await wait(fault.delayMs, undefined, { signal: closing });
    return deliver(response, application, request, fault);
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // A kept connection ends with its client or with the sandbox. Dropped after a while, as Node would, it is gone under a
  // client that has just written to it: both can share one process, which is busy for longer than that while it writes
  // or reads a long list.
  server.keepAliveTimeout = 0;
  server.on('clientError', (_error, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}
