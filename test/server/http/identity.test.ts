import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Scope, Settings } from '../../../src/config/settings.ts';
import type { TenantDefinition } from '../../../src/config/tenants-file.ts';
import { callerOf, createIdentity } from '../../../src/server/http/identity.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { accessKey, company } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { member, message, startTestServer, writeTenants } from '../../support/http-server.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

const audience = 'https://fiscal.example/mcp';
const readerToken = `dfe_${randomBytes(32).toString('base64url')}`;
const folder = temporaryFolder();

const [keys, foreignKeys] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
const provider: RecordingUpstream = duringTests(() =>
  startRecordingUpstream(({ path }, response) => {
    const description = { issuer: provider.url, jwks_uri: `${provider.url}/keys` };
    if (path === '/.well-known/openid-configuration') return json(response, description);
    json(response, { keys: [jwk] }, path === '/keys' ? 200 : 404);
  }),
);
const upstream = duringTests(() =>
  startRecordingUpstream((_, response) => json(response, '<retChavesNfe></retChavesNfe>')),
);
const server = duringTests(() => {
  const settings = { DFE_URL: upstream.url, DFE_USER: 'one', DFE_PASSWORD: 'pw-one' };
  const both = { claim: 'groups', value: 'both', scopes: ['documents:read'] };
  const fiscal = { claim: 'groups', value: 'fiscal', scopes: ['documents:read', 'manifestation:write'] };
  const tenants = [
    { id: 'one', who: [fiscal, both, member(readerToken)], companies: [company], settings },
    { id: 'two', who: [both], companies: ['48152036*'], settings },
  ];
  return startTestServer({
    DFE_TENANTS: writeTenants(folder.path, tenants),
    DFE_AUTH_ISSUER: provider.url,
    DFE_AUTH_AUDIENCE: audience,
  });
});

const minute = 60;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

function sign(
  claims: JWTPayload,
  { key = keys.privateKey, kid = 'one', expires = 5 * minute, more = {} } = {},
): Promise<string> {
  return new SignJWT({ sub: 'maria', iss: provider.url, aud: audience, groups: ['fiscal'], ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, ...more })
    .setExpirationTime(nowInSeconds() + expires)
    .sign(key, { crit: { odd: true } });
}

const call = (token: string | undefined, body: object, at = server): Promise<Response> =>
  at.request('/mcp', message(body, token));

const listTools = { method: 'tools/list' };
const event = { key: accessKey({ number: 1 }), event: 'ciencia' };

const statusOf = async (claims: JWTPayload) => (await call(await sign(claims), listTools)).status;

describe('who may come in', () => {
  const metadata = '/.well-known/oauth-protected-resource';

  it.each([metadata, `${metadata}/mcp`])('says where its tokens come from: %s', async (path) => {
    const response = await server.request(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      resource: expect.stringMatching(/\/mcp$/),
      authorization_servers: [provider.url],
      scopes_supported: ['documents:read', 'manifestation:write', 'account:write'],
    });
  });

  it('is nobody without a token, and the challenge says where to get one', async () => {
    const { status, headers } = await call(undefined, listTools);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(new RegExp(`^Bearer .*${metadata}/mcp`)),
    ]);
  });

  it('is whoever has a token of the issuer for this service', async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ aud: ['x', audience] })).toBe(200);
  });

  it('is nobody with any other token', async () => {
    const spki = await exportSPKI(keys.publicKey);
    const claims = { sub: 'maria', iss: provider.url, aud: audience, groups: ['fiscal'] };
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
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
      'no end': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(keys.privateKey),
      'a key’s name that is a path': await sign({}, { kid: '../../../../dev/null' }),
      'a key of its own': await byForeignKey({ jwk: foreignKey }),
      'an address of keys': await byForeignKey({ jku: `${provider.url}/foreign` }),
      'an unknown critical header': await sign({}, { more: { crit: ['odd'], odd: 1 } }),
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
    expect(await statusOf({ groups: ['nobody'] })).toBe(403);
    expect(await statusOf({ groups: ['both'] })).toBe(403);
    expect((await call(readerToken, listTools)).status).toBe(200);
  });
});

it('nothing is listed that token and file do not both allow', async () => {
  for (const [token, mayWrite] of [
    [readerToken, false],
    [await sign({ scope: 'openid documents:read' }), false],
    [await sign({}), true],
  ] as const) {
    const client = await server.connect('v2 modern', { token });
    const names = (await client.listTools()).map(({ name }) => name);
    const wanted = ['list_document_keys', 'manifest_nfe', 'update_company_setting'];
    expect(wanted.map((name) => names.includes(name))).toEqual([true, mayWrite, false]);
  }
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

it('a caller known by a claim may read as long as an entry for that claim allows it', async () => {
  const tenant = (value: string, ...scopes: Scope[]): TenantDefinition => ({
    ...{ id: 'one', who: [{ claim: 'groups', value, scopes }], companies: [], settings: {} as Settings },
  });
  const before = tenant('fiscal', 'documents:read', 'account:write');
  let now: TenantDefinition[] | undefined = [before];
  const issuer = { issuer: provider.url, audience, jwksUrl: undefined, isInsecureAllowed: false };
  const identity = createIdentity({ ...issuer, environment: {} }, () => now);
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

it('a caller with a token may come through a proxy', async () => {
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
    await startTestServer({ ...env, DFE_AUTH_AUDIENCE: audience, DFE_HTTP_INSECURE: '1' });
  });

  it('gives no keys where only its description names such an address', async () => {
    await using away: RecordingUpstream = await startRecordingUpstream(({ path }, response) => {
      if (path.startsWith(far)) return json(response, { keys: [jwk] });
      json(response, { issuer: away.url, jwks_uri: `${far}/keys` });
    });
    const asked = () => away.seen.filter(({ path }) => path.startsWith(far)).length;
    const env = { DFE_AUTH_ISSUER: away.url, DFE_AUTH_AUDIENCE: audience };
    const status = async (more: Record<string, string>) => {
      const own = await startTestServer({ ...env, ...more }, [], { environment: { http_proxy: away.url } });
      const response = await call(await sign({ iss: away.url }), listTools, own);
      return response.status;
    };
    expect([await status({}), asked()]).toEqual([503, 0]);
    expect([await status({ DFE_HTTP_INSECURE: 'true' }), asked()]).toEqual([200, 1]);
  });
});

it('a call beyond the scopes is answered 403 with the scope that is missing, and nothing is sent', async () => {
  const asked = upstream.seen.length;
  const params = { name: 'manifest_nfe', arguments: event };
  const response = await call(readerToken, { method: 'tools/call', params });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toMatch(/insufficient_scope.*manifestation:write/);
  expect(upstream.seen.length).toBe(asked);
});

it('a caller cannot use a confirmation of another', async () => {
  const person = await server.connect('v1', { token: await sign({}) });
  const colleague = await server.connect('v1', { token: await sign({ sub: 'joao' }) });
  const { confirmation_token } = (await person.call('manifest_nfe', event)).structured ?? {};
  expect(confirmation_token).toEqual(expect.any(String));
  const answer = await colleague.call('manifest_nfe', { ...event, confirmation_token });
  expect(answer.structured?.status).not.toBe('done');
  expect(upstream.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  await Promise.all([person.close(), colleague.close()]);
});

it('unavailable or invalid keys decide nothing about a token', async () => {
  await using away = await startRecordingUpstream((_, response) => json(response, {}, 404));
  const keysAt = `${away.url}/keys`;
  const env = { DFE_AUTH_ISSUER: provider.url, DFE_AUTH_AUDIENCE: audience, DFE_AUTH_JWKS_URL: keysAt };
  const other = await startTestServer(env);
  const status = async (token: string) => (await call(token, listTools, other)).status;
  const token = await sign({});
  for (const [code, body, expected] of [
    [404, {}, 503],
    [200, 'none', 503],
    [200, { keys: 7 }, 503],
    [200, null, 503],
    [200, { keys: [jwk] }, 200],
  ] as const) {
    away.respond((_, response) => json(response, body, code));
    expect(await status(token), JSON.stringify(body)).toBe(expected);
  }
  const before = away.seen.length;
  // However many there are of unknown keys, the issuer is not asked for each.
  for (const kid of ['two', 'three', 'four']) expect(await status(await sign({}, { kid }))).toBe(401);
  expect(away.seen).toHaveLength(before);
});

it('reads its tenants again, and keeps the former ones where the file is wrong', async () => {
  const write = (token: string) => {
    const settings = { DFE_URL: upstream.url, DFE_USER: 'one', DFE_PASSWORD: 'x' };
    const tenant = { id: 'one', who: [member(token)], companies: [company], settings };
    return writeTenants(folder.path, [tenant], 'reloaded.json');
  };
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
});

it.each([
  ['short', Buffer.alloc(16).toString('base64')],
  ['not encoded', 'a key with blanks that is long enough to be one'],
])('a signing key that is %s stops the start', async (_, content) => {
  const path = join(folder.path, 'key');
  writeFileSync(path, content);
  await expect(startTestServer({ DFE_SIGNING_KEY_FILE: path })).rejects.toThrow('config.signing_key');
});
