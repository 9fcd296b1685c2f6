import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Finished, runProgram, temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { fetchPlainly } from '../support/independent-documents.ts';
import { converse } from '../support/modern-conversation.ts';
import { answerPlainly } from '../support/plain-answers.ts';
import { startBetween } from '../support/standing-between.ts';

const company = '48152036000117';
const october = { from: '2026-10-01', to: '2026-10-15' } as const;
const bySupplier = { document: 'nfe', ...october, group_by: ['issuer'], order_by: '-total' } as const;

let sandbox: Sandbox;
let folder: ReturnType<typeof temporaryFolder>;
const open: Connection[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  folder.remove();
});

function environment(url = sandbox.url, archive = 'file'): Record<string, string> {
  return {
    DFE_URL: url,
    DFE_USER: 'demo',
    DFE_PASSWORD: 'demo',
    DFE_CNPJ: company,
    DFE_DATA_DIR: folder.path,
    DFE_ARCHIVE: archive,
    DFE_LANGUAGE: 'en',
  };
}

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
    expect(answers[0]).toEqual(answers[1]);
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
  const first = await begin(environment(sandbox.url, 'memory'));
  await ask(first);
  await first.close();
  expect(
    readdirSync(folder.path, { recursive: true }).filter((name) => String(name).includes('archive')),
  ).toEqual([]);
  const asked = await listsAsked();
  await ask(await begin(environment(sandbox.url, 'memory')));
  expect(await listsAsked()).toBeGreaterThan(asked);
  const { code, stderr } = await runProgram(['archive', 'info'], environment(sandbox.url, 'memory'));
  expect(code).toBe(2);
  expect(stderr).toContain('DFE_ARCHIVE');
});

describe('docfiscal-mcp archive', () => {
  const run = (...args: string[]): Promise<Finished> => runProgram(['archive', ...args], environment());
  let held: number;

  beforeEach(async () => {
    const program = await begin(environment());
    await ask(program);
    await program.close();
    held = (await fetchPlainly(sandbox.url, 'nfe', { company, ...october })).length;
  });

  it('info says what is held and what is covered', async () => {
    const { code, stdout } = await run('info');
    expect(code).toBe(0);
    expect(stdout).toContain(`${held} documents`);
    expect(stdout).toContain(`${company} nfe by issue: ${october.from} to ${october.to}`);
  });

  it('verify finds nothing wrong with it', async () => {
    expect(await run('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${held} documents`),
    });
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
    expect(await ask(await begin(environment()))).toMatchObject({
      complete: true,
      documents: expect.any(Number),
    });
    expect((await run('verify')).stdout).toContain(`${held} documents`);
  });

  it('purge of another company or kind removes nothing', async () => {
    await run('purge', '--yes', '--company', '07391455000124');
    await run('purge', '--yes', '--kind', 'cte');
    await run('purge', '--yes', '--until', '2026-09-30');
    expect((await run('info')).stdout).toContain(`${held} documents`);
  });

  it.each([
    ['an unknown kind', ['purge', '--kind', 'nf']],
    ['no folder', ['export']],
  ])('refuses %s and says how it is used', async (_, args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('docfiscal-mcp archive');
  });
});

describe('a program that is killed while it collects', () => {
  const period = { from: '2026-07-01', to: '2026-07-31' } as const;
  const question = {
    document: 'nfe',
    by: 'entry',
    ...period,
    group_by: ['issuer', 'month'],
    limit: 500,
  } as const;
  const lanes = 5;
  const killsInLane = 10;

  /** Kills the program ten times, each time a little deeper in a window, and gives what the last one answers. */
  async function runLane(lane: number, dataFolder: string): Promise<unknown> {
    const between = await startBetween(sandbox.url);
    const env = { ...environment(between.url), DFE_DATA_DIR: dataFolder };
    try {
      for (let kill = 0; kill < killsInLane; kill++) {
        const before = between.windows().length;
        const program = converse(env);
        program.post('query_documents', question);
        const end = Date.now() + 20_000;
        while (between.windows().length < before + 1 + (kill % 4) && Date.now() < end) await wait(2);
        expect(between.windows().length).toBeGreaterThan(before);
        await wait((kill * 7 + lane * 3) % 30);
        await program.kill();
      }
      const { code, stdout } = await runProgram(['archive', 'verify'], env);
      expect({ code, stdout }).toMatchObject({ code: 0 });
      const last = await connect('v1', { env });
      try {
        return await ask(last, question);
      } finally {
        await last.close();
      }
    } finally {
      await between.close();
    }
  }

  it('fifty times loses and repeats nothing', { timeout: 120_000 }, async () => {
    const undisturbed = await ask(await begin(environment()), question);
    expect(undisturbed).toMatchObject({ complete: true });
    const folders = Array.from({ length: lanes }, () => temporaryFolder());
    try {
      const answers = await Promise.all(folders.map(({ path }, lane) => runLane(lane, path)));
      for (const answer of answers) expect(answer).toEqual(undisturbed);
    } finally {
      for (const one of folders) one.remove();
    }
  });
});
