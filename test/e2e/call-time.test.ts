import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONGEST_CALL_MS } from '../../src/company/deadline.ts';
import type { ToolResult } from '../support/clients.ts';
import { accessKey, accessKeys, company } from '../support/documents.ts';
import { eventsOf, keysOf, registered } from '../support/event-service.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';
import { justification } from './remembered-writes.ts';

/** What a call is promised to answer within: docs/hosts.md, F2. */
const PROMISED_MS = 45_000;

/** Requests of this test that wait to be answered, which the test may do. */
const waiting: (() => void)[] = [];

/** The service never answers by itself, and the user would wait for it for ten minutes. */
const service = serve({
  anew: true,
  hasNotes: false,
  respond(request, response) {
    waiting[service.seen.length - 1] = () => {
      if (request.method === 'PUT') return json(response, JSON.parse(request.body));
      const replies = eventsOf(request).map(registered);
      json(response, request.path.endsWith('RealizarLoteManifesto') ? replies : replies[0]);
    };
  },
  envAt: (url) => ({
    ...{ DFE_TIMEOUT: '600', DFE_CONCURRENCY: '1' },
    ...{ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'k3y' },
  }),
});

/** Calls, lets the promised time go by, and gives the answer. */
async function answeredInTime<T>(call: () => Promise<T>): Promise<T> {
  using time = standStill();
  const answering = call();
  await until(() => service.seen.length >= 1);
  await time.pass(PROMISED_MS);
  return await answering;
}

const journal = () =>
  readFileSync(join(service.server.dataFolder, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
const linesOf = (kind: string) => journal().filter(({ line }) => line === kind);
const outcomes = () => linesOf('outcome');

const key = accessKey({ number: 1 });
const period = { from: '2026-11-01', to: '2026-11-20' };

it.each<[tool: string, args: object]>([
  ['check_connection', {}],
  ['list_document_keys', { document: 'nfe', ...period }],
  ['list_documents', { document: 'nfe', ...period }],
  ['list_nfe_covers', { ...period, direction: 'inbound' }],
  ['get_document', { document: 'nfe', key, format: 'pdf' }],
  ['get_document', { document: 'nfse', number: '1', issue_date: '2026-11-02', issuer_cnpj: company }],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
  ['query_documents', { document: 'nfe', ...period }],
  ['list_pending_manifestations', period],
  ['check_documents', { document: 'nfe', ...period, direction: 'inbound' }],
])('%s %j answers in time though the service never does', async (tool, args) => {
  const result = await answeredInTime(() => service.call(tool, args));
  expect(result.isError).toBe(true);
  expect(result.text).toMatch(/stopped after 43 s.*Nothing was changed at the service/s);
  expect(result.text).not.toMatch(/cancelled|nothing (was )?found/i);
});

it('so does a resource', async () => {
  const reading = () => service.server.readResource(`dfe://nfe/${key}/pdf`);
  expect(await answeredInTime(() => reading().catch(String))).toMatch(/stopped after 43 s/);
});

describe('a write whose reply does not come in time', () => {
  const setting = { company_id: 1, id: 2, set: 'X-A', name: 'a', value: 'b' };
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer?.();
  };
  async function withToken(tool: string, args: object): Promise<() => Promise<ToolResult>> {
    waiting.length = 0;
    const { structured } = await service.call(tool, args);
    return () => service.call(tool, { ...args, confirmation_token: structured?.confirmation_token });
  }

  it.each<[tool: string, args: object, status: object, outcome: object]>([
    [
      'manifest_nfe',
      { key, event: 'ciencia' },
      { status: 'unknown', results: [{ status: 'unknown' }] },
      { status: 'done', status_code: '135' },
    ],
    ['update_company_setting', setting, { status: 'unknown' }, { status: 'done' }],
  ])('%s is unknown, waited for, and in the journal when it comes; never sent again', async (...row) => {
    const [tool, args, answered, outcome] = row;
    const result = await answeredInTime(await withToken(tool, args));
    expect(result).toMatchObject({ isError: false, structured: answered });
    expect(result.text).toMatch(/reply has not come yet/);
    expect(outcomes()).toEqual([]);
    answerAll();
    await until(() => outcomes().length === 1);
    expect(outcomes()).toMatchObject([outcome]);
    expect(service.seen).toHaveLength(1);
    if (tool === 'manifest_nfe') expect(await service.preview(tool, args)).toMatch(/registered \(135/);
  });

  it('keeps the parts of a batch behind it from being sent', async () => {
    const keys = accessKeys(12);
    const args = { keys, event: 'nao_realizada', justification };
    const result = await answeredInTime(await withToken('manifest_nfe_batch', args));
    const sent = keysOf(service.seen);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(keys.length);
    expect(result.structured?.results).toMatchObject(
      keys.map((one) => ({ key: one, status: sent.includes(one) ? 'unknown' : 'not_sent' })),
    );
    expect(result.text).toMatch(/time of the call was over/);
    answerAll();
    await until(() => outcomes().length === sent.length);
    expect(linesOf('intent')).toHaveLength(1);
    expect(service.seen).toHaveLength(1);
  });

  it('is not sent at all, then or later, where its turn does not come in time', async () => {
    const first = await withToken('manifest_nfe', { key, event: 'ciencia' });
    const second = await withToken('update_company_setting', setting);
    using time = standStill();
    const holding = first();
    await until(() => service.seen.length === 1);
    const queued = second();
    await until(() => linesOf('intent').length === 2);
    await time.pass(LONGEST_CALL_MS);
    expect((await queued).structured).toMatchObject({ status: 'not_sent' });
    await time.pass(PROMISED_MS - LONGEST_CALL_MS);
    expect((await holding).structured).toMatchObject({ status: 'unknown' });
    answerAll();
    await until(() => outcomes().length === 2);
    await time.pass(PROMISED_MS);
    expect(service.seen).toHaveLength(1);
    expect(outcomes().map(({ status }) => status)).toEqual(['not_sent', 'done']);
  });
});

describe('a preview whose service does not answer', () => {
  const slow = serve({ respond: () => undefined, env: { DFE_TIMEOUT: '600' } });

  it('ends in time, and nothing is sent', async () => {
    using time = standStill();
    const asked = slow.call('manifest_nfe', { key, event: 'ciencia' });
    await until(() => slow.seen.length >= 1);
    await time.pass(PROMISED_MS);
    expect((await asked).text).toMatch(/stopped after 43 s/);
    expect(slow.seen.every(({ method }) => method === 'GET')).toBe(true);
  });
});
