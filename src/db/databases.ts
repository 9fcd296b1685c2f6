import type pg from 'pg';
import { codeOf, type RetryPolicy, retrying, withCode } from './retry.ts';

/** Pools by purpose: writes and coordination must not queue behind a question of half a minute. */
export type PoolPurpose = 'documents' | 'writes' | 'agreement';

/** Connections of a process to one database, shared by all tenants. Source: docs/scale.md. */
export const mostConnections: Readonly<Record<PoolPurpose, number>> = {
  documents: 6,
  writes: 2,
  agreement: 2,
};

const connectMilliseconds = 10_000;
const int8 = 20;

/** A reference-counted database. */
export interface Database {
  readonly mostConnections: number;
  /** Checks out a connection, which must be released. @throws an error with a code */
  connect(): Promise<pg.PoolClient>;
  /** Releases the reference; the last one closes the pool. */
  release(): Promise<void>;
}

/** Databases of a process, with pools shared by its tenants. */
export interface Databases {
  /** Returns a database; connects on first use. The URL is a secret. */
  acquire(url: string, purpose: PoolPurpose): Promise<Database>;
}

/** Counts and ids are parsed as numbers; every query casts amounts, which may be larger, to text. */
async function createPool(url: string, purpose: PoolPurpose): Promise<pg.Pool> {
  const { default: library } = await import('pg');
  const pool = new library.Pool({
    connectionString: url,
    max: mostConnections[purpose],
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
  const open = new Map<string, { readonly pool: Promise<pg.Pool>; references: number }>();

  return {
    async acquire(url, purpose) {
      const key = `${purpose} ${url}`;
      const held = open.get(key) ?? { pool: createPool(url, purpose), references: 0 };
      open.set(key, held);
      held.references += 1;
      const pool = await held.pool;
      let isOver = false;
      return {
        mostConnections: mostConnections[purpose],
        async connect() {
          try {
            return await retrying(connecting, () => pool.connect());
          } catch (error) {
            throw withCode(error);
          }
        },
        async release() {
          if (isOver) return;
          isOver = true;
          held.references -= 1;
          if (held.references > 0) return;
          open.delete(key);
          await pool.end();
        },
      };
    },
  };
}
