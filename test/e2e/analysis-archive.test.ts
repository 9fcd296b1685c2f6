import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type Finished, runProgram, temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { answerPlainly } from '../support/plain-answers.ts';
import { runInProcess } from '../support/run-in-process.ts';

const company = '48152036000117';
const october = { from: '2026-10-01', to: '2026-10-07' } as const;
const bySupplier = { document: 'nfe', ...october, group_by: ['issuer'], order_by: '-total' } as const;

let sandbox: Sandbox;
let folder: ReturnType<typeof temporaryFolder>;
/** A data folder with an archive of October, and how many documents are in it. */
let filled: ReturnType<typeof temporaryFolder>;
let held: number;
const open: Connection[] = [];

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  filled = temporaryFolder();
  const server = await connectInProcess('v1', { env: { ...environment(), DFE_DATA_DIR: filled.path } });
  await ask(server);
  await server.close();
  held = (await fetchPlainly(sandbox.url, 'nfe', { company, ...october })).length;
});
afterAll(async () => {
  filled.remove();
  await sandbox.close();
});
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  folder.remove();
});

function environment(url = sandbox.url, archive = 'file'): Record<string, string> {
  return sandboxSettings({ url }, { DFE_DATA_DIR: folder?.path ?? '', DFE_ARCHIVE: archive });
}

/** Starts the built program, ended after the test. */
async function begin(env: Record<string, string>): Promise<Connection> {
  const connection = await connect('v1', { env });
  open.push(connection);
  return connection;
}

async function listsAsked(): Promise<number> {
  const requests = (await (await fetch(`${sandbox.url}/__sandbox/requests`)).json()) as { path: string }[];
  return requests.filter(({ path }) => path.includes('RetornaLista')).length;
}

async function ask(connection: Connection, args: object = bySupplier) {
  const { isError, text, structured } = await connection.call('query_documents', { ...args });
  expect(isError, text).toBe(false);
  return structured;
}

describe('an archive in a file', () => {
  it('answers the next program without asking the service', async () => {
    const first = await begin(environment());
    const answer = await ask(first);
    await first.close();
    const asked = await listsAsked();
    expect(asked).toBeGreaterThan(0);
    expect(await ask(await begin(environment()))).toEqual(answer);
    expect(await listsAsked()).toBe(asked);
    expect(
      readdirSync(folder.path, { recursive: true }).some((name) => String(name).endsWith('archive.db')),
    ).toBe(true);
  });

  it('is used by two programs at once, with one answer', async () => {
    const [one, other] = await Promise.all([begin(environment()), begin(environment())]);
    const kinds = ['nfe', 'cte', 'nfse'] as const;
    const answers = await Promise.all(
      [one, other].map((program) =>
        Promise.all(kinds.map((document) => ask(program, { ...bySupplier, document }))),
      ),
    );
    const [first, second] = answers.map((all) => all.map((one) => ({ ...one, as_of: expect.any(String) })));
    expect(answers[0]).toEqual(second);
    expect(answers[1]).toEqual(first);
    for (const [i, kind] of kinds.entries()) {
      const documents = await fetchPlainly(sandbox.url, kind, { company, ...october });
      const expected = answerPlainly(company, documents, { group_by: ['issuer'] }, ['total']);
      expect(answers[0]?.[i]).toMatchObject({
        documents: expected.documents,
        total_groups: expected.rows.length,
      });
    }
    const { code, stdout } = await runProgram(['archive', 'verify'], environment());
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('no damage') });
  });
});

it('an archive in memory leaves nothing behind', async () => {
  const first = await connectInProcess('v1', { env: environment(sandbox.url, 'memory') });
  await ask(first);
  await first.close();
  expect(
    readdirSync(folder.path, { recursive: true }).filter((name) => String(name).includes('archive')),
  ).toEqual([]);
  const asked = await listsAsked();
  const second = await connectInProcess('v1', { env: environment(sandbox.url, 'memory') });
  open.push(second);
  await ask(second);
  expect(await listsAsked()).toBeGreaterThan(asked);
  const { code, stderr } = await runInProcess(['archive', 'info'], environment(sandbox.url, 'memory'));
  expect(code).toBe(2);
  expect(stderr).toContain('DFE_ARCHIVE');
});

describe('docfiscal-mcp archive', () => {
  const run = (...args: string[]): Promise<Finished> => runInProcess(['archive', ...args], environment());

  beforeEach(() => cpSync(filled.path, folder.path, { recursive: true }));

  it('is a command of the built program, with exit codes', async () => {
    const runBuilt = (...args: string[]) => runProgram(['archive', ...args], environment());
    const target = join(folder.path, 'out');
    for (const args of [['info'], ['verify'], ['export', '--to', target], ['purge']]) {
      const { code, stdout, stderr } = await (args[0] === 'info' ? runBuilt : run)(...args);
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`${held} documents`);
    }
    expect(readdirSync(target)).toHaveLength(1);
    expect(await runBuilt('purge', '--until', '31/10/2026', '--yes')).toMatchObject({ code: 2, stdout: '' });
    damage(0.2, 0.7);
    expect(await runBuilt('verify')).toMatchObject({ code: 1, stderr: '' });
  });

  it('export writes it as CSV into the folder named', async () => {
    const target = join(folder.path, 'out');
    const { code, stdout } = await run('export', '--to', target);
    const files = existsSync(target) ? readdirSync(target) : [];
    expect({ code, stdout, files: files.length }).toMatchObject({ code: 0, files: 1 });
    const csv = readFileSync(join(target, files[0] ?? ''), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(1 + held + 1);
    expect(stdout).toContain(files[0]);
  });

  it('purge shows first and removes only with --yes', async () => {
    const shown = await run('purge');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`${held} documents`);
    expect(shown.stdout).toContain('--yes');
    expect((await run('info')).stdout).toContain(`${held} documents`);
    const done = await run('purge', '--yes');
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`${held} documents`) });
    expect((await run('info')).stdout).toContain(': 0 documents');
    // What was purged is not taken for fetched.
    const server = await connectInProcess('v1', { env: environment() });
    open.push(server);
    expect(await ask(server)).toMatchObject({
      complete: true,
      documents: expect.any(Number),
    });
    expect((await run('verify')).stdout).toContain(`${held} documents`);
  });

  it('purge and export take a company with its mask, and days', async () => {
    expect((await run('purge', '--company', '48.152.036/0001-17')).stdout).toContain(`${held} documents`);
    const target = join(folder.path, 'part');
    const day = { from: '2026-10-05', to: '2026-10-06' };
    const there = (await fetchPlainly(sandbox.url, 'nfe', { company, ...day })).length;
    const days = ['--from', day.from, '--until', day.to];
    const exported = await run('export', '--to', target, '--company', '48.152.036/0001-17', ...days);
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(`${there} documents`) });
    const [file = ''] = readdirSync(target);
    expect(readFileSync(join(target, file), 'utf8').split('\r\n')).toHaveLength(1 + there + 1);
    const other = await run('export', '--to', target, '--company', '07391455000124');
    expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to export') });
    expect(readdirSync(target)).toHaveLength(1);
  });

  it.each([
    ['an unknown kind', ['purge', '--kind', 'nf'], '--kind'],
    ['no folder', ['export'], '--to'],
    ['what is no CNPJ', ['purge', '--company', '123', '--yes'], 'should have 14'],
    ['a CNPJ with a wrong check digit', ['export', '--to', 'x', '--company', '48.152.036/0001-18'], '17'],
    ['a day that does not exist', ['purge', '--from', '2026-02-30', '--yes'], '--from'],
    ['a day written otherwise', ['purge', '--until', '31/10/2026', '--yes'], '--until'],
    ['days in reverse', ['purge', '--from', '2026-10-02', '--until', '2026-10-01', '--yes'], '2026-10-02'],
    // As the end of a period it would narrow nothing.
    ['a folder where nothing is written', ['purge', '--to', '2026-10-01', '--yes'], '--to'],
    ['to narrow what is verified as a whole', ['verify', '--company', company], '--company'],
  ])('refuses %s and says how it is used', async (_, args, named) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    expect(stderr).toContain('docfiscal-mcp archive');
    expect((await run('info')).stdout).toContain(`${held} documents`);
  });

  /** Writes nonsense over a part of the file; as a share of its length. */
  function damage(from: number, to: number): string {
    const [name = ''] = readdirSync(folder.path, { recursive: true })
      .map(String)
      .filter((one) => one.endsWith('archive.db'));
    const path = join(folder.path, name);
    const bytes = readFileSync(path);
    bytes.fill(0xa5, Math.floor(bytes.length * from), Math.floor(bytes.length * to));
    writeFileSync(path, bytes);
    return path;
  }

  it.each([
    ['in its middle', 0.2, 0.7],
    ['from its beginning', 0, 0.5],
    ['but for its beginning', 0.05, 1],
  ])('verify of a file damaged %s says what to do', async (_, from, to) => {
    const path = damage(from, to);
    const { code, stdout, stderr } = await run('verify');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('- engine: ');
    expect(stdout).toContain(path);
    expect(stdout).toContain('archive export');
  });
});
