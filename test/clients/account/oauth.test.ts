import { createServer as createHttpServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type AccountClient, createAccountClient } from '../../../src/clients/account/client.ts';
import { Cancelled, Refused, tokenOperation, Unreachable } from '../../../src/clients/errors.ts';
import { freePort } from '../../support/free-port.ts';
import { signalOf, standStill } from '../../support/passing-time.ts';
import {
  clientOf,
  failure,
  type Handler,
  type LocalServer,
  listen,
  type Received,
  recording,
  serve,
} from '../http/local-server.ts';

interface Stage {
  readonly tokens: LocalServer;
  readonly service: LocalServer;
  readonly account: AccountClient;
}

const accountAt = (baseUrl: string, auth: ReturnType<typeof settings>) =>
  createAccountClient(clientOf(), { baseUrl, auth, client: 'docfiscal-mcp; 1.0.0' });

/** A token server and an account service, and a client of both. */
async function stage(
  tokenHandler: Handler,
  accepts: (token: string) => boolean = () => true,
): Promise<Stage> {
  const tokens = await serve(tokenHandler);
  const service = await serve((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (accepts(token)) response.end(request.body);
    else response.writeHead(401).end();
  });
  const account = accountAt(service.origin, settings(tokens.origin));
  return { tokens, service, account };
}

function settings(origin: string) {
  return {
    type: 'oauth',
    tokenUrl: `${origin}/token`,
    clientId: 'id:1',
    clientSecret: () => 'segredo&2',
    scope: 'a b',
  } as const;
}

const numbered: (lifetime?: number) => Handler = (lifetime) => (_, response, count) => {
  const token = {
    access_token: `token-${count}`,
    token_type: 'Bearer',
    ...(lifetime !== undefined && { expires_in: lifetime }),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
};

const update = (account: AccountClient, signal?: AbortSignal) =>
  account.updateSetting(1, 2, { set: 'X-A', name: 'n' }, { signal });

const bearers = (service: LocalServer) => service.received.map(({ headers }) => headers.authorization);

describe('a token', () => {
  it('is asked for with the client credentials and sent as Bearer', async () => {
    const { tokens, service, account } = await stage(numbered(3600));
    await update(account);
    const [request] = tokens.received;
    expect(request).toMatchObject({ method: 'POST', url: '/token' });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
    });
    // RFC 6749, section 2.3.1: id and secret are form-encoded, then joined by a colon.
    expect(request?.headers.authorization).toBe(
      `Basic ${Buffer.from('id%3A1:segredo%262').toString('base64')}`,
    );
    expect(bearers(service)).toEqual(['Bearer token-1']);
  });

  it('is kept, also where it says nothing of its life, and fetched once for calls that come together', async () => {
    for (const lifetime of [3600, undefined]) {
      const { tokens, service, account } = await stage(numbered(lifetime));
      await Promise.all([update(account), update(account)]);
      await update(account);
      expect(tokens.received).toHaveLength(1);
      expect(bearers(service)).toEqual(Array(3).fill('Bearer token-1'));
    }
  });

  it('is requested again shortly before it expires', async () => {
    const { tokens, service, account } = await stage(numbered(100));
    using time = standStill();
    await update(account);
    await time.pass(89_999);
    await update(account);
    expect(tokens.received).toHaveLength(1);
    await time.pass(1);
    await update(account);
    expect(tokens.received).toHaveLength(2);
    expect(bearers(service)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('is not lost to the others when one of them cancels', async () => {
    const arrived = signalOf();
    const permitted = signalOf();
    const { tokens, service, account } = await stage(async (request, response, count) => {
      arrived.fire();
      await permitted.promise;
      numbered(3600)(request, response, count);
    });
    const caller = new AbortController();
    const leaving = failure(update(account, caller.signal));
    const staying = update(account);
    await arrived.promise;
    caller.abort();
    expect(await leaving).toBeInstanceOf(Cancelled);
    permitted.fire();
    await staying;
    expect(tokens.received).toHaveLength(1);
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['fetched again, once', (token: string) => token === 'token-2', { id: 2 }],
    [
      'and the next one too: the end of it',
      () => false,
      { operation: 'UpdateSetting', refusal: { status: 401 } },
    ],
  ])('that is refused is %s', async (_, accepts, result) => {
    const { tokens, service, account } = await stage(numbered(3600), accepts);
    expect(await update(account).catch((error: unknown) => error)).toMatchObject(result);
    expect(bearers(service)).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(tokens.received).toHaveLength(2);
  });

  it('that is refused to several calls at once is fetched again once for all', async () => {
    const { tokens, service, account } = await stage(numbered(3600), (token) => token !== 'token-1');
    await Promise.all([update(account), update(account), update(account)]);
    expect(tokens.received).toHaveLength(2);
    expect(bearers(service).filter((one) => one === 'Bearer token-2')).toHaveLength(3);
  });
});

describe('a token server that fails', () => {
  it('refuses: its code and words, never the secret, and nothing goes to the service', async () => {
    const { service, account } = await stage((_, response) => {
      response
        .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic' })
        .end('{"error":"invalid_client","error_description":"client_secret=segredo&2 is wrong"}');
    });
    const error = await failure(update(account));
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({
      operation: tokenOperation,
      refusal: { status: 401, code: 'invalid_client' },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    expect(service.received).toHaveLength(0);
  });

  it('for a moment: is asked again', async () => {
    const { account } = await stage((request, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else numbered(3600)(request, response, count);
    });
    expect(await update(account)).toMatchObject({ id: 2 });
  });

  const bearer = (token: string) => JSON.stringify({ access_token: token, token_type: 'Bearer' });
  it.each<[name: string, status: number, body: string]>([
    ...[
      ...['<html>login</html>', '{}', 'null', '', '{"access_token":"secret-token"}', bearer('')],
      '{"access_token":"secret-token","token_type":"mac"}',
      '{"access_token":"secret-token","token_type":"Bearer","expires_in":"soon"}',
      '{"access_token":"secret-token","token_type":"Bearer","expires_in":-1}',
      '{"access_token":["secret-token"],"token_type":"Bearer"}',
    ].map((body): [string, number, string] => ['NotUnderstood', 200, body]),
    ...[201, 226].map((status): [string, number, string] => [
      'NotUnderstood',
      status,
      bearer('secret-token'),
    ]),
    // A token that no header can carry.
    ...['secret\ntoken', 'secret\r\nX-Other: 1', 'secret token\u0000', 'secret\u{1f600}'].map(
      (token): [string, number, string] => ['Unsendable', 200, bearer(token)],
    ),
  ])('is %s, sends nothing and shows nothing of it: %i %s', async (name, status, body) => {
    const { service, account } = await stage((_, response) => void response.writeHead(status).end(body));
    const error = await failure(update(account));
    expect(error).toMatchObject({ name });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
    expect(service.received).toHaveLength(0);
  });

  it('is not there: nothing was sent, and a later call asks again', async () => {
    const service = await serve((request, response) => response.end(request.body));
    const port = await freePort();
    const account = accountAt(service.origin, settings(`http://127.0.0.1:${port}`));
    const error = await failure(update(account));
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ operation: tokenOperation, host: `127.0.0.1:${port}` });

    const received: Received[] = [];
    const late = createHttpServer(recording(received, numbered(3600)));
    await listen(late, port);
    await update(account);
    expect(received).toHaveLength(1);
  });
});
