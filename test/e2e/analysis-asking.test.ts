import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly, type PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

const company = '48152036000117';
const other = '07391455000124';
const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const kinds = ['nfe', 'nfse', 'cte'] as const;
type Kind = (typeof kinds)[number];

let sandbox: Sandbox;
let connection: Connection;
/** In UTC it is the first of November already. */
const now = Date.parse('2026-10-31T22:30:00-03:00');
const held = new Map<string, readonly PlainDocument[]>();

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  connection = await connectInProcess('v1', {
    env: sandboxSettings(sandbox),
    now: () => now,
  });
  for (const kind of kinds) held.set(kind, await fetchPlainly(sandbox.url, kind, { company, ...quarter }));
  held.set('other', await fetchPlainly(sandbox.url, 'nfe', { company: other, ...quarter }));
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.close();
});

interface Structured {
  readonly company: string;
  readonly from: string;
  readonly to: string;
  readonly documents: number;
  readonly resolved?: readonly { argument: string; given: string; ids: string[]; names: string[] }[];
  readonly rows?: readonly {
    document?: string;
    group: Record<string, string>;
    measures: Record<string, string>;
  }[];
  readonly sums: readonly { document: string; measures: Record<string, string> }[];
  readonly listed?: readonly Record<string, unknown>[];
  readonly left_out?: readonly { reason: string; count: number }[];
  readonly next_cursor?: string;
}

async function ask(args: object): Promise<Structured & { text: string }> {
  const question = { document: 'nfe', ...quarter, ...args };
  const { isError, text, structured } = await connection.call('query_documents', question, {
    timeout: 60_000,
  });
  expect(isError, text).toBe(false);
  return { ...(structured as unknown as Structured), text };
}

async function refused(args: object, tool = 'query_documents'): Promise<string> {
  const question = { document: 'nfe', ...quarter, ...args };
  const { isError, text } = await connection.call(tool, question, { timeout: 60_000 });
  expect(isError, text).toBe(true);
  return text;
}

const standing = (kind: Kind | 'other') =>
  (held.get(kind) ?? []).filter(({ status }) => status === 'authorized');
const sum = (documents: readonly PlainDocument[]): string => {
  const cents = String(documents.reduce((all, { amounts }) => all + (amounts.total ?? 0n), 0n)).padStart(
    3,
    '0',
  );
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
};
const plain = (text = '') => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

describe('somebody by name', () => {
  const [first] = ['condutora'];

  it('is taken for all whose name has the words, and the answer says whom', async () => {
    const meant = standing('nfe').filter(({ issuer }) => plain(issuer.name).includes(first));
    expect(meant.length).toBeGreaterThan(0);
    const ids = [...new Set(meant.map(({ issuer }) => issuer.id))].sort();
    for (const given of ['Condutora', 'CONDUTORA', 'condutôra']) {
      const answer = await ask({ issuer: given, measures: ['count', 'total'] });
      expect(answer.rows?.[0]?.measures).toEqual({ count: String(meant.length), total: sum(meant) });
      expect(answer.resolved).toHaveLength(1);
      expect(answer.resolved?.[0]).toMatchObject({ argument: 'issuer', given });
      expect([...(answer.resolved?.[0]?.ids ?? [])].sort()).toEqual(ids);
      for (const id of ids) expect(answer.text).toContain(id);
    }
  });

  it('is sought among those of that role only', async () => {
    const payers = (held.get('cte') ?? []).map(({ xml }) => {
      const [, toma] = /<toma>(\d)</.exec(xml) ?? [];
      return new RegExp(`<${toma === '0' ? 'rem' : 'dest'}>.*?<C(?:NPJ|PF)>(\\w+)<`, 's').exec(xml)?.[1];
    });
    const { resolved } = await ask({ document: 'cte', payer: 'ltda', measures: ['count'] });
    const ids = resolved?.[0]?.ids ?? [];
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !payers.includes(id))).toEqual([]);
    // Issuers of that name are many; a sentence names a few.
    expect((await ask({ issuer: 'ltda', measures: ['count'] })).text).toMatch(/… \+\d+\./);
  });

  it('whom nobody is called is told, with no figure', async () => {
    const answer = await ask({ issuer: 'Inexistente', group_by: ['month'] });
    expect(answer).toMatchObject({ documents: 0, rows: [], resolved: [{ given: 'Inexistente', ids: [] }] });
    expect(answer.text).toContain('no name with "Inexistente"');
  });

  it('of a root is all its branches', async () => {
    const root = company.slice(0, 8);
    const meant = standing('nfe').filter(({ issuer }) => issuer.id?.startsWith(root));
    const answer = await ask({ issuer: Number(root), measures: ['count', 'total'] });
    expect(answer.rows?.[0]?.measures).toEqual({ count: String(meant.length), total: sum(meant) });
    const groups = await ask({ group_by: ['issuer_root'] });
    expect(groups.rows?.find(({ group }) => group.issuer_root === root)?.measures.count).toBe(
      String(meant.length),
    );
  });
});

describe('a city', () => {
  it('is meant by its name, with its state, or by its code', async () => {
    const ofCity = ({ xml }: PlainDocument, name: string) =>
      new RegExp(`<enderDest>.*?<${name}>([^<]*)<`, 's').exec(xml)?.[1] ?? '';
    const sold = standing('nfe').filter(({ issuer, isEntry }) => issuer.id === company && !isEntry);
    const [some] = sold;
    if (some === undefined) throw new Error('nothing sold');
    const [code, name, state] = ['cMun', 'xMun', 'UF'].map((field) => ofCity(some, field));
    const meant = sold.filter((note) => ofCity(note, 'cMun') === code);
    for (const city of [name, `${plain(name)}/${state}`, code, Number(code)]) {
      const answer = await ask({ direction: 'outbound', city, measures: ['count', 'total'] });
      expect(answer.rows?.[0]?.measures, String(city)).toEqual({
        count: String(meant.length),
        total: sum(meant),
      });
      expect(answer.text).toContain(`${name}/${state}`);
    }
    const { rows = [] } = await ask({ direction: 'outbound', group_by: ['city'] });
    expect(rows.find(({ group }) => group.city === code)?.group.city_name).toBe(`${name}/${state}`);
  });

  it('that is none is refused', async () => {
    expect(await refused({ city: 'Atlântida do Norte' })).toContain('Atlântida do Norte');
    expect(await refused({ city: '9999998' })).toContain('9999998');
  });

  it('abroad is one, by the code that documents have for it', async () => {
    const answer = await ask({ city: '9999999', group_by: ['city'] });
    expect(answer.rows?.map(({ group }) => group)).toEqual([{ city: '9999999', city_name: 'Exterior/EX' }]);
    const imports = standing('nfe').filter(({ xml }) => xml.includes('<idEstrangeiro>'));
    expect(imports.length).toBeGreaterThan(0);
    expect(answer.rows?.[0]?.measures).toEqual({ count: String(imports.length), total: sum(imports) });
  });
});

describe('words', () => {
  it('are found in any order, without accents, and all of them', async () => {
    const said = (note: PlainDocument) =>
      plain([...note.words, ...note.lines.map(({ description }) => description)].join(' '));
    for (const text of ['led luminária', 'LUMINARIA  led', 'nacional condutora']) {
      const words = plain(text).split(/\s+/);
      const meant = standing('nfe').filter((note) => words.every((word) => said(note).includes(word)));
      expect(meant.length).toBeGreaterThan(0);
      expect((await ask({ text, limit: 1 })).sums).toEqual([
        { document: 'nfe', measures: { count: String(meant.length), total: sum(meant) } },
      ]);
    }
    expect(await refused({ text: 'a '.repeat(13) })).toContain('12');
    // One of the words alone would be found.
    expect(await ask({ text: 'luminaria inexistente' })).toMatchObject({ documents: 0 });
  });
});

describe('several kinds of document', () => {
  it('each have their rows and their sums, and are never added', async () => {
    const answer = await ask({ document: kinds, group_by: ['month'], limit: 500 });
    expect(answer.sums).toEqual(
      kinds.map((kind) => ({
        document: kind,
        measures: { count: String(standing(kind).length), total: sum(standing(kind)) },
      })),
    );
    for (const kind of kinds) {
      const alone = await ask({ document: kind, group_by: ['month'], limit: 500 });
      const own = answer.rows?.filter(({ document }) => document === kind);
      expect(own?.map(({ group, measures }) => ({ group, measures }))).toEqual(alone.rows);
    }
    expect(answer.text.match(/^\w+,TOTAL,/gm)).toHaveLength(3);
  });

  it.each([{ group_by: ['issuer'] }, {}])('are paged one after the other: %o', async (args) => {
    const question = { document: kinds, ...args };
    const { rows, listed } = await ask({ ...question, limit: 500 });
    const all = rows ?? listed ?? [];
    const found: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 100; page++) {
      const part = await ask({ ...question, limit: 37, ...(cursor !== undefined && { cursor }) });
      found.push(...(part.rows ?? part.listed ?? []));
      cursor = part.next_cursor;
      if (cursor === undefined) break;
    }
    expect(found).toEqual(all);
    expect(new Set(all.map((one) => (one as { document: string }).document)).size).toBe(3);
  });
});

describe('checks', () => {
  interface Checks {
    readonly total: number;
    readonly documents: number;
    readonly by_rule: readonly { rule: string; count: number }[];
  }
  const check = async (args: object): Promise<Checks> => {
    const { isError, text, structured } = await connection.call('check_documents', {
      from: '2026-08-01',
      to: '2026-08-31',
      ...args,
    });
    expect(isError, text).toBe(false);
    expect(text).toMatch(/findings? in \d+ documents/);
    return structured as unknown as Checks;
  };

  it('of several kinds and companies are those of each', async () => {
    const parts: Checks[] = [];
    for (const cnpj of [company, other])
      for (const document of ['nfe', 'cte']) parts.push(await check({ cnpj, document }));
    const all = await check({ cnpj: [company, other], document: ['nfe', 'cte'], limit: 200 });
    const added = (of: (one: Checks) => number) => parts.reduce((sum, one) => sum + of(one), 0);
    expect(all.total).toBe(added(({ total }) => total));
    expect(all.total).toBeGreaterThan(0);
    expect(all.documents).toBe(added(({ documents }) => documents));
    for (const { rule, count } of all.by_rule) {
      const counts = parts.map((one) => one.by_rule.find((other) => other.rule === rule)?.count ?? 0);
      expect(count, rule).toBe(counts.reduce((sum, found) => sum + found, 0));
    }
  });
});

describe('several companies', () => {
  it('are asked about as one, and a note of both counts once', async () => {
    const keys = new Map([...standing('nfe'), ...standing('other')].map((note) => [note.key, note]));
    const answer = await ask({ cnpj: [company, other], measures: ['count', 'total'] });
    expect(answer.rows?.[0]?.measures).toEqual({
      count: String(keys.size),
      total: sum([...keys.values()]),
    });
    expect(answer.company).toContain(other);
    const list = await ask({ cnpj: [other, company], limit: 1 });
    expect(list.sums).toEqual([{ document: 'nfe', measures: answer.rows?.[0]?.measures }]);
    const twice = await ask({ cnpj: [company, company], measures: ['count'] });
    expect(twice.rows).toEqual((await ask({ measures: ['count'] })).rows);
  });
});

describe('the sums under an answer', () => {
  it('are those of all groups, also of those on other pages', async () => {
    const { rows = [], sums } = await ask({ group_by: ['issuer'], limit: 2 });
    expect(rows).toHaveLength(2);
    expect(sums).toEqual([
      { document: 'nfe', measures: { count: String(standing('nfe').length), total: sum(standing('nfe')) } },
    ]);
  });

  it('stand cancelled and authorised side by side where that is asked for', async () => {
    const { rows = [], left_out } = await ask({ group_by: ['status'] });
    const all = held.get('nfe') ?? [];
    expect(rows.map(({ group, measures }) => [group.status, measures.count])).toEqual([
      ['authorized', String(standing('nfe').length)],
      ['cancelled', String(all.length - standing('nfe').length)],
    ]);
    expect(left_out).toBeUndefined();
  });
});

describe('what the state of a final consumer is owed (difal)', () => {
  it('is the sum of vICMSUFDest of the notes, by state', async () => {
    const cents = new Map<string, bigint>();
    for (const { xml, recipient } of standing('nfe')) {
      const [, written] = /<ICMSTot>.*?<vICMSUFDest>(\d+\.\d\d)</s.exec(xml) ?? [];
      if (written === undefined) continue;
      const state = recipient.state ?? '';
      cents.set(state, (cents.get(state) ?? 0n) + BigInt(written.replace('.', '')));
    }
    expect(cents.size).toBeGreaterThan(1);
    const { rows = [], sums } = await ask({ group_by: ['state'], measures: ['difal'] });
    const given = rows.flatMap(({ group, measures }) =>
      measures.difal === undefined ? [] : [[group.state, BigInt(measures.difal.replace('.', ''))] as const],
    );
    expect(new Map(given)).toEqual(cents);
    const all = [...cents.values()].reduce((sum, one) => sum + one, 0n);
    expect(BigInt(sums[0]?.measures.difal?.replace('.', '') ?? '')).toBe(all);
  });
});

describe('a period in words', () => {
  it.each([
    [{ from: 'today' }, '2026-10-31', '2026-10-31'],
    [{ from: 'last_month' }, '2026-09-01', '2026-09-30'],
    [{ from: 'last_month', to: 'last_month' }, '2026-09-01', '2026-09-30'],
    [{ from: 'last_7_days' }, '2026-10-25', '2026-10-31'],
    [{ from: 'last_quarter', to: 'yesterday' }, '2026-07-01', '2026-10-30'],
    [{ from: '2026-10-01', to: 'today' }, '2026-10-01', '2026-10-31'],
  ])('%o is %s to %s in the configured zone', async (period, from, to) => {
    const answer = await ask({ ...quarter, to: undefined, ...period, measures: ['count'] });
    expect(answer).toMatchObject({ from, to });
    const written = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(answer.text).toContain([from, to].map((day) => written.format(new Date(day))).join(' to '));
  });

  it('is taken by every tool that takes one', async () => {
    const calls = [
      ['list_document_keys', { document: 'nfe' }],
      ['list_documents', { document: 'nfe' }],
      ['list_nfe_summaries', {}],
      ['list_nfe_covers', { direction: 'inbound' }],
      ['check_documents', { document: 'nfe' }],
      ['list_pending_manifestations', {}],
    ] as const;
    for (const [tool, args] of calls) {
      const { isError, text, structured } = await connection.call(tool, { ...args, from: 'last_month' });
      expect(isError, `${tool}: ${text}`).toBe(false);
      expect(String(structured?.from), tool).toContain('2026-09-01');
      expect(String(structured?.to), tool).toContain('2026-09-30');
    }
  });
});

describe('a day of entry', () => {
  it('stands on the lines of a list by entry', async () => {
    const days = { from: '2026-09-01', to: '2026-09-10' };
    const { listed = [], text } = await ask({ ...days, by: 'entry', direction: 'inbound' });
    expect(listed.length).toBeGreaterThan(0);
    for (const { entered_on } of listed) {
      const day = String(entered_on);
      expect(day).toMatch(/^2026-09-\d\d$/);
      expect(day >= days.from && day <= days.to).toBe(true);
    }
    expect(text).toContain('number,date,entered_on,');
    expect(text).toContain('day of entry');
  });
});
