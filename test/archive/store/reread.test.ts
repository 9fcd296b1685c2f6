import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../src/archive/store/engines/connect.ts';
import type { Connections } from '../../../src/archive/store/engines/connections.ts';
import { openSqlite } from '../../../src/archive/store/engines/sqlite.ts';
import { openArchive } from '../../../src/archive/store/open.ts';
import { beginRereading } from '../../../src/archive/store/write/reread.ts';
import { readDocuments } from '../../../src/documents/summary/read-document.ts';
import { nfeXml } from '../../support/documents.ts';
import { temporaryFolder } from './places.ts';

const COUNT = 230;
const ENOUGH = 60_000;

describe('documents that an earlier version kept', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connections: Connections;

  beforeEach(async () => {
    folder = temporaryFolder();
    const place = { mode: 'file', folder: folder.path } as const;
    const archive = await openArchive({ ...place, keepXml: true });
    const arrivals = Array.from({ length: COUNT }, (_, i) => nfeXml({ number: i + 1 })).flatMap((xml) =>
      readDocuments(xml).map((summary) => ({ summary, xml })),
    );
    await archive.keep({ company: '11222333000181', area: 'nfe' }, arrivals);
    await archive.close();
    const sqlite = await openSqlite(`${folder.path}/archive.db`);
    sqlite.run('update documents set reading = 0, freight = null', []);
    sqlite.close();
    connections = await connect({ ...place, tenant: '' });
  });
  afterEach(async () => {
    await connections.close();
    folder.remove();
  });

  const left = () =>
    connections.read(async ({ db }) => {
      const rows = await db.selectFrom('documents').select('id').where('reading', '=', 0).execute();
      return rows.length;
    });

  it('are read anew while nothing is answered, and then everything is', async () => {
    const rereading = beginRereading(connections);
    await rereading.within(0);
    expect(() => rereading.checkOver()).toThrow('being read anew');
    await rereading.within(ENOUGH);
    expect(() => rereading.checkOver()).not.toThrow();
    expect(await left()).toBe(0);
  });

  it('are gone on with where a process had ended, and none is read twice or left out', async () => {
    const first = beginRereading(connections);
    await first.stop();
    const remaining = await left();
    expect(remaining).toBeGreaterThan(0);
    expect(() => first.checkOver()).toThrow('being read anew');
    const [second, third] = [beginRereading(connections), beginRereading(connections)];
    await Promise.all([second.within(ENOUGH), third.within(ENOUGH)]);
    expect(() => second.checkOver()).not.toThrow();
    expect(() => third.checkOver()).not.toThrow();
    expect(await left()).toBe(0);
  });

  it('fail as their archive fails, and are gone on with after that', async () => {
    let fails = true;
    const failing: Connections = {
      ...connections,
      async write(company, work) {
        if (fails) throw new Error('disk full');
        return connections.write(company, work);
      },
    };
    const rereading = beginRereading(failing);
    await expect(rereading.within(ENOUGH)).rejects.toThrow('disk full');
    fails = false;
    await rereading.within(ENOUGH);
    expect(() => rereading.checkOver()).not.toThrow();
    expect(await left()).toBe(0);
  });
});
