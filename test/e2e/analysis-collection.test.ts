import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { standStill, until } from '../support/passing-time.ts';
import { answerPlainly, inOrder, type PlainRow } from '../support/plain-answers.ts';
import { failingOn, type StandingBetween, startBetween } from '../support/standing-between.ts';

const company = '48152036000117';
const ofAugust = { from: '2026-08-07', to: '2026-08-16' } as const;
const badDay = '2026-08-12';
const byMonth = { document: 'nfe', ...ofAugust, group_by: ['month'] } as const;

let sandbox: Sandbox;
let between: StandingBetween;
let connection: Connection;
let folder: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
});
afterAll(() => sandbox.close());

beforeEach(async () => {
  folder = temporaryFolder();
  between = await startBetween(sandbox.url);
  connection = await connectInProcess('v1', {
    env: sandboxSettings(between, { DFE_DATA_DIR: folder.path, DFE_DOWNLOAD_DIR: folder.path }),
  });
});

afterEach(async () => {
  await connection.close();
  await between.close();
  folder.remove();
});

describe('a window that fails', () => {
  const incomplete = { complete: false, missing: [{ document: 'nfe', from: badDay, to: badDay }] };

  it('is named by its date in every answer that rests on it, and by none that does not', async () => {
    between.trouble(failingOn(badDay));
    const calls = [
      ['query_documents', byMonth],
      ['query_documents', { document: 'nfe', ...ofAugust }],
      ['list_documents', { document: 'nfe', ...ofAugust }],
      ['check_documents', { document: 'nfe', ...ofAugust }],
      ['list_pending_manifestations', ofAugust],
      ['export_documents', { document: 'nfe', ...ofAugust, format: 'csv' }],
    ] as const;
    for (const [tool, args] of calls) {
      const { isError, text, structured } = await connection.call(tool, args);
      expect(isError, text).toBe(false);
      // Findings rest on CT-e, too, and the day is missing there as well.
      const missing =
        tool === 'check_documents'
          ? ['nfe', 'cte'].map((document) => ({ document, from: badDay, to: badDay }))
          : incomplete.missing;
      expect(structured, tool).toMatchObject({ ...incomplete, missing });
      expect(text, tool).toContain('INCOMPLETE');
      expect(text, tool).toContain('Aug 12, 2026');
    }
    const rest = await connection.call('query_documents', { ...byMonth, from: '2026-08-13' });
    expect(rest.structured).toMatchObject({ complete: true });
    expect(rest.structured).not.toHaveProperty('missing');
    expect(rest.text).not.toContain('INCOMPLETE');
  });

  it('costs its own documents and no others, until it can be fetched', async () => {
    const all = await fetchPlainly(sandbox.url, 'nfe', { company, ...ofAugust });
    const rowsOf = (answer: { structured: Record<string, unknown> | undefined }) =>
      inOrder(
        ((answer.structured?.rows ?? []) as PlainRow[]).map(({ group, measures }) => ({ group, measures })),
      );
    const expected = (documents: typeof all) =>
      inOrder(answerPlainly(company, documents, { group_by: ['month'] }, ['count', 'total']).rows);
    between.trouble(failingOn(badDay));
    const without = await connection.call('query_documents', byMonth);
    expect(rowsOf(without)).toEqual(expected(all.filter(({ day }) => day !== badDay)));
    between.trouble(undefined);
    const whole = await connection.call('query_documents', byMonth);
    expect(whole.structured).toMatchObject({ complete: true });
    expect(rowsOf(whole)).toEqual(expected(all));
  });

  it('among all of them is an error and no answer of nothing', async () => {
    between.trouble(() => ({ status: 500 }));
    const { isError, text, structured } = await connection.call('query_documents', {
      ...byMonth,
      from: '2026-08-01',
      to: '2026-08-31',
    });
    expect(isError).toBe(true);
    expect(structured).toBeUndefined();
    expect(text).toContain('500');
    expect(between.seen.length).toBeLessThan(80);
  });
});

describe('a service that gives short replies only', () => {
  it('is asked for shorter periods until the answer is whole', async () => {
    const strict = await startNovemberSandbox({ maxDocumentsPerReply: 2 });
    const own = await connectInProcess('v1', {
      env: sandboxSettings(strict),
    });
    try {
      const all = await fetchPlainly(sandbox.url, 'nfe', { company, ...ofAugust });
      const { structured } = await own.call('query_documents', byMonth);
      const { rows } = answerPlainly(company, all, { group_by: ['month'] }, ['count', 'total']);
      expect(structured).toMatchObject({ complete: true, rows });
    } finally {
      await own.close();
      await strict.close();
    }
  });
});

describe('a long collection', () => {
  it('tells how far it is at least every five seconds, always further than before', async () => {
    between.trouble(({ path }) => (path.includes('RetornaLista') ? { delayMs: 7_500 } : undefined));
    const told: { progress: number; total?: number; message?: string; at: number }[] = [];
    using time = standStill();
    const began = Date.now();
    const call = connection.call(
      'query_documents',
      { ...byMonth, from: badDay, to: badDay },
      { onprogress: (progress) => void told.push({ ...progress, at: Date.now() - began }) },
    );
    await until(() => between.windows().length === 1);
    await time.pass(7_500);
    expect((await call).structured).toMatchObject({ complete: true });
    expect(told.length).toBeGreaterThanOrEqual(2);
    const moments = [0, ...told.map(({ at }) => at), 7_500];
    const pauses = moments.slice(1).map((at, i) => at - (moments[i] ?? 0));
    expect(Math.max(...pauses)).toBeLessThan(5_000);
    told.forEach(({ progress, total }, i) => {
      expect(progress).toBeGreaterThan(told[i - 1]?.progress ?? -1);
      expect(total).toBe(1);
    });
    expect(told[0]?.message).toContain('0 of 1 day, ');
  });

  it('of a list alone tells that it goes on, too', async () => {
    between.trouble(({ path }) => (path.includes('RetornaLista') ? { delayMs: 10_000 } : undefined));
    const told: { message?: string }[] = [];
    using time = standStill();
    const before = between.windows().length;
    const call = connection.call(
      'list_documents',
      { document: 'nfe', from: badDay, to: badDay, refresh: true },
      { onprogress: (progress) => void told.push(progress) },
    );
    await until(() => between.windows().length > before);
    await time.pass(10_000);
    expect((await call).isError).toBe(false);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told[0]?.message).toBe('0 documents received so far');
  });

  it('ends when it is cancelled, without waiting for anything, and the server goes on', async () => {
    between.trouble(() => ({ delayMs: 20_000 }));
    const controller = new AbortController();
    {
      using _time = standStill();
      const call = connection
        .call('query_documents', byMonth, { signal: controller.signal })
        .catch((error: unknown) => error);
      await until(() => between.windows().length >= 4);
      controller.abort();
      await until(() => between.abandoned >= 4);
      expect(await call).toBeInstanceOf(Error);
    }
    const { length } = between.windows();
    between.trouble(undefined);
    await sleep(300);
    expect(between.windows()).toHaveLength(length);
    const { structured } = await connection.call('query_documents', byMonth);
    expect(structured).toMatchObject({ complete: true });
  });
});
