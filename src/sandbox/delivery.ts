import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';
import type { Reply } from './reply.ts';

/** What a fault makes of a reply. */
export function spoiled(reply: Reply, fault: Fault): Reply {
  const headers =
    fault.retryAfter === undefined
      ? reply.headers
      : { ...reply.headers, 'retry-after': String(fault.retryAfter) };
  const whole = fault.body === undefined ? reply.body : Buffer.from(fault.body);
  const body = fault.truncateBytes === undefined ? whole : whole.subarray(0, fault.truncateBytes);
  return { status: fault.status ?? reply.status, headers, body };
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}

/** Sends as much of a reply as the fault allows and breaks the connection. */
export function sendAndCut(response: ServerResponse, reply: Reply, cut: NonNullable<Fault['cut']>): void {
  const { socket } = response;
  if (cut === 'in-headers') {
    socket?.write(`HTTP/1.1 ${reply.status} \r\ncontent-type: appli`, () => socket.destroy());
  } else if (cut === 'in-body') {
    const whole = reply.body.length > 1 ? reply.body : Buffer.from('{}');
    response.writeHead(reply.status, { ...reply.headers, 'content-length': whole.length });
    response.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => socket?.destroy());
  } else {
    socket?.destroy();
  }
}
