import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';
import type { Connection } from '../../support/clients.ts';
import { rounds } from '../../support/depth.ts';
import {
  accessKey,
  company,
  documentListReply,
  downloadReply,
  emptyReply,
  eventXml,
  nfeXml,
  supplier,
} from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { daysAsked, json, startRecordingUpstream } from '../../support/recording-upstream.ts';

/** Notes of 2026-11-05; the last one is published only when the test says so. */
const numbers = [1, 2, 3, 4];
const keys = numbers.map((number) => accessKey({ number }));
const late = 4;

const cancellation = (key: string) =>
  eventXml({ key, code: '110111', at: '2026-11-06T10:00:00-03:00', author: supplier });

/** A note with a CFOP that none is, which a check finds in every note that is in effect. */
const noteXml = (key: string) =>
  nfeXml({ number: keys.indexOf(key) + 1 }).replace('<CFOP>5102<', '<CFOP>9999<');

/** The service as it is, and what of it has been delivered to the program so far. */
class World {
  now = Date.parse('2026-11-20T12:00:00Z');
  readonly cancelled = new Set<string>();
  isLatePublished = false;
  /** Whether lists carry events, or only downloads do. */
  listsEvents = true;
  /** How much of a list comes before it breaks off; undefined for all of it. */
  cutAt: number | undefined;
  readonly knownCancelled = new Set<string>();
  /** Cancellations in lists that broke off: they may have been read or not. */
  readonly perhapsKnown = new Set<string>();

  published(): string[] {
    return keys.filter((_, index) => numbers[index] !== late || this.isLatePublished);
  }

  list(): string {
    const notes = this.published().map(noteXml);
    const told = this.listsEvents ? [...this.cancelled] : [];
    const known = this.cutAt === undefined ? this.knownCancelled : this.perhapsKnown;
    for (const key of told) known.add(key);
    const reply = documentListReply([...notes, ...told.map(cancellation)]);
    return this.cutAt === undefined ? reply : reply.slice(0, Math.floor(reply.length * this.cutAt));
  }

  download(key: string): string {
    const note = noteXml(key);
    if (!this.cancelled.has(key)) return downloadReply(note);
    this.knownCancelled.add(key);
    return documentListReply([note, cancellation(key)]);
  }

  /** What an answer says of a note must be what is known of it, and what it says is known from then on. */
  check(way: string, key: string, status: string): void {
    expect(keys).toContain(key);
    if (status === 'cancelled' && this.perhapsKnown.has(key)) this.knownCancelled.add(key);
    const known = this.knownCancelled.has(key) ? 'cancelled' : 'authorized';
    expect([way, key, status]).toEqual([way, key, known]);
  }
}

let world = new World();

const upstream = duringTests(() =>
  startRecordingUpstream((request, response) => {
    const { path, query } = request;
    const key = new Map(query).get('chaveNfe') ?? '';
    if (path.endsWith('/DownloadXml')) return json(response, world.download(key));
    if (path.endsWith('/PesquisarStatusEvento')) return json(response, { Mensagem: '', Sucesso: 0 });
    const { from, to } = daysAsked(request);
    const isWithin = from <= '2026-11-05' && '2026-11-05' <= to;
    return json(response, isWithin && path.includes('/Mercadoria/') ? world.list() : emptyReply);
  }),
);

const period = { from: '2026-11-01', to: '2026-11-10' };

interface Line {
  readonly key?: string;
  readonly status?: string;
}

/** What an answer says of the status of notes. */
type Told = ReadonlyMap<string, string>;

const statusesIn = (lines: unknown): Told =>
  new Map((lines as Line[]).flatMap(({ key, status }) => (key && status ? [[key, status] as const] : [])));

async function answer(connection: Connection, tool: string, args: Record<string, unknown>) {
  const result = await connection.call(tool, args);
  if (result.isError && world.cutAt !== undefined) throw new NothingToTell();
  expect(result.isError, result.text).toBe(false);
  return result.structured ?? {};
}

/** An answer that was refused because the service's reply broke off. */
class NothingToTell extends Error {}

/** The cells of a saved table, by the headings of the columns. */
function tableIn(path: string): Record<string, string>[] {
  const [heading = '', ...lines] = readFileSync(path, 'utf8').replace('\ufeff', '').trimEnd().split('\r\n');
  const cells = (line: string) => line.split(';').map((cell) => cell.replaceAll('"', '').trim());
  const names = cells(heading);
  return lines.map((line) =>
    Object.fromEntries(cells(line).map((cell, index) => [names[index] ?? '', cell])),
  );
}

/** Every way of asking for the same notes, and what each says of them. */
const asking: Readonly<Record<string, (connection: Connection, refresh: boolean) => Promise<Told>>> = {
  async list(connection, refresh) {
    const { documents } = await answer(connection, 'list_documents', { document: 'nfe', ...period, refresh });
    return statusesIn((documents as { kind: string }[]).filter(({ kind }) => kind !== 'event'));
  },
  async 'list by period'(connection, refresh) {
    const args = { document: 'nfe', ...period, by: 'period', refresh };
    const { documents } = await answer(connection, 'list_documents', args);
    return statusesIn((documents as { kind: string }[]).filter(({ kind }) => kind !== 'event'));
  },
  async get(connection, refresh) {
    const told = new Map<string, string>();
    for (const key of world.published()) {
      const { document } = await answer(connection, 'get_document', { document: 'nfe', key, refresh });
      told.set(key, (document as Line).status ?? '');
    }
    return told;
  },
  async resource(connection) {
    const key = keys[0] ?? '';
    const [content] = (await connection.readResource(`dfe://nfe/${key}/summary`)) as { text: string }[];
    return new Map([[key, (JSON.parse(content?.text ?? '{}') as Line).status ?? '']]);
  },
  async query(connection, refresh) {
    const told = new Map<string, string>();
    for (const status of ['authorized', 'cancelled']) {
      const args = { document: 'nfe', ...period, status, refresh };
      const { listed } = await answer(connection, 'query_documents', args);
      for (const [key, found] of statusesIn(listed)) told.set(key, found);
    }
    return told;
  },
  async check(connection, refresh) {
    const args = { document: 'nfe', ...period, rule: 'cfop_form', refresh };
    const { findings, documents } = await answer(connection, 'check_documents', args);
    const found = findings as Line[];
    const isKnown = (key: string) => world.knownCancelled.has(key);
    if (world.perhapsKnown.size === 0) {
      const perhapsNotListed = world.published().filter(isKnown);
      expect(Number(documents) - found.length).toBeLessThanOrEqual(perhapsNotListed.length);
    }
    return new Map(found.map(({ key = '' }) => [key, 'authorized']));
  },
  async export(connection, refresh) {
    const args = { document: 'nfe', ...period, format: 'csv', refresh };
    const { path } = await answer(connection, 'export_documents', args);
    const statuses: Record<string, string> = { Authorised: 'authorized', Cancelled: 'cancelled' };
    const rows = tableIn(String(path));
    return new Map(rows.map((row) => [row['Access key'] ?? '', statuses[row.Status ?? ''] ?? '']));
  },
  async preview(connection) {
    const told = new Map<string, string>();
    for (const key of world.published()) {
      const { preview } = await answer(connection, 'manifest_nfe', { key, event: 'ciencia' });
      told.set(key, String(preview).includes('NOTE CANCELLED') ? 'cancelled' : 'authorized');
    }
    return told;
  },
  async pending(connection, refresh) {
    const { pending } = await answer(connection, 'list_pending_manifestations', { ...period, refresh });
    return new Map((pending as Line[]).map(({ key = '' }) => [key, 'authorized']));
  },
};

type Step =
  | { readonly do: 'ask'; readonly way: string; readonly refresh: boolean; readonly of: 0 | 1 }
  | { readonly do: 'cut'; readonly at: number }
  | { readonly do: 'restart'; readonly of: 0 | 1 }
  | { readonly do: 'cancel'; readonly note: number }
  | { readonly do: 'publish' }
  | { readonly do: 'wait'; readonly minutes: number };

const ask: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('ask' as const),
  way: fc.constantFrom(...Object.keys(asking)),
  refresh: fc.boolean(),
  of: fc.constantFrom(0, 1),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: ask },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), note: fc.nat({ max: 2 }) }) },
  fc.record({ do: fc.constant('publish' as const) }),
  fc.record({ do: fc.constant('cut' as const), at: fc.double({ min: 0.05, max: 0.99, noNaN: true }) }),
  fc.record({ do: fc.constant('restart' as const), of: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 60, 1_500, 20_000) }),
);

const environment = () => ({
  DFE_URL: upstream.url,
  DFE_USER: 'ana',
  DFE_PASSWORD: 'segredo&1',
  DFE_CNPJ: company,
  DFE_LANGUAGE: 'en',
});

/** Programs over one archive: two over one file, which may be started anew, or one in memory. */
interface Programs {
  of(which: 0 | 1): Promise<Connection>;
  restart(which: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

function startPrograms(isInFile: boolean): Programs {
  const folder = temporaryFolder();
  const running = new Map<number, Connection>();
  const [data, downloads] = [join(folder.path, 'data'), join(folder.path, 'downloads')];
  mkdirSync(downloads);
  const archive: Record<string, string> = isInFile ? { DFE_ARCHIVE: 'file' } : {};
  const env = { ...environment(), ...archive, DFE_DATA_DIR: data, DFE_DOWNLOAD_DIR: downloads };
  const end = async (which: number) => {
    await running.get(which)?.close();
    running.delete(which);
  };
  return {
    async of(asked) {
      const which = isInFile ? asked : 0;
      const known = running.get(which) ?? (await connectInProcess('v1', { env, now: () => world.now }));
      running.set(which, known);
      return known;
    },
    restart: async (which) => (isInFile ? end(which) : undefined),
    async close() {
      for (const which of [...running.keys()]) await end(which);
    },
  };
}

async function play(steps: readonly Step[], listsEvents: boolean, isInFile: boolean): Promise<void> {
  world = new World();
  world.listsEvents = listsEvents;
  const programs = startPrograms(isInFile);
  try {
    for (const one of steps) {
      if (one.do === 'wait') world.now += one.minutes * 60_000;
      else if (one.do === 'publish') world.isLatePublished = true;
      else if (one.do === 'cancel') world.cancelled.add(keys[one.note] ?? '');
      else if (one.do === 'cut') world.cutAt = one.at;
      else if (one.do === 'restart') await programs.restart(one.of);
      else {
        const asked = asking[one.way]?.(await programs.of(one.of), one.refresh);
        const told = await asked?.catch((error: unknown) => {
          if (!(error instanceof NothingToTell)) throw error;
        });
        for (const [key, status] of told ?? []) world.check(one.way, key, status);
        world.cutAt = undefined;
      }
    }
  } finally {
    await programs.close();
  }
}

it.each([
  [true, 'memory'],
  [false, 'memory'],
  [true, 'file'],
  [false, 'file'],
])('no answer contradicts an earlier one (events listed: %s, archive: %s)', async (listsEvents, archive) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) =>
      play(steps, listsEvents, archive === 'file'),
    ),
    { numRuns: rounds(30, 4) },
  );
});

describe('what is asked for again', () => {
  async function connect(): Promise<Connection> {
    world = new World();
    return connectInProcess('v1', { env: environment(), now: () => world.now });
  }
  const asked = () => upstream.seen.filter(({ path }) => path.includes('/Mercadoria/')).length;

  it('is a young day after five minutes, which the answer says, and an old one only on request', async () => {
    const connection = await connect();
    const asking = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', group_by: ['status'] };
    const steps: [moment: string, calls: number, refresh?: boolean][] = [
      ['2026-11-08T12:00:00Z', 1],
      ['2026-11-08T12:04:00Z', 0],
      ['2026-11-08T12:06:00Z', 1],
      ['2027-06-01T12:00:00Z', 0],
      ['2027-06-01T12:00:00Z', 1, true],
    ];
    for (const [moment, calls, refresh = false] of steps) {
      world.now = Date.parse(moment);
      const before = asked();
      const { text } = await connection.call('query_documents', { ...asking, refresh });
      expect([moment, asked() - before], text).toEqual([moment, calls]);
      const ages = '7 days old, after 5 minutes; documents less than 35 days old, after 1 day;';
      expect([moment, text.includes(ages)]).toEqual([moment, calls === 0]);
    }
  });

  it('tells what a refresh has changed: what is new and what was cancelled', async () => {
    const connection = await connect();
    const args = { document: 'nfe', ...period };
    const first = await answer(connection, 'query_documents', args);
    expect(first).not.toHaveProperty('changes');
    expect(first.as_of).toBe('2026-11-20T12:00:00.000Z');
    world.isLatePublished = true;
    world.cancelled.add(keys[0] ?? '');
    world.now += 3_600_000;
    const second = await answer(connection, 'query_documents', { ...args, refresh: true });
    expect(second).toMatchObject({ refreshed: true, changes_total: 2, as_of: '2026-11-20T13:00:00.000Z' });
    expect(second.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: keys[0], what: 'cancelled' }),
        expect.objectContaining({ key: keys[3], what: 'new' }),
      ]),
    );
  });

  it('tells what a refresh of one document has changed', async () => {
    const connection = await connect();
    const [key = ''] = keys;
    const args = { document: 'nfe', key, refresh: true };
    const first = await answer(connection, 'get_document', args);
    expect(first).toMatchObject({ refreshed: true });
    expect(first).not.toHaveProperty('changes');
    world.cancelled.add(key);
    world.now += 60_000;
    const second = await answer(connection, 'get_document', args);
    expect(second).toMatchObject({ changes: [{ key, what: 'cancelled' }], changes_total: 1 });
    const third = await answer(connection, 'get_document', { document: 'nfe', key });
    expect(third).not.toHaveProperty('changes');
    expect(third).not.toHaveProperty('refreshed');
  });
});
