import { describe, expect, it, vi } from 'vitest';
import { cover } from '../../../src/archive/fetch/cover.ts';
import { daysOf } from '../../../src/documents/days.ts';
import { list, period } from '../../sandbox/calls.ts';
import { duringEachTest } from '../../support/during-tests.ts';
import { requestsAt, sandboxSettings, startNovemberSandbox } from '../../support/november-sandbox.ts';
import { holdTimeLimit, until } from '../../support/passing-time.ts';
import { prepareContext } from '../../support/tool-context.ts';
import { coverOptions, october } from './covering.ts';

const sandbox = duringEachTest(startNovemberSandbox);
const prepared = duringEachTest(() => prepareContext(sandboxSettings(sandbox)));
const archive = duringEachTest(() => prepared.context.company.archive());
const options = duringEachTest(() => coverOptions(archive, prepared));

const fault = (body: object) =>
  fetch(`${sandbox.url}/__sandbox/faults`, { method: 'POST', body: JSON.stringify(body) });

const isoDate = (wire = '') => wire.split('/').reverse().join('-');

/** What was asked for: `operation direction: from – to`, in the order of the days. */
async function asked(): Promise<string[]> {
  return (await requestsAt(sandbox))
    .map(({ path, query: { dataDe, dataAte, tipo = '' } }) => {
      const name = path.split('/').at(-1);
      return `${name} ${tipo}: ${isoDate(dataDe)} – ${isoDate(dataAte)}`;
    })
    .sort();
}

/** How many notes of October the service lists. */
async function listedOfOctober(): Promise<number> {
  const listing = await startNovemberSandbox();
  const days = period('01/10/2026', '31/10/2026');
  const documents = await list(listing, 'Mercadoria/RetornaListaXmlPelaEmissao', days);
  return documents.length;
}

describe('a listing by entry', () => {
  it('is asked day by day, because the day a document was found under is its date', async () => {
    const request = { ...october, area: 'cte', by: 'entry', to: '2026-10-05' } as const;
    await cover(request, options);
    expect(await asked()).toEqual(
      daysOf(request).map((day) => `RetornaListaXmlPelaEntrada : ${day} – ${day}`),
    );
  });

  it('of NF-e is asked for both directions, and the direction is that of the list', async () => {
    const request = { ...october, by: 'entry', from: '2026-10-06', to: '2026-10-08' } as const;
    await cover(request, options);
    const lines = ['Entrada', 'Saída'].flatMap((direction) =>
      daysOf(request).map((day) => `RetornaListaXmlPelaEntradaPorTipo ${direction}: ${day} – ${day}`),
    );
    expect(await asked()).toEqual(lines);
    const [inbound, outbound, all] = await Promise.all([
      archive.list({ ...request, direction: 'inbound', limit: 500 }),
      archive.list({ ...request, direction: 'outbound', limit: 500 }),
      archive.list({ ...request, limit: 500 }),
    ]);
    expect(inbound.documents.every(({ summary }) => summary.recipient?.id === october.company)).toBe(true);
    expect(outbound.documents.every(({ summary }) => summary.issuer?.id === october.company)).toBe(true);
    expect(inbound.total).toBeGreaterThan(0);
    expect(outbound.total).toBeGreaterThan(0);
    expect(inbound.total + outbound.total).toBe(all.total);
  });

  it('names a day once where both directions fail', async () => {
    const request = { ...october, by: 'entry', from: '2026-10-06', to: '2026-10-08' } as const;
    await fault({ match: 'dataDe=07/10/2026', times: 50, status: 500 });
    const { missing } = await cover(request, options);
    expect(missing).toMatchObject([{ from: '2026-10-07', to: '2026-10-07', error: { name: 'Refused' } }]);
  });
});

it('the rest of a period is pending at the deadline, and the next call continues', async () => {
  await fault({ match: 'RetornaListaXml', times: 1, delayMs: 0 });
  await fault({ match: 'RetornaListaXml', times: 1, delayMs: 1_000_000 });
  vi.useFakeTimers({ toFake: ['Date'] });
  const time = holdTimeLimit(700);
  const covering = cover(october, { ...options, concurrency: 1, deadline: Date.now() + 700 });
  await until(async () => (await asked()).length === 2);
  time.end();
  const first = await covering;
  vi.useRealTimers();
  expect(first.missing).toEqual([]);
  expect(first.pending).toHaveLength(1);
  const second = await cover(october, options);
  expect(second.pending).toEqual([]);
  expect(first.daysDone + second.daysDone).toBe(31);
  expect(first.daysDone).toBeGreaterThan(0);
  expect(first.documents + second.documents).toBe(await listedOfOctober());
});

it('days that wait for the rate limit are pending at the deadline', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { company } = prepareContext(sandboxSettings(sandbox), { isFair: true }).context;
  const [own, client] = await Promise.all([company.archive(), company.documents()]);
  const gone = new AbortController();
  const call = () => client.call('connectivity', {}, { signal: gone.signal });
  // Spends the burst of the rate limit, then queues two seconds of calls ahead of ours.
  await Promise.all(Array.from({ length: 300 }, call));
  const before = Promise.allSettled(Array.from({ length: 200 }, call));
  const time = holdTimeLimit(700);
  const covering = cover(october, { ...options, archive: own, client, deadline: Date.now() + 700 });
  await until(time.isSet);
  time.end();
  expect(await covering).toMatchObject({ missing: [], pending: [{ from: '2026-10-01', to: '2026-10-31' }] });
  vi.useRealTimers();
  gone.abort();
  await before;
});
