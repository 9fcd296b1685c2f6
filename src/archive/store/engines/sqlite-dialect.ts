import { setImmediate as letOthersRun, setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isBusy, lockPatience, type SqliteConnection, type SqliteValue } from './sqlite-connection.ts';

/** How long a writer waits for another process to finish a window, and how long between attempts; milliseconds. */
const writerPatience = 60_000;
const pause = 20;

function isValue(value: unknown): value is SqliteValue {
  return (
    value === null || ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Uint8Array
  );
}

function parametersOf(query: CompiledQuery): readonly SqliteValue[] {
  return query.parameters.map((value) => {
    if (!isValue(value)) throw new TypeError(`a ${typeof value} cannot be stored`);
    return value;
  });
}

/** Takes the write lock; waits without blocking the event loop as SQLite's own patience would. */
async function beginWriting(sqlite: SqliteConnection): Promise<void> {
  const deadline = Date.now() + writerPatience;
  sqlite.run('pragma busy_timeout = 0', []);
  try {
    for (;;) {
      try {
        sqlite.run('begin immediate', []);
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
      }
      await sleep(pause);
    }
  } finally {
    sqlite.run(`pragma busy_timeout = ${lockPatience}`, []);
  }
}

/** After some errors SQLite has rolled back by itself; what the caller must hear is the error that led here. */
function rollBack(sqlite: SqliteConnection): void {
  try {
    sqlite.run('rollback', []);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
  }
}

/**
 * One connection, lent to one user at a time. No statement ever waits for anything, so that somebody who asks without
 * a pause would keep everything else from running; therefore there is a pause before each loan.
 */
function createDriver(sqlite: SqliteConnection): Driver {
  let lastUse = Promise.resolve();
  let release: () => void = () => undefined;
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      return { rows: sqlite.run(query.sql, parametersOf(query)) as R[] };
    },
    async *streamQuery<R>(query: CompiledQuery) {
      yield await this.executeQuery<R>(query);
    },
  };
  return {
    async init() {},
    async acquireConnection() {
      const before = lastUse;
      let done: () => void = () => undefined;
      lastUse = new Promise((resolve) => {
        done = resolve;
      });
      await before;
      await letOthersRun();
      release = done;
      return connection;
    },
    async beginTransaction(_, { accessMode }) {
      if (accessMode === 'read only') sqlite.run('begin', []);
      else await beginWriting(sqlite);
    },
    commitTransaction: async () => void sqlite.run('commit', []),
    rollbackTransaction: async () => rollBack(sqlite),
    releaseConnection: async () => release(),
    destroy: async () => sqlite.close(),
  };
}

/** Kysely over one SQLite connection. */
export function createSqliteDialect(sqlite: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(sqlite),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
