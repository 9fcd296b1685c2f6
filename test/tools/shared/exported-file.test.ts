import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CallContext } from '../../../src/company/call-context.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { reporting, saveExport } from '../../../src/tools/shared/exported-file.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { prepareContext } from '../../support/tool-context.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reportsOf(make: (count: (done: number) => Promise<void>) => Promise<void>) {
  const reports: (readonly [done: number, total: number, message: string])[] = [];
  let done = 0;
  const context = {
    translator: createTranslator('en'),
    progress: async (...report: [number, number, string]) => void reports.push(report),
  } as unknown as CallContext;
  const count = async (more: number) => {
    done += more;
    await vi.advanceTimersByTimeAsync(3_000);
  };
  const making = reporting(
    () => done,
    1200,
    context,
    () => make(count),
  );
  return { making, reports };
}

it('reports how much of a file is made as it goes and at its end, and nothing after it', async () => {
  const { making, reports } = reportsOf(async (count) => {
    await count(500);
    await count(700);
    await count(50);
  });
  await making;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports.map(([done, total]) => [done, total])).toEqual([
    [500, 1200],
    [1200, 1200],
    // Lines of goods may be more than documents.
    [1250, 1250],
    [1250, 1250],
  ]);
  expect(reports[0]?.[2]).toMatch(/500/);
});

it('reports nothing more of a file that fails', async () => {
  const failure = new Error('the service went away');
  const { making, reports } = reportsOf(async (count) => {
    await count(500);
    throw failure;
  });
  await expect(making).rejects.toBe(failure);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toHaveLength(1);
});

it('saves no file of a call that has ended', async () => {
  vi.useRealTimers();
  const folder = temporaryFolder();
  const prepared = prepareContext({ DFE_DOWNLOAD_DIR: folder.path });
  const ended = new AbortController();
  const reason = new Error('no longer wanted');
  async function* content() {
    yield Buffer.from('first');
    ended.abort(reason);
    yield Buffer.from('last');
  }
  const context = { ...prepared.context, signal: ended.signal };
  await expect(saveExport({ name: 'a', ending: 'csv' }, content(), () => '', context)).rejects.toBe(reason);
  expect(await readdir(folder.path)).toEqual([]);
});
