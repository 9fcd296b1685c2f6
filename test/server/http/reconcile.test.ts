import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../archive/export/read-zip.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../archive/postgres-server.ts';
import { c100, efd } from '../../support/books.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { isLong } from '../../support/depth.ts';
import { authorisedNote, keyOf, ourCompany, supplier } from '../../support/filed-documents.ts';
import { member, startTestServer, type TestServer, writeTenants } from '../../support/http-server.ts';

const own = (number: number) => ({ number, issuer: ourCompany, recipient: supplier });
const places = ['memory', ...(isLong && findPostgres() !== undefined ? ['database'] : [])];

describe.each(places)('reconcile over HTTP, archive in %s', (place) => {
  const folder = temporaryFolder();
  const tokens = { one: randomBytes(32).toString('base64url'), two: randomBytes(32).toString('base64url') };
  let server: TestServer;
  let postgres: PostgresServer | undefined;

  const put = (path: string, content: string) => {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  };
  const book = (...numbers: number[]) =>
    efd(numbers.map((number) => c100({ ...own(number), key: keyOf(own(number)), base: '0', icms: '0' })));

  beforeAll(async () => {
    for (const number of [1, 2]) put(`one/xml/${number}.xml`, authorisedNote(own(number)));
    put('two/xml/3.xml', authorisedNote(own(3)));
    put('one/livro.txt', book(1, 9));
    put('two/livro.txt', book(3));
    put('two/segredo.txt', book(3, 4));
    const tenants = (['one', 'two'] as const).map((id) => ({
      id,
      who: [member(tokens[id])],
      companies: [ourCompany],
      settings: { DFE_FILES: join(folder.path, id) },
    }));
    postgres = place === 'database' ? await startPostgres() : undefined;
    const database = postgres && { DFE_DATABASE_URL: (await postgres.createDatabase()).url };
    server = await startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants), ...database });
  });
  afterAll(async () => {
    await server.close();
    await postgres?.stop();
    folder.remove();
  });

  const ask = async (id: keyof typeof tokens, tool: string, args: Record<string, unknown>) => {
    const client = await server.connect('v2 modern', { token: tokens[id] });
    try {
      return await client.call(tool, args);
    } finally {
      await client.close();
    }
  };

  it('finds and compares only the tenant’s own files with its own documents', async () => {
    const found = async (id: keyof typeof tokens, file: string) => {
      const { structured, text } = await ask(id, 'reconcile', { file: [file] });
      const findings = structured?.findings as Record<string, string>[] | undefined;
      return findings?.map(({ finding, key }) => `${finding} ${key}`) ?? text;
    };
    expect(await found('one', 'livro.txt')).toEqual([
      `missing_in_file ${keyOf(own(2))}`,
      `missing_in_documents ${keyOf(own(9))}`,
    ]);
    expect(await found('two', 'livro.txt')).toEqual([]);
    for (const path of ['segredo.txt', '../two/segredo.txt', join(folder.path, 'two/segredo.txt')])
      expect(await found('one', path)).toContain('is not in');
    const { structured } = await ask('one', 'reconcile', {});
    expect(structured?.files).toMatchObject([{ file: 'livro.txt' }]);
  });

  it('gives findings and dossier by a link for the caller alone', async () => {
    const asked = {
      reconcile_files: ['livro.txt'],
      from: '2026-10-01',
      to: '2026-10-31',
      cnpj: [ourCompany],
    };
    for (const format of ['csv', 'dossier']) {
      const { structured, text, isError } = await ask('one', 'export_documents', { ...asked, format });
      expect([isError, structured?.path], text).toEqual([false, undefined]);
      const path = new URL(String(structured?.url)).pathname;
      const get = (id: keyof typeof tokens) =>
        server.request(path, { headers: { authorization: `Bearer ${tokens[id]}` } });
      expect((await get('two')).status).not.toBe(200);
      const bytes = Buffer.from(await (await get('one')).arrayBuffer());
      expect(bytes.length).toBe(structured?.bytes);
      if (format === 'csv') continue;
      const entries = new Map(readZip(bytes).map(({ name, data }) => [name, data]));
      const hash = createHash('sha256')
        .update(entries.get('manifest.json') ?? '')
        .digest('hex');
      expect(structured?.manifest_sha256).toBe(hash);
      expect(entries.get('reconcile.csv')?.toString()).toContain(keyOf(own(9)));
      expect([...entries.keys()]).toContain(`xml/${keyOf(own(2))}.xml`);
      expect([...entries.keys()]).not.toContain(`xml/${keyOf(own(3))}.xml`);
    }
  });
});
