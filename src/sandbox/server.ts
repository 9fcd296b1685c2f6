import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { CONTROL_PREFIX, type Controls, callControl } from './control.ts';
import { send, sendAndCut, spoiled } from './delivery.ts';
import type { Fault } from './faults.ts';
import { emptyReply, jsonReply, type Reply } from './reply.ts';
import { readRequest, type SandboxRequest } from './request.ts';
import { shownTarget } from './request-log.ts';

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
  return fault.afterPerforming || keepsReply;
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
    if (fault.delayMs > 0) await wait(fault.delayMs, undefined, { signal: closing });
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
