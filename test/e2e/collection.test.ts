import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { company } from '../support/asked-sandbox.ts';
import { askThrough } from '../support/asking.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { startConfiguredProgram } from '../support/configured-server.ts';
import { cteXml, documentListReply, nfeXml, nfseXml } from '../support/documents.ts';
import { failing, holding, listsIn, passingOn } from '../support/documents-service.ts';
import { duringEachTest, duringTests } from '../support/during-tests.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { standStill, until } from '../support/passing-time.ts';
import { answerPlainly, rowsOf } from '../support/plain-answers.ts';
import { daysAsked, json, type Responder, startRecordingUpstream } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';

describe('the days of a collection', () => {
  const ofAugust = { from: '2026-08-07', to: '2026-08-16' } as const;
  const badDay = '2026-08-12';
  const oneDay = { document: 'nfe', from: badDay, to: badDay } as const;
  const byMonth = { document: 'nfe', ...ofAugust, group_by: ['month'] } as const;
  const sandbox = duringTests(startNovemberSandbox);
  const folder = temporaryFolder();
  const passOn: Responder = (...asked) => passingOn(sandbox.url)(...asked);
  const failingThatDay = failing(passOn, 'RetornaLista', { from: badDay, to: badDay });
  const between = duringEachTest(() => startRecordingUpstream(passOn));
  const connection = duringEachTest(() =>
    connectInProcess('v1', { env: sandboxSettings(between, { DFE_DOWNLOAD_DIR: folder.path }) }),
  );
  const { ask, call } = askThrough(() => connection);

  it('that fails is named by its date in every answer that rests on it, and by none that does not', async () => {
    between.respond(failingThatDay);
    for (const [tool, args, kinds = ['nfe']] of [
      ['query_documents', byMonth],
      ['query_documents', { document: 'nfe', ...ofAugust }],
      ['list_documents', { document: 'nfe', ...ofAugust }],
      // Findings rest on CT-e, too, and the day is missing there as well.
      ['check_documents', { document: 'nfe', ...ofAugust }, ['nfe', 'cte']],
      ['list_pending_manifestations', ofAugust],
      ['export_documents', { document: 'nfe', ...ofAugust, format: 'csv' }],
    ] as const) {
      const { data, text } = await ask(tool, args);
      const missing = kinds.map((document) => ({ document, from: badDay, to: badDay }));
      expect(data, tool).toMatchObject({ complete: false, missing });
      expect(text, tool).toMatch(/INCOMPLETE.*Aug 12, 2026/);
    }
    const rest = await ask('query_documents', { ...byMonth, from: '2026-08-13' });
    expect(rest.data).toMatchObject({ complete: true });
    expect(rest.data).not.toHaveProperty('missing');
    expect(rest.text).not.toContain('INCOMPLETE');
  });

  it('costs its own documents and no others, until it can be fetched', async () => {
    const all = await fetchPlainly(sandbox.url, 'nfe', { company, ...ofAugust });
    for (const [respond, documents] of [
      [failingThatDay, all.filter(({ day }) => day !== badDay)],
      [passOn, all],
    ] as const) {
      between.respond(respond);
      const { data } = await ask('query_documents', byMonth);
      expect(rowsOf(data)).toEqual(answerPlainly(documents, { group_by: ['month'] }).rows);
      expect(data.complete).toBe(respond === passOn);
    }
  });

  it('that all fail for one kind leave the answer without `refreshed`', async () => {
    between.respond(failing(passOn, 'Mercadoria'));
    const { data } = await ask('query_documents', { document: ['nfe', 'nfse'], ...ofAugust, refresh: true });
    expect(data).toMatchObject({ missing: [{ document: 'nfe', ...ofAugust }] });
    expect(data).not.toHaveProperty('refreshed');
  });

  it('among all of which none comes are an error and no answer of nothing', async () => {
    between.respond(failing(passOn, ''));
    const answer = await call('query_documents', { ...byMonth, from: '2026-08-01', to: '2026-08-31' });
    expect(answer).toMatchObject({
      isError: true,
      structured: undefined,
      text: expect.stringContaining('500'),
    });
    expect(between.seen.length).toBeLessThan(80);
  });

  it('of entry are such an error even with files, which have only days of issue', async () => {
    between.respond(failing(passOn, ''));
    const env = sandboxSettings(between, { DFE_FILES: folder.path });
    const server = await connectInProcess('v1', { env });
    const byEntry = await server.call('query_documents', { ...byMonth, by: 'entry' });
    expect(byEntry).toMatchObject({ isError: true, text: expect.stringContaining('500') });
    expect(await server.call('query_documents', byMonth)).toMatchObject({
      structured: { complete: false, documents: 0 },
    });
  });

  it.each([
    ['query_documents', { ...byMonth, ...oneDay }, 7_500, /^0 of 1 day, /],
    ['list_documents', { ...oneDay, refresh: true }, 10_000, /^0 documents received so far$/],
  ])(
    '%s of long ones tells how far it is at least every five seconds',
    async (tool, args, delayMs, words) => {
      between.respond(async (request, ...rest) => {
        if (listsIn([request]).length > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        return passOn(request, ...rest);
      });
      const told: { progress: number; message?: string; at: number }[] = [];
      using time = standStill();
      const began = Date.now();
      const onprogress = (one: { progress: number; message?: string }) =>
        void told.push({ ...one, at: Date.now() - began });
      const answer = connection.call(tool, args, { onprogress });
      await until(() => listsIn(between.seen).length > 0);
      await time.pass(delayMs);
      expect((await answer).structured).toMatchObject({ complete: true });
      const moments = [0, ...told.map(({ at }) => at), delayMs];
      expect(Math.max(...moments.slice(1).map((at, i) => at - (moments[i] ?? 0)))).toBeLessThan(5_001);
      const steps = told.map(({ progress }) => progress);
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
      expect(told[0]?.message).toMatch(words);
    },
  );

  it('are no more asked for when the call is cancelled, and the server goes on', async () => {
    let abandoned = 0;
    between.respond((_, response) => void response.once('close', () => (abandoned += 1)));
    const controller = new AbortController();
    const answer = call('query_documents', byMonth, { signal: controller.signal });
    const end = answer.catch((error: unknown) => error);
    await until(() => listsIn(between.seen).length >= 4);
    controller.abort();
    await until(() => abandoned >= 4);
    expect(await end).toBeInstanceOf(Error);
    const { length } = between.seen;
    between.respond(passOn);
    await sleep(300);
    expect(between.seen).toHaveLength(length);
    expect((await ask('query_documents', byMonth)).data).toMatchObject({ complete: true });
  });
});

/** Seconds at which days, months and clocks change, each as a document writes it. */
const moments = [
  '2018-10-31T23:59:59-03:00',
  '2018-11-01T00:00:00-03:00',
  // São Paulo kept summer time from 4 November 2018 to 16 February 2019.
  '2018-11-03T23:59:59-03:00',
  '2018-11-04T01:00:00-02:00',
  '2018-11-30T23:59:59-02:00',
  '2018-12-01T00:00:00-02:00',
  // An hour and two later in São Paulo, where it was another month already.
  '2018-11-30T23:59:59-04:00',
  '2018-11-30T23:30:00-05:00',
  '2018-12-01T00:00:00-04:00',
  '2018-12-31T23:59:59-02:00',
  '2019-01-01T00:00:00-02:00',
  '2019-02-16T23:30:00-03:00',
  '2024-02-29T23:59:59-03:00',
  '2024-03-01T00:00:00-03:00',
] as const;
const days = moments.map((moment) => moment.slice(0, 10)).filter((day) => day < '2020');
const countBy = (values: readonly string[]) =>
  [...new Set(values)].sort().map((value) => [value, String(values.filter((one) => one === value).length)]);
const noteAt = (moment: string, i = 0) =>
  nfeXml({ number: i + 1 }).replaceAll('2026-11-05T10:00:00-03:00', moment);
const everything = moments.flatMap((moment, i) => [
  noteAt(moment, i),
  cteXml({ number: i + 1 }).replaceAll('2026-11-05T10:00:00-03:00', moment),
  // Municipal notes write no offset.
  nfseXml({ number: i + 1 }).replaceAll('2026-11-05T09:00:00', moment.slice(0, 19)),
]);

describe.each([
  ['a clock fourteen hours ahead', 'Pacific/Kiritimati'],
  ['a clock eleven hours behind', 'Pacific/Pago_Pago'],
])('on a machine with %s', (_, TZ) => {
  const program = duringTests(() => startConfiguredProgram({ env: { TZ }, respond: holding(everything) }));
  const { ask } = askThrough(() => program);

  it.each(['nfe', 'cte', 'nfse'])('the day of %s is the one written in the document', async (document) => {
    const asking = async (from: string, to: string, grouping: string) => {
      const args = { document, from, to, group_by: [grouping], measures: ['count'] };
      return rowsOf((await ask('query_documents', args)).data).map(({ group, measures }) => [
        group[grouping],
        measures.count,
      ]);
    };
    expect(await asking('2018-10-01', '2019-02-28', 'day')).toEqual(countBy(days));
    const months = days.map((day) => day.slice(0, 7));
    expect(await asking('2018-10-01', '2019-02-28', 'month')).toEqual(countBy(months));
    // A period has its first and last second and no more.
    expect(await asking('2018-11-01', '2018-11-30', 'month')).toEqual([['2018-11', '6']]);
    for (const [day = '', count] of [...countBy(days).slice(4, 6), ['2024-02-29', '1'], ['2024-03-01', '1']])
      expect(await asking(day, day, 'day')).toEqual([[day, count]]);
  });
});

describe('a service whose clock is not that of the documents', () => {
  const { ask } = serve({
    // 23:30 of 30 November at UTC-5 is the first of December at UTC.
    respond: (request, response) => {
      const isThatDay = daysAsked(request).from === '2018-12-01';
      json(response, documentListReply(isThatDay ? [noteAt('2018-11-30T23:30:00-05:00')] : []));
    },
  });

  it('does not move a document, and the answer says that it counts on another day', async () => {
    const day = { document: 'nfe', from: '2018-12-01', to: '2018-12-01' };
    const { text, data } = await ask('query_documents', day);
    expect(data).toMatchObject({ documents: 0, listed: [] });
    expect(text).toContain('listed 1 document of another date of issue');
    const { data: wider } = await ask('query_documents', { ...day, from: '2018-11-30' });
    expect(wider).toMatchObject({ documents: 1, listed: [{ issued_at: '2018-11-30T23:30:00-05:00' }] });
  });
});
