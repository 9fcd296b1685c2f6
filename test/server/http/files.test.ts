import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Company, createCompany } from '../../../src/company/company.ts';
import type { Caller } from '../../../src/server/http/identity.ts';
import { createLinkedFiles } from '../../../src/server/http/linked-files.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import type { ToolResult } from '../../support/clients.ts';
import { configurationOf } from '../../support/configuration.ts';
import { duringTests } from '../../support/during-tests.ts';
import { member, startTestServer, writeTenants } from '../../support/http-server.ts';
import { startNovemberSandbox } from '../../support/november-sandbox.ts';

const company = '48152036000117';
const folder = temporaryFolder();
const downloads = temporaryFolder();
const newToken = () => `dfe_${randomBytes(32).toString('base64url')}`;
const [maria, joao, stranger] = [newToken(), newToken(), newToken()];
const week = { document: ['nfe'], from: '2026-11-02', to: '2026-11-08' } as const;

const sandbox = duringTests(startNovemberSandbox);
const env = {
  DFE_TENANTS: join(folder.path, 'tenants.json'),
  DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
  DFE_DOWNLOAD_DIR: downloads.path,
};
const began = Date.now();
/** Milliseconds that the first server's clock is ahead; a later minute would be another answer. */
let ahead = 0;

function write(
  ofFirst: readonly string[],
  { url = sandbox.url, companies = [company], scopes = ['documents:read'] } = {},
): void {
  const settings = { DFE_URL: url, DFE_USER: 'demo', DFE_PASSWORD: 'demo' };
  const tenants = [
    { id: 'one', who: ofFirst.map((token) => member(token, scopes)), companies, settings },
    { id: 'two', who: [member(stranger)], companies: [company], settings },
  ];
  writeTenants(folder.path, tenants);
}

beforeAll(() => {
  writeFileSync(join(folder.path, 'key'), randomBytes(32).toString('hex'));
  write([maria, joao]);
});
const server = duringTests(() => startTestServer(env, [], { now: () => began + ahead }));
const replica = duringTests(() => startTestServer(env, [], { now: () => began }));

async function ask(tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const client = await server.connect('v2 modern', { token: maria });
  const answer = await client.call(tool, args);
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}

/** A link's address at a server, whichever made it. */
const pathOf = ({ structured }: ToolResult): string => new URL(String(structured?.url)).pathname;

const get = (path: string, token?: string, at = server) =>
  at.request(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

let key: string;
beforeAll(async () => {
  const args = { ...week, cnpj: company, document: 'nfe', limit: 1 };
  key = String([(await ask('list_document_keys', args)).structured?.keys].flat()[0]);
});

const xmlOf = () => ask('get_document', { document: 'nfe', key, format: 'xml' });

describe('a file over HTTP', () => {
  it('is a link that gives the very bytes', async () => {
    const answer = await xmlOf();
    expect(answer.structured?.path).toBeUndefined();
    expect(answer.text).toContain(String(answer.structured?.url));
    const response = await get(pathOf(answer));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': `attachment; filename="${key}.xml"`,
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('no-store'),
    });
    const xml = await response.text();
    expect(xml).toContain(key);
    expect(Buffer.byteLength(xml)).toBe(answer.structured?.bytes);
    const other = await ask('get_document', { document: 'nfe', key, format: 'pdf', delivery: 'file' });
    expect(await (await get(pathOf(other))).text()).toMatch(/^%PDF-/);
  });

  it.each([
    ['csv', /^\xef\xbb/, 'nfe-.*[.]csv'],
    ['xlsx', /^PK/, 'nfe-.*[.]xlsx'],
    ['zip', /^PK/, 'nfe-.*[.]zip'],
    ['report', /^<!doctype html>/, 'fechamento-.*[.]html'],
  ])('is of the kind asked for, and the same from another replica: %s', async (format, opening, name) => {
    const answer = await ask('export_documents', { ...week, format });
    const [response, there] = await Promise.all([get(pathOf(answer)), get(pathOf(answer), maria, replica)]);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.length, Number(response.headers.get('content-length'))]).toEqual(
      Array(2).fill(answer.structured?.bytes),
    );
    expect(bytes.toString('latin1')).toMatch(opening);
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${name}"$`),
    );
    expect(there.status).toBe(200);
    if (format !== 'report') expect(bytes.equals(Buffer.from(await there.arrayBuffer()))).toBe(true);
  });

  it('says nothing of what it holds in its address, and is not written where a caller says', async () => {
    const answer = await ask('export_documents', { ...week, format: 'csv' });
    const [header] = pathOf(answer).replace('/files/', '').split('.');
    expect(Buffer.from(header ?? '', 'base64url').toString()).toMatch(/^[{]"alg":"dir"/);
    expect(Buffer.from(pathOf(answer), 'base64url').toString('latin1')).not.toContain(company);
    expect(readdirSync(downloads.path)).toEqual([]);
    const client = await server.connect('v1', { token: maria });
    const folderNamed = { ...week, format: 'csv', path: '/tmp/here', folder: '/tmp/here' };
    const refused = await client.call('export_documents', folderNamed);
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('path');
  });
});

describe('a link', () => {
  it('works without a token, and with one only for its own caller', async () => {
    const path = pathOf(await xmlOf());
    expect((await get(path)).status).toBe(200);
    expect((await get(path, maria)).status).toBe(200);
    expect((await get(path, joao)).status).toBe(403);
    const refused = await get(path, stranger);
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain('<');
    expect((await get(path, newToken())).status).toBe(401);
  });

  it('that was altered in any part is invalid', async () => {
    const path = pathOf(await xmlOf());
    const parts = path.slice('/files/'.length).split('.');
    for (const [index, part] of parts.entries()) {
      const altered = part === '' ? 'AAAA' : `${part.slice(0, -2)}${part.endsWith('AA') ? 'BB' : 'AA'}`;
      const response = await get(`/files/${parts.with(index, altered).join('.')}`);
      expect(response.status, `part ${index}`).toBe(404);
    }
    for (const other of ['x', '....', '../mcp', `${parts.join('.')}.x`, parts.slice(0, 3).join('.')]) {
      expect((await get(`/files/${other}`)).status, other).not.toBe(200);
    }
    const unsealed = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await get(`/files/${unsealed}.${parts.slice(1).join('.')}`)).status).toBe(404);
  });

  it('expires after ten minutes, for its own caller too', async () => {
    const path = pathOf(await xmlOf());
    ahead = 540_000;
    expect((await get(path)).status).toBe(200);
    ahead = 601_000;
    for (const response of [await get(path), await get(path, maria)]) {
      expect(response.status).toBe(410);
      expect(await response.text()).toContain('expired');
    }
    ahead = 0;
  });

  it.each([
    ['its caller', () => write([joao]), 404, /may no longer read/],
    [
      "its caller's right to read",
      () => write([maria, joao], { scopes: ['account:write'] }),
      404,
      /may no longer read/,
    ],
    [
      'its company',
      () => write([maria, joao], { companies: ['11222333000181'] }),
      403,
      /48152036000117|48\.152\.036/,
    ],
  ])('ends with %s', async (_name, change, status, words) => {
    const links = [await xmlOf(), await ask('export_documents', { ...week, cnpj: company, format: 'csv' })];
    change();
    await server.reload();
    for (const path of links.map(pathOf)) {
      const response = await get(path);
      expect([response.status, (await response.text()).slice(0, 200)]).toEqual([
        status,
        expect.stringMatching(words),
      ]);
    }
    write([maria, joao]);
    await server.reload();
    for (const path of links.map(pathOf)) expect((await get(path)).status).toBe(200);
  });

  it('of a document of a caller with several companies ends with any of them', async () => {
    const other = '11222333000181';
    write([maria, joao], { companies: [company, other] });
    await server.reload();
    const path = pathOf(await xmlOf());
    expect((await get(path)).status).toBe(200);
    write([maria, joao], { companies: [other] });
    await server.reload();
    expect((await get(path)).status).toBe(403);
    write([maria, joao]);
    await server.reload();
  });

  it('is asked about by HEAD as by GET, without its content', async () => {
    const path = pathOf(await xmlOf());
    const whole = await get(path);
    const head = await server.request(path, { method: 'HEAD' });
    const described = ['content-length', 'content-type', 'content-disposition', 'cache-control'];
    expect([head.status, ...described.map((name) => head.headers.get(name))]).toEqual([
      200,
      ...described.map((name) => whole.headers.get(name)),
    ]);
    expect(await head.text()).toBe('');
    expect((await server.request('/files/x', { method: 'HEAD' })).status).toBe(404);
    expect((await server.request(path, { method: 'POST' })).status).toBe(404);
  });
});

describe('another replica', () => {
  it('gives no other documents than the link was made for', async () => {
    const answer = await ask('export_documents', { ...week, format: 'csv' });
    const earlier = await startNovemberSandbox({ now: () => new Date('2026-11-04T12:00:00-03:00') });
    write([maria, joao], { url: earlier.url });
    await server.reload();
    const response = await get(pathOf(answer));
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('changed')]);
    write([maria, joao]);
    await server.reload();
    expect((await get(pathOf(answer))).status).toBe(200);
  });

  it('with a key of its own knows no link of the others', async () => {
    const { DFE_SIGNING_KEY_FILE: _, ...others } = env;
    const alone = await startTestServer(others);
    const answer = await xmlOf();
    expect((await get(pathOf(answer), maria, alone)).status).toBe(404);
  });
});

it('the files of one tenant do not push out those of another', async () => {
  const files = createLinkedFiles(randomBytes(32), () => 'http://x', Date.now);
  const { settings } = configurationOf();
  const [one, two] = [createCompany(settings), createCompany(settings)];
  const caller: Caller = { tenant: '', principal: 'maria', scopes: [], memberships: [] };
  const linkIn = async (of: Company, bytes: Buffer) => {
    const args = () => ({});
    const links = files.linksFor(caller)({ tool: 'no_longer', args, principal: 'maria', company: of });
    return (await links.link({ name: 'a.xml', bytes })).url.replace('http://x/files/', '');
  };
  const token = await linkIn(one, Buffer.from('kept'));
  for (let count = 0; count < 9; count += 1) await linkIn(two, Buffer.alloc(8 * 1024 ** 2));
  for (let count = 0; count < 1_001; count += 1) await linkIn(two, Buffer.from('x'));
  const linked = await files.open(token);
  if (typeof linked === 'string') throw new Error(linked);
  const { signal } = new AbortController();
  expect(await (await files.answer(linked, one, signal)).text()).toBe('kept');
  expect((await files.answer(linked, two, signal)).status).toBe(503);
});
