import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../archive/postgres-server.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { accessKey, company, documentListReply, nfeXml } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { type HttpProgram, startHttpProgram, tenantOf } from '../support/http-server.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';

const number = 4711;
const key = accessKey({ number });
const days = { document: 'nfe', from: '2026-11-01', to: '2026-11-30' };

describe.each([
  ['file', 0],
  ['database', 1],
  ['database', 2],
] as const)('what is kept in a %s of one tenant (databases: %i)', (kept, count) => {
  const isThere = kept === 'file' || findPostgres() !== undefined;
  const folder = temporaryFolder();
  let postgres: PostgresServer | undefined;
  let upstream: RecordingUpstream;
  let team: HttpProgram;
  const databases: Awaited<ReturnType<PostgresServer['createDatabase']>>[] = [];
  let isFailing = false;

  beforeAll(async () => {
    if (!isThere) return;
    // The service shows its documents to tenant `one`, and to nobody else.
    upstream = await startRecordingUpstream(({ query }, response) => {
      if (isFailing) return json(response, { Message: 'away' }, 500);
      const isOne = query.some(([, value]) => value === 'user-one');
      json(response, documentListReply(isOne ? [nfeXml({ number })] : []));
    });
    postgres = kept === 'database' ? await startPostgres() : undefined;
    while (postgres && databases.length < count) databases.push(await postgres.createDatabase());
    const tenants = ['one', 'two'].map((id) =>
      tenantOf(id, `token-of-${id}`, company, {
        ...{ DFE_URL: upstream.url, DFE_USER: `user-${id}`, DFE_PASSWORD: `password-of-${id}` },
        // A tenant may have a database of its own.
        ...(count === 2 && { DFE_DATABASE_URL: databases[id === 'one' ? 0 : 1]?.url }),
      }),
    );
    writeFileSync(join(folder.path, 'tenants.json'), JSON.stringify({ tenants }));
    team = await startHttpProgram(await freePort(), {
      DFE_TENANTS: join(folder.path, 'tenants.json'),
      DFE_DATA_DIR: join(folder.path, 'data'),
      DFE_ARCHIVE: kept,
      ...(databases[0] && { DFE_DATABASE_URL: databases[0].url }),
    });
  });
  afterAll(async () => {
    if (!isThere) return;
    await team.end();
    await postgres?.close();
  });

  it.skipIf(!isThere)('never answers another that has the same company', async () => {
    const call = async (tenant: string, tool: string, args: object) => {
      const result = await team.call(`token-of-${tenant}`, tool, args);
      return { ...result, all: JSON.stringify(result) };
    };
    const grouped = { ...days, group_by: ['issuer'] };
    expect((await call('one', 'query_documents', grouped)).all).toContain('1 document');
    expect((await call('one', 'list_documents', days)).all).toContain(key);

    upstream.seen.length = 0;
    expect((await call('two', 'query_documents', grouped)).all).not.toContain('1 document');
    expect(upstream.seen.length).toBeGreaterThan(0);
    for (const { query } of upstream.seen) expect(query.map(([, value]) => value)).toContain('user-two');
    for (const tool of ['list_documents', 'check_documents', 'list_document_keys'])
      expect((await call('two', tool, days)).all).not.toContain(key);
    const read = await call('two', 'get_document', { document: 'nfe', key });
    expect(read.isError).toBe(true);
    expect(read.all).not.toContain('vNF');

    // Also where the service has nothing to say, what another has is no answer.
    isFailing = true;
    const failing = await call('two', 'list_documents', { ...days, refresh: true });
    expect(failing.text).toMatch(/0 in all.*INCOMPLETE/s);
    expect(failing.all).not.toMatch(new RegExp(`answered with an empty list|${key}`));
    expect((await call('one', 'list_documents', days)).all).toContain(key);

    for (const [at, { adminUrl }] of count === 2 ? databases.entries() : []) {
      const client = new pg.Client({ connectionString: adminUrl });
      await client.connect();
      const { rows } = await client.query('select distinct tenant from call_states');
      expect(rows).toEqual([{ tenant: ['one', 'two'][at] }]);
      await client.end();
    }
  });
});
