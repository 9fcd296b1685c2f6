import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/store/open.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';

const window = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;

describe.skipIf(findPostgres() === undefined)('an archive in a PostgreSQL database', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('is shared by several that start and write at once', async () => {
    const { url } = await server.createDatabase();
    const open = () => openArchive({ mode: 'postgres', url, keepXml: false });
    const [first, second] = await Promise.all([open(), open()]);
    const documents = [...generateDocuments({ count: 300, seed: 3 })].map((summary) => ({ summary }));
    const fetchedAt = new Date('2026-12-31T12:00:00Z');
    await Promise.all([
      first.store({ ...window, fetchedAt }, documents.slice(0, 200)),
      second.store({ ...window, fetchedAt }, documents.slice(100)),
    ]);
    expect(await second.verify()).toEqual({ documents: 300, findings: [] });
    await Promise.all([first.close(), second.close()]);
  });

  it('is not opened without saying why, and never with its address in the words', async () => {
    const { url } = await server.createDatabase();
    const wrong = url.replace('tester@', 'nobody:geheim@');
    const failure = await openArchive({ mode: 'postgres', url: wrong, keepXml: false }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ kind: 'archive_unusable', code: '28000' });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/geheim|nobody|127\.0\.0\.1/);
    const nowhere = 'postgres://tester@127.0.0.1:1/archive';
    await expect(openArchive({ mode: 'postgres', url: nowhere, keepXml: false })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
