import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { clientKinds } from '../support/clients.ts';
import { type ConfiguredServer, startConfiguredProgram } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { accessKey, accessKeys, nfeXml, supplier } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { keysOf, registered } from '../support/event-service.ts';
import { expectFailed, expectHarmless, send } from '../support/failed-answers.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const november = { from: '2026-11-01', to: '2026-11-19' } as const;
const question = { document: 'nfe', ...november, group_by: ['issuer'] } as const;

const documents = holding([1, 2, 3, 4, 5].map((number) => nfeXml({ number })));
/** Both services: a few documents, every event registered, every replacement given back. */
const bothServices: Responder = (request, response, count) => {
  if (request.method === 'PUT') return json(response, JSON.parse(request.body));
  if (request.path.includes('RetornaResumos'))
    return json(response, '<resumos><resumo><numero>1</numero></resumo></resumos>');
  return documents(request, response, count);
};

/**
 * What other files try in every way within their own process, once each with the program as it is published, over
 * stdio, by every client that hosts have inside them.
 */
describe.each(clientKinds)('the built program, asked by a %s client', (kind) => {
  const downloads = temporaryFolder();
  let program: ConfiguredServer;

  beforeAll(async () => {
    program = await startConfiguredProgram({
      kind,
      respond: bothServices,
      env: { DFE_DOWNLOAD_DIR: downloads.path, DFE_ACCOUNT_API_KEY: 'chave' },
      envAt: (url) => ({ DFE_ACCOUNT_URL: url }),
    });
  });
  afterAll(async () => {
    await program.close();
    downloads.remove();
  });
  beforeEach(() => {
    program.upstream.respond(bothServices);
    program.upstream.seen.length = 0;
  });

  async function ask(tool: string, args: object): Promise<Record<string, unknown>> {
    const { isError, text, structured } = await program.call(tool, { ...args });
    expect(isError, text).toBe(false);
    return structured ?? {};
  }

  it('lists its tools as a server within this process does', async () => {
    const inProcess = await connectInProcess(kind, { env: program.env });
    const expected = await inProcess.listTools().finally(() => inProcess.close());
    expect(await program.listTools()).toEqual(expected);
  });

  it('lists keys and documents', async () => {
    expect(await ask('list_document_keys', { document: 'nfe', ...november })).toMatchObject({
      keys: accessKeys(5),
      total: 5,
    });
    expect(await ask('list_documents', { document: 'nfe', ...november })).toMatchObject({
      documents: accessKeys(5).map((each) => ({ key: each })),
      total: 5,
    });
    expect(await ask('list_nfe_summaries', november)).toMatchObject({ records: [{ numero: '1' }] });
  });

  it('reads a document as a summary, as XML, into a file and as a resource', async () => {
    const args = { document: 'nfe', key };
    expect(await ask('get_document', args)).toMatchObject({ document: { key, kind: 'nfe' } });
    const { path } = await ask('get_document', { ...args, format: 'xml', delivery: 'file' });
    expect(readdirSync(downloads.path).map((name) => join(downloads.path, name))).toContain(path);
    expect(readFileSync(String(path), 'utf8')).toContain(`<infNFe Id="NFe${key}"`);
    const [resource] = await program.readResource(`dfe://nfe/${key}/xml`);
    expect(resource?.text).toContain(`<infNFe Id="NFe${key}"`);
  });

  it('answers questions over many documents', async () => {
    expect(await ask('query_documents', question)).toMatchObject({
      documents: 5,
      complete: true,
      rows: [{ group: { issuer: supplier }, measures: { count: '5', total: '50.00' } }],
    });
    expect(await ask('check_documents', { document: 'nfe', ...november })).toMatchObject({ documents: 5 });
    expect(await ask('list_pending_manifestations', november)).toMatchObject({ settled_upstream: 5 });
    const exported = await ask('export_documents', { document: 'nfe', ...november, format: 'csv' });
    expect(readFileSync(String(exported.path), 'utf8')).toContain(key);
  });

  it('manifests and replaces after a yes', async () => {
    const one = await confirmed(program, 'manifest_nfe', { key, event: 'ciencia' });
    expect(one.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    const keys = accessKeys(3);
    const batch = await confirmed(program, 'manifest_nfe_batch', { keys, event: 'confirmacao' });
    expect(batch.structured).toMatchObject({ status: 'done' });
    expect(keysOf(program.upstream.seen.filter(({ method }) => method === 'POST'))).toEqual([key, ...keys]);
    const setting = { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value: 'azul' };
    const replaced = await confirmed(program, 'update_company_setting', setting);
    expect(replaced.structured).toMatchObject({ status: 'done' });
    const status = await program.call('get_nfe_event_status', { key, event: 'ciencia' });
    expect(status.structured).toMatchObject({ key, status_code: '135' });
  });

  it('leaves the outcome of a write unknown whose reply is lost', async () => {
    const [lost = ''] = accessKeys(9).slice(-1);
    program.upstream.respond((_, response) => void response.destroy());
    const { structured } = await confirmed(program, 'manifest_nfe', { key: lost, event: 'ciencia' });
    expect(structured).toMatchObject({ status: 'unknown', results: [{ key: lost, status: 'unknown' }] });
    program.upstream.respond((_, response) =>
      json(response, registered({ ChaveNFe: lost, TipoEvento: '210210', Motivo: '' })),
    );
    const settled = await program.call('get_nfe_event_status', { key: lost, event: 'ciencia' });
    expect(settled.text).toMatch(/settled in the journal/);
  });

  it('says what is wrong with arguments, and asks nobody', async () => {
    const { isError, text } = await program.call('list_document_keys', {
      document: 'nfe',
      from: 'x',
      to: 'y',
    });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('from') });
    expect(program.upstream.seen).toEqual([]);
  });

  it('tells a service that fails as a failure, in an answer and nowhere else', async () => {
    // Of these nothing is known from before that could be answered instead.
    const unknownDays = { from: '2026-09-01', to: '2026-09-10' };
    program.upstream.respond(send(401, ''));
    expectFailed(await program.call('list_document_keys', { document: 'nfe', ...unknownDays }));
    program.upstream.respond((_, response) => json(response, '<html>'));
    expectFailed(await program.call('list_documents', { document: 'nfe', ...unknownDays }));
    expectHarmless(program.stderr());
  });
});
