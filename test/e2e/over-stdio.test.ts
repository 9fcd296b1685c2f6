import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { askThrough } from '../support/asking.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { connect } from '../support/clients.ts';
import { startConfiguredProgram } from '../support/configured-server.ts';
import { accessKey, accessKeys, nfeXml, supplier } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { duringTests } from '../support/during-tests.ts';
import { isAbout, keysOf } from '../support/event-service.ts';
import { expectFailed, expectHarmless, send } from '../support/failed-answers.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const november = { from: '2026-11-01', to: '2026-11-19' } as const;
const inNovember = { document: 'nfe', ...november } as const;
const documents = holding([1, 2, 3, 4, 5].map((number) => nfeXml({ number })));

/** Both services: a few documents, every event registered, every replacement given back. */
const bothServices: Responder = (request, response, count) => {
  if (request.method === 'PUT') return json(response, JSON.parse(request.body));
  if (request.path.includes('RetornaResumos'))
    return json(response, '<resumos><resumo><numero>1</numero></resumo></resumos>');
  return documents(request, response, count);
};

/**
 * Smoke test of the published program over stdio, in both eras of the protocol; other files cover the variants and
 * clients in process.
 */
describe.each(['v1', 'v2 modern'] as const)('the built program, asked by a %s client', (kind) => {
  const downloads = temporaryFolder();
  const env = { DFE_DOWNLOAD_DIR: downloads.path, DFE_ACCOUNT_API_KEY: 'chave' };
  const envAt = (url: string) => ({ DFE_ACCOUNT_URL: url });
  const program = duringTests(() => startConfiguredProgram({ kind, respond: bothServices, env, envAt }));
  const { ask, call, confirmed } = askThrough(() => program);

  beforeEach(() => {
    program.upstream.respond(bothServices);
    program.upstream.seen.length = 0;
  });

  it('lists its tools as a server within this process does', async () => {
    await using inProcess = await connectInProcess(kind, { env: program.env });
    expect(await program.listTools()).toEqual(await inProcess.listTools());
  });

  it.each<[tool: string, args: object, answered: object]>([
    ['list_document_keys', inNovember, { keys: accessKeys(5), total: 5 }],
    ['list_documents', inNovember, { documents: accessKeys(5).map((each) => ({ key: each })), total: 5 }],
    ['list_nfe_summaries', november, { records: [{ numero: '1' }] }],
    ['get_document', { document: 'nfe', key }, { document: { key, kind: 'nfe' } }],
    [
      'query_documents',
      { ...inNovember, group_by: ['issuer'] },
      {
        ...{ documents: 5, complete: true },
        rows: [{ group: { issuer: supplier }, measures: { count: '5', total: '50.00' } }],
      },
    ],
    ['check_documents', inNovember, { documents: 5 }],
    ['list_pending_manifestations', november, { settled_upstream: 5 }],
  ])('%s answers', async (tool, args, answered) => {
    expect((await ask(tool, args)).data).toMatchObject(answered);
  });

  it('gives XML in a file and as a resource, tables in files, and skills', async () => {
    const file = { document: 'nfe', key, format: 'xml', delivery: 'file' };
    const path = String((await ask('get_document', file)).data.path);
    expect(readdirSync(downloads.path).map((name) => join(downloads.path, name))).toContain(path);
    const [resource] = await program.readResource(`dfe://nfe/${key}/xml`);
    for (const xml of [readFileSync(path, 'utf8'), resource?.text])
      expect(xml).toContain(`<infNFe Id="NFe${key}"`);
    const exported = await ask('export_documents', { ...inNovember, format: 'csv' });
    expect(readFileSync(String(exported.data.path), 'utf8')).toContain(key);
    const [skill] = await program.readResource('skill://month-closing/SKILL.md');
    expect(skill?.text).toContain('query_documents');
  });

  it('manifests and replaces after a yes', async () => {
    const one = await confirmed('manifest_nfe', { key, event: 'ciencia' });
    expect(one.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    const keys = accessKeys(3);
    const batch = await confirmed('manifest_nfe_batch', { keys, event: 'confirmacao' });
    expect(batch.structured).toMatchObject({ status: 'done' });
    expect(keysOf(program.upstream.seen.filter(({ method }) => method === 'POST'))).toEqual([key, ...keys]);
    const setting = { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value: 'azul' };
    expect((await confirmed('update_company_setting', setting)).structured).toMatchObject({ status: 'done' });
  });

  it('tells wrong arguments and a service that fails as such, in an answer and nowhere else', async () => {
    const wrong = await call('list_document_keys', { document: 'nfe', from: 'x', to: 'y' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('from') });
    expect(program.upstream.seen).toEqual([]);
    // Of these nothing is known from before that could be answered instead.
    const unknownDays = { document: 'nfe', from: '2026-09-01', to: '2026-09-10' };
    program.upstream.respond(send(401, ''));
    expectFailed(await call('list_document_keys', unknownDays));
    program.upstream.respond((_, response) => json(response, '<html>'));
    expectFailed(await call('list_documents', unknownDays));
    expectHarmless(program.stderr());
  });
});

it('two processes that share a data folder race for one note with many tokens, and one of them sends', async () => {
  await using one = await startConfiguredProgram({ respond: bothServices, hasNotes: false });
  await using other = await connect('v2 modern', { env: one.env });
  const args = { key, event: 'ciencia' };
  const tokens: unknown[] = [];
  while (tokens.length < 40)
    tokens.push((await one.call('manifest_nfe', args)).structured?.confirmation_token);
  // Those of the one are taken by the other, too.
  const answers = await Promise.all(
    tokens.map((confirmation_token, i) =>
      (i % 2 === 0 ? other : one).call('manifest_nfe', { ...args, confirmation_token }),
    ),
  );
  const statuses = answers.map(({ structured }) => structured?.status);
  expect(statuses.filter((status) => status === 'done')).toHaveLength(1);
  expect(one.upstream.seen.filter(isAbout([key]))).toHaveLength(1);
  const unsent = { status: 'confirmation_required', reason: 'preview_changed' };
  for (const { structured, text } of answers.filter((_, i) => statuses[i] !== 'done'))
    expect({ structured, text }).toMatchObject({
      structured: unsent,
      text: expect.stringMatching(/nothing was sent/i),
    });
});
