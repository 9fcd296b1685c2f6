import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beginningOf, paced } from './body.ts';
import type { Fault } from './faults.ts';
import type { Reply } from './reply.ts';

/** Text of up to 1 MiB is sent with its length, a longer one in chunks while it is made. */
const LONGEST_WITH_LENGTH = 1_048_576;

/** What a fault makes of a reply. */
export function spoiled(reply: Reply, fault: Fault): Reply {
  const headers =
    fault.retryAfter === undefined
      ? reply.headers
      : { ...reply.headers, 'retry-after': String(fault.retryAfter) };
  const whole = fault.body === undefined ? reply.body : Buffer.from(fault.body);
  const { truncateBytes } = fault;
  const body =
    truncateBytes === undefined ? whole : beginningOf(whole, truncateBytes).bytes.subarray(0, truncateBytes);
  return { status: fault.status ?? reply.status, headers, body };
}

/** Sends a reply; the promise is rejected where the other side goes away in the middle of it. */
export async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  const beginning = beginningOf(body, LONGEST_WITH_LENGTH);
  if (beginning.rest === undefined) {
    response.writeHead(status, { ...headers, 'content-length': beginning.bytes.length });
    response.end(beginning.bytes);
  } else {
    response.writeHead(status, headers);
    await pipeline(Readable.from(paced(beginning)), response);
  }
}

/** Sends half of a body, or of the first MiB of a longer one, and breaks the connection. */
function sendHalf(response: ServerResponse, { status, headers, body }: Reply): void {
  const { bytes, rest } = beginningOf(body, LONGEST_WITH_LENGTH);
  const beginning = bytes.length > 1 ? bytes : Buffer.from('{}');
  response.writeHead(status, rest ? headers : { ...headers, 'content-length': beginning.length });
  response.write(beginning.subarray(0, Math.ceil(beginning.length / 2)), () => response.socket?.destroy());
}

/** Sends as much of a reply as the fault allows and breaks the connection. */
export function sendAndCut(response: ServerResponse, reply: Reply, cut: NonNullable<Fault['cut']>): void {
  const { socket } = response;
  if (cut === 'in-headers') {
    socket?.write(`HTTP/1.1 ${reply.status} \r\ncontent-type: appli`, () => socket.destroy());
  } else if (cut === 'in-body') {
    sendHalf(response, reply);
  } else {
    socket?.destroy();
  }
}
