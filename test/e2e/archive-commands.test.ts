import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, daysOf } from '../../src/documents/days.ts';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import {
  accessKey,
  company,
  cteXml,
  documentListReply,
  emptyReply,
  nfeXml,
  nfseXml,
} from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { duringTests, folderOfEachTest } from '../support/during-tests.ts';
import { settingsFor } from '../support/event-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { until } from '../support/passing-time.ts';
import { startRaw } from '../support/raw-program.ts';
import { daysAsked, json, type SeenRequest, startRecordingUpstream } from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';

/** Their day of issue is 2026-11-05; two more are of the sixth. */
const notes = [1, 2, 3].map((number) => nfeXml({ number }));
const later = [4, 5].map((number) => nfeXml({ number, day: '2026-11-06' }));
const service = holding([...notes, ...later, nfseXml({ number: 7 }), cteXml({ number: 1 })]);
const november = { from: '2026-11-01', to: '2026-11-10' } as const;
const inNovember = ['--from', november.from, '--until', november.to];
const held = 5;

const upstream = duringTests(() => startRecordingUpstream(service));
const folder = folderOfEachTest();
/** A data folder with an archive of November. */
const filled = temporaryFolder();

const environment = (more: Readonly<Record<string, string>> = {}, path = folder.path) => ({
  ...settingsFor(upstream, { path }),
  DFE_ARCHIVE: 'file',
  ...more,
});
const kept = { DFE_ARCHIVE_REFRESH: '9999:9999d' };

beforeAll(async () => {
  const days = ['--kind', 'nfe', '--from', '2026-11-04', '--until', '2026-11-08'];
  await runInProcess(['archive', 'fetch', ...days], environment({}, filled.path));
});
beforeEach(() => {
  upstream.respond(service);
  upstream.seen.length = 0;
});

type Start = (kind: 'v1', options: { env: Record<string, string> }) => Promise<Connection>;
const begin = (start: Start, env: Record<string, string>) => start('v1', { env });

async function ask(connection: Connection, args: object = { document: 'nfe' }) {
  const question = { ...november, group_by: ['issuer'], ...args };
  const { isError, text, structured } = await connection.call('query_documents', question);
  expect(isError, text).toBe(false);
  return structured;
}

const archiveFiles = () =>
  readdirSync(folder.path, { recursive: true }).filter((name) => String(name).includes('archive'));

describe('an archive in a file', () => {
  it('answers the next program without asking the service', async () => {
    const first = await begin(connectInProcess, environment(kept));
    const answer = await ask(first);
    await first.close();
    expect(upstream.seen.length).toBeGreaterThan(0);
    upstream.seen.length = 0;
    expect(await ask(await begin(connect, environment(kept)))).toEqual(answer);
    expect(upstream.seen).toEqual([]);
    expect(archiveFiles()).toContain('archive.db');
  });

  it('is used by two programs at once, with one answer', async () => {
    const programs = await Promise.all([begin(connect, environment()), begin(connect, environment())]);
    const kinds = ['nfe', 'cte', 'nfse'];
    const answers = await Promise.all(
      programs.map((one) => Promise.all(kinds.map((document) => ask(one, { document })))),
    );
    for (const all of answers) expect(all.map((one) => one?.documents)).toEqual([held, 1, 1]);
    const { code, stdout } = await runProgram(['archive', 'verify'], environment());
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('verified, 0 damaged') });
  });

  it('in memory leaves nothing behind, and there is no file to look after', async () => {
    const env = environment({ DFE_ARCHIVE: 'memory' });
    for (let start = 0; start < 2; start += 1) {
      upstream.seen.length = 0;
      const server = await begin(connectInProcess, env);
      await ask(server);
      await server.close();
      expect(upstream.seen.length).toBeGreaterThan(0);
      expect(archiveFiles()).toEqual([]);
    }
    const { code, stderr } = await runInProcess(['archive', 'info'], env);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('DFE_ARCHIVE') });
  });
});

describe('docfiscal-mcp archive', () => {
  const run = (...args: string[]) => runInProcess(['archive', ...args], environment());
  const says = async (words: string, ...args: string[]) =>
    expect(await run(...args), args.join(' ')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining(words),
    });

  beforeEach(() => cpSync(filled.path, folder.path, { recursive: true }));

  it('export writes CSV into the folder named: all of it, or of a company and days', async () => {
    const target = join(folder.path, 'out');
    const files = new Set<string>();
    for (const [args, rows] of [
      [[], held],
      [['--company', '11.222.333/0001-81', '--from', '2026-11-06', '--until', '2026-11-06'], 2],
    ] as const) {
      const { code, stdout } = await run('export', '--to', target, ...args);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${rows} documents`) });
      const [file = ''] = readdirSync(target).filter((name) => !files.has(name));
      files.add(file);
      expect(readFileSync(join(target, file), 'utf8').split('\r\n')).toHaveLength(1 + rows + 1);
      expect(stdout).toContain(file);
    }
    await says('Nothing to export', 'export', '--to', target, '--company', '07391455000124');
    expect(readdirSync(target)).toHaveLength(2);
  });

  it('purge shows first and removes only with --yes; what was purged is not taken for fetched', async () => {
    for (const args of [[], ['--company', '11.222.333/0001-81']]) await says('5 documents', 'purge', ...args);
    await says('--yes', 'purge');
    await says('5 documents', 'info');
    await says('5 documents', 'purge', '--yes');
    await says(': 0 documents', 'info');
    expect(await ask(await begin(connectInProcess, environment()))).toMatchObject({ documents: held });
    await says('5 documents', 'verify');
  });

  it.each([
    ['an unknown kind', ['purge', '--kind', 'nf'], '--kind'],
    ['no folder', ['export'], '--to'],
    ['an invalid CNPJ', ['purge', '--company', '123', '--yes'], 'should have 14'],
    ['a CNPJ with a wrong check digit', ['export', '--to', 'x', '--company', '11.222.333/0001-82'], '81'],
    ['a day that does not exist', ['purge', '--from', '2026-02-30', '--yes'], '--from'],
    ['a day written otherwise', ['purge', '--until', '31/10/2026', '--yes'], '--until'],
    ['days in reverse', ['purge', '--from', '2026-10-02', '--until', '2026-10-01', '--yes'], '2026-10-02'],
    // As the end of a period it would narrow nothing.
    ['a folder where nothing is written', ['purge', '--to', '2026-10-01', '--yes'], '--to'],
    ['to narrow what is verified as a whole', ['verify', '--company', company], '--company'],
  ])('refuses %s and says how it is used', async (_, args, named) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(named) });
    expect(stderr).toContain('docfiscal-mcp archive');
    await says('5 documents', 'info');
  });

  /** Writes nonsense over a part of the file; as a share of its length. */
  function damage(from: number, to: number): string {
    const path = join(folder.path, 'archive.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, Math.floor(bytes.length * from), Math.floor(bytes.length * to)));
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
    for (const words of ['- engine: ', path, 'archive export']) expect(stdout).toContain(words);
  });
});

describe('archive fetch', () => {
  /** The days that lists of a kind were asked for, in order. */
  const daysIn = (area: string, requests: readonly SeenRequest[] = upstream.seen): string[] =>
    requests
      .filter(({ path }) => path.includes(`/${area}/`))
      .flatMap((request) => daysOf(daysAsked(request)))
      .sort();

  /** Runs the command; `upstream.seen` has what the service was asked meanwhile. */
  async function fetching(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    upstream.seen.length = 0;
    return runInProcess(['archive', 'fetch', ...args], environment(more));
  }

  it('is a command of the built program: a question about its days needs no request afterwards', async () => {
    const { code, stdout, stderr } = await runProgram(['archive', 'fetch', ...inNovember], environment());
    expect(code).toBe(0);
    for (const [kind, words] of [
      ['NF-e', '5 documents'],
      ['NFS-e', '1 document'],
      ['CT-e', '1 document'],
    ])
      expect(stdout).toContain(
        `${kind}, company ${company}, Nov 1, 2026 to Nov 10, 2026: ${words} fetched now.`,
      );
    expect(stdout).toContain('Basis: 5 documents.');
    expect(stderr).toMatch(/^Fetching NF-e.*\n(.*\n)*Fetching NFS-e.*\n(.*\n)*Fetching CT-e/);
    expect(stdout + stderr).not.toContain('segredo');
    upstream.seen.length = 0;
    const now = () => Date.parse('2027-06-01T12:00:00Z');
    const server = await connectInProcess('v1', { env: environment(), now });
    expect(await ask(server)).toMatchObject({ documents: held, complete: true });
    expect(upstream.seen).toEqual([]);
  });

  it('without dates sees to the last 100 days of all three kinds', async () => {
    const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format();
    const first = today();
    expect(await fetching([])).toMatchObject({ code: 0 });
    for (const area of ['Mercadoria', 'Servico', 'Transporte']) {
      const days = [...new Set(daysIn(area))];
      const last = days.at(-1) ?? '';
      expect([first, today()]).toContain(last);
      expect(days).toEqual(daysOf({ from: addDays(last, -99), to: last }));
    }
  });

  it('asks only for what is missing or old, and for all of it where that is wanted', async () => {
    const all = daysOf(november);
    const part = all.filter((day) => day >= '2026-11-04' && day <= '2026-11-06');
    const steps: [args: string[], days: string[], words: string][] = [
      [['--from', '2026-11-04', '--until', '2026-11-06'], part, ''],
      [inNovember, all.filter((day) => !part.includes(day)), 'Basis: 5 documents.'],
      [inNovember, [], '0 documents fetched now'],
    ];
    for (const [args, days, words] of steps) {
      const { code, stdout } = await fetching(['--kind', 'nfe', ...args], kept);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(words) });
      expect(daysIn('Mercadoria')).toEqual(days);
    }
    upstream.respond(holding([...notes, ...later, nfeXml({ number: 6 })]));
    const anew = await fetching(['--kind', 'nfe', ...inNovember, '--refresh'], kept);
    expect(anew).toMatchObject({ code: 0, stdout: expect.stringContaining('Basis: 6 documents.') });
    expect(anew.stdout).toContain('1 change since');
    expect(daysIn('Mercadoria')).toEqual(all);
  });

  it('ends with 1 where a day did not come, names it, and the next run asks for that day alone', async () => {
    upstream.respond((request, response, count) => {
      if (!daysIn('Mercadoria', [request]).includes('2026-11-03')) return service(request, response, count);
      json(response, '<ret><cStat>999</cStat><xMotivo>Erro interno</xMotivo></ret>');
    });
    const failed = await fetching(['--kind', 'nfe', ...inNovember]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/Basis: 5 documents\..*INCOMPLETE: could not get Nov 3, 2026 \(/s);
    upstream.respond(service);
    expect(await fetching(['--kind', 'nfe', ...inNovember], kept)).toMatchObject({ code: 0 });
    expect(daysIn('Mercadoria')).toEqual(['2026-11-03']);
  });

  it('ends with 1 where a document could not be read, and says so as long as its day is not read anew', async () => {
    const broken = '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe></nfeProc>';
    upstream.respond(({ path }, response) =>
      json(response, path.includes('/Mercadoria/') ? documentListReply([...notes, broken]) : emptyReply),
    );
    const day = ['--kind', 'nfe', '--from', '2026-11-05', '--until', '2026-11-05'];
    for (const requests of [1, 0]) {
      const { code, stdout } = await fetching(day, kept);
      expect([code, upstream.seen.length]).toEqual([1, requests]);
      expect(stdout).toContain('1 document could not be read');
    }
    upstream.respond(service);
    expect(await fetching([...day, '--refresh'], kept)).toMatchObject({ code: 0 });
  });

  it('goes on with the other kinds where one is refused', async () => {
    upstream.respond((request, response, count) =>
      request.path.includes('/Servico/')
        ? json(response, 'not contracted', 403)
        : service(request, response, count),
    );
    const { code, stdout } = await fetching(inNovember);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /5 documents fetched now.*NFS-e, .*: 0 documents fetched now.*⚠ INCOMPLETE.*403.*CT-e, company/s,
    );
  });

  it('on SIGTERM keeps the days it has, says so and ends with 1', async () => {
    // Every other kind never answers.
    upstream.respond((request, response, count) =>
      request.path.includes('/Mercadoria/') ? service(request, response, count) : undefined,
    );
    const program = startRaw(['archive', 'fetch', ...inNovember], environment());
    await until(() => upstream.seen.some(({ path }) => path.includes('/Servico/')));
    program.signal('SIGTERM');
    expect(await program.ended()).toBe(1);
    expect(program.stderr()).toContain('Interrupted: what is already kept stays');
    expect(program.stdout()).toContain('5 documents fetched now');
    expect(await fetching(['--kind', 'nfe', ...inNovember], kept)).toMatchObject({ code: 0 });
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    ['no company', { DFE_CNPJ: '' }, [], '--company'],
    ['an archive that is not kept', { DFE_ARCHIVE: 'memory' }, [], 'DFE_ARCHIVE=file'],
    ['no service', { DFE_URL: '' }, [], 'DFE_URL'],
    ['files and no service', { DFE_URL: '', DFE_FILES: tmpdir() }, [], 'DFE_URL'],
    ['a password file that is not there', { DFE_PASSWORD: '', DFE_PASSWORD_FILE: '/no/such' }, [], 'ENOENT'],
    ['days in reverse', {}, ['--from', '2026-11-02', '--until', '2026-11-01'], '2026-11-02'],
    ['a first day in the future', {}, ['--from', '2999-01-01'], '2999-01-01'],
    ['an option of another action', {}, ['--yes'], '--yes'],
    ['no such kind', {}, ['--kind', 'nfce'], '--kind'],
  ])('with %s ends with 2 and asks for nothing', async (_, settings, args, named) => {
    const { code, stdout, stderr } = await fetching(args, settings);
    expect({ code, stdout, asked: upstream.seen }).toEqual({ code: 2, stdout: '', asked: [] });
    expect(stderr).toContain(named);
  });
});

it('an archive of another version stops questions, never a confirmed write, and an import without a path rebuilds it', async () => {
  cpSync(filled.path, folder.path, { recursive: true });
  const { openSqlite } = await import('../../src/archive/engines/sqlite.ts');
  const sqlite = await openSqlite(join(folder.path, 'archive.db'));
  sqlite.run('update schema_version set version = 8', []);
  sqlite.close();
  const toDo = /another version of this program.*docfiscal-mcp archive import, without a path, rebuilds it/;
  const server = await begin(connectInProcess, environment({ DFE_DOWNLOAD_DIR: folder.path }));
  const period = { document: 'nfe', ...november };
  const key = accessKey({ number: 1 });
  for (const [tool, args] of [
    ['list_documents', period],
    ['list_documents', {}],
    ['list_document_keys', period],
    ['query_documents', period],
    ['check_documents', period],
    ['export_documents', { ...period, format: 'csv' }],
    ['get_document', { document: 'nfe', key }],
    ['list_pending_manifestations', november],
  ] as const)
    expect(await server.call(tool, args)).toMatchObject({ isError: true, text: expect.stringMatching(toDo) });
  const args = { key, event: 'ciencia' };
  const { structured } = await server.call('manifest_nfe', args);
  expect(structured).toMatchObject({ status: 'confirmation_required' });
  const withToken = { ...args, confirmation_token: structured?.confirmation_token };
  expect((await server.call('manifest_nfe', withToken)).structured).toMatchObject({ status: 'done' });
  expect(readFileSync(join(folder.path, 'journal.jsonl'), 'utf8')).toContain('"status":"done"');
  // Its token is spent although the archive can't be used.
  expect((await server.call('manifest_nfe', withToken)).structured?.status).not.toBe('done');
  expect(upstream.seen.filter(({ path }) => path.endsWith('/RealizarManifesto'))).toHaveLength(1);
  await server.close();

  const rebuilt = await runInProcess(['archive', 'import'], environment());
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/5 documents/) });
  expect(await ask(await begin(connectInProcess, environment()))).toMatchObject({ documents: held });
});
