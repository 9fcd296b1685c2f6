import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWriteGuards, type WriteGuards } from '../../../src/company/write-guards.ts';
import { configure } from '../../../src/config/configure.ts';
import { createDatabases } from '../../../src/db/databases.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../archive/postgres-server.ts';

const keyOf = (number: number) => `3526115871652300011955001${String(number).padStart(19, '0')}`;
const intentOn = (number: number) => ({
  tool: 'manifest_nfe',
  operation: 'Mercadoria/RealizarManifesto',
  service: 'documents' as const,
  keys: [keyOf(number)],
  event: '210240',
  args: { key: keyOf(number) },
});
const confirmed = {
  tool: 'manifest_nfe',
  args: { key: keyOf(1) },
  principal: 'ana',
  shown: { preview: 'x' },
};

describe.skipIf(findPostgres() === undefined)('a database that is configured for the first time', () => {
  let server: PostgresServer;
  let folder: string;
  let place: { url: string; adminUrl: string };
  const open: WriteGuards[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    folder = await mkdtemp(join(tmpdir(), 'docfiscal-'));
    place = await server.createDatabase();
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** What guards the writes of a program that is started with or without the database. */
  async function start(env: Record<string, string>): Promise<WriteGuards> {
    const configured = configure(new Map(), {
      DFE_DATA_DIR: folder,
      DFE_URL: 'http://documents.example',
      DFE_CNPJ: '11222333000181',
      ...env,
    });
    if (!configured.ok) throw new Error('bad settings');
    const { settings } = configured.configuration;
    const translator = createTranslator('en');
    const now = () => Date.now();
    const databases = createDatabases();
    const guards = await openWriteGuards({ settings, tenant: '', mode: 'real', translator, now, databases });
    open.push(guards);
    return guards;
  }

  const count = async (table: string): Promise<number> => {
    const client = new pg.Client({ connectionString: place.adminUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
      return Number(rows[0]?.count);
    } finally {
      await client.end();
    }
  };

  it('gets the journal and the used confirmations of the data folder, once, by however many start at once', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const before = await start({});
    const token = await before.tokens.mint(confirmed);
    const unused = await before.tokens.mint({ ...confirmed, args: { key: keyOf(2) } });
    expect(await before.tokens.spend(token.token, confirmed)).toMatchObject({ ok: true });
    // More than are taken at a time; every third has no outcome, and one's outcome stands far behind its intent.
    const ids: string[] = [];
    for (let number = 1; number <= 300; number += 1) ids.push(await before.journal.begin(intentOn(number)));
    for (const [index, id] of ids.entries()) {
      if (index % 3 !== 0) await before.journal.finish(id, [{ key: keyOf(index + 1), status: 'done' }]);
    }
    await before.journal.finish(ids[0] ?? '', [{ key: keyOf(1), status: 'unknown', message: 'cut off' }]);
    const wasOpen = await before.journal.open();
    expect(wasOpen).toHaveLength(100);
    const history = await before.journal.history({ keys: [keyOf(1), keyOf(2), keyOf(3)] });
    await mkdir(join(folder, 'spent'), { recursive: true });
    await writeFile(join(folder, 'spent', 'pruned-until-1000'), '');
    await appendFile(join(folder, 'journal.jsonl'), 'no line of ours\n');

    const replicas = await Promise.all([1, 2, 3].map(() => start({ DFE_DATABASE_URL: place.url })));
    for (const { journal } of replicas) {
      expect(await journal.open()).toEqual(wasOpen);
      expect(await journal.history({ keys: [keyOf(1), keyOf(2), keyOf(3)] })).toEqual(history);
    }
    expect(await count('journal_lines')).toBe(300 + 200 + 1);
    expect(await count('spent_tokens')).toBe(1);
    expect(await count('spent_forgotten')).toBe(1);
    const words = told.mock.calls.map(([line]) => String(line)).join('\n');
    expect(words).toMatch(/now in the database \(\d+ lines\)/);
    expect(words).toContain('1 unreadable');

    const [one, other] = replicas;
    if (one === undefined || other === undefined) throw new Error('three were started');
    expect(await other.tokens.spend(token.token, confirmed)).toMatchObject({ ok: false });
    const second = { ...confirmed, args: { key: keyOf(2) } };
    expect(await one.tokens.spend(unused.token, second)).toMatchObject({ ok: true });
    expect(await other.tokens.spend(unused.token, second)).toMatchObject({ ok: false });

    // What was found out since is not forgotten by the next start.
    await one.journal.finish(ids[3] ?? '', [{ key: keyOf(4), status: 'done' }]);
    const next = await start({ DFE_DATABASE_URL: place.url });
    expect(await next.journal.open()).toHaveLength(99);
    expect(await count('journal_lines')).toBe(502);
  });

  it('that is away lets nothing be written, and neither does a folder that cannot be read', async () => {
    const away = place.url.replace(/:\d+\//, ':1/');
    await expect(start({ DFE_DATABASE_URL: away })).rejects.toMatchObject({ kind: 'database_unusable' });
    const noFolder = join(folder, 'journal.jsonl');
    await expect(start({ DFE_DATABASE_URL: place.url, DFE_DATA_DIR: noFolder })).rejects.toMatchObject({
      kind: 'data_folder_unusable',
    });
  });
});
