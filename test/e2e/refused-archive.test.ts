import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src/archive/engines/sqlite.ts';
import { runProgram } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { accessKey, nfeXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';

const days = { from: '2026-11-01', to: '2026-11-10' } as const;
const period = { document: 'nfe', ...days } as const;
const toDo = /another version of this program.*docfiscal-mcp archive import, without a path, rebuilds it/;
const keys = [1, 2].map((number) => accessKey({ number }));

let service: ConfiguredServer;
const open: Connection[] = [];
const start = async () => {
  const connection = await connect('v1', { env: { ...service.env, DFE_DOWNLOAD_DIR: service.dataFolder } });
  open.push(connection);
  return connection;
};
const inFolder = (name: string) => join(service.dataFolder, name);

beforeAll(async () => {
  service = await startConfigured({
    respond: holding([1, 2].map((number) => nfeXml({ number }))),
    env: { DFE_ARCHIVE: 'file' },
  });
});
afterAll(async () => {
  for (const connection of open) await connection.close();
  await service.close();
});

it('an archive of another version stops questions, never a confirmed write, and an import without a path rebuilds it', async () => {
  const first = await start();
  const listed = await first.call('list_documents', period);
  expect(listed.structured, listed.text).toMatchObject({ total: 2 });
  await first.close();
  const sqlite = await openSqlite(inFolder('archive.db'));
  sqlite.run('update schema_version set version = 8', []);
  sqlite.close();

  const second = await start();
  for (const [tool, args] of [
    ['list_documents', period],
    ['list_documents', {}],
    ['list_document_keys', period],
    ['query_documents', period],
    ['check_documents', period],
    ['export_documents', { ...period, format: 'csv' }],
    ['get_document', { document: 'nfe', key: keys[0] }],
    ['list_pending_manifestations', days],
  ] as const) {
    expect(await second.call(tool, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(toDo),
    });
  }
  const preview = await second.call('manifest_nfe', { key: keys[0], event: 'ciencia' });
  expect(preview.structured).toMatchObject({ status: 'confirmation_required' });
  const written = await confirmed(second, 'manifest_nfe', { key: keys[1], event: 'ciencia' });
  expect(written.structured, written.text).toMatchObject({ status: 'done' });
  expect(readFileSync(inFolder('journal.jsonl'), 'utf8')).toContain('"status":"done"');
  // The same yes again: its token is spent although the archive can't be used.
  const token = preview.structured?.confirmation_token;
  const args = { key: keys[0], event: 'ciencia', confirmation_token: token };
  expect((await second.call('manifest_nfe', args)).structured).toMatchObject({ status: 'done' });
  expect((await second.call('manifest_nfe', args)).structured?.status).not.toBe('done');
  expect(service.upstream.seen.filter(({ path }) => path.endsWith('/RealizarManifesto'))).toHaveLength(2);
  await second.close();

  const rebuilt = await runProgram(['archive', 'import'], service.env);
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/2 documents/) });
  const third = await start();
  const answer = await third.call('query_documents', { ...period, group_by: ['issuer'] });
  expect(answer.structured, answer.text).toMatchObject({ documents: 2 });
});
