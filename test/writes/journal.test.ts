import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder, DataFolderUnusable } from '../../src/writes/data-folder.ts';
import { createJournal, type Intent, type JournalOwner } from '../../src/writes/journal.ts';
import { journalFile, journalInFolder } from '../../src/writes/journal-file.ts';

const keys = [
  '35170458716523000119550010000000121000123458',
  '52060433009911002506550120000007800267301615',
  '35260712ABC34501DE35550010000001231102030403',
] as const;
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

let root: string;
let clock: number;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'docfiscal-'));
  clock = Date.parse('2026-11-20T12:00:00.000Z');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const ours: JournalOwner = {
  services: { documents: 'http://documents.example', account: 'https://account.example' },
  company: '11222333000181',
  mode: 'real',
};

function journalIn(path: string, owner: JournalOwner = ours) {
  return createJournal({ store: journalInFolder(createDataFolder(path)), owner, now: () => clock });
}

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(path, journalFile), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Rewrites the journal as if another, now dead process of this host had written it. */
async function makeWriterDead(path: string): Promise<void> {
  const text = await readFile(join(path, journalFile), 'utf8');
  await writeFile(join(path, journalFile), text.replaceAll(/"started":\d+/g, '"started":1'));
}

describe('what is written', () => {
  it('is one line per intent, with its keys, and one per outcome', async () => {
    const journal = journalIn(root);
    const id = await journal.begin(intent);
    const intents = await linesOf(root);
    expect(intents).toMatchObject([
      {
        line: 'intent',
        at: '2026-11-20T12:00:00.000Z',
        id,
        tool: 'manifest_nfe_batch',
        operation: 'Mercadoria/RealizarLoteManifesto',
        service: createHash('sha256').update('http://documents.example').digest('hex').slice(0, 16),
        mode: 'real',
        company: '11222333000181',
        keys,
        event: '210240',
        justification: { length: 44 },
      },
    ]);
    clock += 1500;
    await journal.finish(id, [
      { key: keys[0], status: 'done', statusCode: '135', message: 'Evento registrado' },
      { key: keys[1], status: 'refused' },
    ]);
    expect((await linesOf(root)).slice(1)).toEqual([
      {
        line: 'outcome',
        at: '2026-11-20T12:00:01.500Z',
        id,
        key: keys[0],
        status: 'done',
        status_code: '135',
        message: 'Evento registrado',
      },
      { line: 'outcome', at: '2026-11-20T12:00:01.500Z', id, key: keys[1], status: 'refused' },
    ]);
  });

  it('has no justification, no argument and no secret in it', async () => {
    const journal = journalIn(root);
    const id = await journal.begin(intent);
    await journal.finish(id, [
      { status: 'refused', message: 'CPF 529.982.247-25 senha=segredo2\n inválida' },
    ]);
    const text = await readFile(join(root, journalFile), 'utf8');
    for (const secret of ['recusada por', 'Fulano', 'segredo1', 'segredo2', '529.982', 'password']) {
      expect(text).not.toContain(secret);
    }
  });

  it('is on the disk, for its owner only, when begin resolves', async () => {
    const path = join(root, 'new', 'data');
    const journal = journalIn(path);
    expect(existsSync(path)).toBe(false);
    await journal.begin({ ...intent, keys: [keys[0]] });
    expect((await stat(join(path, journalFile))).mode & 0o777).toBe(0o600);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(await linesOf(path)).toHaveLength(1);
  });

  it('stays below 4,096 bytes a line, or nothing is written', async () => {
    const journal = journalIn(root);
    const id = await journal.begin(intent);
    await journal.finish(id, [{ status: 'refused', message: 'ção '.repeat(5000) }]);
    const text = await readFile(join(root, journalFile), 'utf8');
    for (const line of text.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(4096);
    await expect(journal.begin({ ...intent, tool: 'x'.repeat(5000) })).rejects.toThrow(RangeError);
    expect(await readFile(join(root, journalFile), 'utf8')).toBe(text);
  });
});

describe('open writes', () => {
  it('are none before anything was written, and asking makes no folder', async () => {
    const path = join(root, 'none');
    expect(await journalIn(path).open()).toEqual([]);
    expect(await journalIn(path).history({ keys: keys })).toEqual([]);
    expect(await journalIn(path).damage()).toEqual({ count: 0, offsets: [], tornEnd: false });
    expect(existsSync(path)).toBe(false);
  });

  it('are under way while their process lives and they are young, then unknown', async () => {
    const journal = journalIn(root);
    const id = await journal.begin({ ...intent, keys: [keys[0]] });
    expect(await journal.open()).toEqual([
      {
        id,
        at: '2026-11-20T12:00:00.000Z',
        tool: 'manifest_nfe_batch',
        operation: 'Mercadoria/RealizarLoteManifesto',
        company: '11222333000181',
        subject: undefined,
        key: keys[0],
        event: '210240',
        state: 'in_flight',
        statusCode: undefined,
        message: undefined,
      },
    ]);
    clock += 60 * 60_000;
    expect((await journal.open()).map(({ state }) => state)).toEqual(['unknown']);
  });

  it('are unknown at once when their process is gone, even where its pid is in use again', async () => {
    const journal = journalIn(root);
    await journal.begin(intent);
    await makeWriterDead(root);
    expect((await journal.open()).map(({ key, state }) => [key, state])).toEqual(
      keys.map((key) => [key, 'unknown']),
    );
  });

  it('are closed key by key, by an outcome for all, and stay open when the outcome is unknown', async () => {
    const journal = journalIn(root);
    const id = await journal.begin(intent);
    await journal.finish(id, [
      { key: keys[0], status: 'done' },
      { key: keys[1], status: 'unknown' },
    ]);
    expect((await journal.open()).map(({ key, state }) => [key, state])).toEqual([
      [keys[1], 'unknown'],
      [keys[2], 'in_flight'],
    ]);
    await journal.finish(id, [{ status: 'not_sent' }]);
    expect(await journal.open()).toEqual([]);
  });

  it('without keys name their subject', async () => {
    const journal = journalIn(root);
    const id = await journal.begin({
      tool: 'update_company_setting',
      operation: 'UpdateSetting',
      subject: 'companies/12/settings/34',
      args: { value: 'x' },
    });
    expect(await journal.open()).toMatchObject([{ id, subject: 'companies/12/settings/34', key: undefined }]);
    await journal.finish(id, [{ status: 'done' }]);
    expect(await journal.open()).toEqual([]);
  });
});

describe('history', () => {
  it('gives earlier writes on the keys asked for, oldest first, with their outcomes', async () => {
    const journal = journalIn(root);
    const first = await journal.begin({ ...intent, event: '210210', keys: [keys[0], keys[1]] });
    await journal.finish(first, [{ status: 'done', statusCode: '135', message: 'ok' }]);
    clock += 60_000;
    const second = await journal.begin({ ...intent, keys: [keys[0]] });
    await journal.begin({ ...intent, keys: [keys[2]] });
    expect(await journal.history({ keys: [keys[0]] })).toMatchObject([
      { id: first, key: keys[0], event: '210210', state: 'done', statusCode: '135', message: 'ok' },
      { id: second, key: keys[0], event: '210240', state: 'in_flight', at: '2026-11-20T12:01:00.000Z' },
    ]);
    expect((await journal.history({ keys: [keys[0]], event: '210240' })).map(({ id }) => id)).toEqual([
      second,
    ]);
    expect(await journal.history({ keys: [keys[1]], event: '210240' })).toEqual([]);
    expect(await journal.history({ keys: [] })).toEqual([]);
  });

  it('lets a later outcome take the place of an earlier one', async () => {
    const journal = journalIn(root);
    const id = await journal.begin({ ...intent, keys: [keys[0]] });
    await journal.finish(id, [{ status: 'unknown' }]);
    await journal.finish(id, [{ status: 'done', statusCode: '573' }]);
    expect(await journal.history({ keys: [keys[0]] })).toMatchObject([{ state: 'done', statusCode: '573' }]);
    expect(await journal.open()).toEqual([]);
  });
});

describe('damage', () => {
  it('at the end, by a line torn at any byte, is reported and spoils no later line', async () => {
    const whole = join(root, 'whole');
    const journal = journalIn(whole);
    await journal.begin({ ...intent, keys: [keys[0]] });
    await journal.begin({ ...intent, keys: [keys[1]] });
    const bytes = await readFile(join(whole, journalFile));
    const secondLine = bytes.indexOf(10) + 1;
    for (let cut = secondLine + 1; cut < bytes.length - 1; cut += 61) {
      await writeFile(join(whole, journalFile), bytes);
      await truncate(join(whole, journalFile), cut);
      expect(await journal.damage(), `cut at ${cut}`).toEqual({
        count: 1,
        offsets: [secondLine],
        tornEnd: true,
      });
      expect((await journal.open()).map(({ key }) => key)).toEqual([keys[0]]);
      await journal.begin({ ...intent, keys: [keys[2]] });
      expect((await journal.open()).map(({ key }) => key)).toEqual([keys[0], keys[2]]);
      expect(await journal.damage()).toEqual({ count: 1, offsets: [secondLine], tornEnd: false });
      const kept = await readFile(join(whole, journalFile));
      expect(kept.subarray(0, cut).equals(bytes.subarray(0, cut))).toBe(true);
    }
  });

  it('of a last line that lacks only its line break is mended by the next append', async () => {
    const journal = journalIn(root);
    const id = await journal.begin({ ...intent, keys: [keys[0]] });
    await truncate(join(root, journalFile), (await stat(join(root, journalFile))).size - 1);
    await journal.finish(id, [{ status: 'done' }]);
    expect(await journal.damage()).toEqual({ count: 0, offsets: [], tornEnd: false });
    expect(await journal.open()).toEqual([]);
  });

  it('in the middle is counted and keeps no line around it from being read', async () => {
    const journal = journalIn(root);
    await journal.begin({ ...intent, keys: [keys[0]] });
    const { size } = await stat(join(root, journalFile));
    const garbage = Buffer.concat([
      Buffer.from('{"line":"intent"}\n\n[]\nnull\n{"line":"outcome","id":\n'),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.alloc(200_000, 'x'),
      Buffer.from('\n'),
    ]);
    await appendFile(join(root, journalFile), garbage);
    await journal.begin({ ...intent, keys: [keys[1]] });
    expect((await journal.open()).map(({ key }) => key)).toEqual([keys[0], keys[1]]);
    const offsets = [0, 19, 22, 27, 51, 54].map((offset) => size + offset);
    expect(await journal.damage()).toEqual({ count: 6, offsets, tornEnd: false });
  });

  it('everywhere costs no memory', async () => {
    const handle = await open(join(root, journalFile), 'w');
    const block = Buffer.alloc(1_000_000, 'x');
    for (let blocks = 0; blocks < 200; blocks += 1) await handle.write(block);
    await handle.close();
    const before = process.memoryUsage().arrayBuffers;
    expect(await journalIn(root).damage()).toEqual({ count: 1, offsets: [0], tornEnd: true });
    // The engine lets 64 MB of buffers that nobody holds lie before it must collect them.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120_000_000);
  });
});

describe('a folder that cannot be used', () => {
  it('refuses to begin, with the reason and without the path', async () => {
    await writeFile(join(root, 'data'), 'a file in its place');
    const journal = journalIn(join(root, 'data'));
    const scope = { keys };
    for (const attempt of [
      () => journal.begin(intent),
      () => journal.finish('x', [{ status: 'done' }]),
      () => journal.open(),
      () => journal.history(scope),
      () => journal.damage(),
    ]) {
      const reason: unknown = await attempt().catch((error: unknown) => error);
      expect(reason).toBeInstanceOf(DataFolderUnusable);
      expect(reason).toMatchObject({ folder: 'data', code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/) });
      expect(String(reason)).not.toContain(root);
    }
    expect(await readFile(join(root, 'data'), 'utf8')).toBe('a file in its place');
  });
});

describe('owner a write is', () => {
  const others: [string, JournalOwner][] = [
    ['another service', { ...ours, services: { ...ours.services, documents: 'http://other.example' } }],
    ['another company', { ...ours, company: '58716523000119' }],
    ['a demo', { ...ours, mode: 'demo' }],
  ];

  it.each(others)('keeps the writes of %s out of every answer', async (_, owner) => {
    const id = await journalIn(root, owner).begin({ ...intent, keys: [keys[0]] });
    const scope = { keys: [keys[0]] };
    expect(await journalIn(root, owner).history(scope)).toMatchObject([{ id }]);
    expect(await journalIn(root).open()).toEqual([]);
    expect(await journalIn(root).open('everyone')).toMatchObject([{ id }]);
    expect(await journalIn(root).history(scope)).toEqual([]);
    const own = await journalIn(root).begin({ ...intent, keys: [keys[0]] });
    expect(await journalIn(root).conflicting(own, scope, new Set())).toEqual([]);
  });

  it('is told by the company in lines of an earlier version', async () => {
    const line = { line: 'intent', at: '2026-11-19T12:00:00.000Z', id: 'old', tool: 'manifest_nfe' };
    const rest = { operation: 'x', key: keys[0], args: '0'.repeat(64) };
    const writer = { pid: 1, started: 1, host: 'gone' };
    const old = { ...line, ...rest, company: ours.company, process: writer };
    await appendFile(join(root, journalFile), `${JSON.stringify(old)}\n`);
    expect(await journalIn(root).open()).toMatchObject([{ id: 'old', key: keys[0] }]);
    expect(await journalIn(root, { ...ours, company: '58716523000119' }).open()).toEqual([]);
    expect(await journalIn(root, { ...ours, mode: 'demo' }).open()).toEqual([]);
  });
});

describe('of writes at the same moment', () => {
  it('exactly one has no conflicting write, the first on the disk', async () => {
    const scope = { keys: [keys[1]] };
    const known = await journalIn(root).begin(intent);
    const ids = await Promise.all(Array.from({ length: 20 }, () => journalIn(root).begin(intent)));
    const free: string[] = [];
    for (const id of ids) {
      const before = await journalIn(root).conflicting(id, scope, new Set([known]));
      if (before.length === 0) free.push(id);
    }
    expect(free).toHaveLength(1);
  });

  it('one that was not sent stands in nobody’s way', async () => {
    const journal = journalIn(root);
    const first = await journal.begin(intent);
    const second = await journal.begin(intent);
    const scope = { keys: [keys[0]] };
    expect(await journal.conflicting(second, scope, new Set())).toMatchObject([{ id: first }]);
    await journal.finish(first, [{ status: 'not_sent' }]);
    expect(await journal.conflicting(second, scope, new Set())).toEqual([]);
  });
});
