import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { connectTo } from '../support/clients.ts';
import { accessKey, nfeXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { duringTests } from '../support/during-tests.ts';
import { settingsFor } from '../support/event-service.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';

/** The program as it is installed where the optional package isn't: there is nothing beside it to be found. */
const folder = temporaryFolder();
const upstream = duringTests(() =>
  startRecordingUpstream(holding([1, 2].map((number) => nfeXml({ number })))),
);
const connection = duringTests(() => {
  cpSync(dirname(program), join(folder.path, 'dist'), { recursive: true });
  return connectTo('v1', { args: called(), env: environment() });
});

/** From 22.13 on Node has SQLite itself, and can be told not to. */
const withoutOwn = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? ['--no-experimental-sqlite']
  : [];
const called = () => [...withoutOwn, join(folder.path, 'dist', basename(program))];
const environment = () =>
  cleanEnvironment(
    settingsFor(upstream, { path: join(folder.path, 'data') }, { DFE_DOWNLOAD_DIR: folder.path }),
  );

const keys = [1, 2].map((number) => accessKey({ number }));
const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10' };
const missing = /SQLite.*install the package libsql or use Node 22\.13/;

describe('where no SQLite can be had', () => {
  it('check_connection says so beforehand, and what to do', async () => {
    const { structured, text } = await connection.call('check_connection');
    expect(structured).toMatchObject({
      documents: { answer: 'Conectado', login: 1 },
      archive: { sums: false, problem: expect.stringMatching(missing) },
    });
    expect(text).toMatch(missing);
  });

  it('doctor says so beforehand', async () => {
    const run = promisify(execFile)(process.execPath, [...called(), 'doctor', '--json'], {
      env: environment(),
    });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'failed',
      archive: { status: 'failed', message: expect.stringMatching(missing) },
    });
  });

  it.each([
    ['query_documents', { ...period, group_by: ['issuer'] }],
    ['query_documents', period],
    ['list_documents', period],
    ['list_documents', {}],
    ['check_documents', period],
    ['export_documents', { ...period, format: 'csv' }],
    ['list_pending_manifestations', { from: period.from, to: period.to }],
  ])('%s %o says what to install', async (tool, args) => {
    const answer = await connection.call(tool, args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(missing) });
    expect(answer.text).toContain('need SQLite');
  });

  it('single documents and lists of keys are answered, each time from the service', async () => {
    const asked = { document: 'nfe', key: accessKey({ number: 1 }) };
    const before = upstream.seen.length;
    for (let call = 0; call < 2; call++) {
      const { isError, structured, text } = await connection.call('get_document', asked);
      expect(isError, text).toBe(false);
      expect(structured).toMatchObject({ status_from: 'document', document: { status: 'authorized' } });
    }
    expect(upstream.seen.length - before).toBe(2);
    const xml = await connection.call('get_document', { ...asked, format: 'xml' });
    expect(xml.text).toContain('XML of NF-e 1');
    const first = await connection.call('list_document_keys', { ...period, limit: 1 });
    expect(first.structured, first.text).toMatchObject({ total: 2, keys: [keys[0]] });
    const cursor = first.structured?.next_cursor;
    const second = await connection.call('list_document_keys', { ...period, limit: 1, cursor });
    expect(second.structured, second.text).toMatchObject({ total: 2, keys: [keys[1]] });
  });

  it('a write is previewed with the remark that nothing is remembered, sent once, and settled', async () => {
    const args = { key: accessKey({ number: 1 }), event: 'ciencia' };
    const preview = await connection.call('manifest_nfe', args);
    expect(preview.structured, preview.text).toMatchObject({ status: 'confirmation_required' });
    expect(preview.structured?.preview).toMatch(/⚠ Without SQLite nothing is remembered/);
    const token = preview.structured?.confirmation_token;
    const sent = await connection.call('manifest_nfe', { ...args, confirmation_token: token });
    expect(sent.isError, sent.text).toBe(false);
    expect(sent.text).toContain('135');
    const again = await connection.call('manifest_nfe', { ...args, confirmation_token: token });
    expect(again.structured?.status, again.text).not.toBe('done');
    const writes = upstream.seen.filter(({ path }) => path.endsWith('/RealizarManifesto'));
    expect(writes).toHaveLength(1);
    const status = await connection.call('get_nfe_event_status', args);
    expect(status.structured, status.text).toMatchObject({ status_code: '135' });
    const later = await connection.call('manifest_nfe', { ...args, event: 'confirmacao' });
    expect(later.structured?.preview).toMatch(/Registered events: .*Acknowledgement/);
  });
});
