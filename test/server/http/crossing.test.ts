import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';
import type { Connection } from '../../support/clients.ts';
import { accessKey, company } from '../../support/documents.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

/** Two tenants that may ask about the very same company, with credentials of their own: the hardest case. */
const keys = [1, 2, 3].map((number) => accessKey({ number }));
const [first] = keys;
const folder = temporaryFolder();
const data = temporaryFolder();
const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10', limit: 2 } as const;

let upstream: RecordingUpstream;
let server: TestServer;
let one: Omit<Connection, 'stderr'>;
let two: Omit<Connection, 'stderr'>;

/** Of tenant `one` the service knows documents, of tenant `two` none. */
beforeAll(async () => {
  upstream = await startRecordingUpstream((request, response) => {
    const isOne = request.query.some(([, value]) => value === 'one') || request.body.includes('one');
    if (request.method === 'POST')
      return json(response, 'Evento registrado. cStat 135 protocolo 135260000000001');
    const known = isOne ? keys.map((key) => `<chNFe>${key}</chNFe>`).join('') : '';
    return json(response, `<retChavesNfe>${known}</retChavesNfe>`);
  });
  const member = (token: string) => ({
    token_sha256: createHash('sha256').update(token).digest('hex'),
    scopes: ['documents:read', 'manifestation:write'],
  });
  const tenants = ['one', 'two'].map((id) => ({
    id,
    who: [member(id)],
    companies: [company],
    settings: { DFE_URL: upstream.url, DFE_USER: id, DFE_PASSWORD: `pw-${id}` },
  }));
  writeFileSync(join(folder.path, 'tenants.json'), JSON.stringify({ tenants }));
  server = await startTestServer({ DFE_TENANTS: join(folder.path, 'tenants.json'), DFE_DATA_DIR: data.path });
  one = await server.connect('v2 modern', { token: 'one' });
  two = await server.connect('v2 modern', { token: 'two' });
});

afterAll(async () => {
  await one.close();
  await two.close();
  await server.close();
  await upstream.close();
  folder.remove();
  data.remove();
});

const askedAs = (user: string, from: number) =>
  upstream.seen.slice(from).every(({ query }) => query.some(([, value]) => value === user));

// By a link to a file: files.test.ts.
describe('of another tenant nothing is had', () => {
  it('by a cursor', async () => {
    const page = await one.call('list_document_keys', period);
    expect(page.structured?.keys).toHaveLength(2);
    const cursor = page.structured?.next_cursor;
    expect(cursor).toEqual(expect.any(String));
    const from = upstream.seen.length;
    const answer = await two.call('list_document_keys', { ...period, cursor });
    for (const key of keys) expect(answer.text).not.toContain(key);
    expect(askedAs('two', from)).toBe(true);
  });

  it('by a key, or by the address of a document', async () => {
    const from = upstream.seen.length;
    const answer = await two.call('get_document', { document: 'nfe', key: first });
    expect(answer.isError).toBe(true);
    await expect(two.readResource(`dfe://nfe/${first}/xml`)).rejects.toThrow();
    expect(upstream.seen.length).toBeGreaterThan(from);
    expect(askedAs('two', from)).toBe(true);
  });

  it('by what completes as one types', async () => {
    const complete = async (client: typeof one) => {
      const ref = { type: 'ref/resource', uri: 'dfe://nfe/{key}/xml' } as const;
      const { completion } = await client.raw.complete({ ref, argument: { name: 'key', value: '' } });
      return completion.values;
    };
    expect(await complete(one)).toEqual(expect.arrayContaining(keys.slice(0, 2)));
    expect(await complete(two)).toEqual([]);
  });

  it('by a confirmation, and what one has sent stands in no journal of the other', async () => {
    const event = { key: first, event: 'ciencia' };
    const asked = await one.call('manifest_nfe', event);
    const given = { ...event, confirmation_token: asked.structured?.confirmation_token };
    expect(given.confirmation_token).toEqual(expect.any(String));
    const posts = () => upstream.seen.filter(({ path }) => path.includes('RealizarManifesto')).length;
    const before = posts();
    const stolen = await two.call('manifest_nfe', given);
    expect(stolen.structured ?? {}).not.toMatchObject({ status: 'done' });
    expect(posts()).toBe(before);
    await one.call('manifest_nfe', given);
    expect(posts()).toBe(before + 1);
    const written = readdirSync(join(data.path, 'tenants'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const naming = written.filter((path) => readFileSync(path, 'latin1').includes(String(first)));
    expect(naming.length).toBeGreaterThan(0);
    expect(naming.filter((path) => !path.startsWith(join(data.path, 'tenants', 'one')))).toEqual([]);
  });
});
