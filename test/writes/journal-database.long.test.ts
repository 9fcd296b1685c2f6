import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWriteGuards, type WriteGuards } from '../../src/company/write-guards.ts';
import { createDatabases } from '../../src/db/databases.ts';
import { createTranslator } from '../../src/messages/index.ts';
import { createDataFolder, RecordUnusable } from '../../src/writes/data-folder.ts';
import { createJournal, type Journal, type Outcome } from '../../src/writes/journal.ts';
import { openSharedJournal } from '../../src/writes/journal-database.ts';
import { createTokens } from '../../src/writes/tokens.ts';
import { divideByTenant } from '../archive/partitioned.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../archive/postgres-server.ts';
import { createRandom } from '../fuzz/random.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { configurationOf } from '../support/configuration.ts';
import { duringTests } from '../support/during-tests.ts';
import { call, intent, journalIn, keys, owner, secretMessage, secrets, setting } from './records.ts';

const sharedKey = async () => Buffer.alloc(32, 7);

describe.skipIf(findPostgres() === undefined).each([{ isDivided: false }, { isDivided: true }])(
  'a journal in a database, divided by tenant: $isDivided',
  ({ isDivided }) => {
    const server = duringTests(startPostgres);
    let place: { url: string; adminUrl: string };
    let clock: number;
    const open: { close(): Promise<void> }[] = [];

    beforeEach(async () => {
      clock = Date.parse('2026-11-20T12:00:00.000Z');
      place = await server.createDatabase();
      await replica().journal.open();
      if (isDivided) expect(await divideByTenant(place.url)).toHaveLength(3);
      return async () => {
        await Promise.all(open.splice(0).map((one) => one.close()));
      };
    });

    /** A replica's own connections, and its own view of what is recorded. */
    function replica(tenant = 'horizonte', url = place.url) {
      const shared = openSharedJournal(createDatabases(), url, tenant);
      open.push(shared);
      const now = () => clock;
      const journal = createJournal({ store: shared.store, owner, now });
      const folder = createDataFolder('/nonexistent');
      return { journal, tokens: createTokens({ folder, journal, now, sharedKey }) };
    }

    async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
      const client = new pg.Client({ connectionString: place.adminUrl });
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    }

    const allLines = () =>
      asAdmin(async (client) => {
        const { rows } = await client.query<{ tenant: string; line: string }>(
          'select tenant, line from journal_lines order by tenant, place',
        );
        return rows.map(({ tenant, line }) => ({ tenant, ...JSON.parse(line) }) as Record<string, unknown>);
      });

    it.each([1, 2, 3])('is answered as a file would answer, whatever was written: %i', async (seed) => {
      const root = temporaryFolder().path;
      const journals = [journalIn(root, { now: () => clock }), replica().journal];
      const random = createRandom(seed);
      const begun: { ids: string[]; keys: readonly string[] }[] = [];
      const entriesOf = async (journal: Journal, which: number) => {
        const { subject } = setting;
        const all = await Promise.all([
          journal.open(),
          journal.open('everyone'),
          journal.history({ keys: keys.slice(0, 2) }),
          journal.history({ subject }),
        ]);
        const numberOf = (id: string) => begun.findIndex(({ ids }) => ids[which] === id);
        return all.map((entries) => entries.map((entry) => ({ ...entry, id: numberOf(entry.id) })));
      };
      for (let step = 0; step < 40; step += 1) {
        clock += 1_000;
        const roll = random.below(100);
        if (roll < 45) {
          const some = keys.filter(() => random.below(2) === 0);
          const args = { value: random.of([1, 2]) };
          const one = roll < 30 ? { ...intent, keys: some } : { ...setting, args };
          begun.push({ ids: await Promise.all(journals.map((each) => each.begin(one))), keys: one.keys });
        } else if (begun.length > 0) {
          const write = random.of(begun);
          const status = random.of(['done', 'refused', 'not_sent', 'unknown'] as const);
          const key = random.below(5) < 3 && write.keys.length > 0 ? random.of(write.keys) : undefined;
          const outcomes: Outcome[] = [{ key, status, status_code: '135', message: 'senha=x' }];
          await Promise.all(journals.map((each, index) => each.finish(write.ids[index] ?? '', outcomes)));
        }
        const [inFile, inDatabase] = await Promise.all(journals.map(entriesOf));
        expect(inDatabase, `step ${step}`).toEqual(inFile);
      }
    });

    it('names tenant and write, and has no justification, argument or secret in it', async () => {
      const { journal } = replica();
      const id = await journal.begin(intent);
      await journal.finish(id, [{ status: 'refused', message: secretMessage }]);
      const lines = await allLines();
      const tenant = 'horizonte';
      expect(lines).toMatchObject([
        { tenant, line: 'intent', id, keys, company: owner.company, justification: { length: 44 } },
        { tenant, line: 'outcome', id, status: 'refused' },
      ]);
      expect(JSON.stringify(lines)).not.toMatch(secrets);
    });

    it('is nothing to another tenant', async () => {
      const [one, other] = [replica('horizonte'), replica('aurora')];
      const id = await one.journal.begin(intent);
      const { token } = await one.tokens.mint(call);
      expect(await other.journal.open('everyone')).toEqual([]);
      expect(await other.journal.history({ keys })).toEqual([]);
      const own = await other.journal.begin(intent);
      expect(await other.journal.conflicting(own, { keys }, [])).toEqual([]);
      await other.journal.finish(id, [{ status: 'done' }]);
      expect(await one.journal.open()).toHaveLength(keys.length);
      expect(await one.tokens.spend(token, call)).toMatchObject({ ok: true });
    });

    it('lets exactly one of many replicas at the same key send, the first in the journal', async () => {
      const [one, other, third] = [replica(), replica(), replica()];
      const [key, otherKey, shared] = ['k1', 'k2', 'k3'];
      for (let round = 0; round < 5; round += 1) {
        const known = await one.journal.history({ keys: [shared] });
        const free = await Promise.all(
          [one, other, third, one, other, third, one, other].map(async ({ journal }, number) => {
            const id = await journal.begin({ ...intent, keys: [number % 2 === 0 ? key : otherKey, shared] });
            const before = await journal.conflicting(id, { keys: [shared] }, known);
            return before.length === 0 ? [id] : [];
          }),
        );
        expect(free.flat()).toHaveLength(1);
        const [first] = (await other.journal.history({ keys: [shared] })).slice(known.length);
        expect(free.flat()).toEqual([first?.id]);
      }
    });

    it('lets a token work once, on whichever replica', async () => {
      const [one, other] = [replica(), replica()];
      for (let round = 0; round < 20; round += 1) {
        const { token } = await one.tokens.mint(call);
        const both = await Promise.all([one.tokens.spend(token, call), other.tokens.spend(token, call)]);
        expect(both.map(({ ok }) => ok).sort(), `round ${round}`).toEqual([false, true]);
        expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'used' });
      }
    });

    it('is whole though connections end all the time: a write is begun once, or refused', async () => {
      const replicas = [replica(), replica()];
      // Division adds nothing to how connections end.
      const rounds = isDivided ? 8 : 40;
      const begun: string[] = [];
      let isOver = false;
      const ending = asAdmin(async (client) => {
        let ended = 0;
        while (!isOver) {
          const { rows } = await client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'docfiscal-mcp' and datname = current_database() and random() < 0.5`,
          );
          ended += rows.length;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return ended;
      });
      const work = replicas.map(async ({ journal, tokens }, index) => {
        for (let round = 0; round < rounds; round += 1) {
          try {
            const { token } = await tokens.mint(call);
            const spent = await tokens.spend(token, call);
            expect(spent.ok).toBe(true);
            const id = await journal.begin({ ...intent, keys: [`${index}-${round}`] });
            begun.push(id);
            await journal.finish(id, [{ status: 'done' }]);
          } catch (error) {
            expect(error).toBeInstanceOf(RecordUnusable);
          }
        }
      });
      await Promise.all(work).finally(() => {
        isOver = true;
      });
      expect(await ending).toBeGreaterThan(rounds / 4);
      expect(begun.length).toBeGreaterThan(rounds / 2);
      const lines = await allLines();
      const ids = lines.filter(({ line }) => line === 'intent').map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(begun.filter((id) => !ids.includes(id))).toEqual([]);
      const settled = lines.filter(({ line }) => line === 'outcome').map(({ id }) => id);
      expect(new Set(settled).size).toBe(settled.length);
    });

    it('refuses to begin where the database is gone, cannot be written or is of a later program', async () => {
      const gone = replica('x', 'postgres://keeper:geheim@127.0.0.1:1/nowhere');
      const failure = await gone.journal.begin(intent).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'ECONNREFUSED', folder: undefined });
      expect(String(failure) + JSON.stringify(failure)).not.toMatch(/geheim|127\.0\.0\.1/);

      const full = replica();
      await full.journal.begin(intent);
      const name = new URL(place.url).pathname.slice(1);
      await asAdmin((client) =>
        client.query(`alter database ${name} set default_transaction_read_only = on`),
      );
      const refused = replica();
      await expect(refused.journal.begin(intent)).rejects.toMatchObject({ code: '25006' });
      await expect(refused.journal.probe()).rejects.toMatchObject({ code: '25006' });
      await expect(refused.tokens.spend((await replica('y').tokens.mint(call)).token, call)).rejects.toThrow(
        RecordUnusable,
      );
      await asAdmin(async (client) => {
        await client.query('set default_transaction_read_only = off');
        await client.query(`alter database ${name} reset default_transaction_read_only`);
      });

      const { journal } = replica();
      await journal.probe();
      expect(await allLines()).toHaveLength(1);
      await asAdmin((client) => client.query('update writes_version set version = 99'));
      await expect(replica().journal.open()).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
    });

    it('survives a crash of the server, and continues', async () => {
      const { journal } = replica();
      const id = await journal.begin(intent);
      const finishing = journal.finish(id, [{ key: keys[0], status: 'done' }]);
      await Promise.all([server.restart(), finishing.catch(() => undefined)]);
      await journal.finish(id, [{ status: 'done' }]);
      expect(await journal.open()).toEqual([]);
      expect(await journal.history({ keys })).toHaveLength(keys.length);
    });
  },
);

describe.skipIf(findPostgres() === undefined)('a database that is configured for the first time', () => {
  let server: PostgresServer;
  let folder: string;
  let place: { url: string; adminUrl: string };
  const open: WriteGuards[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    folder = temporaryFolder().path;
    place = await server.createDatabase();
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await server.close();
  });

  /** What guards the writes of a program that is started with or without the database. */
  async function start(env: Record<string, string>): Promise<WriteGuards> {
    const urls = { DFE_URL: 'http://documents.example', DFE_CNPJ: '11222333000181' };
    const { settings } = configurationOf({ DFE_DATA_DIR: folder, ...urls, ...env });
    const translator = createTranslator('en');
    const databases = createDatabases();
    const guards = await openWriteGuards({
      settings,
      tenant: '',
      mode: 'real',
      translator,
      now: Date.now,
      databases,
    });
    open.push(guards);
    return guards;
  }

  it('gets the journal of the data folder with its spent confirmations, once, by however many start', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const before = await start({});
    const [{ token: used }, { token }] = [await before.tokens.mint(call), await before.tokens.mint(call)];
    expect(await before.tokens.spend(used, call)).toMatchObject({ ok: true });
    // More than are taken at a time; every third has no outcome, and one's outcome is far behind its intent.
    const keyOf = (number: number) => `3526115871652300011955001${String(number).padStart(19, '0')}`;
    const ids: string[] = [];
    for (let number = 0; number < 300; number += 1) {
      ids.push(await before.journal.begin({ ...intent, keys: [keyOf(number)] }));
    }
    for (const [index, id] of ids.entries()) {
      if (index % 3 !== 0) await before.journal.finish(id, [{ key: keyOf(index), status: 'done' }]);
    }
    await before.journal.finish(ids[0] ?? '', [{ key: keyOf(0), status: 'unknown', message: 'cut off' }]);
    const wasOpen = await before.journal.open();
    expect(wasOpen).toHaveLength(100);
    const scope = { keys: [0, 1, 2].map(keyOf) };
    const history = await before.journal.history(scope);
    await appendFile(join(folder, 'journal.jsonl'), 'no line of ours\n');

    const [one, ...others] = await Promise.all([1, 2, 3].map(() => start({ DFE_DATABASE_URL: place.url })));
    if (one === undefined) throw new Error('three were started');
    for (const { journal, tokens } of [one, ...others]) {
      expect(await journal.open()).toEqual(wasOpen);
      expect(await journal.history(scope)).toEqual(history);
      expect(await tokens.spend(used, call)).toMatchObject({ reason: 'used' });
    }
    const words = printed.mock.calls.map(([line]) => String(line)).join('\n');
    // Each of them may have taken a part.
    const taken = [...words.matchAll(/now in the database \((\d+) lines\)/g)].map(([, count]) =>
      Number(count),
    );
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(502);
    expect(words).toContain('1 unreadable');
    expect(await one.tokens.spend(token, call)).toMatchObject({ ok: true });
    expect(await others[0]?.tokens.spend(token, call)).toMatchObject({ reason: 'used' });

    // What was found out since is not forgotten by the next start, which imports nothing.
    printed.mockClear();
    await one.journal.finish(ids[3] ?? '', [{ key: keyOf(3), status: 'done' }]);
    const next = await start({ DFE_DATABASE_URL: place.url });
    expect(await next.journal.open()).toHaveLength(99);
    expect(printed.mock.calls.join()).not.toContain('now in the database');
  });

  it('that is away lets nothing be written, and neither does a folder that cannot be read', async () => {
    const away = place.url.replace(/:\d+\//, ':1/');
    await expect(start({ DFE_DATABASE_URL: away })).rejects.toThrow(RecordUnusable);
    const noFolder = { DFE_DATABASE_URL: place.url, DFE_DATA_DIR: join(folder, 'journal.jsonl') };
    await expect(start(noFolder)).rejects.toMatchObject({ folder: 'journal.jsonl' });
  });
});
