import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectSqlite, isBusy, openLibsql, openNodeSqlite } from '../../src/archive/engines/sqlite.ts';
import { temporaryFolder } from '../support/built-program.ts';

const engines = [
  ['libsql', openLibsql],
  ['node:sqlite', async (path: string) => openNodeSqlite(path)],
] as const;
const present = await Promise.all(engines.map(async ([, open]) => Boolean(await open(':memory:'))));
const refused = ['begin immediate', 'analyze', 'analyze sqlite_schema', 'vacuum'];

describe.each(engines.filter((_, at) => present[at]))('the engine %s', (_, open) => {
  it('keeps whole numbers exactly, and refuses a value that no column holds', async () => {
    const sqlite = await open(':memory:');
    sqlite?.run('create table kept (whole integer)', []);
    for (const value of [10n ** 17n - 1n, 7]) sqlite?.run('insert into kept values (?)', [value]);
    expect(
      sqlite?.run('select cast(sum(whole) as text) as sum, max(typeof(whole)) as type from kept', []),
    ).toEqual([{ sum: '100000000000000006', type: 'integer' }]);
    for (const value of [undefined, true, {}])
      expect(() => sqlite?.run('insert into kept values (?)', [value])).toThrow(TypeError);
    sqlite?.close();
  });

  it.each(refused)('continues after %s met a lock', async (text) => {
    const folder = temporaryFolder();
    const [first, second] = [await open(`${folder.path}/a.db`), await open(`${folder.path}/a.db`)];
    if (first === undefined || second === undefined) throw new Error('no engine');
    first.run('pragma journal_mode = wal', []);
    first.run('create table kept (whole integer)', []);
    first.run('analyze', []);
    second.run('select count(*) from kept', []);
    first.run('begin immediate', []);
    first.run('insert into kept values (?)', [7]);
    let error: unknown;
    try {
      second.run(text, []);
    } catch (thrown) {
      error = thrown;
    }
    expect(isBusy(error)).toBe(true);
    const read = ['begin', 'select count(*) as held from kept', 'commit'];
    expect(read.map((one) => second.run(one, []))).toEqual([[], [{ held: 0 }], []]);
    first.run('commit', []);
    second.run('begin immediate', []);
    expect(second.run('select whole from kept', [])).toEqual([{ whole: 7 }]);
    second.run('commit', []);
    for (const connection of [first, second]) connection.close();
  });
});

it('no other error is taken for a lock', () => {
  expect(isBusy(new Error('database is locked'))).toBe(false);
});

it('an archive in memory sorts in memory, whatever the engine does of itself', async () => {
  const connections = await connectSqlite(undefined, '');
  const { rows } = await connections.read(({ db }) =>
    sql<{ temp_store: number }>`pragma temp_store`.execute(db),
  );
  await connections.close();
  // Source: sqlite.org/pragma.html#pragma_temp_store
  expect(rows[0]?.temp_store).toBe(2);
});
