import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Archive } from '../../../src/archive/archive.ts';
import { createListings, type ListRecall } from '../../../src/archive/remember/listings.ts';
import { Refused } from '../../../src/clients/errors.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { startConfigured } from '../../support/configured-server.ts';
import { accessKey, company, documentListReply, nfeXml } from '../../support/documents.ts';
import { holding } from '../../support/documents-service.ts';
import { duringEachTest, duringTests } from '../../support/during-tests.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { holdTimeLimit, until } from '../../support/passing-time.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';
import { prepareContext } from '../../support/tool-context.ts';

const numbers = [1, 2, 3];
const reply = documentListReply(numbers.map((number) => nfeXml({ number })));
const keys = numbers.map((number) => accessKey({ number }));

const asked = {
  company,
  area: 'nfe',
  by: 'issue',
  operation: 'nfeListByIssue',
  from: '2026-11-05T00:00:00',
  to: '2026-11-05T23:59:59',
} as const;

/** Replies that wait to be sent. */
const waiting: ServerResponse[] = [];
const send = (value: unknown = reply, status = 200) => {
  for (const response of waiting.splice(0)) json(response, value, status);
};

const upstream = duringTests(() => startRecordingUpstream((_, response) => void waiting.push(response)));
const prepared = duringEachTest(() =>
  prepareContext({ DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo' }),
);
beforeEach(() => {
  upstream.seen.length = 0;
  waiting.length = 0;
});

const list = (recall: Partial<ListRecall> = {}) =>
  prepared.context.company.memory.list(asked, { signal: new AbortController().signal, limit: 2, ...recall });
const keysOf = ({ lines }: Awaited<ReturnType<typeof list>>) => lines.map(({ summary }) => summary.key);
const arrived = () => until(() => waiting.length > 0);

/** A call that had to be answered before its list had come. */
async function listWithoutPatience(): Promise<void> {
  const patience = new AbortController();
  const call = list({ patience: patience.signal });
  await arrived();
  patience.abort();
  await expect(call).rejects.toMatchObject({ reason: 'still_fetching', values: { documents: 0 } });
}

describe('a list that is being fetched', () => {
  it('is downloaded once, however many ask for it at the same time', async () => {
    const calls = [list(), list({ offset: 2 }), list({ refresh: true })];
    await arrived();
    send();
    const [first, second, third] = await Promise.all(calls);
    expect(upstream.seen).toHaveLength(1);
    expect(first && keysOf(first)).toEqual(keys.slice(0, 2));
    expect(second && keysOf(second)).toEqual(keys.slice(2));
    expect(third).toMatchObject({ total: 3 });
  });

  it.each([
    ['before it has come', true],
    ['after it has come', false],
  ])('goes on when a call must be answered, for who asks again %s', async (_, isBefore) => {
    await listWithoutPatience();
    if (!isBefore) {
      send();
      const { company } = prepared.context;
      const archive = await company.archive();
      await until(async () => (await archive.info()).documents > 0);
    }
    // Also where everything was to be asked for now: it was.
    const again = list({ refresh: true });
    if (isBefore) send();
    expect(await again).toMatchObject({ total: 3 });
    expect(keysOf(await list({ offset: 2, goesOn: true }))).toEqual(keys.slice(2));
    expect(upstream.seen).toHaveLength(1);
  });

  it('is fetched although the answer known before was removed while this process waited for its turn', async () => {
    const { company: services } = prepared.context;
    const archive = await services.archive();
    const before = {
      fetched_at: '2026-11-05T12:00:00.000Z',
      total: 0,
      repeated: 0,
      lines: [],
      unreadable: [],
    };
    let looks = 0;
    const shared: Archive = {
      ...archive,
      takeTurn: async () => ({ end: async () => undefined }),
      findAnswer: async (question, page) => (++looks === 1 ? before : archive.findAnswer(question, page)),
    };
    const client = () => services.documents();
    const listings = createListings({ archive: async () => shared, client, rules: [], now: Date.now });
    const recall = { signal: new AbortController().signal, limit: 2, refresh: true };
    const call = listings.list(asked, recall);
    await arrived();
    send();
    expect(await call).toMatchObject({ total: 3 });
  });

  it('and fails tells so to who asks again, and is asked for anew by the next', async () => {
    await listWithoutPatience();
    send('not contracted', 403);
    await expect(list()).rejects.toThrow(Refused);
    const next = list();
    await arrived();
    send();
    expect(await next).toMatchObject({ total: 3 });
    expect(upstream.seen).toHaveLength(2);
  });

  it('is given up when nobody waits for it any more', async () => {
    const caller = new AbortController();
    const [call, other] = [list({ signal: caller.signal }), list()];
    await arrived();
    caller.abort();
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    send();
    expect(await other).toMatchObject({ total: 3 });

    const alone = new AbortController();
    const refreshed = list({ signal: alone.signal, refresh: true });
    await arrived();
    const [response] = waiting;
    alone.abort();
    await expect(refreshed).rejects.toMatchObject({ reason: 'cancelled' });
    await until(() => response?.destroyed === true);
    // The earlier list is still there.
    expect(await list()).toMatchObject({ total: 3 });
  });

  it('ends with the program', async () => {
    await listWithoutPatience();
    const [response] = waiting;
    await prepared.context.company.close();
    await until(() => response?.destroyed === true);
  });
});

it.each([
  ['whole days', {}, 0],
  ['part of a day', { from: '2026-11-05T10:00:00' }, 1],
] as const)('a list of %s leaves %j: %i day to fetch', async (_, other, days) => {
  const { memory, archive } = prepared.context.company;
  const { operation, ...scope } = { ...asked, ...other };
  const call = memory.list({ operation, ...scope }, { signal: new AbortController().signal, limit: 2 });
  await arrived();
  send();
  await call;
  const ofDays = { ...scope, from: '2026-11-05', to: '2026-11-05' };
  expect(await (await archive()).missing(ofDays, { now: new Date(), rules: [] })).toHaveLength(days);
});

it('list_documents says that a long list is still being read, and answers the next call from it', async () => {
  const service = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo', DFE_CNPJ: company };
  const server = await connectInProcess('v1', { env: service });
  const args = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', refresh: true };
  const limit = holdTimeLimit(38_000, 8_000);
  const first = server.call('list_documents', args);
  await arrived();
  limit.end();
  vi.restoreAllMocks();
  const { isError, text } = await first;
  expect({ isError, text }).toMatchObject({
    isError: true,
    text: expect.stringMatching(/ainda está sendo lida.*0 documentos.*mesmos argumentos/),
  });
  send();
  const second = await server.call('list_documents', args);
  expect(second.structured, second.text).toMatchObject({ total: 3, refreshed: true, complete: true });
  expect(upstream.seen).toHaveLength(1);
});

it('a cursor of a list is refused after the list was fetched again, even if its length is the same', async () => {
  let clock = Date.parse('2026-11-20T12:00:00Z');
  const notes = [1, 2, 3, 4].map((number) => nfeXml({ number }));
  await using server = await startConfigured({ respond: holding(notes.slice(0, 3)), now: () => clock });
  const args = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', limit: 1 };
  const { next_cursor: cursor } = (await server.call('list_documents', args)).structured ?? {};
  clock += 1_000;
  server.upstream.respond(holding(notes.slice(1)));
  const again = await server.call('list_documents', { ...args, refresh: true });
  expect(again.structured).toMatchObject({ total: 3, refreshed: true });
  const next = await server.call('list_documents', { ...args, cursor });
  expect(next).toMatchObject({ isError: true, text: expect.stringContaining('changed') });
});

describe('while the service is down', () => {
  const service = { DFE_USER: 'ana', DFE_PASSWORD: 'segredo', DFE_CNPJ: company, DFE_LANGUAGE: 'en' };
  const document = 'nfe';
  const day = '2026-11-05';

  /** A server that was asked for one day, and whose service fails from then on. */
  async function serverThatKnowsADay() {
    let isDown = false;
    const answer = holding(numbers.map((number) => nfeXml({ number })));
    const failing = await startRecordingUpstream((request, response, count) =>
      isDown ? json(response, 'out of order', 500) : answer(request, response, count),
    );
    const now = () => Date.parse(isDown ? '2026-11-20T12:01:00Z' : '2026-11-20T12:00:00Z');
    const server = await connectInProcess('v1', { env: { ...service, DFE_URL: failing.url }, now });
    await server.call('list_documents', { document, from: day, to: day });
    isDown = true;
    return server;
  }

  it.each([
    {
      asked: 'more days than are known',
      args: { from: '2026-11-01', to: '2026-11-10', limit: 2 },
      missing: [
        { from: '2026-11-01', to: '2026-11-04' },
        { from: '2026-11-06', to: '2026-11-10' },
      ],
      total: 3,
    },
    {
      asked: 'the same day now',
      args: { from: day, to: day, refresh: true },
      missing: [{ from: day, to: day }],
      total: 3,
    },
    { asked: 'hours of the day', args: { from: `${day}T11:00`, to: `${day}T23:00` }, missing: [], total: 0 },
    {
      asked: 'hours with documents',
      args: { from: `${day}T10:00`, to: `${day}T10:30` },
      missing: [],
      total: 3,
    },
  ])('what is known is listed, and the rest stands in missing: $asked', async ({ args, missing, total }) => {
    const server = await serverThatKnowsADay();
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const { structured = {}, text } = await server.call('list_documents', { document, ...args, cursor });
      expect(structured, text).toMatchObject({
        total,
        complete: missing.length === 0,
        as_of: '2026-11-20T12:00:00.000Z',
      });
      const days = (structured.missing ?? []) as { from: string; to: string; reason: string }[];
      expect(days).toMatchObject(missing.map((range) => ({ document, ...range })));
      expect(days.every(({ reason }) => reason.includes('500'))).toBe(true);
      expect(structured.refreshed).toBeUndefined();
      if (missing.length > 0) expect(text).toContain('INCOMPLETE: could not get');
      found.push(...(structured.documents as { key: string }[]).map(({ key }) => key));
      cursor = structured.next_cursor;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(keys.slice(0, total).toSorted());
  });

  it('the last answer of a listing stays, whose days are not complete by it', async () => {
    const entered = {
      ...asked,
      by: 'entry',
      operation: 'nfeListByEntryAndDirection',
      direction: 'inbound',
    } as const;
    const recall = { signal: new AbortController().signal, limit: 2, refresh: true };
    const { memory } = prepared.context.company;
    const first = memory.list(entered, recall);
    await arrived();
    send();
    const before = await first;
    const second = memory.list(entered, recall);
    await arrived();
    send('out of order', 400);
    const { lines, total, as_of } = before;
    expect(await second).toMatchObject({
      lines,
      total,
      as_of,
      missing: [{ from: '2026-11-05', to: '2026-11-05' }],
    });
    expect(total).toBe(3);
  });

  it.each([
    { asked: 'none of the days', args: { from: '2026-10-01', to: '2026-10-31' } },
    { asked: 'another listing', args: { from: day, to: day, by: 'entry' } },
  ])('its error is the answer where nothing is known of $asked', async ({ args }) => {
    const server = await serverThatKnowsADay();
    const { isError, text } = await server.call('list_documents', { document, ...args });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('500') });
  });
});

it('page 2 after a restart is no second download, and every page names a line that the service repeats', async () => {
  const folder = temporaryFolder();
  const data = { DFE_DATA_DIR: join(folder.path, 'data'), DFE_ARCHIVE: 'file' };
  const service = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo', DFE_CNPJ: company };
  const env = { ...service, ...data, DFE_LANGUAGE: 'en' };
  const args = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', limit: 2 };
  const found: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
    const server = await connectInProcess('v1', {
      env,
      now: () => Date.parse('2026-11-20T12:00:00Z') + page,
    });
    const call = server.call('list_documents', cursor ? { ...args, cursor } : args);
    if (page === 0) {
      await arrived();
      send(documentListReply([...numbers, 2].map((number) => nfeXml({ number }))));
    }
    const { structured = {}, text } = await call;
    await server.close();
    expect(structured, text).toMatchObject({ total: 3, complete: true });
    expect(text).toContain('1 document appeared more than once and is counted once');
    found.push(...(structured.documents as { key: string }[]).map(({ key }) => key));
    cursor = structured.next_cursor;
  }
  expect(found).toEqual(keys);
  expect(upstream.seen).toHaveLength(1);
});
