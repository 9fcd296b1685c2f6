import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../archive/export/read-zip.ts';
import { efd } from '../../support/books.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { completionsOf, type ToolResult } from '../../support/clients.ts';
import { accessKey, company, documentListReply, nfeXml } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { authorisedNote } from '../../support/filed-documents.ts';
import { member, startTestServer, tenantOf, writeTenants } from '../../support/http-server.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';

/** Two tenants that may ask about the very same company, with credentials of their own: the hardest case. */
const keys = [1, 2, 3].map((number) => accessKey({ number }));
const [first] = keys;
const folder = temporaryFolder();
const data = temporaryFolder();
/** Of tenant `three`; missing at first. */
const passwordFile = { DFE_PASSWORD_FILE: 'password-of-three' };
const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10', limit: 2 } as const;
type Asking = (tool: string, args: object) => Promise<ToolResult>;

/** Of tenant `one` the service knows documents, of tenant `two` none. */
const upstream = duringTests(() =>
  startRecordingUpstream((request, response) => {
    const isOne = request.query.some(([, value]) => value === 'one') || request.body.includes('one');
    if (request.method === 'POST')
      return json(response, 'Evento registrado. cStat 135 protocolo 135260000000001');
    const known = isOne ? keys.map((key) => `<chNFe>${key}</chNFe>`).join('') : '';
    return json(response, `<retChavesNfe>${known}</retChavesNfe>`);
  }),
);
const server = duringTests(() => {
  const passwords = { one: { DFE_PASSWORD: 'pw-one' }, two: { DFE_PASSWORD: 'pw-two' }, three: passwordFile };
  const tenants = Object.entries(passwords).map(([id, given]) =>
    tenantOf(id, id, company, { DFE_URL: upstream.url, DFE_USER: id, ...given }),
  );
  return startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants), DFE_DATA_DIR: data.path });
});
const one = duringTests(() => server.connect('v2 modern', { token: 'one' }));
const two = duringTests(() => server.connect('v2 modern', { token: 'two' }));

const askedAs = (user: string, from: number) =>
  upstream.seen.slice(from).every(({ query }) => query.some(([, value]) => value === user));

// By a link to a file: files.test.ts.
describe('nothing of another tenant is reached', () => {
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
    const complete = (client: typeof one) => completionsOf(client, 'dfe://nfe/{key}/xml', 'key');
    expect(await complete(one)).toEqual(expect.arrayContaining(keys.slice(0, 2)));
    expect(await complete(two)).toEqual([]);
  });

  it('by a confirmation, and what one has sent is in no journal of the other', async () => {
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

describe('every company, as each tenant may ask about it', () => {
  const [mine, shared, theirs, stranger] = ['48152036000117', company, '48152036000206', '33000167000101'];
  const month = { document: 'nfe', from: '2026-11-01', to: '2026-11-10' } as const;

  /** The service gives each company a note of its own, and one more to tenant `one`. */
  const service = duringTests(() =>
    startRecordingUpstream(({ query }, response) => {
      const value = (name: string) => query.find(([one]) => one === name)?.[1];
      const recipient = value('cnpj') ?? '';
      const at = [mine, shared, theirs].indexOf(recipient);
      const notes = [nfeXml({ number: 10 + at, recipient })];
      if (value('usuario') === 'one') notes.push(nfeXml({ number: 20 + at, recipient, items: 3 }));
      json(response, documentListReply(notes));
    }),
  );
  const all = duringTests(() => {
    const notes = join(folder.path, 'notas');
    mkdirSync(notes);
    const filed = [mine, theirs, stranger].map((recipient, number) =>
      authorisedNote({ number: number + 1, recipient, day: '2026-11-05', total: `${number + 1}.00` }),
    );
    for (const [at, xml] of filed.entries()) writeFileSync(join(notes, `${at}.xml`), xml);
    mkdirSync(join(folder.path, 'livros'));
    for (const name of ['notas', 'livros']) writeFileSync(join(folder.path, name, `${name}.txt`), efd([]));
    const tenant = (id: string, companies: string[], settings: object) => {
      return { id, who: [member(id)], companies, settings };
    };
    const login = (id: string) => ({ DFE_URL: service.url, DFE_USER: id, DFE_PASSWORD: `pw-${id}` });
    const tenants = [
      tenant('one', [mine, shared], login('one')),
      tenant('two', [shared, theirs], { ...login('two'), DFE_FILES: join(folder.path, 'livros') }),
      tenant('files', ['48152036*'], { DFE_FILES: notes }),
    ];
    const now = () => Date.parse('2026-11-20T12:00:00-03:00');
    return startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants, 'all.json') }, [], { now });
  });
  const [asOne, asTwo, asFiles] = ['one', 'two', 'files'].map((token) => {
    const client = duringTests(() => all.connect('v2 modern', { token }));
    return (tool: string, args: object) => client.call(tool, { ...(tool !== 'reconcile' && month), ...args });
  }) as [Asking, Asking, Asking];

  const companiesAsked = (user: string) =>
    service.seen.flatMap(({ query }) => {
      const values = new Map(query);
      return values.get('usuario') === user ? [values.get('cnpj')] : [];
    });

  it('is every one of its own, and of no other tenant', async () => {
    const first = await asOne('query_documents', { cnpj: ['all'], measures: ['count', 'total'] });
    expect(first?.structured, first?.text).toMatchObject({
      documents: 4,
      sums: [{ measures: { count: '4', total: '80.00' } }],
    });
    for (const cnpj of ['all', 'Todas']) {
      const second = await asTwo('query_documents', { cnpj, measures: ['count', 'total'] });
      expect(second?.structured, second?.text).toMatchObject({
        documents: 2,
        sums: [{ measures: { count: '2', total: '20.00' } }],
      });
      expect(second?.text).not.toContain(mine);
    }
    const checked = await asTwo('check_documents', { cnpj: 'all', rule: 'icms_due' });
    expect(checked?.structured, checked?.text).toMatchObject({ documents: 2 });
    expect(new Set(companiesAsked('one'))).toEqual(new Set([mine, shared]));
    expect(new Set(companiesAsked('two'))).toEqual(new Set([shared, theirs]));
  });

  it('is of the files what the tenant may see, though they hold more', async () => {
    const found = await asFiles('query_documents', { cnpj: 'all', group_by: ['recipient'] });
    expect(found?.structured, found?.text).toMatchObject({
      documents: 2,
      sums: [{ measures: { count: '2', total: '3.00' } }],
    });
    expect(found?.text).not.toContain(stranger);
  });

  it('compares the tenant’s own books alone, and gives what it found to the caller alone', async () => {
    const file = (name: string) => asFiles('reconcile', { file: [name], cnpj: mine });
    const found = await file('notas.txt');
    expect(found.structured, found.text).toMatchObject({ files: [{ file: 'notas.txt' }] });
    for (const name of ['livros.txt', '../livros/livros.txt', join(folder.path, 'livros/livros.txt')])
      expect((await file(name)).text).toContain('is not in');
    const wanted = { reconcile_files: ['notas.txt'], format: 'dossier', cnpj: [mine] };
    const { structured, text } = await asFiles('export_documents', wanted);
    expect(structured?.path, text).toBeUndefined();
    const get = (token: string) =>
      all.request(new URL(String(structured?.url)).pathname, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await get('one')).status).toBe(403);
    const bytes = Buffer.from(await (await get('files')).arrayBuffer());
    const entries = readZip(bytes).map(({ name }) => name);
    expect(entries).toEqual(expect.arrayContaining(['manifest.json', 'reconcile.csv']));
  });

  it.each([
    ['one', [mine, theirs], theirs],
    ['two', [mine, shared], mine],
    ['two', ['all', mine], mine],
    ['files', ['all', stranger], stranger],
    ['files', [stranger], stranger],
  ])('is refused to %s beside another’s, by the name of that: %j', async (who, cnpj, refused) => {
    const ask = { one: asOne, two: asTwo, files: asFiles }[who];
    const from = service.seen.length;
    const ofOne = ['list_document_keys', 'list_documents'].map((tool) => [tool, refused] as const);
    for (const [tool, asked] of [['query_documents', cnpj], ['check_documents', cnpj], ...ofOne] as const) {
      const answer = await ask?.(tool, { cnpj: asked });
      expect([answer?.isError, answer?.structured]).toEqual([true, undefined]);
      expect(answer?.text).toContain(refused);
    }
    expect(service.seen).toHaveLength(from);
  });
});

it('an unreadable password file fails the calls of its tenant alone, and is read again without a restart', async () => {
  const three = await server.connect('v2 modern', { token: 'three' });
  const from = upstream.seen.length;
  const refused = await three.call('list_document_keys', period);
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringMatching(/DFE_PASSWORD_FILE cannot be read \(ENOENT\)/),
  });
  expect(upstream.seen).toHaveLength(from);
  expect(await server.withoutPassword()).toEqual(['three (ENOENT)']);
  expect((await one.call('list_document_keys', period)).structured?.keys).toHaveLength(2);
  writeFileSync(join(folder.path, passwordFile.DFE_PASSWORD_FILE), 'pw-three\n', { mode: 0o600 });
  expect(await server.withoutPassword()).toEqual([]);
  const fixed = upstream.seen.length;
  await three.call('list_document_keys', period);
  expect(upstream.seen.length).toBeGreaterThan(fixed);
  expect(askedAs('three', fixed)).toBe(true);
});
