import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, daysOf } from '../../src/archive/days.ts';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { company, documentListReply, emptyReply, nfeXml, nfseXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { until } from '../support/passing-time.ts';
import { startRaw } from '../support/raw-program.ts';
import {
  json,
  type RecordingUpstream,
  type SeenRequest,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';

/** Their day of issue is 2026-11-05. */
const notes = [1, 2, 3].map((number) => nfeXml({ number }));
const service = holding([...notes, nfseXml({ number: 7 })]);
const november = ['--from', '2026-11-01', '--until', '2026-11-10'];

let upstream: RecordingUpstream;
let folder: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  upstream = await startRecordingUpstream(service);
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.respond(service);
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const environment = (): Record<string, string> => ({
  DFE_URL: upstream.url,
  DFE_USER: 'ana',
  DFE_PASSWORD: 'hush-hush',
  DFE_CNPJ: company,
  DFE_DATA_DIR: join(folder.path, 'data'),
  DFE_ARCHIVE: 'file',
  DFE_LANGUAGE: 'en',
});

/** Runs the command; what the service was asked meanwhile is there too. */
async function fetching(args: readonly string[], env = environment()) {
  const before = upstream.seen.length;
  const finished = await runInProcess(['archive', 'fetch', ...args], env);
  return { ...finished, asked: upstream.seen.slice(before) };
}

/** The days that lists of a kind were asked for, in order. */
function daysAsked(requests: readonly SeenRequest[], area: string): string[] {
  const ofArea = requests.filter(({ path }) => path.includes(`/${area}/`));
  const windows = ofArea.map(({ query }) => {
    const asked = new Map(query);
    const day = (name: string) => (asked.get(name) ?? '').split('/').reverse().join('-');
    return { from: day('dataDe'), to: day('dataAte') };
  });
  return windows.flatMap(daysOf).sort();
}

describe('archive fetch', () => {
  it('is a command of the built program: days are there afterwards, and a question asks nobody', async () => {
    const { code, stdout, stderr } = await runProgram(['archive', 'fetch', ...november], environment());
    expect(code).toBe(0);
    expect(stdout).toContain(
      `NF-e, company ${company}, Nov 1, 2026 to Nov 10, 2026: 3 documents fetched now.`,
    );
    expect(stdout).toContain(
      `NFS-e, company ${company}, Nov 1, 2026 to Nov 10, 2026: 1 document fetched now.`,
    );
    expect(stdout).toContain(
      `CT-e, company ${company}, Nov 1, 2026 to Nov 10, 2026: 0 documents fetched now.`,
    );
    expect(stdout).toContain('Basis: 3 documents.');
    expect(stderr).toMatch(/^Fetching NF-e.*\n(.*\n)*Fetching NFS-e.*\n(.*\n)*Fetching CT-e/);
    expect(stdout + stderr).not.toContain('hush-hush');

    const now = () => Date.parse('2027-06-01T12:00:00Z');
    const server = await connectInProcess('v1', { env: environment(), now });
    const before = upstream.seen.length;
    const args = { document: 'nfe', from: '2026-11-01', to: '2026-11-10' };
    const { structured } = await server.call('query_documents', args);
    await server.close();
    expect(structured).toMatchObject({ documents: 3, complete: true });
    expect(upstream.seen).toHaveLength(before);
  });

  it('without dates sees to the last 100 days of all three kinds', async () => {
    const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format();
    const first = today();
    const { code, asked } = await fetching([]);
    expect(code).toBe(0);
    for (const area of ['Mercadoria', 'Servico', 'Transporte']) {
      const days = [...new Set(daysAsked(asked, area))];
      const last = days.at(-1) ?? '';
      expect([first, today()]).toContain(last);
      expect(days).toEqual(daysOf({ from: addDays(last, -99), to: last }));
    }
  });

  it('asks only for what is missing or old, and for all of it where that is wanted', async () => {
    const env = { ...environment(), DFE_ARCHIVE_REFRESH: '9999:9999d' };
    const part = await fetching(['--kind', 'nfe', '--from', '2026-11-04', '--until', '2026-11-06'], env);
    expect(daysAsked(part.asked, 'Mercadoria')).toEqual(['2026-11-04', '2026-11-05', '2026-11-06']);
    const whole = await fetching(['--kind', 'nfe', ...november], env);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('Basis: 3 documents.') });
    expect(daysAsked(whole.asked, 'Mercadoria')).toEqual(
      daysOf({ from: '2026-11-01', to: '2026-11-10' }).filter(
        (day) => day < '2026-11-04' || day > '2026-11-06',
      ),
    );
    const again = await fetching(['--kind', 'nfe', ...november], env);
    expect(again).toMatchObject({ code: 0, asked: [] });
    expect(again.stdout).toContain('0 documents fetched now');
    upstream.respond(holding([...notes, nfeXml({ number: 4 })]));
    const anew = await fetching(['--kind', 'nfe', ...november, '--refresh'], env);
    expect(anew).toMatchObject({ code: 0, stdout: expect.stringContaining('Basis: 4 documents.') });
    expect(anew.stdout).toContain('1 change since');
    expect(daysAsked(anew.asked, 'Mercadoria')).toEqual(daysOf({ from: '2026-11-01', to: '2026-11-10' }));
  });

  it('ends with 1 where a day did not come, names it, and the next run asks for that day alone', async () => {
    upstream.respond((request, response, count) => {
      const day = daysAsked([request], 'Mercadoria');
      if (!day.includes('2026-11-03')) return service(request, response, count);
      json(response, '<ret><cStat>999</cStat><xMotivo>Erro interno</xMotivo></ret>');
    });
    const failed = await fetching(['--kind', 'nfe', ...november]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/INCOMPLETE: could not get Nov 3, 2026 \(/);
    expect(failed.stdout).toContain('Basis: 3 documents.');
    upstream.respond(service);
    const env = { ...environment(), DFE_ARCHIVE_REFRESH: '9999:9999d' };
    const mended = await fetching(['--kind', 'nfe', ...november], env);
    expect(mended).toMatchObject({ code: 0 });
    expect(daysAsked(mended.asked, 'Mercadoria')).toEqual(['2026-11-03']);
  });

  it('ends with 1 where a document could not be read, and says so as long as its day is not read anew', async () => {
    const broken = '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe></nfeProc>';
    upstream.respond(({ path }, response) =>
      json(response, path.includes('/Mercadoria/') ? documentListReply([...notes, broken]) : emptyReply),
    );
    const day = ['--kind', 'nfe', '--from', '2026-11-05', '--until', '2026-11-05'];
    const env = { ...environment(), DFE_ARCHIVE_REFRESH: '9999:9999d' };
    for (const asked of [1, 0]) {
      const { code, stdout, asked: requests } = await fetching(day, env);
      expect([code, requests.length]).toEqual([1, asked]);
      expect(stdout).toContain('1 document could not be read');
    }
    upstream.respond(service);
    expect(await fetching([...day, '--refresh'], env)).toMatchObject({ code: 0 });
  });

  it('goes on with the other kinds where one is refused', async () => {
    upstream.respond((request, response, count) =>
      request.path.includes('/Servico/')
        ? json(response, 'not contracted', 403)
        : service(request, response, count),
    );
    const { code, stdout } = await fetching(november);
    expect(code).toBe(1);
    expect(stdout).toContain('3 documents fetched now');
    expect(stdout).toMatch(/⚠ NFS-e, .*: nothing was fetched\. .*403/);
    expect(stdout).toContain('CT-e, company');
  });

  it('that is told to stop keeps the days it has, says so and ends with 1', async () => {
    upstream.respond((request, response, count) => {
      if (request.path.includes('/Mercadoria/')) return service(request, response, count);
      // Every other kind never answers.
    });
    const before = upstream.seen.length;
    const program = startRaw(['archive', 'fetch', ...november], environment());
    try {
      await until(() => upstream.seen.slice(before).some(({ path }) => path.includes('/Servico/')));
      program.signal('SIGTERM');
      expect(await program.ended()).toBe(1);
      expect(program.stderr()).toContain('Interrupted: the days already fetched are kept');
      expect(program.stdout()).toContain('3 documents fetched now');
    } finally {
      await program.close();
    }
    upstream.respond(service);
    const env = { ...environment(), DFE_ARCHIVE_REFRESH: '9999:9999d' };
    expect(await fetching(['--kind', 'nfe', ...november], env)).toMatchObject({ code: 0, asked: [] });
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
    const { code, stdout, stderr, asked } = await fetching(args, { ...environment(), ...settings });
    expect({ code, stdout, asked }).toEqual({ code: 2, stdout: '', asked: [] });
    expect(stderr).toContain(named);
  });
});
