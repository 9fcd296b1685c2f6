import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Cancelled, TimedOut } from '../../../src/clients/errors.ts';
import { createGate, createLocalStates } from '../../../src/clients/http/gate.ts';
import { signalOf, standStill, until } from '../../support/passing-time.ts';
import { clientOf, failure, get, serve, text } from './local-server.ts';

describe('bounds', () => {
  it('a body over the bound is not taken in', async () => {
    const server = await serve((_, response) => response.end('x'.repeat(1001)));
    const client = clientOf();
    expect(await client.call(get(server.origin, { maxBytes: 1001 }), text)).toHaveLength(1001);
    expect(await failure(client.call(get(server.origin, { maxBytes: 1000 }), text))).toMatchObject({
      name: 'NotUnderstood',
      reason: 'too large',
      reply: { kind: 'text', start: 'x'.repeat(80) },
    });
  });

  it('counts decoded bytes', async () => {
    const body = gzipSync(Buffer.alloc(10_000_000));
    const server = await serve((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body),
    );
    expect(body.length).toBeLessThan(100_000);
    let taken = 0;
    const error = await failure(
      clientOf().call(get(server.origin, { maxBytes: 100_000 }), async (reply) => {
        for await (const chunk of reply.body) taken += chunk.length;
      }),
    );
    expect(error).toMatchObject({ reason: 'too large' });
    expect(taken).toBeLessThanOrEqual(100_000);
  });

  it('a call abandoned while it is queued was cancelled', async () => {
    const gate = createGate({ ...createLocalStates(), takePlace: async () => undefined }, 1);
    const giveUp = new AbortController();
    const call = get('http://127.0.0.1:1', { signal: giveUp.signal });
    const pending = failure(clientOf({ gate }).call(call, text));
    setImmediate(() => giveUp.abort());
    expect(await pending).toBeInstanceOf(Cancelled);
  });

  it('the time allowed covers a reader that hangs, and all attempts together', async () => {
    const server = await serve((_, response) => response.end('x'));
    const client = clientOf({ timeoutSeconds: 30, random: () => 0 });
    using time = standStill();
    let isReading = false;
    const hanging = failure(
      client.call(get(server.origin), () => {
        isReading = true;
        return new Promise<never>(() => {});
      }),
    );
    await until(() => isReading);
    await time.pass(30_000);
    expect(await hanging).toBeInstanceOf(TimedOut);

    const failing = await serve((_, response, count) => {
      if (count === 1) response.writeHead(503).end();
    });
    const repeated = failure(client.call(get(failing.origin), text));
    await until(() => failing.received.length === 2);
    await time.pass(30_000);
    expect(await repeated).toBeInstanceOf(TimedOut);
    expect(failing.received).toHaveLength(2);
  });
});

describe('cancelling', () => {
  it('closes the connection before a reply', async () => {
    const closed = signalOf();
    const caller = new AbortController();
    const server = await serve((_, response) => {
      response.on('close', closed.fire);
      caller.abort();
    });
    const pending = failure(clientOf().call(get(server.origin, { signal: caller.signal }), text));
    expect(await pending).toBeInstanceOf(Cancelled);
    await closed.promise;
  });

  it('closes the connection in the middle of a body', async () => {
    const closed = signalOf();
    const server = await serve((_, response) => {
      response.on('close', closed.fire);
      response.writeHead(200).write('part');
    });
    const caller = new AbortController();
    const pending = clientOf().call(get(server.origin, { signal: caller.signal }), async (reply) => {
      for await (const _ of reply.body) caller.abort();
    });
    expect(await failure(pending)).toBeInstanceOf(Cancelled);
    await closed.promise;
  });

  it('works while waiting for the next attempt', async () => {
    const server = await serve((_, response) => {
      response.writeHead(503, { 'Retry-After': '15' }).end();
      setTimeout(() => caller.abort(), 50);
    });
    const caller = new AbortController();
    const client = clientOf({ sleep: undefined });
    const pending = client.call(get(server.origin, { signal: caller.signal }), text);
    expect(await failure(pending)).toBeInstanceOf(Cancelled);
  });

  it('sends nothing when the caller is already gone', async () => {
    const server = await serve((_, response) => response.end());
    const gone = get(server.origin, { signal: AbortSignal.abort() });
    expect(await failure(clientOf().call(gone, text))).toBeInstanceOf(Cancelled);
    expect(server.received).toHaveLength(0);
  });
});

describe('concurrency', () => {
  it('no more calls at once than allowed, in order, and the wait does not count as time', async () => {
    let atOnce = 0;
    let most = 0;
    const server = await serve((_, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setTimeout(() => {
        atOnce -= 1;
        response.end('ok');
      }, 300);
    });
    const client = clientOf({ concurrency: 2, timeoutSeconds: 1 });
    const urls = Array.from({ length: 10 }, (_, number) => `${server.origin}/${number}`);
    using time = standStill();
    const calls = Promise.all(urls.map((url) => client.call(get(url), text)));
    for (let done = 2; done <= urls.length; done += 2) {
      await until(() => server.received.length === done && atOnce === 2);
      await time.pass(300);
    }
    await calls;
    expect(most).toBe(2);
    const order = server.received.map(({ url }) => Number(url.slice(1)));
    expect(order.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.max(...order.map((number, place) => Math.abs(number - place)))).toBeLessThanOrEqual(1);
  });

  it('a caller that calls again and again does not overtake one that waits', async () => {
    const server = await serve((_, response) => response.end('ok'));
    const client = clientOf({ concurrency: 1 });
    const callThrice = async (caller: string) => {
      for (const number of [1, 2, 3]) await client.call(get(`${server.origin}/${caller}${number}`), text);
    };
    await Promise.all(['a', 'b', 'c'].map(callThrice));
    const order = server.received.map(({ url }) => url.slice(1)).join(' ');
    expect(order).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3');
  });

  it('a slot handed over to a call that was cancelled is passed on', async () => {
    const server = await serve((_, response) => response.end('ok'));
    const client = clientOf({ concurrency: 1 });
    const caller = new AbortController();
    const first = client.call(get(server.origin), async (reply) => {
      await text(reply);
      caller.abort();
    });
    const second = failure(client.call(get(server.origin, { signal: caller.signal }), text));
    const third = client.call(get(server.origin), text);
    await first;
    expect(await second).toBeInstanceOf(Cancelled);
    expect(await third).toBe('ok');
    expect(client.waiting).toBe(0);
  });

  it('many calls may share a signal without a warning of the runtime', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const server = await serve((_, response) => response.end('ok'));
    const client = clientOf();
    const { signal } = new AbortController();
    const calls = Array.from({ length: 40 }, () => client.call(get(server.origin, { signal }), text));
    await Promise.all(calls);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
