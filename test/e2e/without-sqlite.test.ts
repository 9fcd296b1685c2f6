import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { type Connection, openClient } from '../support/clients.ts';
import { accessKey, company, downloadReply, nfeXml } from '../support/documents.ts';
import { listing } from '../support/listing-service.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';

/** The program as it is installed where the optional package isn't: there is nothing beside it to be found. */
let folder: ReturnType<typeof temporaryFolder>;
let upstream: RecordingUpstream;
let connection: Connection;

/** From 22.13 on Node has SQLite itself, and can be told not to. */
const withoutOwn = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? ['--no-experimental-sqlite']
  : [];
const called = () => [...withoutOwn, join(folder.path, 'dist', basename(program))];
const environment = () =>
  cleanEnvironment({
    DFE_URL: upstream.url,
    DFE_USER: 'ana',
    DFE_PASSWORD: 'segredo',
    DFE_CNPJ: company,
    DFE_LANGUAGE: 'en',
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_DOWNLOAD_DIR: folder.path,
  });

beforeAll(async () => {
  folder = temporaryFolder();
  cpSync(dirname(program), join(folder.path, 'dist'), { recursive: true });
  const lists = listing([nfeXml({ number: 1 }), nfeXml({ number: 2 })]);
  upstream = await startRecordingUpstream((request, response, count) => {
    if (request.path.endsWith('/ConectividadeWS')) return json(response, 'OK');
    if (request.path.endsWith('/Login')) return json(response, 1);
    if (request.path.endsWith('/PesquisarStatusEvento')) return json(response, { Mensagem: '', Sucesso: 0 });
    if (request.path.endsWith('/DownloadXml')) return json(response, downloadReply(nfeXml({ number: 1 })));
    return lists(request, response, count);
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: called(),
    env: environment(),
    stderr: 'ignore',
  });
  connection = { ...(await openClient('v1', transport)), stderr: () => '' };
});
afterAll(async () => {
  await connection.close();
  await upstream.close();
  folder.remove();
});

const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10' };
const missing = /SQLite.*install the package libsql or use Node 22\.13/;

describe('where no SQLite can be had', () => {
  it('check_connection says so beforehand, and what to do', async () => {
    const { structured, text } = await connection.call('check_connection');
    expect(structured).toMatchObject({
      documents: { answer: 'OK', login: 1 },
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

  it('only sums are refused, with what to do', async () => {
    const sums = await connection.call('query_documents', { ...period, group_by: ['issuer'] });
    expect(sums).toMatchObject({ isError: true, text: expect.stringMatching(missing) });
  });

  it.each([
    ['list_documents', period, { total: 2, complete: true }],
    ['query_documents', period, { total: 2, complete: true }],
    ['check_documents', period, { documents: 2, complete: true }],
    ['export_documents', { ...period, format: 'csv' }, { documents: 2, rows: 2 }],
    ['list_pending_manifestations', { from: period.from, to: period.to }, { documents: 2 }],
    ['get_document', { document: 'nfe', key: accessKey({ number: 1 }) }, { status_from: 'document' }],
  ])('%s answers', async (tool, args, expected) => {
    const { isError, structured, text } = await connection.call(tool, args);
    expect({ isError, text }).toMatchObject({ isError: false });
    expect(structured).toMatchObject(expected);
  });
});

describe('where it can', () => {
  it('check_connection has nothing to say of it', async () => {
    const { connectInProcess } = await import('../support/in-process.ts');
    const { PATH: _, ...env } = environment();
    const settings = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('DFE_')));
    const server = await connectInProcess('v1', { env: settings });
    const { structured, text } = await server.call('check_connection');
    await server.close();
    expect(structured).toMatchObject({ archive: { sums: true } });
    expect(structured?.archive).not.toHaveProperty('problem');
    expect(text).not.toContain('SQLite');
  });
});
