import type { Archive } from '../../../src/archive/archive.ts';
import type { CoverOptions } from '../../../src/archive/fetch/cover.ts';
import type { PreparedContext } from '../../support/tool-context.ts';

const days = { from: '2026-10-01', to: '2026-10-31' };
export const october = { company: '48152036000117', area: 'nfe', by: 'issue', ...days } as const;

/** Options to fetch days into an archive with a minute's time. */
export const coverOptions = async (
  archive: Archive,
  { context }: PreparedContext,
): Promise<CoverOptions> => ({
  archive,
  client: await context.company.documents(),
  concurrency: 4,
  hasTimes: true,
  freshness: { now: new Date(), rules: [] },
  now: Date.now,
  deadline: Date.now() + 60_000,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});
