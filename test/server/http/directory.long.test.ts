import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../archive/postgres-server.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { member, startTestServer, writeTenants } from '../../support/http-server.ts';
import { startNovemberSandbox } from '../../support/november-sandbox.ts';

const company = '48152036000117';
const tokenOf = (id: string): string => `dfe_${id.padEnd(43, 'x')}`;
const folder = temporaryFolder();
let server: PostgresServer | undefined;

beforeAll(async () => {
  if (findPostgres() !== undefined) server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

it.skipIf(findPostgres() === undefined)(
  'tenants are in the database that the file names for them, and in no other',
  async () => {
    if (server === undefined) throw new Error('no server');
    const databases = { horizonte: await server.createDatabase(), aurora: await server.createDatabase() };
    const sandbox = await startNovemberSandbox();
    const tenants = Object.entries(databases).map(([id, { url }]) => ({
      id,
      who: [member(tokenOf(id))],
      companies: [company],
      settings: { DFE_URL: sandbox.url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_DATABASE_URL: url },
    }));
    const http = await startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants) });
    for (const id of Object.keys(databases)) {
      const client = await http.connect('v1', { token: tokenOf(id) });
      const period = { from: '2026-10-01', to: '2026-10-31' };
      const { isError } = await client.call('query_documents', {
        document: ['nfe'],
        ...period,
        measures: ['count'],
      });
      expect(isError).not.toBe(true);
      await client.close();
    }
    await http.close();
    for (const [id, { adminUrl }] of Object.entries(databases)) {
      const client = new pg.Client({ connectionString: adminUrl });
      await client.connect();
      for (const table of ['documents', 'call_states']) {
        const { rows } = await client.query(`select distinct tenant from ${table}`);
        expect(rows, table).toEqual([{ tenant: id }]);
      }
      await client.end();
    }
    await sandbox.close();
  },
);
