import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivePlace } from '../../../src/archive/store/archive.ts';
import { isLong } from '../../support/depth.ts';
import type { PostgresServer } from './postgres-server.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';

/** A place for one archive, and how to be rid of it. */
export interface TestPlace {
  readonly place: ArchivePlace;
  remove(): Promise<void>;
}

export interface TestPlaces {
  create(): Promise<TestPlace>;
  stop(): Promise<void>;
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'docfiscal-archive-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const memory = async (): Promise<TestPlaces> => ({
  create: async () => ({ place: { mode: 'memory' }, remove: async () => undefined }),
  stop: async () => undefined,
});

const file = async (): Promise<TestPlaces> => ({
  async create() {
    const { path, remove } = temporaryFolder();
    return { place: { mode: 'file', folder: path }, remove: async () => remove() };
  },
  stop: async () => undefined,
});

async function postgres(): Promise<TestPlaces> {
  const server: PostgresServer = await startPostgres();
  return {
    async create() {
      const database = await server.createDatabase();
      return { place: { mode: 'postgres', url: database.url }, remove: async () => undefined };
    },
    stop: () => server.stop(),
  };
}

/**
 * Every place the archive can be in; the same tests run in each. PostgreSQL only in the long suite, and where its
 * server is installed.
 */
export const placeKinds = [
  { name: 'memory', open: memory, isMissing: false },
  { name: 'file', open: file, isMissing: false },
  ...(isLong ? [{ name: 'postgres', open: postgres, isMissing: findPostgres() === undefined }] : []),
];
