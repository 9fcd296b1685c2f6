import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../../src/archive/archive.ts';
import { openSqlite } from '../../src/archive/engines/sqlite.ts';
import { rebuildArchive } from '../../src/archive/rebuild.ts';
import { digestOf } from '../../src/archive/schema/encoding.ts';
import { schemaVersion } from '../../src/archive/schema/schema.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { codesOf, natures } from '../../src/documents/tables/cfop.ts';
import { nfeXml } from '../support/documents.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { buyer, eventOf, keyOf, note, seller } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';

const november = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const at = (minute: number) => new Date(Date.UTC(2026, 11, 1, 12, minute));
const file = (name: string) => ({
  ...{ root: name === '' ? '' : '/notas', folder: '', name, size: 1, changed: 1, digest: name },
  ...{ isLast: true, givenUp: [], leftOut: { counts: {}, named: [] } },
});

describe('an archive of another version', () => {
  const folder = folderOfEachTest();
  let path: string;
  const open = () => openArchive({ mode: 'file', folder: folder.path, keepXml: true });

  beforeEach(async () => {
    path = join(folder.path, 'archive.db');
    const archive = await open();
    await fill(archive);
    await archive.close();
  });

  async function fill(archive: Archive): Promise<void> {
    const listed = [1, 2, 3].map((number) => ({ summary: note(number) }));
    const other = { summary: note(3, { totals: { total: '7.00' } }) };
    await archive.store({ ...november, fetchedAt: at(1) }, [...listed, other]);
    const entered = {
      ...november,
      by: 'entry',
      direction: 'inbound',
      from: '2026-11-28',
      to: '2026-12-03',
    } as const;
    await archive.store({ ...entered, fetchedAt: at(2) }, [{ summary: note(2) }]);
    await archive.store({ ...november, company: seller, fetchedAt: at(3) }, [{ summary: note(1) }]);
    const xml = nfeXml({ number: 51 });
    const texts = readDocuments(xml).map((summary) => ({
      summary: { ...summary, remark: 'read long ago' },
      xml,
    }));
    await archive.keep({ company: buyer, area: 'nfe' }, [...texts, { summary: eventOf(2, '110111') }], at(4));
    await archive.keepEvent({
      key: keyOf(1),
      code: '210200',
      registered: true,
      from: 'write',
      askedAt: at(5),
    });
    const filed = (number: number) => ({ summary: note(number), xml: `<n>${number}</n>` });
    await archive.files.take([{ ...file(''), documents: [filed(61)] }], buyer);
    await archive.files.take([{ ...file('a.xml'), documents: [filed(62), filed(1)] }], buyer);
  }

  async function setVersion(version: number): Promise<void> {
    const sqlite = await openSqlite(path);
    sqlite.run('update schema_version set version = ?', [version]);
    // The driver may let go of the file later: then nothing is left to write.
    sqlite.run('pragma wal_checkpoint(truncate)', []);
    sqlite.close();
  }

  async function answers(archive: Archive) {
    const question = {
      ...november,
      groupBy: ['issuer', 'cfop', 'status'],
      measures: ['count', 'total'],
      limit: 50,
    } as const;
    const documents = await Promise.all(
      [1, 2, 3, 61].map((number) => archive.find({ document: 'nfe', key: keyOf(number) })),
    );
    return {
      asked: (await archive.ask(question)).rows,
      ofSeller: (await archive.ask({ ...question, company: seller })).rows,
      entered: await archive.ask({ ...question, by: 'entry', to: '2026-12-31' }),
      documents: documents.map(
        (one) =>
          one && {
            ...{ summary: one.summary, status: one.status, status_from: one.status_from, xml: one.xml },
            ...{ events: one.events.length, contents: one.contents },
          },
      ),
      others: await archive.otherContents({ document: 'nfe', key: keyOf(3) }),
      coverage: (await archive.info()).coverage,
      entryDays: [...(await archive.entryDays(november))],
    };
  }

  it.each([schemaVersion - 1, 99])('%d is refused untouched, with the way to rebuild it', async (version) => {
    await setVersion(version);
    const before = readFileSync(path);
    await expect(open()).rejects.toMatchObject({
      reason: 'other_version',
      values: { found: version, known: schemaVersion },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('answers after it was rebuilt as it did before', async () => {
    const before = await open();
    // Documents that come from files alone are read from these again.
    await before.files.forget(await before.files.filesOf('/notas', ''));
    await before.files.adopt(seller);
    const expected = await answers(before);
    await before.close();
    await setVersion(9);
    expect(await rebuildArchive(folder.path, true)).toEqual({ documents: 5, events: 2 });
    const after = await open();
    expect(await answers(after)).toEqual(expected);
    expect((await after.verify()).findings).toEqual([]);
    // What text is kept of is read anew, and what was imported stays without its file.
    const { key = '' } = readDocuments(nfeXml({ number: 51 }))[0] ?? {};
    expect((await after.find({ document: 'nfe', key }))?.summary).not.toHaveProperty('remark');
    expect((await after.files.whose()).candidates).toMatchObject([{ documents: 1 }, { documents: 1 }]);
    expect(readdirSync(folder.path).filter((name) => !/^archive\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  });

  it('is not touched where something of it can’t be read', async () => {
    await setVersion(9);
    const sqlite = await openSqlite(path);
    sqlite.run('delete from contents where document_id = 1', []);
    sqlite.run('pragma wal_checkpoint(truncate)', []);
    sqlite.close();
    const before = readFileSync(path);
    await expect(rebuildArchive(folder.path, true)).rejects.toMatchObject({
      values: { code: 'REBUILD_INCOMPLETE' },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    // The first attempt's leftovers don't hinder a second one.
    await expect(rebuildArchive(folder.path, true)).rejects.toMatchObject({
      values: { code: 'REBUILD_INCOMPLETE' },
    });
    expect(existsSync(path)).toBe(true);
  });
});

it('cached sums by nature belong to the CFOP table of this schema version', () => {
  // Files hold cached sums by nature: a code of another nature needs a new schema version.
  const codes = natures.map((nature) => [nature, codesOf(nature)]);
  expect([schemaVersion, digestOf(JSON.stringify(codes))]).toEqual([
    16,
    'bKTwGNUxi29UUPVneQ8l0eSCjCWClFy3tlnPfRNHrWc',
  ]);
});
