import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ArchiveError } from '../../src/archive/errors.ts';
import { duringTests } from '../support/during-tests.ts';
import { until } from '../support/passing-time.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { openArchive } from './open-archive.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';

const window = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;

const fetchedAt = new Date('2026-12-31T12:00:00Z');

const arrivalsOf = (count: number) =>
  [...generateDocuments({ count, seed: 3 })].map((summary) => ({ summary }));

const open = (url: string) => openArchive({ mode: 'postgres', url, keepXml: false });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.skipIf(findPostgres() === undefined)('an archive in a PostgreSQL database', () => {
  const server = duringTests(startPostgres);

  it('is shared by several that start and write at once', async () => {
    const { url } = await server.createDatabase();
    const [first, second] = await Promise.all([open(url), open(url)]);
    const documents = arrivalsOf(300);
    await Promise.all([
      first.store({ ...window, fetchedAt }, documents.slice(0, 200)),
      second.store({ ...window, fetchedAt }, documents.slice(100)),
    ]);
    expect(await second.verify()).toEqual({ documents: 300, findings: [] });
  });

  it('is not opened without saying why, and never with its address in the words', async () => {
    const { url } = await server.createDatabase();
    const wrong = url.replace('keeper@', 'nobody:geheim@');
    const failure = await failureOf(open(wrong));
    expect(failure).toMatchObject({ reason: 'unusable', values: { code: '28000' } });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/geheim|nobody|127\.0\.0\.1/);
    const nowhere = 'postgres://keeper@127.0.0.1:1/archive';
    expect(await failureOf(open(nowhere))).toMatchObject({ values: { code: 'ECONNREFUSED' } });
  });

  /** Another user of the database, which holds what every writer of the archive has to wait for. */
  async function holdingLock(url: string): Promise<pg.Client> {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table documents in exclusive mode');
    return other;
  }

  const cutConnections = (other: pg.Client) =>
    other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docfiscal-mcp'",
    );

  const isWaiting = async (other: pg.Client) => {
    const { rows } = await other.query(
      "select pid from pg_stat_activity where application_name = 'docfiscal-mcp' and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };

  it('outlives the end of a connection that is lent: the call fails, the next one works', async () => {
    const { url } = await server.createDatabase();
    const archive = await open(url);
    const other = await holdingLock(url);
    const storing = failureOf(archive.store({ ...window, fetchedAt }, arrivalsOf(10)));
    await until(() => isWaiting(other));
    await cutConnections(other);
    expect(await storing).toMatchObject({ reason: 'lost' });
    await other.query('rollback');
    await archive.store({ ...window, fetchedAt }, arrivalsOf(10));
    expect(await archive.verify()).toEqual({ documents: 10, findings: [] });
    await other.end();
  });

  it('outlives the end of a connection between two questions of one call', async () => {
    const { url } = await server.createDatabase();
    const archive = await open(url);
    await archive.store({ ...window, fetchedAt }, arrivalsOf(2_000));
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const reading = async () => {
      let count = 0;
      for await (const _ of archive.read({ ...window, filters: {} })) {
        count += 1;
        if (count === 1) await cutConnections(other);
      }
      return count;
    };
    const failure = await failureOf(reading());
    if (failure !== undefined) expect(failure).toMatchObject({ reason: 'lost' });
    expect(await archive.verify()).toEqual({ documents: 2_000, findings: [] });
    await other.end();
  });

  it('outlives a restart of the server', async () => {
    const { url } = await server.createDatabase();
    const archive = await open(url);
    await archive.store({ ...window, fetchedAt }, arrivalsOf(10));
    const asking = Promise.all(Array.from({ length: 8 }, () => failureOf(archive.verify())));
    await server.restart();
    for (const failure of await asking) {
      if (failure !== undefined) expect(failure).toBeInstanceOf(ArchiveError);
    }
    expect(await archive.verify()).toEqual({ documents: 10, findings: [] });
  });

  it('waits for a lock no longer than a call can, and says so', async () => {
    const { url } = await server.createDatabase();
    const archive = await open(url);
    const other = await holdingLock(url);
    const failure = await failureOf(archive.store({ ...window, fetchedAt }, arrivalsOf(1)));
    expect(failure).toMatchObject({ reason: 'busy', values: { code: '55P03' } });
    await other.query('rollback');
    await archive.store({ ...window, fetchedAt }, arrivalsOf(1));
    await other.end();
  });

  it('waits for a connection where there are too many, and says so where there is none in time', async () => {
    const { url, adminUrl } = await server.createDatabase();
    const owner = new pg.Client({ connectionString: adminUrl });
    await owner.connect();
    await owner.query('create role few login connection limit 1; grant all on schema public to few');
    const asFew = url.replace('keeper@', 'few@');
    const holder = new pg.Client({ connectionString: asFew });
    await holder.connect();
    expect(await failureOf(open(asFew))).toMatchObject({ reason: 'busy', values: { code: '53300' } });
    const opening = open(asFew);
    await holder.end();
    await (await opening).close();
    await owner.end();
  });
});
