import { beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/archive/archive.ts';
import { cover } from '../../../src/archive/fetch/cover.ts';
import { createListings } from '../../../src/archive/remember/listings.ts';
import { wholeDays } from '../../../src/documents/days.ts';
import { duringEachTest, duringTests } from '../../support/during-tests.ts';
import { requestsAt, sandboxSettings, startNovemberSandbox } from '../../support/november-sandbox.ts';
import { prepareContext } from '../../support/tool-context.ts';
import { openArchive } from '../open-archive.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { coverOptions, october } from './covering.ts';

describe.skipIf(findPostgres() === undefined)('replicas that share an archive', () => {
  const server = duringTests(startPostgres);
  const sandbox = duringEachTest(startNovemberSandbox);
  const prepared = duringEachTest(() => prepareContext(sandboxSettings(sandbox)));
  let replicas: Archive[];

  beforeEach(async () => {
    const { url } = await server.createDatabase();
    const open = () => openArchive({ mode: 'postgres', url, keepXml: false, tenant: 'horizonte' });
    replicas = [await open(), await open(), await open()];
  });

  const optionsOf = (archive: Archive) => coverOptions(archive, prepared);
  const asked = async () => (await requestsAt(sandbox)).map((request) => JSON.stringify(request));

  it('fetch a period once, however many ask for it at once: the others wait and read it', async () => {
    const results = await Promise.all(replicas.map(async (one) => cover(october, await optionsOf(one))));
    const requests = await asked();
    expect(requests.length).toBeGreaterThan(1);
    expect(new Set(requests).size).toBe(requests.length);
    expect(results.map(({ pending, missing }) => [...pending, ...missing])).toEqual([[], [], []]);
    const counts = await Promise.all(replicas.map(async (archive) => (await archive.info()).documents));
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(5);
  });

  it('ask for a list once, and give it alike', async () => {
    const { company: services } = prepared.context;
    const lists = replicas.map((archive) =>
      createListings({ archive: async () => archive, client: services.documents, rules: [], now: Date.now }),
    );
    const operation = 'nfeListByIssueAndDirection';
    const listed = { ...october, ...wholeDays(october), direction: 'inbound', operation } as const;
    const recall = { signal: new AbortController().signal, limit: 500 };
    const answers = await Promise.all(lists.map((one) => one.list(listed, recall)));
    expect(await asked()).toHaveLength(1);
    const [first, ...others] = answers.map(({ lines }) => lines.map(({ summary }) => summary.key));
    expect(first?.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  it('wait for whoever is at days of it no longer than a call may, and say what is not fetched yet', async () => {
    const [holder, waiter] = replicas;
    if (holder?.takeTurn === undefined || waiter === undefined) throw new Error('nobody shares it');
    const turn = await holder.takeTurn({ ...october, from: '2026-10-15', to: '2026-10-15' });
    const options = { ...(await optionsOf(waiter)), deadline: Date.now() + 1_200 };
    const result = await cover(october, options);
    expect(result.pending).toEqual([{ from: october.from, to: october.to }]);
    expect(await asked()).toEqual([]);
    const gone = new AbortController();
    const waiting = cover(october, { ...(await optionsOf(waiter)), signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
    await turn?.end();
    const fetched = await cover(october, await optionsOf(waiter));
    expect(fetched.pending).toEqual([]);
    expect((await asked()).length).toBeGreaterThan(1);
  });
});
