import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Cancelled, OutcomeUnknown, type UpstreamError } from '../../../src/clients/errors.ts';
import { signalOf, standStill } from '../../support/passing-time.ts';
import { clientOf, failure, get, listen, post, serve, text } from './local-server.ts';

async function unknownBecause(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await failure(work);
  if (!(error instanceof OutcomeUnknown)) throw error;
  return error.cause;
}

/** A TCP server that counts whole requests and does something to each connection once one has arrived. */
async function afterRequest(then: (socket: Socket) => void): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('data', (data) => {
        requests.push(data.toString());
        then(socket);
      });
    }),
  );
  return { url: `http://127.0.0.1:${port}/write?senha=segredo`, requests };
}

it('a 400 means that a write was not performed, even if its body never comes', async () => {
  const server = await serve((_, response) => response.writeHead(400).write('{"Message":'));
  const client = clientOf({ timeoutSeconds: 30 });
  const headArrived = signalOf();
  subscribe('undici:request:headers', headArrived.fire);
  using time = standStill();
  const pending = failure(client.call(post(server.origin), text));
  await headArrived.promise;
  unsubscribe('undici:request:headers', headArrived.fire);
  await time.pass(30_000);
  const error = await pending;
  expect(error).toMatchObject({ name: 'Refused', refusal: { status: 400 } });
});

it('a write cancelled after it was sent has an unknown outcome', async () => {
  const caller = new AbortController();
  const server = await afterRequest(() => caller.abort());
  const pending = clientOf().call(post(server.url, { signal: caller.signal }), text);
  expect(await unknownBecause(pending)).toBeInstanceOf(Cancelled);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['whose time to start is over', 'startBy'],
  ['that is cancelled', 'signal'],
] as const)('a write %s while it waits for its turn is not sent', async (_, by) => {
  const starting = new AbortController();
  const arrived = signalOf();
  const goOn = signalOf();
  const server = await serve(async (_, response) => {
    arrived.fire();
    await goOn.promise;
    response.end('done');
  });
  const client = clientOf({ concurrency: 1 });
  const { signal: startBy } = starting;
  const sent = client.call(post(server.origin, { startBy }), text);
  await arrived.promise;
  const waiting = failure(client.call(post(server.origin, { [by]: startBy }), text));
  starting.abort();
  expect(await waiting).toBeInstanceOf(Cancelled);
  // The request under way completes.
  goOn.fire();
  expect(await sent).toBe('done');
  expect(server.received).toHaveLength(1);
});

it('a write has a new connection, so that it can not be one that the service is just closing', async () => {
  let connections = 0;
  const requests: string[] = [];
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.on('data', (data) => {
      requests.push(data.toString().split(' ', 1)[0] ?? '');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      // A second request on the same connection finds it closed.
      socket.on('data', () => socket.destroy());
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  const client = clientOf();
  expect(await client.call(get(url), text)).toBe('ok');
  for (let count = 0; count < 5; count += 1) expect(await client.call(post(url), text)).toBe('ok');
  expect(connections).toBe(6);
  expect(requests).toEqual(['GET', ...Array.from({ length: 5 }, () => 'POST')]);
});
