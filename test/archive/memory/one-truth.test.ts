import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../support/clients.ts';
import {
  accessKey,
  company,
  documentListReply,
  downloadReply,
  emptyReply,
  nfeXml,
} from '../../support/documents.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

/** Notes of 2026-11-05; the last one is published only when the test says so. */
const numbers = [1, 2, 3, 4];
const keys = numbers.map((number) => accessKey({ number }));
const late = 4;

function cancellation(key: string): string {
  return (
    '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00">' +
    `<infEvento Id="ID110111${key}01"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>58716523000119</CNPJ>` +
    `<chNFe>${key}</chNFe><dhEvento>2026-11-06T10:00:00-03:00</dhEvento><tpEvento>110111</tpEvento>` +
    '<nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento><detEvento versao="1.00">' +
    '<descEvento>Cancelamento</descEvento><nProt>135260000000001</nProt><xJust>Erro na emissao da nota</xJust>' +
    '</detEvento></infEvento></evento><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cOrgao>35</cOrgao>' +
    '<cStat>135</cStat><xMotivo>Evento registrado e vinculado a NF-e</xMotivo>' +
    `<chNFe>${key}</chNFe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>` +
    '<dhRegEvento>2026-11-06T10:00:05-03:00</dhRegEvento><nProt>135260000000099</nProt></infEvento></retEvento>' +
    '</procEventoNFe>'
  );
}

/** The service as it is, and what of it has been delivered to the program so far. */
class World {
  now = Date.parse('2026-11-20T12:00:00Z');
  readonly cancelled = new Set<string>();
  isLatePublished = false;
  /** Whether lists carry events, or only downloads do. */
  listsEvents = true;
  readonly knownCancelled = new Set<string>();

  published(): string[] {
    return keys.filter((_, index) => numbers[index] !== late || this.isLatePublished);
  }

  list(): string {
    const notes = this.published().map((key) => nfeXml({ number: keys.indexOf(key) + 1 }));
    const told = this.listsEvents ? [...this.cancelled] : [];
    for (const key of told) this.knownCancelled.add(key);
    return documentListReply([...notes, ...told.map(cancellation)]);
  }

  download(key: string): string {
    const note = nfeXml({ number: keys.indexOf(key) + 1 });
    if (!this.cancelled.has(key)) return downloadReply(note);
    this.knownCancelled.add(key);
    return documentListReply([note, cancellation(key)]);
  }

  statusOf(key: string): string {
    return this.knownCancelled.has(key) ? 'cancelled' : 'authorized';
  }
}

let upstream: RecordingUpstream;
let world = new World();

beforeAll(async () => {
  upstream = await startRecordingUpstream(({ path, query }, response) => {
    const asked = new Map(query);
    if (path.endsWith('/DownloadXml')) return json(response, world.download(asked.get('chaveNfe') ?? ''));
    if (path.endsWith('/PesquisarStatusEvento')) return json(response, { Mensagem: '', Sucesso: 0 });
    const from = (asked.get('dataDe') ?? '').split('/').reverse().join('-');
    const to = (asked.get('dataAte') ?? '').split('/').reverse().join('-');
    const isWithin = from <= '2026-11-05' && '2026-11-05' <= to;
    return json(response, isWithin && path.includes('/Mercadoria/') ? world.list() : emptyReply);
  });
});
afterAll(() => upstream.close());

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
  expect(result.isError, result.text).toBe(false);
  return result.structured ?? {};
}

/** Every way of asking for the same notes, and what each says of them. */
const asking: Readonly<Record<string, (connection: Connection, refresh: boolean) => Promise<Told>>> = {
  async list(connection, refresh) {
    const { documents } = await answer(connection, 'list_documents', {
      document: 'nfe',
      ...period,
      refresh,
    });
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
  async pending(connection, refresh) {
    const { pending } = await answer(connection, 'list_pending_manifestations', { ...period, refresh });
    return new Map((pending as Line[]).map(({ key = '' }) => [key, 'authorized']));
  },
};

type Step =
  | { readonly do: 'ask'; readonly way: string; readonly refresh: boolean }
  | { readonly do: 'cancel'; readonly note: number }
  | { readonly do: 'publish' }
  | { readonly do: 'wait'; readonly minutes: number };

const ask: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('ask' as const),
  way: fc.constantFrom(...Object.keys(asking)),
  refresh: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: ask },
  fc.record({ do: fc.constant('cancel' as const), note: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant('publish' as const) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 60, 1_500, 20_000) }),
);

async function play(steps: readonly Step[], listsEvents: boolean): Promise<void> {
  world = new World();
  world.listsEvents = listsEvents;
  const env = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo&1', DFE_CNPJ: company };
  const connection = await connectInProcess('v1', {
    env: { ...env, DFE_LANGUAGE: 'en' },
    now: () => world.now,
  });
  try {
    for (const one of steps) {
      if (one.do === 'wait') world.now += one.minutes * 60_000;
      else if (one.do === 'publish') world.isLatePublished = true;
      else if (one.do === 'cancel') world.cancelled.add(keys[one.note] ?? '');
      else {
        const told = await asking[one.way]?.(connection, one.refresh);
        for (const [key, status] of told ?? []) {
          expect([one.way, key, status]).toEqual([one.way, key, world.statusOf(key)]);
        }
      }
    }
  } finally {
    await connection.close();
  }
}

describe('whatever is asked in whatever order', () => {
  it.each([true, false])(
    'no answer contradicts what an earlier one has shown (events listed: %s)',
    async (listsEvents) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) =>
          play(steps, listsEvents),
        ),
        { numRuns: 25 },
      );
    },
  );
});

describe('what is asked for again', () => {
  async function connect(): Promise<Connection> {
    world = new World();
    const env = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo&1', DFE_CNPJ: company };
    return connectInProcess('v1', { env: { ...env, DFE_LANGUAGE: 'en' }, now: () => world.now });
  }
  const asked = () => upstream.seen.filter(({ path }) => path.includes('/Mercadoria/')).length;

  it('is decided by the age of the days: a young day after five minutes, an old one only on request', async () => {
    const connection = await connect();
    const young = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', group_by: ['status'] };
    world.now = Date.parse('2026-11-08T12:00:00Z');
    const steps: [string, number][] = [
      ['2026-11-08T12:00:00Z', 1],
      ['2026-11-08T12:04:00Z', 0],
      ['2026-11-08T12:06:00Z', 1],
      ['2026-11-20T12:00:00Z', 1],
      ['2026-11-20T23:00:00Z', 0],
      ['2026-11-22T12:00:00Z', 1],
      ['2027-06-01T12:00:00Z', 0],
    ];
    for (const [moment, calls] of steps) {
      world.now = Date.parse(moment);
      const before = asked();
      await answer(connection, 'query_documents', young);
      expect([moment, asked() - before]).toEqual([moment, calls]);
    }
    const before = asked();
    await answer(connection, 'query_documents', { ...young, refresh: true });
    expect(asked() - before).toBe(1);
    await connection.close();
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
    await connection.close();
  });

  it('is not page 2 of a list, nor the document after the list', async () => {
    const connection = await connect();
    const args = { document: 'nfe', ...period, limit: 1 };
    const before = asked();
    let cursor: unknown;
    const found: unknown[] = [];
    do {
      const page = await answer(connection, 'list_documents', { ...args, ...(cursor ? { cursor } : {}) });
      found.push(...(page.documents as Line[]).map(({ key }) => key));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(found).toEqual(keys.slice(0, 3));
    await answer(connection, 'get_document', { document: 'nfe', key: keys[1] });
    expect(asked() - before).toBe(1);
    await connection.close();
  });
});
