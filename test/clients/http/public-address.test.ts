import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, type Lookup } from '../../../src/clients/http/transport.ts';
import { clientOf, failure, get, listen, serve, text } from './local-server.ts';

it.each([
  ...'8.8.8.8 20.60.1.2 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 192.167.0.1'.split(' '),
  ...'223.255.255.255 2603:1030::1 2a00:1450:4001::1'.split(' '),
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ...'0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255'.split(' '),
  ...'192.168.1.1 192.0.0.1 198.18.0.1 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1'.split(' '),
  ...'::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::a00:1 2001::1 2001:db8::1 2002:7f00:1:: fc00::1'.split(' '),
  ...['fd12:3456::1', 'fe80::1', 'ff02::1', 'localhost', ''],
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
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
  const outside = (url: string) => get(url, { network: 'public' });

  it.each('127.0.0.1 [::1] 2130706433 0x7f.1 [::ffff:7f00:1] localhost'.split(' '))(
    'not to %s',
    async (host) => {
      const server = await serve((_, response) => response.end('inside'));
      const error = await failure(
        clientOf().call(outside(`http://${host}:${server.port}/a?sig=segredo`), text),
      );
      expect(error).toMatchObject(refused);
      expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
      expect(server.received).toHaveLength(0);
      const inside = get(`http://localhost:${server.port}/`);
      expect(await clientOf().call(inside, text)).toBe('inside');
    },
  );

  it('is not made to a name that means this machine, and one look-up decides', async () => {
    let connections = 0;
    const port = await listen(createServer(() => (connections += 1)));
    const { lookup, asked } = lookupOf(['127.0.0.1', '::1'], ['20.60.1.2']);
    const call = clientOf({ lookup }).call(outside(`http://conta.blob.example:${port}/`), text);
    expect(await failure(call)).toMatchObject(refused);
    expect(asked).toEqual(['conta.blob.example']);
    expect(connections).toBe(0);
  });

  it('by way of a proxy is the proxy’s to look up, but not where the address itself is inside', async () => {
    const proxy = await serve((_, response) => response.end('by proxy'));
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { lookup, asked } = lookupOf(['10.0.0.1']);
    const client = clientOf({ env, lookup });
    expect(await client.call(outside('http://conta.blob.example/a'), text)).toBe('by proxy');
    expect(asked).toEqual([]);
    expect(await failure(client.call(outside('http://10.0.0.1/a'), text))).toMatchObject(refused);
    expect(proxy.received).toHaveLength(1);
  });
});
