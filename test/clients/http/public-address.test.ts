import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../src/clients/errors.ts';
import { isPublicAddress, type Lookup } from '../../../src/clients/http/transport.ts';
import { clientOf, failure, get, listen, serve, text } from './local-server.ts';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '20.60.1.2',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '192.167.0.1',
    '223.255.255.255',
    '2603:1030::1',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

/** A look-up that answers with these addresses, one set after the other, and counts. */
function lookupOf(...answers: string[][]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = (hostname, _, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookup, asked };
}

describe('a call to the public network', () => {
  const refused = { name: 'Refused', refusal: { code: 'address' } };

  it.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:7f00:1]'])(
    'is not made to %s',
    async (host) => {
      const server = await serve((_, response) => response.end('inside'));
      const url = `http://${host}:${server.port}/a?sig=segredo`;
      const error = await failure(clientOf().call(get(url, { network: 'public' }), text));
      expect(error).toBeInstanceOf(Refused);
      expect(error).toMatchObject(refused);
      expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
      expect(server.received).toHaveLength(0);
    },
  );

  it('is not made to a name that means this machine, and one look-up decides', async () => {
    let connections = 0;
    const port = await listen(createServer(() => (connections += 1)));
    const { lookup, asked } = lookupOf(['127.0.0.1', '::1'], ['20.60.1.2']);
    const url = `http://conta.blob.example:${port}/`;
    expect(await failure(clientOf({ lookup }).call(get(url, { network: 'public' }), text))).toMatchObject(
      refused,
    );
    expect(asked).toEqual(['conta.blob.example']);
    expect(connections).toBe(0);
  });

  it('is not made to localhost by the look-up of the system', async () => {
    const server = await serve((_, response) => response.end('inside'));
    const url = `http://localhost:${server.port}/`;
    expect(await failure(clientOf().call(get(url, { network: 'public' }), text))).toMatchObject(refused);
    expect(server.received).toHaveLength(0);
  });

  it('leaves other calls alone', async () => {
    const server = await serve((_, response) => response.end('inside'));
    expect(await clientOf().call(get(`http://localhost:${server.port}/`), text)).toBe('inside');
  });

  it('by way of a proxy is the proxy’s to look up, but not where the address itself is inside', async () => {
    const proxy = await serve((_, response) => response.end('by proxy'));
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { lookup, asked } = lookupOf(['10.0.0.1']);
    const client = clientOf({ env, lookup });
    const outside = get('http://conta.blob.example/a', { network: 'public' });
    expect(await client.call(outside, text)).toBe('by proxy');
    expect(asked).toEqual([]);
    expect(await failure(client.call(get('http://10.0.0.1/a', { network: 'public' }), text))).toMatchObject(
      refused,
    );
    expect(proxy.received).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it('is a reply for who follows it himself, where it says where to', async () => {
    const server = await serve((_, response, count) =>
      response.writeHead(302, count === 1 ? { Location: '/b?sig=x' } : {}).end(),
    );
    const call = get(server.origin, { takesRedirects: true });
    const seen = await clientOf().call(call, async ({ status, headers }) => ({
      status,
      to: headers.location,
    }));
    expect(seen).toEqual({ status: 302, to: '/b?sig=x' });
    expect(await failure(clientOf().call(call, text))).toMatchObject({ refusal: { status: 302 } });
  });
});

describe('the error body of a blob storage', () => {
  it('gives its code and none of its words, which speak of secrets', async () => {
    const server = await serve((_, response) =>
      response
        .writeHead(403, { 'Content-Type': 'application/xml' })
        .end(
          '\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>AuthenticationFailed</Code>' +
            '<Message>Signature did not match. String to sign used was r 2026 segredo</Message></Error>',
        ),
    );
    const error = await failure(clientOf().call(get(server.origin), text));
    expect(error).toMatchObject({ refusal: { status: 403, code: 'AuthenticationFailed' } });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
  });
});
