import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../src/archive/engines/sqlite.ts';
import { ArchiveError, explained } from '../../src/archive/errors.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { buyer, keyOf, note } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';

const window = {
  company: buyer,
  area: 'nfe',
  by: 'issue',
  from: '2026-11-01',
  to: '2026-11-30',
  fetchedAt: new Date('2026-11-20T12:00:00Z'),
} as const;

const folder = folderOfEachTest();
let file: string;

beforeEach(() => {
  file = join(folder.path, 'inside', 'archive.db');
});

const open = () => openArchive({ mode: 'file', folder: join(folder.path, 'inside'), keepXml: false });

async function withOneNote() {
  const archive = await open();
  await archive.store(window, [{ summary: note(1) }]);
  return archive;
}

it('an archive file and the files beside it are readable by their owner only, and hold what was stored', async () => {
  const archive = await withOneNote();
  const files = process.platform === 'win32' ? [] : [file, `${file}-wal`, `${file}-shm`];
  for (const name of files) expect(statSync(name).mode & 0o777).toBe(0o600);
  await archive.close();
  expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  const again = await open();
  expect(await again.info()).toMatchObject({ mode: 'file', documents: 1, items: 1, schema_version: 16 });
});

it('a file that is no archive is refused and not touched', async () => {
  mkdirSync(join(folder.path, 'inside'));
  writeFileSync(file, 'this is a text of somebody and no database at all');
  await expect(open()).rejects.toBeInstanceOf(ArchiveError);
  expect(readFileSync(file, 'utf8')).toBe('this is a text of somebody and no database at all');
});

it('an archive file can be read while it is written', async () => {
  const archive = await withOneNote();
  const arrivals = Array.from({ length: 400 }, (_, index) => ({ summary: note(index + 2) }));
  const question = { ...window, groupBy: [], measures: ['count'], limit: 1 } as const;
  const seen = new Set<string>();
  let isWritten = false;
  const writing = archive.store(window, arrivals).then(() => {
    isWritten = true;
  });
  while (!isWritten) seen.add((await archive.ask(question)).rows[0]?.measures.count ?? '');
  await writing;
  seen.add((await archive.ask(question)).rows[0]?.measures.count ?? '');
  expect([...seen].sort()).toEqual(['1', '401']);
});

it('verifying an archive file finds damage', async () => {
  await (await withOneNote()).close();
  const sqlite = await openSqlite(file);
  sqlite.run('update documents set status = ?', ['cancelled']);
  sqlite.run('update contents set summary = ?', [Buffer.from('nothing')]);
  sqlite.run('delete from items', []);
  sqlite.close();
  const archive = await open();
  const { findings } = await archive.verify();
  expect(new Set(findings.map(({ damage }) => damage))).toEqual(new Set(['content', 'items', 'status']));
});

it('a missing content is an error, never a skipped document', async () => {
  const archive = await withOneNote();
  await archive.store(window, [{ summary: note(2) }]);
  await archive.close();
  const sqlite = await openSqlite(file);
  sqlite.run('delete from contents where document_id = 1', []);
  sqlite.run('update judgements set rules = 0', []);
  sqlite.close();
  const opened = await open();
  const readAll = async (documents: AsyncIterable<unknown>) => {
    for await (const _ of documents);
  };
  const failing = {
    list: () => opened.list({ ...window, limit: 10 }),
    read: () => readAll(opened.read(window)),
    judged: () => readAll(opened.judged(window)),
    find: () => opened.find({ document: 'nfe', key: keyOf(1) }),
  };
  for (const [name, act] of Object.entries(failing)) {
    await expect(act(), name).rejects.toMatchObject({
      reason: 'damage',
      values: { code: 'CONTENT_MISSING' },
    });
  }
  expect(await opened.find({ document: 'nfe', key: keyOf(2) })).toBeDefined();
});

// The runtime's own SQLite reports 11 (SQLITE_CORRUPT), 267 (11 in detail) and 26 (SQLITE_NOTADB) this way.
it.each<[reason: string, codes: object]>([
  ['damage', { code: 'ERR_SQLITE_ERROR', errcode: 11 }],
  ['damage', { code: 'ERR_SQLITE_ERROR', errcode: 267 }],
  ['damage', { code: 'ERR_SQLITE_ERROR', errcode: 26 }],
  ['busy', { code: 'SQLITE_BUSY' }],
])('an engine error is classified as %s: %o', async (reason, codes) => {
  const failing = async () => {
    throw Object.assign(new Error('no words of ours'), codes);
  };
  await expect(explained(failing)).rejects.toMatchObject({ reason });
});

it('a folder that cannot be created is an error with its code', async () => {
  writeFileSync(join(folder.path, 'inside'), '');
  await expect(open()).rejects.toMatchObject({ reason: 'unusable', values: { code: 'EEXIST' } });
});
