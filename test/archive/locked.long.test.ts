import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '../../src/archive/engines/sqlite.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { openArchive } from './open-archive.ts';

const window = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;
const fetchedAt = new Date('2026-12-31T12:00:00Z');
const arrivals = [...generateDocuments({ count: 3, seed: 1 })].map((summary) => ({ summary }));

/** What work is rejected with, and how often something else could run while it went on. */
async function failureOf(work: Promise<unknown>): Promise<{ failure: unknown; turns: number }> {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 10);
  try {
    const failure = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    return { failure, turns };
  } finally {
    clearInterval(ticking);
  }
}

/** The limit of the test is the limit of the wait: it is long enough for a busy machine, and no lock outlives it. */
describe('an archive file that another program holds', { timeout: 40_000 }, () => {
  const folder = folderOfEachTest();
  let other: SqliteConnection;

  beforeEach(async () => {
    other = await openSqlite(join(folder.path, 'archive.db'));
  });
  afterEach(() => other.close());

  const open = () => openArchive({ mode: 'file', folder: folder.path, keepXml: false });

  it('is told to be busy by who writes, is read meanwhile, and written when it is free', async () => {
    const archive = await open();
    await archive.store({ ...window, fetchedAt }, arrivals.slice(0, 1));
    other.run('begin immediate', []);
    const { failure, turns } = await failureOf(archive.store({ ...window, fetchedAt }, arrivals));
    expect(failure).toMatchObject({ reason: 'busy', values: { code: 'SQLITE_BUSY' } });
    expect(turns).toBeGreaterThan(20);
    expect(await archive.info()).toMatchObject({ documents: 1 });
    const storing = archive.store({ ...window, fetchedAt }, arrivals);
    other.run('rollback', []);
    await storing;
    expect(await archive.verify()).toEqual({ documents: 3, findings: [] });
  });

  it('is told to be busy by who opens it, and opened when it is free', async () => {
    other.run('pragma locking_mode = exclusive', []);
    other.run('create table mine (a)', []);
    const { failure, turns } = await failureOf(open());
    expect(failure).toMatchObject({ reason: 'busy', values: { code: 'SQLITE_BUSY' } });
    expect(turns).toBeGreaterThan(20);
    // The lock goes with the next access in the normal mode. Source: sqlite.org/pragma.html#pragma_locking_mode
    other.run('pragma locking_mode = normal', []);
    other.run('select * from mine', []);
    const archive = await open();
    expect(await archive.info()).toMatchObject({ documents: 0 });
  });
});
