import { type Dialect, PostgresDialect } from 'kysely';

const connections = 4;
const connectMilliseconds = 15_000;
const int8 = 20;

/**
 * Kysely over a pool of connections to PostgreSQL. Counts and ids come as numbers; amounts, which may be larger, are
 * read as text by every query.
 */
export async function createPostgresDialect(url: string): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    application_name: 'docfiscal-mcp',
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : pg.types.getTypeParser(type, format),
    },
  });
  // A connection that breaks while idle is replaced; without a listener it would end the program.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}
