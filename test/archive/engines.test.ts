import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  connectSqlite,
  isBusy,
  openLibsql,
  openNodeSqlite,
  type SqliteConnection,
} from '../../src/archive/engines/sqlite.ts';
import { temporaryFolder } from '../support/built-program.ts';

const engines = [
  { name: 'libsql', open: openLibsql },
  { name: 'node:sqlite', open: async (path: string) => openNodeSqlite(path) },
];
const found = await Promise.all(engines.map(async ({ open }) => (await open(':memory:')) !== undefined));

describe.each(engines.map((engine, index) => ({ ...engine, isMissing: found[index] === false })))(
  'the engine $name',
  ({ name, open, isMissing }) => {
    describe.skipIf(isMissing)('where there is one', () => {
      const opened: SqliteConnection[] = [];
      afterEach(() => {
        for (const connection of opened.splice(0)) connection.close();
      });

      async function connection(path = ':memory:'): Promise<SqliteConnection> {
        const one = await open(path);
        if (one === undefined) throw new Error('no engine');
        opened.push(one);
        return one;
      }

      it('keeps whole numbers, texts and bytes as they are', async () => {
        const sqlite = await connection();
        expect(sqlite.engine).toBe(name);
        sqlite.run('create table kept (whole integer, text text, bytes blob) strict', []);
        expect(
          sqlite.run('insert into kept values (?, ?, ?)', [10n ** 17n - 1n, 'é', Buffer.from([0, 255])]),
        ).toEqual([]);
        sqlite.run('insert into kept values (?, ?, ?)', [7, '', null]);
        const rows = sqlite.run(
          'select cast(sum(whole) as text) as sum, max(typeof(whole)) as type from kept',
          [],
        );
        expect(rows).toEqual([{ sum: '100000000000000006', type: 'integer' }]);
        const [row] = sqlite.run('select text, bytes from kept where whole > ?', [7]);
        expect(row?.text).toBe('é');
        const { bytes } = row ?? {};
        expect(
          bytes instanceof ArrayBuffer || bytes instanceof Uint8Array ? [...new Uint8Array(bytes)] : [],
        ).toEqual([0, 255]);
      });

      it('refuses what no column holds', async () => {
        const sqlite = await connection();
        sqlite.run('create table kept (whole integer)', []);
        for (const value of [undefined, true, {}]) {
          expect(() => sqlite.run('insert into kept values (?)', [value])).toThrow(TypeError);
        }
        expect(sqlite.run('select whole from kept', [])).toEqual([]);
      });

      it.each(['begin immediate', 'analyze', 'analyze sqlite_schema', 'vacuum'])(
        'goes on after %s met a lock',
        async (refused) => {
          const { path, remove } = temporaryFolder();
          const [first, second] = [await connection(`${path}/a.db`), await connection(`${path}/a.db`)];
          first.run('pragma journal_mode = wal', []);
          first.run('create table kept (whole integer)', []);
          first.run('analyze', []);
          second.run('select count(*) from kept', []);
          first.run('begin immediate', []);
          first.run('insert into kept values (?)', [7]);
          let error: unknown;
          try {
            second.run(refused, []);
          } catch (thrown) {
            error = thrown;
          }
          expect(isBusy(error)).toBe(true);
          const read = ['begin', 'select count(*) as held from kept', 'commit'];
          expect(read.map((text) => second.run(text, []))).toEqual([[], [{ held: 0 }], []]);
          first.run('commit', []);
          second.run('begin immediate', []);
          expect(second.run('select whole from kept', [])).toEqual([{ whole: 7 }]);
          second.run('commit', []);
          remove();
        },
      );
    });
  },
);

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
