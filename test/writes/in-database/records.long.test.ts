import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabases } from '../../../src/db/databases.ts';
import { createDataFolder, DatabaseUnusable } from '../../../src/writes/data-folder.ts';
import { journalInDatabase } from '../../../src/writes/in-database/journal.ts';
import {
  openSharedRecords,
  type SharedRecords,
  spentInDatabase,
} from '../../../src/writes/in-database/records.ts';
import { createJournal, type Intent, type Journal, type Outcome } from '../../../src/writes/journal.ts';
import { journalInFolder } from '../../../src/writes/journal-file.ts';
import { createTokens, type Tokens } from '../../../src/writes/tokens.ts';
import { divideByTenant } from '../../archive/partitioned.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../archive/postgres-server.ts';
import { createRandom } from '../../fuzz/random.ts';

const keys = [1, 2, 3, 4].map((number) => `3526115871652300011955001${String(number).padStart(19, '0')}`);
const justification = 'Mercadoria recusada por avaria do sr. Fulano';
const intent: Intent = {
  tool: 'manifest_nfe_batch',
  operation: 'Mercadoria/RealizarLoteManifesto',
  service: 'documents',
  keys,
  event: '210240',
  args: { keys, event: 'nao_realizada', justification, password: 'segredo1' },
  justification,
};
const owner = {
  services: { documents: 'http://documents.example', account: 'https://account.example' },
  company: '11222333000181',
  mode: 'real',
} as const;
const signingKey = async () => Buffer.alloc(32, 7);
const call = { tool: 'manifest_nfe', args: { key: keys[0] }, principal: 'ana', shown: { preview: 'x' } };

/** What a replica has: its own connections, and its own view of what is recorded. */
interface Replica {
  readonly records: SharedRecords;
  readonly journal: Journal;
  readonly tokens: Tokens;
}

describe.skipIf(findPostgres() === undefined).each([{ isDivided: false }, { isDivided: true }])(
  'what is recorded of writes in a database, divided by tenant: $isDivided',
  ({ isDivided }) => {
    let server: PostgresServer;
    let place: { url: string; adminUrl: string };
    let clock: number;
    const open: SharedRecords[] = [];

    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    beforeEach(async () => {
      clock = Date.parse('2026-11-20T12:00:00.000Z');
      place = await server.createDatabase();
      const { records } = replica();
      await records.transact(async () => undefined);
      if (isDivided) expect((await divideByTenant(place.url)).length).toBeGreaterThan(5);
      return async () => {
        await Promise.all(open.splice(0).map((one) => one.close()));
      };
    });

    function replica(tenant = 'horizonte', url = place.url): Replica {
      const records = openSharedRecords(createDatabases(), url, tenant);
      open.push(records);
      const now = () => clock;
      const store = journalInDatabase(records, tenant);
      const folder = createDataFolder('/nonexistent');
      const spent = spentInDatabase(records, tenant);
      return {
        records,
        journal: createJournal({ store, owner, now }),
        tokens: createTokens({ folder, spent, now, sharedKey: signingKey }),
      };
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

    it('is answered as a file would answer, whatever was written', async () => {
      for (const seed of [1, 2, 3]) {
        const root = await mkdtemp(join(tmpdir(), 'docfiscal-'));
        const inFile = createJournal({
          store: journalInFolder(createDataFolder(root)),
          owner,
          now: () => clock,
        });
        const inDatabase = replica(`seed${seed}`).journal;
        const random = createRandom(seed);
        const ids: { inFile: string; inDatabase: string }[] = [];
        const named = (index: 'inFile' | 'inDatabase', entries: Awaited<ReturnType<Journal['history']>>) =>
          entries.map((entry) => ({ ...entry, id: ids.findIndex((one) => one[index] === entry.id) }));
        const told = (journal: Journal, index: 'inFile' | 'inDatabase') =>
          Promise.all([
            journal.open(),
            journal.open('everyone'),
            journal.history({ keys: keys.slice(0, 2) }),
            journal.history({ keys, event: '210210' }),
            journal.history({ subject: 'companies/1/settings/2' }),
            journal.history({ subject: 'companies/1/settings/2', args: { value: 1 } }),
          ]).then((all) => all.map((entries) => named(index, entries)));
        for (let step = 0; step < 25; step += 1) {
          clock += 1_000;
          const roll = random.below(100);
          if (roll < 30) {
            const some = keys.filter(() => random.below(2) === 0);
            const one = {
              ...intent,
              keys: some.length > 0 ? some : [random.of(keys)],
              event: random.of(['210210', '210240']),
            };
            ids.push({ inFile: await inFile.begin(one), inDatabase: await inDatabase.begin(one) });
          } else if (roll < 45) {
            const args = { value: random.of([1, 2]) };
            const one: Intent = {
              tool: 't',
              operation: 'o',
              service: 'account',
              subject: 'companies/1/settings/2',
              args,
            };
            ids.push({ inFile: await inFile.begin(one), inDatabase: await inDatabase.begin(one) });
          } else if (ids.length > 0) {
            const status = random.of(['done', 'refused', 'not_sent', 'unknown'] as const);
            const outcomes: Outcome[] = [{ status, statusCode: '135', message: 'senha=x' }];
            if (random.below(5) < 3) outcomes[0] = { status, key: random.of(keys) };
            const id = random.of(ids);
            await inFile.finish(id.inFile, outcomes);
            await inDatabase.finish(id.inDatabase, outcomes);
          }
        }
        expect(await told(inDatabase, 'inDatabase'), `seed ${seed}`).toEqual(await told(inFile, 'inFile'));
        await rm(root, { recursive: true });
      }
    });

    it('names tenant and write, and has no justification, argument or secret in it', async () => {
      const { journal } = replica();
      const id = await journal.begin(intent);
      await journal.finish(id, [{ status: 'refused', message: 'CPF 529.982.247-25 senha=segredo2' }]);
      const lines = await allLines();
      expect(lines).toMatchObject([
        {
          tenant: 'horizonte',
          line: 'intent',
          id,
          keys,
          company: owner.company,
          justification: { length: 44 },
        },
        { tenant: 'horizonte', line: 'outcome', id, status: 'refused' },
      ]);
      expect(JSON.stringify(lines)).not.toMatch(/recusada por|Fulano|segredo|529\.982|password|example/);
    });

    it('is nothing to another tenant', async () => {
      const [one, other] = [replica('horizonte'), replica('aurora')];
      const id = await one.journal.begin(intent);
      const { token } = await one.tokens.mint(call);
      expect(await other.journal.open('everyone')).toEqual([]);
      expect(await other.journal.history({ keys })).toEqual([]);
      const own = await other.journal.begin(intent);
      expect(await other.journal.conflicting(own, { keys }, new Set())).toEqual([]);
      await other.journal.finish(id, [{ status: 'done' }]);
      expect(await one.journal.open()).toHaveLength(keys.length);
      expect(await one.tokens.spend(token, call)).toMatchObject({ ok: true });
    });

    it('lets exactly one of many replicas at the same key send, the first in the journal', async () => {
      const [one, other, third] = [replica(), replica(), replica()];
      const [key, otherKey, shared] = ['k1', 'k2', 'k3'];
      for (let round = 0; round < 5; round += 1) {
        const known = new Set((await one.journal.history({ keys: [shared] })).map(({ id }) => id));
        const free = await Promise.all(
          [one, other, third, one, other, third, one, other].map(async ({ journal }, number) => {
            const id = await journal.begin({ ...intent, keys: [number % 2 === 0 ? key : otherKey, shared] });
            const before = await journal.conflicting(id, { keys: [shared] }, known);
            return before.length === 0 ? [id] : [];
          }),
        );
        expect(free.flat()).toHaveLength(1);
        const [first] = (await other.journal.history({ keys: [shared] })).filter(({ id }) => !known.has(id));
        expect(free.flat()).toEqual([first?.id]);
      }
    });

    it('lets a token work once, on whichever replica, also long after and after the clock went back', async () => {
      const [one, other] = [replica(), replica()];
      for (let round = 0; round < 20; round += 1) {
        const { token } = await one.tokens.mint(call);
        const spent = await Promise.all([one.tokens.spend(token, call), other.tokens.spend(token, call)]);
        expect(spent.map(({ ok }) => ok).sort(), `round ${round}`).toEqual([false, true]);
        expect(spent.find(({ ok }) => !ok)).toMatchObject({ reason: 'used' });
      }
      const { token: unspent } = await one.tokens.mint(call);
      const { token } = await one.tokens.mint(call);
      await one.tokens.spend(token, call);
      clock += 26 * 3_600_000;
      await other.tokens.mint(call);
      const left = await asAdmin((client) => client.query('select count(*)::int as count from spent_tokens'));
      expect(left.rows).toEqual([{ count: 0 }]);
      clock -= 26 * 3_600_000;
      for (const dead of [token, unspent]) {
        expect(await other.tokens.spend(dead, call)).toMatchObject({ ok: false, reason: 'expired' });
      }
    });

    it('is whole though connections end all the time: a write is begun once, or refused', async () => {
      const replicas = [replica(), replica()];
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
        for (let round = 0; round < 40; round += 1) {
          try {
            const { token } = await tokens.mint(call);
            const spent = await tokens.spend(token, call);
            expect(spent.ok).toBe(true);
            const id = await journal.begin({ ...intent, keys: [`${index}-${round}`] });
            begun.push(id);
            await journal.finish(id, [{ status: 'done' }]);
          } catch (error) {
            expect(error).toBeInstanceOf(DatabaseUnusable);
          }
        }
      });
      await Promise.all(work).finally(() => {
        isOver = true;
      });
      expect(await ending).toBeGreaterThan(10);
      expect(begun.length).toBeGreaterThan(20);
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
      expect(failure).toMatchObject({ kind: 'database_unusable', code: 'ECONNREFUSED' });
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
        DatabaseUnusable,
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

    it('is there after the server fell, and is gone on with', async () => {
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
