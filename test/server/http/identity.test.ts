import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope, Settings } from '../../../src/config/settings.ts';
import type { TenantDefinition } from '../../../src/config/tenants-file.ts';
import { callerOf, createIdentity } from '../../../src/server/http/identity.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { accessKey, company } from '../../support/documents.ts';
import {
  member,
  message,
  startTestServer,
  type TestServer,
  writeTenants,
} from '../../support/http-server.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

const audience = 'https://fiscal.example/mcp';
const otherCompany = '48152036000117';
const readerToken = `dfe_${randomBytes(32).toString('base64url')}`;
const writerToken = `dfe_${randomBytes(32).toString('base64url')}`;
const folder = temporaryFolder();

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let foreignKeys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
let provider: Awaited<ReturnType<typeof serve>>;
let issuer: string;
let upstream: RecordingUpstream;
let server: TestServer;

/** A server on loopback that answers each address with a status and JSON. */
async function serve(answer: (url: string) => readonly [status: number, body: unknown]) {
  const server = createServer((request, response) => {
    const [status, body] = answer(String(request.url));
    json(response, body, status);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const manyKeys = [1, 2, 3, 4].map((number) => accessKey({ number }));

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  foreignKeys = await generateKeyPair('RS256');
  jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  provider = await serve((url) => {
    if (url === '/.well-known/openid-configuration') return [200, { issuer, jwks_uri: `${issuer}/keys` }];
    return url === '/keys' ? [200, { keys: [jwk] }] : [404, {}];
  });
  issuer = provider.url;
  upstream = await startRecordingUpstream((_request, response) =>
    json(response, `<retChavesNfe>${manyKeys.map((key) => `<chNFe>${key}</chNFe>`).join('')}</retChavesNfe>`),
  );
  mkdirSync(join(folder.path, 'secrets'));
  writeFileSync(join(folder.path, 'secrets', 'one'), 'pw-one\n');
  const tenants = [
    {
      id: 'one',
      who: [
        { claim: 'groups', value: 'fiscal', scopes: ['documents:read', 'manifestation:write'] },
        { claim: 'groups', value: 'both', scopes: ['documents:read'] },
        member(readerToken),
      ],
      companies: [company],
      settings: { DFE_URL: upstream.url, DFE_USER: 'one', DFE_PASSWORD_FILE: 'secrets/one' },
    },
    {
      id: 'two',
      who: [
        { claim: 'groups', value: 'both', scopes: ['documents:read'] },
        member(writerToken, ['documents:read', 'manifestation:write']),
      ],
      companies: ['48152036*'],
      settings: { DFE_URL: upstream.url, DFE_USER: 'two', DFE_PASSWORD: 'pw-two', DFE_CNPJ: otherCompany },
    },
  ];
  server = await startTestServer({
    DFE_TENANTS: writeTenants(folder.path, tenants),
    DFE_AUTH_ISSUER: issuer,
    DFE_AUTH_AUDIENCE: audience,
  });
});

afterAll(async () => {
  await server.close();
  await upstream.close();
  provider.close();
  folder.remove();
});

const minute = 60;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

function sign(
  claims: JWTPayload,
  { key = keys.privateKey, kid = 'one', expires = 5 * minute, more = {} } = {},
): Promise<string> {
  return new SignJWT({ sub: 'maria', iss: issuer, aud: audience, groups: ['fiscal'], ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, ...more })
    .setExpirationTime(nowInSeconds() + expires)
    .sign(key, { crit: { odd: true } });
}

const call = (token: string | undefined, body: object, at = server): Promise<Response> =>
  at.request('/mcp', message(body, token));

const listTools = { method: 'tools/list' };

describe('who may come in', () => {
  it('says where its tokens come from', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const response = await server.request(path);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        resource: expect.stringMatching(/\/mcp$/),
        authorization_servers: [issuer],
        scopes_supported: ['documents:read', 'manifestation:write', 'account:write'],
      });
    }
  });

  it('is nobody without a token, and the challenge says where one is had', async () => {
    const response = await call(undefined, listTools);
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).toContain('/.well-known/oauth-protected-resource/mcp');
  });

  it('is whoever has a token of the issuer for this service', async () => {
    expect((await call(await sign({}), listTools)).status).toBe(200);
    expect((await call(await sign({ aud: ['x', audience] }), listTools)).status).toBe(200);
  });

  it('is nobody with any other token', async () => {
    const spki = await exportSPKI(keys.publicKey);
    const confused = await new SignJWT({ sub: 'maria', groups: ['fiscal'] })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(spki));
    const [, body] = (await sign({})).split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const foreignKey = await exportJWK(foreignKeys.publicKey);
    const good = await sign({});
    const other = Buffer.from(JSON.stringify({ sub: 'x' })).toString('base64url');
    const byForeignKey = (more: object) => sign({}, { key: foreignKeys.privateKey, more });
    const bad = {
      'another audience': await sign({ aud: 'https://other.example/mcp' }),
      'another issuer': await sign({ iss: 'https://evil.example' }),
      'a key of others': await byForeignKey({}),
      'an unknown key': await sign({}, { kid: 'two' }),
      'one that is over': await sign({}, { expires: -minute }),
      'no subject': await sign({ sub: undefined }),
      'an empty subject': await sign({ sub: '' }),
      'a blank subject': await sign({ sub: ' ' }),
      'a subject that is no text': await sign({ sub: ['maria'] as unknown as string }),
      'no end': await new SignJWT({ sub: 'maria', iss: issuer, aud: audience, groups: ['fiscal'] })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(keys.privateKey),
      'a key’s name that is a path': await sign({}, { kid: '../../../../dev/null' }),
      'a key of its own': await byForeignKey({ jwk: foreignKey }),
      'an address of keys': await byForeignKey({ jku: `${issuer}/foreign` }),
      'a condition that nobody knows': await sign({}, { more: { crit: ['odd'], odd: 1 } }),
      'the public key as a secret': confused,
      'no signature': unsigned,
      'a changed content': good.replace(/\.[^.]+\./, `.${other}.`),
      'a made-up token': `dfe_${randomBytes(32).toString('base64url')}`,
      nothing: '',
    };
    for (const [name, token] of Object.entries(bad)) {
      const response = await call(token, listTools);
      expect(response.status, name).toBe(401);
      if (token !== '') expect(await response.text(), name).not.toContain(token);
    }
  });

  it('belongs to one tenant, not to none and not to two', async () => {
    expect((await call(await sign({ groups: ['nobody'] }), listTools)).status).toBe(403);
    expect((await call(await sign({ groups: ['both'] }), listTools)).status).toBe(403);
    expect((await call(readerToken, listTools)).status).toBe(200);
  });
});

it('of what token and file do not both allow nothing is listed', async () => {
  const listed = async (token: string) => {
    const client = await server.connect('v2 modern', { token });
    const names = (await client.listTools()).map(({ name }) => name);
    await client.close();
    expect(names).toContain('list_document_keys');
    expect(names).not.toContain('update_company_setting');
    return names.includes('manifest_nfe');
  };
  expect(await listed(readerToken)).toBe(false);
  expect(await listed(await sign({ scope: 'openid documents:read' }))).toBe(false);
  expect(await listed(await sign({}))).toBe(true);
});

describe('a token with scopes', () => {
  const may = async (claims: JWTPayload, name: string, args: object) =>
    (await call(await sign(claims), { method: 'tools/call', params: { name, arguments: args } })).status;
  const write = 'manifestation:write';
  const read = 'documents:read';

  it.each([
    ['a text', { scope: `openid ${read}` }, true, false],
    ['a list', { scope: [read] }, true, false],
    ['a list of all', { scope: ['openid', read, write] }, true, true],
    ['a list in scp', { scp: [read] }, true, false],
    ['a text in scp', { scp: `${read} ${write}` }, true, true],
    ['both claims', { scope: `${read} ${write}`, scp: [read] }, true, false],
    ['both claims with nothing in common', { scope: read, scp: [write] }, false, false],
    ['an empty list', { scope: [] }, false, false],
    ['an empty text', { scope: '' }, false, false],
    ['unknown ones', { scope: ['openid', 'documents'] }, false, false],
    ['null', { scope: null }, false, false],
    ['a number', { scope: 7 }, false, false],
    ['an object', { scp: { [read]: true } }, false, false],
    ['a list of lists', { scope: [[read]] }, false, false],
    ['neither claim', {}, true, true],
  ])('in %s may do what they and the file allow', async (_name, claims, mayRead, mayWrite) => {
    expect(await may(claims, 'list_document_keys', {})).toBe(mayRead ? 200 : 403);
    expect(await may(claims, 'manifest_nfe', {})).toBe(mayWrite ? 200 : 403);
  });
});

it('whoever came in by a claim may read for as long as an entry for it lets them', async () => {
  const tenant = (value: string, ...scopes: Scope[]): TenantDefinition => ({
    ...{ id: 'one', who: [{ claim: 'groups', value, scopes }], companies: [], settings: {} as Settings },
  });
  const before = tenant('fiscal', 'documents:read', 'account:write');
  let now: TenantDefinition[] | undefined = [before];
  const provider = { issuer, audience, jwksUrl: undefined, isInsecureAllowed: false };
  const identity = createIdentity({ ...provider, environment: {} }, () => now);
  const caller = callerOf(await identity.verifyAccessToken(await sign({ groups: ['fiscal', 'other'] })));
  for (const [tenants, mayRead] of [
    [[before], true],
    [[tenant('fiscal', 'documents:read')], true],
    [undefined, true],
    [[tenant('other', 'documents:read')], false],
    [[tenant('fiscal', 'account:write')], false],
    [[{ ...before, id: 'two' }], false],
    [[], false],
  ] as const) {
    now = tenants && [...tenants];
    expect(identity.mayStillRead(caller)).toBe(mayRead);
  }
});

it('whoever says who they are may come through a proxy', async () => {
  const { headers, ...init } = message(listTools, await sign({}));
  const forwarded = { ...headers, 'x-forwarded-for': '192.0.2.1' };
  expect((await server.request('/mcp', { ...init, headers: forwarded })).status).toBe(200);
});

describe('an identity provider over plain http', () => {
  const far = 'http://id.example';

  it.each([
    ['DFE_AUTH_ISSUER', { DFE_AUTH_ISSUER: far }],
    ['DFE_AUTH_JWKS_URL', { DFE_AUTH_ISSUER: 'https://id.example', DFE_AUTH_JWKS_URL: `${far}/keys` }],
  ])('stops the start: %s', async (_name, env) => {
    await expect(startTestServer({ ...env, DFE_AUTH_AUDIENCE: audience })).rejects.toThrow(
      'config.provider_needs_https',
    );
    const own = await startTestServer({ ...env, DFE_AUTH_AUDIENCE: audience, DFE_HTTP_INSECURE: '1' });
    await own.close();
  });

  it('gives no keys where only its description names such an address', async () => {
    let asked = 0;
    const away = await serve((url) => {
      if (!url.startsWith(far)) return [200, { issuer: away.url, jwks_uri: `${far}/keys` }];
      asked += 1;
      return [200, { keys: [jwk] }];
    });
    const env = { DFE_AUTH_ISSUER: away.url, DFE_AUTH_AUDIENCE: audience };
    const status = async (more: Record<string, string>) => {
      const own = await startTestServer({ ...env, ...more }, [], { environment: { http_proxy: away.url } });
      const response = await call(await sign({ iss: away.url }), listTools, own);
      await own.close();
      return response.status;
    };
    expect([await status({}), asked]).toEqual([503, 0]);
    expect([await status({ DFE_HTTP_INSECURE: 'true' }), asked]).toEqual([200, 1]);
    away.close();
  });
});

it('a call beyond the scopes is answered 403 with the scope that is missing, and nothing is sent', async () => {
  const asked = upstream.seen.length;
  const params = { name: 'manifest_nfe', arguments: { key: manyKeys[0], event: 'ciencia' } };
  const response = await call(readerToken, { method: 'tools/call', params });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(/insufficient_scope.*manifestation:write/);
  expect(upstream.seen.length).toBe(asked);
});

describe('tenants', () => {
  const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10', limit: 2 } as const;

  it('have their own company and credentials', async () => {
    for (const [token, ...own] of [
      [readerToken, 'one', 'pw-one', company],
      [writerToken, 'two', 'pw-two', otherCompany],
    ] as const) {
      const client = await server.connect('v2 modern', { token });
      await client.call('list_document_keys', period);
      expect(upstream.seen.at(-1)?.query.map(([, value]) => value)).toEqual(expect.arrayContaining(own));
      await client.close();
    }
  });

  it('are refused every other company before anything is asked', async () => {
    const one = await server.connect('v1', { token: readerToken });
    const asked = upstream.seen.length;
    for (const tool of ['list_document_keys', 'list_documents', 'query_documents', 'check_documents']) {
      const answer = await one.call(tool, { ...period, limit: undefined, cnpj: otherCompany });
      expect(answer.isError, tool).toBe(true);
      expect(answer.text, tool).toContain(otherCompany);
    }
    expect(upstream.seen.length).toBe(asked);
    await one.close();
    const two = await server.connect('v1', { token: writerToken });
    const branch = await two.call('list_document_keys', { ...period, cnpj: '48152036000206' });
    expect(branch.isError, branch.text).toBe(false);
    expect(upstream.seen.length).toBe(asked + 1);
    await two.close();
  });

  it('have callers who cannot use a confirmation of another', async () => {
    const event = { key: manyKeys[0], event: 'ciencia' };
    const [person, colleague] = [
      await server.connect('v1', { token: await sign({}) }),
      await server.connect('v1', { token: await sign({ sub: 'joao' }) }),
    ];
    const { structured } = await person.call('manifest_nfe', event);
    const token = structured?.confirmation_token;
    expect(token).toEqual(expect.any(String));
    const answer = await colleague.call('manifest_nfe', { ...event, confirmation_token: token });
    expect(answer.structured ?? {}).not.toMatchObject({ status: 'done' });
    expect(upstream.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    await Promise.all([person.close(), colleague.close()]);
  });
});

it('keys that cannot be had, or that are none, say nothing of a token', async () => {
  let answer: readonly [number, unknown] = [404, {}];
  let asked = 0;
  const away = await serve(() => {
    asked += 1;
    return answer;
  });
  const env = { DFE_AUTH_ISSUER: issuer, DFE_AUTH_AUDIENCE: audience, DFE_AUTH_JWKS_URL: `${away.url}/keys` };
  const other = await startTestServer(env);
  const status = async (token: string) => (await call(token, listTools, other)).status;
  const token = await sign({});
  for (const broken of [
    [404, {}],
    [200, 'none'],
    [200, { keys: 7 }],
    [200, null],
  ] as const) {
    answer = broken;
    expect(await status(token), JSON.stringify(broken)).toBe(503);
  }
  answer = [200, { keys: [jwk] }];
  expect(await status(token)).toBe(200);
  const before = asked;
  // However many there are of unknown keys, the issuer is not asked for each.
  for (const kid of ['two', 'three', 'four']) expect(await status(await sign({}, { kid }))).toBe(401);
  expect(asked).toBe(before);
  await other.close();
  away.close();
});

it('reads its tenants again, and keeps the former ones where the file is wrong', async () => {
  const own = temporaryFolder();
  const settings = { DFE_URL: upstream.url, DFE_USER: 'one', DFE_PASSWORD: 'x' };
  const write = (token: string) =>
    writeTenants(own.path, [{ id: 'one', who: [member(token)], companies: [company], settings }]);
  const path = write('first');
  const other = await startTestServer({ DFE_TENANTS: path });
  const statuses = () =>
    Promise.all(['first', 'second'].map(async (token) => (await call(token, listTools, other)).status));
  expect(await statuses()).toEqual([200, 401]);
  write('second');
  await other.reload();
  expect(await statuses()).toEqual([401, 200]);
  writeFileSync(path, '{"tenants": [}');
  await expect(other.reload()).rejects.toThrow();
  expect(await statuses()).toEqual([401, 200]);
  await other.close();
  own.remove();
});

it.each([
  ['short', Buffer.alloc(16).toString('base64')],
  ['not encoded', 'a key with blanks that is long enough to be one'],
])('a signing key that is %s stops the start', async (_, content) => {
  const own = temporaryFolder();
  const path = join(own.path, 'key');
  writeFileSync(path, content);
  await expect(startTestServer({ DFE_SIGNING_KEY_FILE: path })).rejects.toThrow('config.signing_key');
  own.remove();
});
