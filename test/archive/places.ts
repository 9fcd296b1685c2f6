import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Archive, ArchivePlace } from '../../src/archive/archive.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { isLong } from '../support/depth.ts';
import { duringTests } from '../support/during-tests.ts';
import { openArchive } from './open-archive.ts';
import { divideByTenant } from './partitioned.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';

/** Makes a place for one archive. */
export interface TestPlaces {
  create(): Promise<ArchivePlace>;
}

const memory = async (): Promise<TestPlaces> => ({ create: async () => ({ mode: 'memory' }) });

const file = async (): Promise<TestPlaces> => ({
  create: async () => ({ mode: 'file', folder: temporaryFolder().path }),
});

async function postgres(isDivided: boolean): Promise<TestPlaces> {
  const server = await startPostgres();
  const { name, url } = await server.createDatabase();
  const archive = await openArchive({ mode: 'postgres', url, keepXml: false });
  await archive.info();
  await archive.close();
  if (isDivided) await divideByTenant(url);
  return {
    create: async () => ({ mode: 'postgres', url: (await server.createDatabase(name)).url }),
  };
}

const here = [
  { name: 'memory', open: memory },
  { name: 'file', open: file },
];

const inPostgres = { name: 'postgres', open: () => postgres(false) };

/**
 * Places the archive can be in; the same tests run in each. The long suite tries PostgreSQL where its server is
 * installed, the short one all others.
 */
export const placeKinds = isLong ? [inPostgres] : here;

/** The same, and a database that has every table divided into four by tenant. */
export const allPlaceKinds = isLong
  ? [inPostgres, { name: 'postgres divided by tenant', open: () => postgres(true) }]
  : here;

/** A `describe` for each of these places. */
export const describeIn = (kinds: readonly (typeof inPostgres)[]) =>
  describe.skipIf(isLong && findPostgres() === undefined).each(kinds);

/** An archive for each test of a `describe`, in a place of its own, which must be sound afterwards. */
export function archiveOfEachTest(open: () => Promise<TestPlaces>, keepXml: boolean): Archive {
  const places = duringTests(open);
  const archive = {} as Archive;
  beforeEach(async () => {
    Object.assign(archive, await openArchive({ ...(await places.create()), keepXml }));
  });
  afterEach(async () => {
    expect((await archive.verify()).findings).toEqual([]);
  });
  return archive;
}
