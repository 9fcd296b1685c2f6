import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cleanMessage, type Journal, type JournalOwner } from '../../src/writes/journal.ts';
import { journalFile } from '../../src/writes/journal-file.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { intent, journalIn, keys, owner, secretMessage, secrets, setting } from './records.ts';

const [first = '', second = '', third = ''] = keys;
const on = (...some: string[]) => ({ ...intent, keys: some });

let root: string;
let file: string;
let clock: number;
let journal: Journal;

beforeEach(() => {
  root = temporaryFolder().path;
  file = join(root, journalFile);
  clock = Date.parse('2026-11-20T12:00:00.000Z');
  journal = of(owner);
});

function of(whose: JournalOwner, path = root): Journal {
  return journalIn(path, { of: whose, now: () => clock });
}

async function lines(): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const openStates = async () => (await journal.open()).map(({ key, state }) => [key, state]);

describe('what is written', () => {
  it('is one line per intent, with its keys, and one per outcome', async () => {
    const id = await journal.begin(intent);
    clock += 1500;
    const done = { key: first, status: 'done', status_code: '135', message: 'Evento registrado' } as const;
    await journal.finish(id, [done, { key: second, status: 'refused' }]);
    const { args: _, justification: __, service: ___, ...plain } = intent;
    const at = '2026-11-20T12:00:01.500Z';
    expect(await lines()).toEqual([
      {
        line: 'intent',
        at: '2026-11-20T12:00:00.000Z',
        id,
        ...plain,
        service: createHash('sha256').update('http://documents.example').digest('hex').slice(0, 16),
        mode: 'real',
        company: owner.company,
        args: expect.stringMatching(/^[0-9a-f]{64}$/),
        justification: { length: 44, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        process: { pid: process.pid, started: expect.any(Number), host: expect.any(String) },
      },
      { line: 'outcome', at, id, ...done },
      { line: 'outcome', at, id, key: second, status: 'refused' },
    ]);
  });

  it('has no justification, no argument and no secret in it', async () => {
    await journal.finish(await journal.begin(intent), [{ status: 'refused', message: secretMessage }]);
    expect(await readFile(file, 'utf8')).not.toMatch(secrets);
  });

  it('is on the disk, for its owner only, when begin resolves; asking before makes no folder', async () => {
    const path = join(root, 'new', 'data');
    const made = of(owner, path);
    expect(await made.open()).toEqual([]);
    expect(await made.history({ keys })).toEqual([]);
    expect(await made.damage()).toEqual({ count: 0, tornEnd: false });
    expect(existsSync(path)).toBe(false);
    await made.begin(intent);
    expect((await stat(join(path, journalFile))).mode & 0o777).toBe(0o600);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('stays below 4,096 bytes a line, or nothing is written', async () => {
    await journal.finish(await journal.begin(intent), [{ status: 'refused', message: 'ção '.repeat(5000) }]);
    const text = await readFile(file, 'utf8');
    for (const line of text.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(4096);
    await expect(journal.begin({ ...intent, tool: 'x'.repeat(5000) })).rejects.toThrow(RangeError);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('open writes', () => {
  it('are under way while their process lives and they are young, then unknown', async () => {
    const id = await journal.begin(on(first));
    const { tool, operation, event } = intent;
    const at = '2026-11-20T12:00:00.000Z';
    const entry = { id, at, tool, operation, event, company: owner.company, key: first, state: 'in_flight' };
    expect(await journal.open()).toEqual([entry]);
    clock += 60 * 60_000;
    expect(await journal.open()).toEqual([{ ...entry, state: 'unknown' }]);
  });

  it('are unknown at once when their process is gone, even where its pid is in use again', async () => {
    await journal.begin(on(first, second));
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"started":\d+/, '"started":1'));
    expect(await openStates()).toEqual([
      [first, 'unknown'],
      [second, 'unknown'],
    ]);
  });

  it('are closed key by key, by an outcome for all, and stay open when the outcome is unknown', async () => {
    const id = await journal.begin(on(first, second, third));
    await journal.finish(id, [
      { key: first, status: 'done' },
      { key: second, status: 'unknown' },
    ]);
    expect(await openStates()).toEqual([
      [second, 'unknown'],
      [third, 'in_flight'],
    ]);
    await journal.finish(id, [{ status: 'not_sent' }]);
    expect(await openStates()).toEqual([]);
  });

  it('without keys name their subject', async () => {
    const id = await journal.begin(setting);
    expect(await journal.open()).toMatchObject([{ id, subject: setting.subject, key: undefined }]);
    await journal.finish(id, [{ status: 'done' }]);
    expect(await journal.open()).toEqual([]);
  });
});

describe('history', () => {
  it('gives earlier writes on the keys asked for, oldest first, with their outcomes', async () => {
    const one = await journal.begin({ ...on(first, second), event: '210210' });
    await journal.finish(one, [{ status: 'done', status_code: '135', message: 'ok' }]);
    clock += 60_000;
    const other = await journal.begin(on(first));
    await journal.begin(on(third));
    expect(await journal.history({ keys: [first] })).toMatchObject([
      { id: one, key: first, event: '210210', state: 'done', status_code: '135', message: 'ok' },
      { id: other, key: first, event: '210240', state: 'in_flight', at: '2026-11-20T12:01:00.000Z' },
    ]);
    expect(await journal.history({ keys: [] })).toEqual([]);
  });

  it('of a subject gives those of that subject', async () => {
    await journal.begin({ ...setting, subject: 'companies/1/settings/3' });
    const id = await journal.begin(setting);
    expect(await journal.history({ subject: setting.subject })).toMatchObject([{ id }]);
  });

  it('lets a later outcome replace an earlier one, but never an unknown one a known one', async () => {
    const id = await journal.begin(on(first));
    await journal.finish(id, [{ status: 'unknown' }]);
    await journal.finish(id, [{ status: 'done', status_code: '573' }]);
    await journal.finish(id, [{ status: 'unknown', message: 'late' }]);
    expect(await journal.history({ keys: [first] })).toMatchObject([{ state: 'done', status_code: '573' }]);
    expect(await journal.open()).toEqual([]);
  });
});

it('counts a duplicated intent once, with its outcome', async () => {
  const id = await journal.begin(on(first, second));
  const [copy] = (await readFile(file, 'utf8')).split('\n');
  await journal.finish(id, [{ key: first, status: 'done' }]);
  await appendFile(file, `${copy}\n`);
  expect(await openStates()).toEqual([[second, 'in_flight']]);
  expect(await journal.history({ keys: [first] })).toMatchObject([{ id, state: 'done' }]);
});

describe('damage', () => {
  it('at the end, by a line torn at any byte, is reported and spoils no later line', async () => {
    await journal.begin(on(first));
    await journal.begin(on(second));
    const bytes = await readFile(file);
    const secondLine = bytes.indexOf(10) + 1;
    for (let cut = secondLine + 1; cut < bytes.length - 1; cut += 61) {
      await writeFile(file, bytes.subarray(0, cut));
      expect(await journal.damage(), `cut at ${cut}`).toEqual({ count: 1, tornEnd: true });
      expect((await journal.open()).map(({ key }) => key)).toEqual([first]);
      await journal.begin(on(third));
      expect((await journal.open()).map(({ key }) => key)).toEqual([first, third]);
      expect(await journal.damage()).toEqual({ count: 1, tornEnd: false });
      expect((await readFile(file)).subarray(0, cut).equals(bytes.subarray(0, cut))).toBe(true);
    }
  });

  it('of a last line that lacks only its line break is completed by the next append', async () => {
    const id = await journal.begin(on(first));
    await truncate(file, (await stat(file)).size - 1);
    await journal.finish(id, [{ status: 'done' }]);
    expect(await journal.damage()).toEqual({ count: 0, tornEnd: false });
    expect(await journal.open()).toEqual([]);
  });

  it('in the middle is counted and keeps no line around it from being read', async () => {
    await journal.begin(on(first));
    const lines = '{"line":"intent"}\n\n[]\nnull\n{"line":"outcome","id":\n';
    await appendFile(file, Buffer.concat([Buffer.from(lines), Buffer.from([0xff, 0xfe, 0x0a])]));
    await appendFile(file, `${'x'.repeat(200_000)}\n`);
    await journal.begin(on(second));
    expect((await journal.open()).map(({ key }) => key)).toEqual([first, second]);
    expect(await journal.damage()).toEqual({ count: 6, tornEnd: false });
  });

  it('of one endless line is found in bounded memory', async () => {
    const handle = await open(file, 'w');
    const block = Buffer.alloc(1_000_000, 'x');
    for (let blocks = 0; blocks < 200; blocks += 1) await handle.write(block);
    await handle.close();
    const before = process.memoryUsage().arrayBuffers;
    expect(await journal.damage()).toEqual({ count: 1, tornEnd: true });
    // The engine may leave 64 MB of unreferenced buffers uncollected.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120_000_000);
  });
});

it('a folder that cannot be used refuses everything, with the reason and without the path', async () => {
  await writeFile(join(root, 'data'), 'a file in its place');
  const refusing = of(owner, join(root, 'data'));
  for (const attempt of [
    () => refusing.begin(intent),
    () => refusing.finish('x', [{ status: 'done' }]),
    () => refusing.open(),
    () => refusing.history({ keys }),
    () => refusing.damage(),
  ]) {
    const reason: unknown = await attempt().catch((error: unknown) => error);
    const code = expect.stringMatching(/^(EEXIST|ENOTDIR)$/);
    expect(reason).toMatchObject({ name: 'RecordUnusable', folder: 'data', code });
    expect(String(reason)).not.toContain(root);
  }
  expect(await readFile(join(root, 'data'), 'utf8')).toBe('a file in its place');
});

it.each<[string, JournalOwner]>([
  ['another service', { ...owner, services: { ...owner.services, documents: 'http://other.example' } }],
  ['another company', { ...owner, company: '58716523000119' }],
  ['a demo', { ...owner, mode: 'demo' }],
])('the writes of %s are kept out of every answer', async (_, other) => {
  const id = await of(other).begin(on(first));
  const scope = { keys: [first] };
  expect(await of(other).history(scope)).toMatchObject([{ id }]);
  expect(await journal.open()).toEqual([]);
  expect(await journal.open('everyone')).toMatchObject([{ id }]);
  expect(await journal.history(scope)).toEqual([]);
  const own = await journal.begin(on(first));
  expect(await journal.conflicting(own, scope, [])).toEqual([]);
});

it('of writes at the same moment only the first on the disk has no conflicting one, unless it was not sent', async () => {
  const scope = { keys: [second] };
  await journal.begin(intent);
  const known = await journal.history(scope);
  const ids = await Promise.all(Array.from({ length: 20 }, () => of(owner).begin(intent)));
  const isFree = async (id: string) => (await journal.conflicting(id, scope, known)).length === 0;
  const order = (await journal.history(scope)).map(({ id }) => id).filter((id) => ids.includes(id));
  for (const id of ids) expect(await isFree(id)).toBe(id === order[0]);
  await journal.finish(order[0] ?? '', [{ status: 'not_sent' }]);
  for (const id of ids) expect(await isFree(id)).toBe(order.indexOf(id) < 2);
});

it('a write whose intent cannot be read back is not sent, whatever precedes it', async () => {
  const scope = { keys: [first] };
  await journal.begin(on(first));
  const known = await journal.history(scope);
  const { size } = await stat(file);
  const id = await journal.begin(on(first));
  const bytes = await readFile(file);
  await writeFile(file, Buffer.concat([bytes.subarray(0, size), Buffer.from('{"li'), bytes.subarray(size)]));
  const error = await journal.conflicting(id, scope, known).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'RecordUnusable', code: 'LINE_UNREADABLE', folder: basename(root) });
});

describe('a message is kept', () => {
  it.each([
    ['Rejeição 573: Duplicidade de evento, protocolo 891260000012345'],
    ['Chave 35170458716523000119550010000000121000123458 de 58.716.523/0001-19 inexistente'],
    [' Evento\r\n\tregistrado\u202e\u0000 \u2028ok\ud83d ', 'Evento registrado ok'],
    [
      'falha em https://servico.example/API/x?usuario=ana&senha=abc fim',
      'falha em https://servico.example/API/x fim',
    ],
    ['usuario=ana&senha=segredo1', 'usuario=***'],
    ['Senha: segredo1 inválida', 'Senha: *** inválida'],
    ['Authorization: "Bearer abc.def"', 'Authorization: ***'],
    ['sig=Zm9v%3D expirou', 'sig=*** expirou'],
    ['CPF 529.982.247-25 não é o destinatário', 'CPF *** não é o destinatário'],
    ['CPF 52998224725 não é o destinatário', 'CPF *** não é o destinatário'],
    ['avise maria.silva@empresa.com.br', 'avise ***'],
    ['x'.repeat(300)],
    ['ação '.repeat(100_000), `${'ação '.repeat(60).slice(0, 299)}…`],
  ])('without what is secret, personal or too long: %.60s', (message, cleaned = message) => {
    expect(cleanMessage(message)).toBe(cleaned);
  });
});
