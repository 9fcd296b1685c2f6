import type pg from 'pg';
import { codeOf, type RetryPolicy, retrying, withCode } from './retry.ts';

/** Pools by purpose: writes and coordination must not queue behind a question of half a minute. */
export type Lane = 'documents' | 'writes' | 'agreement';

/** Connections of a process to one database, shared by all tenants. Source: docs/scale.md. */
export const mostConnections: Readonly<Record<Lane, number>> = { documents: 6, writes: 2, agreement: 2 };

const connectMilliseconds = 10_000;
const int8 = 20;

/** A reference-counted database. */
export interface Database {
  readonly mostConnections: number;
  /** Checks out a connection, which must be released. @throws an error with a code */
  connect(): Promise<pg.PoolClient>;
  /** Releases the reference; the last one closes the pool. */
  giveBack(): Promise<void>;
}

/** Databases of a process, with pools shared by its tenants. */
export interface Databases {
  /** Returns a database; connects on first use. The URL is a secret. */
  lend(url: string, lane: Lane): Promise<Database>;
}

/** Counts and ids are parsed as numbers; every query casts amounts, which may be larger, to text. */
async function createPool(url: string, lane: Lane): Promise<pg.Pool> {
  const { default: library } = await import('pg');
  const pool = new library.Pool({
    connectionString: url,
    max: mostConnections[lane],
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'docfiscal-mcp',
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : library.types.getTypeParser(type, format),
    },
  });
  // A broken connection is replaced and fails its query; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Transient: too many connections, or a server that is starting. */
const connecting: RetryPolicy = {
  isPassing: (error) => ['53300', '57P03'].includes(codeOf(error)),
  firstPauseMs: 100,
  forMs: 6_400,
};

export function createDatabases(): Databases {
  const open = new Map<string, { readonly pool: Promise<pg.Pool>; loans: number }>();

  return {
    async lend(url, lane) {
      const key = `${lane} ${url}`;
      const held = open.get(key) ?? { pool: createPool(url, lane), loans: 0 };
      open.set(key, held);
      held.loans += 1;
      const pool = await held.pool;
      let isOver = false;
      return {
        mostConnections: mostConnections[lane],
        async connect() {
          try {
            return await retrying(connecting, () => pool.connect());
          } catch (error) {
            throw withCode(error);
          }
        },
        async giveBack() {
          if (isOver) return;
          isOver = true;
          held.loans -= 1;
          if (held.loans > 0) return;
          open.delete(key);
          await pool.end();
        },
      };
    },
  };
}
