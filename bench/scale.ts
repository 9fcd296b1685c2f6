// Rows, bytes and time that a document and a write take in PostgreSQL, for docs/scale.md:
// `node bench/run.mjs scale [documents]`. Starts a server of its own; the rows are generated, nothing is fetched.
import pg from 'pg';
import { openArchive } from '../src/archive/store/open.ts';
import { createDatabases } from '../src/database/databases.ts';
import { journalInDatabase } from '../src/writes/in-database/journal.ts';
import { openSharedRecords } from '../src/writes/in-database/records.ts';
import { createJournal } from '../src/writes/journal.ts';
import { company, generateDocuments } from '../test/archive/store/generated-documents.ts';
import { startPostgres } from '../test/archive/store/postgres-server.ts';
import { toTheEnd } from './to-the-end.mjs';

const count = Number(process.argv[2] ?? 4_000);
const writes = 300;
const window = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;

async function main(): Promise<void> {
  const server = await startPostgres();
  const { url, adminUrl } = await server.createDatabase();
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();

  const archive = await openArchive({ mode: 'postgres', url, keepXml: false, tenant: 'bench' });
  const arrivals = [...generateDocuments({ count, items: 5, partners: 800, products: 2_000 })].map(
    (summary) => ({
      summary,
    }),
  );
  const before = performance.now();
  for (let from = 0; from < count; from += 500) {
    await archive.store({ ...window, fetchedAt: new Date() }, arrivals.slice(from, from + 500));
  }
  const perDocument = (performance.now() - before) / count;
  await archive.close();

  const records = openSharedRecords(createDatabases(), url, 'bench');
  const journal = createJournal({ store: journalInDatabase(records, 'bench') });
  const began = performance.now();
  for (let number = 0; number < writes; number += 1) {
    const id = await journal.begin({
      tool: 'manifest_nfe',
      operation: 'o',
      keys: [`key ${number}`],
      args: {},
    });
    await journal.finish(id, [{ key: `key ${number}`, status: 'done', statusCode: '135' }]);
  }
  const perWrite = (performance.now() - began) / writes;
  await records.close();

  await client.query('analyze');
  const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 0 order by bytes desc`,
  );
  const ofWrites = /^journal|^spent/;
  const documentRows = rows.filter(({ name }) => !ofWrites.test(name));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  for (const { name, rows: tuples, bytes } of rows) {
    console.log(`${name.padEnd(18)} ${String(tuples).padStart(8)} rows ${String(bytes).padStart(10)} bytes`);
  }
  console.log(`${count} documents of 5 items: ${perDocument.toFixed(2)} ms each, one writer`);
  console.log(`${(sum(documentRows.map((row) => row.rows)) / count).toFixed(1)} rows a document`);
  console.log(
    `${Math.round(sum(documentRows.map((row) => row.bytes)) / count)} bytes a document, indexes included`,
  );
  console.log(`${perWrite.toFixed(2)} ms a write (intent and outcome)`);
  const journalBytes = sum(rows.filter(({ name }) => ofWrites.test(name)).map((row) => row.bytes));
  console.log(`${Math.round(journalBytes / writes)} bytes a write`);
  await client.end();
  await server.stop();
}

void toTheEnd(main);
