import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import { bundleScript, startChild } from './child-processes.ts';
import { company } from './generated-documents.ts';
import { temporaryFolder } from './places.ts';

const windowSize = 40;

/** Writes window after window, each of one day and its own documents, and says so after each. */
const writer = `
  import { openArchive } from 'archive';
  import { company, generateDocuments } from 'generated-documents';
  const [folder, first, windows] = process.argv.slice(2);
  const archive = await openArchive({ mode: 'file', folder, keepXml: false });
  for (let window = 0; window < Number(windows); window++) {
    const day = new Date(Date.UTC(2025, 0, 1 + Number(first) + window)).toISOString().slice(0, 10);
    const number = (Number(first) + window) * ${windowSize} + 1;
    const documents = [...generateDocuments({ count: ${windowSize}, first: number, seed: number })];
    const arrivals = documents.map((summary) => ({ summary: { ...summary, issued_at: day } }));
    await archive.store({ company, area: 'nfe', by: 'issue', from: day, to: day, fetchedAt: new Date() }, arrivals);
    console.log(day);
  }
  await archive.close();
`;

describe('an archive in a file', () => {
  const scripts = temporaryFolder();
  const script = join(scripts.path, 'writer.mjs');

  beforeAll(() => bundleScript(writer, script));
  afterAll(() => scripts.remove());

  async function contents(folder: string) {
    const archive = await openArchive({ mode: 'file', folder, keepXml: false });
    const { documents, coverage } = await archive.info();
    const { findings } = await archive.verify();
    const year = { company, area: 'nfe', by: 'issue', from: '2025-01-01', to: '2025-12-31' } as const;
    const freshness = { now: new Date(), rules: [] };
    const missing = await archive.missing(year, freshness);
    await archive.close();
    return { documents, coverage, findings, missing };
  }

  it('loses at most the open window when its process is killed', async () => {
    const folder = temporaryFolder();
    let first = 0;
    for (let round = 0; round < 20; round++) {
      const child = startChild(script, [folder.path, String(first), '100']);
      await child.wrote(1 + (round % 3));
      await sleep((round * 7) % 30);
      child.process.kill('SIGKILL');
      await child.ended;
      first += child.lines.length;
      const { documents, coverage, findings } = await contents(folder.path);
      expect(findings).toEqual([]);
      expect(documents % windowSize).toBe(0);
      const windows = documents / windowSize;
      // The last window may have been kept without there being time to say so.
      expect([first, first + 1]).toContain(windows);
      expect(coverage.map(({ from }) => from)).toEqual(['2025-01-01']);
      first = windows;
      const last = new Date(Date.UTC(2025, 0, windows)).toISOString().slice(0, 10);
      expect(coverage.map(({ to }) => to)).toEqual([last]);
    }
    folder.remove();
  });

  it('is written by two processes at once', async () => {
    const folder = temporaryFolder();
    const windows = 15;
    const children = [
      startChild(script, [folder.path, '0', String(windows)]),
      startChild(script, [folder.path, String(windows), String(windows)]),
    ];
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0]);
    const { documents, findings, missing } = await contents(folder.path);
    expect({ documents, findings }).toEqual({ documents: 2 * windows * windowSize, findings: [] });
    const firstMissing = new Date(Date.UTC(2025, 0, 1 + 2 * windows)).toISOString().slice(0, 10);
    expect(missing).toEqual([{ from: firstMissing, to: '2025-12-31' }]);
    folder.remove();
  });
});
