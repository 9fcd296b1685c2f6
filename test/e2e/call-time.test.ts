import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LONGEST_CALL_MS } from '../../src/company/deadline.ts';
import type { ToolResult } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey, accessKeys, company } from '../support/documents.ts';
import { eventsOf, registered } from '../support/event-service.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json, type Responder, type SeenRequest } from '../support/recording-upstream.ts';
import { justification } from './remembered-writes.ts';

/** What a call is promised to answer within: docs/hosts.md, F2. */
const PROMISED_MS = 45_000;

let server: ConfiguredServer;

afterEach(() => server.close());

/** The service never answers, and the user would wait for it for ten minutes. */
async function startHanging(respond: Responder = () => undefined, more: Record<string, string> = {}) {
  server = await startConfigured({
    respond,
    hasNotes: false,
    envAt: (url) => ({
      DFE_TIMEOUT: '600',
      DFE_ACCOUNT_URL: url,
      DFE_ACCOUNT_API_KEY: 'k3y',
      DFE_DOWNLOAD_DIR: server?.dataFolder ?? '/nowhere',
      ...more,
    }),
  });
}

/** Calls, lets the promised time go by, and gives the answer. */
async function answeredInTime(call: () => Promise<ToolResult>, requests = 1): Promise<ToolResult> {
  using time = standStill();
  const answering = call();
  await until(() => server.upstream.seen.length >= requests);
  await time.pass(PROMISED_MS);
  return await answering;
}

const journal = () =>
  readFileSync(join(server.dataFolder, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

const outcomes = () => journal().filter(({ line }) => line === 'outcome');

async function tokenFor(tool: string, args: object): Promise<unknown> {
  const { structured, text } = await server.call(tool, { ...args });
  if (structured === undefined) throw new Error(text);
  expect(structured).toMatchObject({ status: 'confirmation_required' });
  return structured?.confirmation_token;
}

describe('a call that only reads', () => {
  const key = accessKey({ number: 1 });
  const period = { from: '2026-11-01', to: '2026-11-20' };
  const calls: readonly (readonly [tool: string, args: object])[] = [
    ['check_connection', {}],
    ['list_document_keys', { document: 'nfe', ...period }],
    ['list_integration_keys', { document: 'nfe', company: '1', establishment: '1' }],
    ['list_documents', { document: 'nfe', ...period }],
    ['list_documents', { document: 'nfse', ...period, by: 'entry' }],
    ['list_nfe_summaries', period],
    ['list_nfe_covers', { ...period, direction: 'inbound' }],
    ['get_nfe_classifications', { key }],
    ['get_document', { document: 'nfe', key, format: 'pdf' }],
    ['get_document', { document: 'nfse', number: '1', issue_date: '2026-11-02', issuer_cnpj: company }],
    ['get_nfe_event_status', { key, event: 'ciencia' }],
    ['query_documents', { document: 'nfe', ...period }],
    ['list_pending_manifestations', period],
    ['check_documents', { document: 'nfe', ...period, direction: 'inbound' }],
  ];

  it.each(calls)('%s %j answers in time though the service never does', async (tool, args) => {
    await startHanging();
    const result = await answeredInTime(() => server.call(tool, { ...args }));
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/stopped after 43 s.*Nothing was changed at the service/s);
    expect(result.text).not.toMatch(/cancelled|nothing (was )?found/i);
  });

  it('so does a resource', async () => {
    await startHanging();
    using time = standStill();
    const reading = server.readResource(`dfe://nfe/${key}/pdf`).catch((error: unknown) => String(error));
    await until(() => server.upstream.seen.length >= 1);
    await time.pass(PROMISED_MS);
    expect(await reading).toMatch(/stopped after 43 s/);
  });

  it('so does the preview of a write whose service does not answer, and nothing is sent', async () => {
    server = await startConfigured({ respond: () => undefined, envAt: () => ({ DFE_TIMEOUT: '600' }) });
    const result = await answeredInTime(() =>
      server.call('manifest_nfe', { key: accessKey({ number: 2 }), event: 'ciencia' }),
    );
    expect(server.upstream.seen.every(({ method }) => method === 'GET')).toBe(true);
    expect(result.text).toMatch(/stopped after 43 s/);
  });
});

describe('a write whose reply does not come in time', () => {
  /** Requests that wait to be answered when the test says so. */
  function waiting() {
    const answers: (() => void)[] = [];
    const respond: Responder = (request: SeenRequest, response) => {
      answers.push(() => {
        const replies = eventsOf(request).map(registered);
        json(response, request.path.endsWith('RealizarLoteManifesto') ? replies : replies[0]);
      });
    };
    return { answers, respond };
  }

  it('is unknown, waited for, and in the journal when the reply comes; it is never sent again', async () => {
    const { answers, respond } = waiting();
    await startHanging(respond);
    const args = { key: accessKey({ number: 3 }), event: 'ciencia' };
    const token = await tokenFor('manifest_nfe', args);
    const result = await answeredInTime(() =>
      server.call('manifest_nfe', { ...args, confirmation_token: token }),
    );
    expect(result.isError).toBe(false);
    expect(result.structured).toMatchObject({ status: 'unknown', results: [{ status: 'unknown' }] });
    expect(result.text).toMatch(/reply has not come yet.*get_nfe_event_status/s);
    expect(outcomes()).toEqual([]);
    for (const answer of answers) answer();
    await until(() => outcomes().length === 1);
    expect(outcomes()).toMatchObject([{ status: 'done', status_code: '135' }]);
    expect(server.upstream.seen).toHaveLength(1);
    const again = await server.call('manifest_nfe', args);
    expect(again.structured?.preview).toMatch(/was sent.*135/s);
  });

  it('keeps the parts of a batch behind it from being sent', async () => {
    const { answers, respond } = waiting();
    await startHanging(respond);
    const args = { keys: accessKeys(12), event: 'nao_realizada', justification };
    const token = await tokenFor('manifest_nfe_batch', args);
    const result = await answeredInTime(() =>
      server.call('manifest_nfe_batch', { ...args, confirmation_token: token }),
    );
    const { results } = result.structured as { results: { key: string; status: string }[] };
    const sent = server.upstream.seen.flatMap(eventsOf).map(({ ChaveNFe }) => ChaveNFe);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(args.keys.length);
    expect(results).toEqual(
      args.keys.map((key) =>
        expect.objectContaining({ key, status: sent.includes(key) ? 'unknown' : 'not_sent' }),
      ),
    );
    expect(result.text).toMatch(/time of the call was over/);
    for (const answer of answers) answer();
    await until(() => outcomes().length === sent.length);
    expect(journal().filter(({ line }) => line === 'intent')).toHaveLength(1);
    expect(server.upstream.seen).toHaveLength(1);
  });

  it('is unknown for a replacement too, and noted when the reply comes', async () => {
    const answers: (() => void)[] = [];
    await startHanging((request, response) => {
      answers.push(() => json(response, JSON.parse(request.body)));
    });
    const args = { company_id: 1, id: 2, set: 'X-A', name: 'a', value: 'b' };
    const token = await tokenFor('update_company_setting', args);
    const result = await answeredInTime(() =>
      server.call('update_company_setting', { ...args, confirmation_token: token }),
    );
    expect(result.structured).toEqual({ status: 'unknown' });
    expect(result.text).toMatch(/reply has not come yet/);
    for (const answer of answers) answer();
    await until(() => outcomes().length === 1);
    expect(outcomes()).toMatchObject([{ status: 'done' }]);
    expect(server.upstream.seen).toHaveLength(1);
  });

  it('is not sent at all, then or later, where its turn does not come in time', async () => {
    const { answers, respond } = waiting();
    await startHanging(respond, { DFE_CONCURRENCY: '1' });
    const first = { key: accessKey({ number: 6 }), event: 'ciencia' };
    const second = { company_id: 1, id: 2, set: 'X-A', name: 'a', value: 'b' };
    const firstToken = await tokenFor('manifest_nfe', first);
    const secondToken = await tokenFor('update_company_setting', second);
    using time = standStill();
    const holding = server.call('manifest_nfe', { ...first, confirmation_token: firstToken });
    await until(() => server.upstream.seen.length === 1);
    const queued = server.call('update_company_setting', { ...second, confirmation_token: secondToken });
    await until(() => journal().length === 2);
    await time.pass(LONGEST_CALL_MS);
    expect((await queued).structured).toMatchObject({ status: 'not_sent' });
    await time.pass(PROMISED_MS - LONGEST_CALL_MS);
    expect((await holding).structured).toMatchObject({ status: 'unknown' });
    for (const answer of answers) answer();
    await until(() => outcomes().length === 2);
    await time.pass(PROMISED_MS);
    expect(server.upstream.seen).toHaveLength(1);
    expect(outcomes().map(({ status }) => status)).toEqual(['not_sent', 'done']);
  });
});

describe('a person who thinks', () => {
  it('takes no time of the call: the write is sent after nine minutes', async () => {
    using time = standStill();
    server = await startConfigured({
      respond: (request, response) => json(response, registered(eventsOf(request)[0] ?? ({} as never))),
      hasNotes: false,
      async onForm() {
        await time.pass(540_000);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const args = { key: accessKey({ number: 5 }), event: 'ciencia' };
    const result = await server.call('manifest_nfe', args, { timeout: 3_600_000 });
    expect(result.structured).toMatchObject({ status: 'done' });
    expect(server.upstream.seen).toHaveLength(1);
  });
});
