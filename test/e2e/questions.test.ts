import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company, everyPage } from '../support/asked-sandbox.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { answerPlainly, inOrder, type PlainQuestion, type PlainRow } from '../support/plain-answers.ts';

/** In UTC it is the first of November already. */
const { ask: call, refused, documents } = askSandbox({ today: '2026-10-31T22:30:00-03:00' });
const other = '07391455000124';
const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const spring = { from: '2026-04-01', to: '2026-06-30' } as const;
const kinds = ['nfe', 'nfse', 'cte'] as const;
type Kind = (typeof kinds)[number];

const itemGroupings = ['cfop', 'ncm', 'cst', 'class_trib', 'item'];
const groupings: readonly (readonly string[])[] = [
  ...['issuer', 'recipient', 'counterparty', 'state', 'month', 'week', 'day', 'kind', 'status'].map((one) => [
    one,
  ]),
  ...itemGroupings.map((one) => [one]),
  ['issuer', 'month'],
  ['cfop', 'ncm'],
  ['issuer', 'cst', 'class_trib'],
  ['kind', 'status', 'month', 'state'],
  ['week', 'item'],
];
const measures = (
  'count items total products icms icms_base icms_st ipi pis cofins iss iss_withheld ibs cbs is freight discount ' +
  'products_net services insurance other icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty irrf ' +
  'csll inss pis_withheld cofins_withheld'
).split(' ');

const found = new Map<string, readonly PlainDocument[]>();
const held = (kind: Kind | 'other' | 'spring') => found.get(kind) ?? [];
const standing = (kind: Kind | 'other') => held(kind).filter(({ status }) => status === 'authorized');

beforeAll(async () => {
  for (const kind of kinds) found.set(kind, await documents(kind, quarter));
  found.set('other', await documents('nfe', quarter, other));
  found.set('spring', await documents('nfe', spring));
});

interface Row extends PlainRow {
  readonly document?: string;
}

interface Answer {
  readonly company: string;
  readonly documents: number;
  readonly complete: boolean;
  readonly total_groups: number;
  readonly rows: readonly Row[];
  readonly sums: readonly object[];
  readonly total: number;
  readonly listed: readonly {
    readonly document?: string;
    readonly key?: string;
    readonly issued_at: string;
    readonly entered_on?: string;
    readonly totals: { readonly total: string };
  }[];
  readonly left_out?: readonly { reason: string; count: number }[];
  readonly resolved?: readonly { argument: string; given: string; ids: string[] }[];
  readonly unavailable?: readonly { argument: string; value: string; document: string; reason: string }[];
  readonly next_cursor?: string;
  readonly text: string;
}

async function ask(args: object): Promise<Answer> {
  const { text, data } = await call('query_documents', { document: 'nfe', ...quarter, ...args });
  return { ...(data as unknown as Answer), text };
}

const money = (cents: bigint) => {
  const text = String(cents).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};
const totalOf = (all: readonly PlainDocument[]) =>
  money(all.reduce((sum, { amounts }) => sum + (amounts.total ?? 0n), 0n));
const counted = (all: readonly PlainDocument[]) => ({ count: String(all.length), total: totalOf(all) });
const both = { measures: ['count', 'total'] };
const plain = (text = '') => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const withoutNames = ({ group, measures: values }: PlainRow): PlainRow => ({
  group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
  measures: values,
});
const addedUp = (rows: readonly PlainRow[], measure: string): bigint =>
  rows.reduce((sum, { measures: values }) => sum + BigInt((values[measure] ?? '0').replace('.', '')), 0n);

/** Puts a question to the tool and to a loop over the XML, and compares every sum to the cent. */
async function compare(
  kind: Kind,
  question: PlainQuestion,
  { period = quarter, among = held(kind) }: { period?: object; among?: readonly PlainDocument[] } = {},
): Promise<Answer> {
  const answer = await ask({ document: kind, ...question, ...period, measures, limit: 500 });
  const expected = answerPlainly(company, among, question, measures);
  expect(inOrder(answer.rows.map(withoutNames))).toEqual(inOrder(expected.rows));
  const left = answer.left_out?.find(({ reason }) => reason === 'cancelled')?.count ?? 0;
  expect({ ...answer, left }).toMatchObject({
    documents: expected.documents,
    total_groups: expected.rows.length,
    left: expected.cancelled,
    complete: true,
  });
  return answer;
}

describe.each(kinds)('sums of %s are those of a loop over the XML', (kind) => {
  it.each(groupings)('by %s %s %s', async (...group_by) => {
    await compare(kind, { group_by });
  });

  it('of one direction, and of a period that ends within months', async () => {
    expect(held(kind).length).toBeGreaterThan(20);
    for (const direction of ['inbound', 'outbound'] as const)
      for (const group_by of [['month'], ['state']]) await compare(kind, { group_by, direction });
    const period = { from: '2026-07-10', to: '2026-08-05' };
    const among = held(kind).filter(({ day }) => day >= period.from && day <= period.to);
    await compare(kind, { group_by: ['month'] }, { period, among });
  });
});

describe('groups of items', () => {
  const shared = ['total', 'products', 'freight', 'discount', 'insurance', 'other', 'products_net'];

  it.each(itemGroupings)('by %s add up to what the documents say', async (grouping) => {
    const totals = await ask({ group_by: ['kind'], measures: shared });
    const { rows } = await ask({ group_by: [grouping], measures: shared, limit: 500 });
    for (const measure of shared) expect(addedUp(rows, measure)).toBe(addedUp(totals.rows, measure));
    expect(money(addedUp(totals.rows, 'total'))).toBe(totalOf(standing('nfe')));
  });

  it.each([[['cfop']], [['cst']], [['month']], [['issuer', 'item']]])(
    'by %j have relieved and single-phase ICMS and import duty where the notes have them',
    async (group_by) => {
      const { rows } = await compare('nfe', { group_by }, { period: spring, among: held('spring') });
      const authorized = held('spring').filter(({ status }) => status === 'authorized');
      for (const measure of ['total', 'icms_relieved', 'icms_mono', 'import_duty']) {
        const all = authorized.reduce((sum, { amounts }) => sum + (amounts[measure] ?? 0n), 0n);
        expect(all).toBeGreaterThan(0n);
        expect(addedUp(rows, measure)).toBe(all);
      }
    },
  );
});

describe('a filter', () => {
  /** The first document that the company received. */
  const some = (kind: Kind) => standing(kind).find(({ issuer }) => issuer.id !== company) as PlainDocument;
  const bought = () => some('nfe').lines[0];

  it.each<[string, Kind, () => Omit<PlainQuestion, 'group_by'>]>([
    ...kinds.map((kind): [string, Kind, () => object] => [
      'issuer',
      kind,
      () => ({ issuer: some(kind).issuer.id }),
    ]),
    [
      'recipient',
      'nfe',
      () => ({ recipient: held('nfe').find(({ issuer }) => issuer.id === company)?.recipient.id ?? '' }),
    ],
    ['state', 'nfe', () => ({ state: some('nfe').issuer.state ?? '' })],
    ['state', 'cte', () => ({ state: some('cte').issuer.state ?? '' })],
    ['cfop', 'nfe', () => ({ cfop: bought()?.cfop ?? '' })],
    ['cfop by its first digit', 'nfe', () => ({ cfop: '6' })],
    ['cfop', 'cte', () => ({ cfop: '5353' })],
    ['ncm', 'nfe', () => ({ ncm: bought()?.ncm ?? '' })],
    ['ncm by its heading', 'nfe', () => ({ ncm: bought()?.ncm?.slice(0, 4) ?? '' })],
    ['cst', 'nfe', () => ({ cst: '00' })],
    ['class_trib', 'nfe', () => ({ class_trib: '000001' })],
    ['status', 'nfe', () => ({ status: 'cancelled' })],
    ['status', 'nfse', () => ({ status: 'cancelled' })],
    ['min_total', 'nfe', () => ({ min_total: totalOf([some('nfe')]) })],
    ['max_total', 'nfe', () => ({ max_total: totalOf([some('nfe')]) })],
    ['text: a name, without accents', 'nfe', () => ({ text: 'condutora nacional' })],
    ['text: what an item is', 'nfe', () => ({ text: 'LUMINARIA' })],
    ['text: a number', 'nfe', () => ({ text: some('nfe').number })],
    ['text: a service', 'nfse', () => ({ text: 'vigilância' })],
    ['two at once', 'nfe', () => ({ direction: 'inbound', cfop: '5', min_total: '1000.00' })],
  ])('%s of %s', async (_, kind, filter) => {
    const question = filter();
    const whole = await compare(kind, { group_by: ['month'], ...question });
    expect(whole.documents).toBeGreaterThan(0);
    for (const grouping of ['issuer', 'cfop']) await compare(kind, { group_by: [grouping], ...question });
    // A list is of documents, so that a filter on items lets in every document that has such an item.
    expect((await ask({ document: kind, ...question, limit: 1 })).total).toBe(whole.documents);
  });

  it('that nothing meets gives no rows, and no document', async () => {
    const answer = await compare('nfe', { group_by: ['issuer'], issuer: '00000000000191' });
    expect(answer).toMatchObject({ rows: [], documents: 0, total_groups: 0 });
  });

  it('of another party finds the supplier abroad by a part of its name', async () => {
    const imports = held('nfe').filter(
      ({ issuer, isEntry, recipient }) => issuer.id === company && isEntry && recipient.state === 'EX',
    );
    const abroad = imports[0]?.recipient.id ?? '';
    expect(abroad).not.toBe('');
    const asked = { direction: 'inbound', group_by: ['counterparty'] } as const;
    const { rows } = await ask({ ...asked, limit: 500 });
    const groups = rows.map(({ group }) => group);
    expect(groups.map(({ counterparty }) => counterparty)).not.toContain(company);
    const name = groups.find(({ counterparty }) => counterparty === abroad)?.counterparty_name ?? '';
    const found = await ask({ ...asked, counterparty: name.split(' ')[0] });
    expect(found.rows.map(({ group }) => group.counterparty)).toEqual([abroad]);
    await compare('nfe', { group_by: ['month'], counterparty: abroad });
    await compare('nfe', { group_by: ['month'], counterparty: some('nfe').issuer.id });
  });
});

describe('somebody by name', () => {
  const meant = () => standing('nfe').filter(({ issuer }) => plain(issuer.name).includes('condutora'));

  it('is taken for all whose name has the words, and the answer says whom', async () => {
    const ids = [...new Set(meant().map(({ issuer }) => issuer.id))].sort();
    for (const given of ['Condutora', 'CONDUTORA', 'condutôra']) {
      const { rows, resolved, text } = await ask({ issuer: given, ...both });
      expect(rows[0]?.measures).toEqual(counted(meant()));
      expect(resolved).toMatchObject([{ argument: 'issuer', given }]);
      expect(resolved?.[0]?.ids.toSorted()).toEqual(ids);
      for (const id of ids) expect(text).toContain(id);
    }
  });

  it('is sought among those of that role only, and a sentence names a few of many', async () => {
    const payers = held('cte').map(({ xml }) => {
      const [, toma] = /<toma>(\d)</.exec(xml) ?? [];
      return new RegExp(`<${toma === '0' ? 'rem' : 'dest'}>.*?<C(?:NPJ|PF)>(\\w+)<`, 's').exec(xml)?.[1];
    });
    const { resolved } = await ask({ document: 'cte', payer: 'ltda', measures: ['count'] });
    const ids = resolved?.[0]?.ids ?? [];
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !payers.includes(id))).toEqual([]);
    expect((await ask({ issuer: 'ltda', measures: ['count'] })).text).toMatch(/… \+\d+\./);
  });

  it('whom nobody is called is told, with no figure', async () => {
    const answer = await ask({ issuer: 'Inexistente', group_by: ['month'] });
    expect(answer).toMatchObject({ documents: 0, rows: [], resolved: [{ given: 'Inexistente', ids: [] }] });
    expect(answer.text).toContain('no name with "Inexistente"');
  });

  it('of a root is all its branches', async () => {
    const root = company.slice(0, 8);
    const branches = standing('nfe').filter(({ issuer }) => issuer.id?.startsWith(root));
    expect((await ask({ issuer: Number(root), ...both })).rows[0]?.measures).toEqual(counted(branches));
    const { rows } = await ask({ group_by: ['issuer_root'] });
    const own = rows.find(({ group }) => group.issuer_root === root);
    expect(own?.measures.count).toBe(String(branches.length));
  });

  it('is named beside the sums of suppliers', async () => {
    const { rows, text } = await ask({ direction: 'inbound', group_by: ['issuer'], order_by: '-total' });
    const names = new Map(held('nfe').map(({ issuer }) => [issuer.id, issuer.name]));
    expect(rows.length).toBeGreaterThan(10);
    for (const { group } of rows) {
      expect(group.issuer_name).toBe(names.get(group.issuer));
      expect(text).toContain(group.issuer_name);
    }
  });
});

describe('a city', () => {
  it('is meant by its name, with its state, or by its code', async () => {
    const ofCity = ({ xml }: PlainDocument, name: string) =>
      new RegExp(`<enderDest>.*?<${name}>([^<]*)<`, 's').exec(xml)?.[1] ?? '';
    const sold = standing('nfe').filter(({ issuer, isEntry }) => issuer.id === company && !isEntry);
    const [code, name, state] = ['cMun', 'xMun', 'UF'].map((field) =>
      ofCity(sold[0] as PlainDocument, field),
    );
    const meant = sold.filter((note) => ofCity(note, 'cMun') === code);
    for (const city of [name, `${plain(name)}/${state}`, code, Number(code)]) {
      const { rows, text } = await ask({ direction: 'outbound', city, ...both });
      expect(rows[0]?.measures, String(city)).toEqual(counted(meant));
      expect(text).toContain(`${name}/${state}`);
    }
    const { rows } = await ask({ direction: 'outbound', group_by: ['city'], limit: 500 });
    expect(rows.find(({ group }) => group.city === code)?.group.city_name).toBe(`${name}/${state}`);
  });

  it('that is none is refused; abroad is one', async () => {
    for (const city of ['Atlântida do Norte', '9999998'])
      expect(await refused('query_documents', { document: 'nfe', ...quarter, city })).toContain(city);
    const { rows } = await ask({ city: '9999999', group_by: ['city'] });
    const imports = standing('nfe').filter(({ xml }) => xml.includes('<idEstrangeiro>'));
    expect(imports.length).toBeGreaterThan(0);
    const group = { city: '9999999', city_name: 'Exterior/EX' };
    expect(rows).toEqual([{ group, measures: counted(imports) }]);
  });
});

it('several kinds of document each have their rows and their sums, and are never added', async () => {
  const answer = await ask({ document: kinds, group_by: ['month'], limit: 500 });
  expect(answer.sums).toEqual(kinds.map((kind) => ({ document: kind, measures: counted(standing(kind)) })));
  for (const kind of kinds) {
    const alone = await ask({ document: kind, group_by: ['month'], limit: 500 });
    const own = answer.rows.filter(({ document }) => document === kind);
    expect(own.map(({ group, measures: values }) => ({ group, measures: values }))).toEqual(alone.rows);
  }
  expect(answer.text.match(/^\w+,TOTAL,/gm)).toHaveLength(3);
});

it('several companies are asked about as one, and a note of both counts once', async () => {
  const notes = new Map([...standing('nfe'), ...standing('other')].map((note) => [note.key, note]));
  const answer = await ask({ cnpj: [company, other], ...both });
  expect(answer.rows[0]?.measures).toEqual(counted([...notes.values()]));
  expect(answer.company).toContain(other);
  const twice = await ask({ cnpj: [company, company], ...both });
  expect(twice.rows[0]?.measures).toEqual(counted(standing('nfe')));
});

it('several kinds and companies are checked as each by itself, and a note of both counts once', async () => {
  interface Checks {
    readonly total: number;
    readonly documents: number;
    readonly by_rule: readonly { rule: string; count: number }[];
  }
  const august = { from: '2026-08-01', to: '2026-08-31' } as const;
  const check = async (args: object): Promise<Checks> => {
    const { data } = await call('check_documents', { ...august, ...args });
    return data as unknown as Checks;
  };
  const parts: Checks[] = [];
  for (const cnpj of [company, other])
    for (const document of ['nfe', 'cte']) parts.push(await check({ cnpj, document }));
  const all = await check({ cnpj: [company, other], document: ['nfe', 'cte'], limit: 200 });
  const added = (of: (one: Checks) => number) => parts.reduce((sum, one) => sum + of(one), 0);
  expect(all.total).toBeGreaterThan(0);
  expect(all.total).toBe(added(({ total }) => total));
  const keysOf = async (of: string) => (await documents('nfe', august, of)).map(({ key }) => key);
  const own = new Set(await keysOf(company));
  const shared = (await keysOf(other)).filter((key) => own.has(key)).length;
  expect(shared).toBeGreaterThan(0);
  expect(all.documents).toBe(added((one) => one.documents) - shared);
  for (const { rule, count } of all.by_rule)
    expect(count, rule).toBe(added((one) => one.by_rule.find((each) => each.rule === rule)?.count ?? 0));
});

it('the sums under an answer are those of all groups, also of those on other pages', async () => {
  const { rows, sums } = await ask({ group_by: ['issuer'], limit: 2 });
  expect(rows).toHaveLength(2);
  expect(sums).toEqual([{ document: 'nfe', measures: counted(standing('nfe')) }]);
});

describe('an order', () => {
  const value = ({ measures: { total = '0' } }: PlainRow) => Number(total);

  it('of groups is by a measure, the largest first or the smallest, or by the text of a group', async () => {
    const down = (await ask({ group_by: ['issuer'], order_by: '-total', limit: 500 })).rows.map(value);
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    const up = await ask({ group_by: ['issuer'], order_by: 'total', limit: 500 });
    expect(up.rows.map(value)).toEqual(down.toReversed());
    const { rows } = await ask({ group_by: ['month', 'state'], order_by: '-month' });
    const months = rows.map(({ group }) => group.month ?? '');
    expect(months).toEqual(months.toSorted().toReversed());
  });

  it('of a list is by total or by date', async () => {
    const byTotal = await ask({ order_by: '-total', limit: 500 });
    const totals = byTotal.listed.map(({ totals: { total } }) => Number(total));
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    const dates = (await ask({ order_by: 'issued_at', limit: 500 })).listed.map(({ issued_at }) => issued_at);
    expect(dates).toEqual(dates.toSorted());
  });
});

describe('pages', () => {
  it.each([
    ['groups', { group_by: ['issuer', 'month'], order_by: '-total', limit: 7 }],
    ['groups of several kinds', { document: kinds, group_by: ['issuer'], limit: 37 }],
    ['documents of several kinds', { document: kinds, limit: 37 }],
  ])('of %s lose and repeat nothing', async (_, question) => {
    const whole = await ask({ ...question, limit: 500 });
    const all = await everyPage(async (cursor) => {
      const { rows, listed, next_cursor } = await ask({ ...question, ...cursor });
      return { entries: rows ?? listed, next: next_cursor };
    });
    expect(all).toEqual(whole.rows ?? whole.listed);
    expect(all.length).toBeGreaterThan(20);
  });

  it('end where their text does, so that a host which shows only text loses nothing', async () => {
    const group_by = ['issuer', 'recipient', 'ncm', 'day'];
    let total = 0;
    const lines = await everyPage(async (cursor) => {
      const { text, rows, total_groups, next_cursor } = await ask({ limit: 500, group_by, ...cursor });
      const under = text.split(`\n${group_by},count,total\n`)[1]?.split('\n') ?? [];
      const shown = under.filter((line) => !line.startsWith('TOTAL,'));
      expect([under.length, shown.length]).toEqual([rows.length + 1, rows.length]);
      expect(text.length).toBeLessThan(50_000);
      expect(rows.length).toBeLessThan(total_groups);
      total = total_groups;
      return { entries: shown, next: next_cursor };
    });
    expect(lines).toHaveLength(total);
  });
});

describe('what is left out', () => {
  it('is told in words and counted', async () => {
    const cancelled = held('nfe').filter(({ status }) => status === 'cancelled').length;
    expect(cancelled).toBeGreaterThan(0);
    for (const args of [{ group_by: ['month'] }, { limit: 1 }]) {
      const { text, left_out } = await ask(args);
      expect(text).toContain(`${cancelled} cancelled`);
      expect(left_out).toContainEqual({ reason: 'cancelled', count: cancelled });
    }
  });

  it('is side by side with the rest where statuses are asked for, and the total says that it is of both', async () => {
    const words = 'the total adds up all statuses';
    const { text, left_out } = await ask({ group_by: ['status'] });
    expect({ text, left_out }).toEqual({ text: expect.stringContaining(words), left_out: undefined });
    expect((await ask({ group_by: ['status'], status: ['cancelled'] })).text).not.toContain(words);
    expect((await ask({ group_by: ['month'] })).text).not.toContain(words);
  });

  it('is what only documents have where lines are added up, and the answer says so', async () => {
    const answer = await ask({
      group_by: ['cfop'],
      measures: ['count', 'total', 'freight', 'irrf', 'items'],
    });
    expect(answer.text).toContain('irrf exists per document only');
    expect(answer.unavailable).toMatchObject([{ value: 'irrf', reason: 'per_document_only' }]);
    expect(answer.rows.every(({ measures: values }) => !('irrf' in values))).toBe(true);
    expect(answer).toMatchObject({
      meanings: { count: 'documents', total: 'items', freight: 'items', irrf: 'items', items: 'items' },
    });
    const byIssuer = await ask({ group_by: ['issuer'], measures: ['count', 'total', 'items'] });
    expect(byIssuer).toMatchObject({ meanings: { count: 'documents', total: 'documents', items: 'items' } });
  });
});

describe('a party that sells to the company and buys from it', () => {
  const isIssued = ({ issuer, isEntry }: PlainDocument) => issuer.id === company && !isEntry;
  const partyOf = (one: PlainDocument) => (one.issuer.id === company ? one.recipient.id : one.issuer.id);
  const id = () => {
    const customers = new Set(standing('nfe').filter(isIssued).map(partyOf));
    return standing('nfe')
      .filter((one) => !isIssued(one))
      .map(partyOf)
      .find((one) => customers.has(one));
  };

  it.each([
    ['fornecedor', undefined, 'inbound', 'inbound only'],
    ['supplier', undefined, 'inbound', 'inbound only'],
    ['cliente', undefined, 'outbound', 'outbound only'],
    // What goes back to it.
    ['fornecedor', 'outbound', 'outbound', 'outbound only'],
    ['counterparty', undefined, undefined, undefined],
  ])(
    'as %s with direction %s is counted in %s notes, and the answer says so',
    async (word, given, of, words) => {
      expect(id()).toBeDefined();
      const notes = standing('nfe').filter(
        (one) => partyOf(one) === id() && (of === undefined || isIssued(one) === (of === 'outbound')),
      );
      const { sums, text } = await ask({ [word]: id(), ...(given && { direction: given }), ...both });
      expect(sums).toEqual([{ document: 'nfe', measures: counted(notes) }]);
      if (words === undefined) expect(text).not.toContain('bound only');
      else expect(text).toContain(words);
    },
  );

  it.each(['fornecedor', 'cliente'])('is grouped as %s by the notes of that direction', async (word) => {
    const direction = word === 'cliente' ? 'outbound' : 'inbound';
    const { rows } = await ask({ group_by: [word], ...both, limit: 500 });
    const expected = await ask({ group_by: ['counterparty'], direction, ...both, limit: 500 });
    expect(rows).toEqual(expected.rows);
  });
});

describe('what must not read as nothing', () => {
  const months = { from: '2024-01-01', to: '2024-03-31' } as const;

  it('is a cancelled document asked for by its number: it is listed, outside the total', async () => {
    const cancelled = held('nfe').filter(({ status }) => status === 'cancelled');
    const [one] = cancelled;
    const same = held('nfe').filter(({ number }) => number === one?.number);
    const { listed, sums, text } = await ask({ number: one?.number });
    expect(listed.map(({ key }) => key).sort()).toEqual(same.map(({ key }) => key).sort());
    expect(text).toContain(',cancelled,');
    const standingOnes = same.filter(({ status }) => status === 'authorized');
    const total = standingOnes.length > 0 && { total: totalOf(standingOnes) };
    expect(sums).toEqual([{ document: 'nfe', measures: { count: String(same.length), ...total } }]);
    expect((await ask({ number: one?.number, measures: ['count'] })).text).toContain('has this number');
  });

  it('is a period before the first document that is known', async () => {
    const {
      known_from,
      complete,
      documents: count,
      text,
    } = (await ask(months)) as unknown as Record<string, unknown>;
    expect({ count, complete }).toEqual({ count: 0, complete: true });
    expect(known_from).toMatch(/^202[56]-\d\d-\d\d$/);
    expect(text).toContain('The first document known here is of');
    const { data } = await call('list_documents', { document: 'nfe', ...months });
    expect(data.known_from).toBe(known_from);
    expect((await ask({})) as unknown as object).not.toHaveProperty('known_from');
  });

  it.each([
    ['by month', { group_by: ['month'] }],
    ['by supplier', { group_by: ['issuer'], direction: 'inbound' }],
    ['by CFOP', { group_by: ['cfop'] }],
    ['with the quarter before', { group_by: ['month'], compare: 'previous_period' }],
    ['with the year before', { compare: 'previous_year' }],
  ])(
    'is a period of which nothing can be known, %s: earlier than documents, or yet to come',
    async (_, more) => {
      await ask({ group_by: ['month'] });
      for (const period of [months, { from: '2026-12', to: '2026-12' }]) {
        const answer = await ask({ ...more, ...both, ...period });
        const sums = [...answer.rows, ...(answer.sums as readonly PlainRow[])];
        expect([answer.documents, sums.filter(({ measures: values }) => values.count !== '0')]).toEqual([
          0,
          [],
        ]);
        if (period === months) expect(answer).toHaveProperty('known_from');
      }
    },
  );

  it.each([
    ['beyond today', { from: '2026-10-15', to: '2026-11-15' }, 'goes beyond today (Oct 31, 2026)'],
    ['yet to begin', { from: '2026-11-01', to: '2026-11-30' }, 'has not begun: today is Oct 31, 2026'],
    ['until today', { from: '2026-10-15', to: '2026-10-31' }, undefined],
    ['of the month under way', { from: '2026-10', to: undefined }, undefined],
  ] as const)('says of a period %s which of its days are to come', async (_, period, words) => {
    for (const [tool, args] of [
      ['query_documents', { measures: ['count'] }],
      ['query_documents', {}],
      ['check_documents', {}],
      ['list_documents', {}],
      ['list_document_keys', {}],
    ] as const) {
      const { text } = await call(tool, { document: 'nfe', ...period, ...args });
      if (words === undefined) expect(text, tool).not.toMatch(/beyond today|has not begun/);
      else expect(text, tool).toContain(words);
    }
  });

  it('is the gross amount of services whose total is net, alone and beside other kinds', async () => {
    const gross = money(standing('nfse').reduce((sum, { amounts }) => sum + (amounts.services ?? 0n), 0n));
    for (const document of ['nfse', ['nfe', 'nfse']] as const) {
      const { beside, text } = (await ask({ document, ...both })) as unknown as Record<string, unknown>;
      expect(beside).toMatchObject({ services: gross });
      expect(text).toContain('total is net');
    }
    const { text, sums, listed } = await ask({ document: 'nfse', limit: 3 });
    expect(text).toContain('services (gross),total (net)');
    expect(sums).toMatchObject([{ measures: { services: gross, total: totalOf(standing('nfse')) } }]);
    for (const { totals } of listed) expect(totals).toMatchObject({ services: expect.stringMatching(/^\d/) });
  });
});

it('what a kind of document does not have is told of a filter, and of no kind that has it', async () => {
  const ncm = standing('nfe')[0]?.lines[0]?.ncm;
  const { rows, unavailable, text } = await ask({ document: kinds, ncm, group_by: ['kind'] });
  expect(rows.map(({ group }) => group.kind)).toEqual(['nfe']);
  const told = unavailable?.map(({ argument, document }) => [argument, document]);
  expect(told).toEqual([
    ['ncm', 'nfse'],
    ['ncm', 'cte'],
  ]);
  expect(text).not.toContain('not available for NF-e');
  expect((await ask({ group_by: ['ncm'] })).unavailable).toBeUndefined();
});

describe('a comparison', () => {
  const percent = (now: bigint, before: bigint) => {
    if (before === 0n) return null;
    const size = (n: bigint) => (n < 0n ? -n : n);
    const scaled = (size(now - before) * 20_000n + before) / (before * 2n);
    return `${now < before && scaled > 0n ? '-' : ''}${money(scaled)}`;
  };
  const centsOf = (all: readonly PlainDocument[]) =>
    all.reduce((sum, { amounts }) => sum + (amounts.total ?? 0n), 0n);
  const changeOf = (now: readonly PlainDocument[], before: readonly PlainDocument[]) => ({
    count: percent(BigInt(now.length), BigInt(before.length)),
    total: percent(centsOf(now), centsOf(before)),
  });
  const stood = (all: readonly PlainDocument[]) => all.filter(({ status }) => status === 'authorized');
  interface Compared extends PlainRow {
    readonly previous: object;
    readonly change: object;
  }

  it('has beside each group and sum the same of the period before, also of groups that are no more', async () => {
    const [now, before] = [standing('nfe'), stood(held('spring'))];
    const answer = await ask({ group_by: ['issuer'], compare: 'previous_period', limit: 500 });
    expect(answer).toMatchObject({
      compared_with: { from: '2026-04-01', to: '2026-06-30', complete: true, documents: before.length },
    });
    const ids = [...new Set([...now, ...before].map(({ issuer }) => issuer.id))];
    const rows = answer.rows as unknown as readonly Compared[];
    expect(rows.map(({ group }) => group.issuer).sort()).toEqual(ids.sort());
    for (const { group, measures: values, previous, change } of rows) {
      const of = (all: readonly PlainDocument[]) => all.filter(({ issuer }) => issuer.id === group.issuer);
      expect({ values, previous, change }).toEqual({
        values: counted(of(now)),
        previous: counted(of(before)),
        change: changeOf(of(now), of(before)),
      });
    }
    const sums = { measures: counted(now), previous: counted(before), change: changeOf(now, before) };
    expect(answer.sums).toEqual([{ document: 'nfe', ...sums }]);
    expect(answer.text).toContain('count,total,count_previous,total_previous,count_change,total_change');
  });

  it('goes with shares: what limit cuts off stands together, in both periods', async () => {
    const answer = await ask({
      group_by: ['issuer'],
      order_by: '-total',
      limit: 2,
      share: true,
      compare: 'previous_period',
    });
    const [first, second, others] = answer.rows as unknown as readonly {
      measures: Record<string, string>;
      previous: Record<string, string>;
      others?: boolean;
    }[];
    expect(others).toMatchObject({ others: true });
    for (const [of, all] of [
      ['measures', standing('nfe')],
      ['previous', stood(held('spring'))],
    ] as const) {
      const rows = [first, second, others].map((row) => ({ group: {}, measures: row?.[of] ?? {} }));
      expect(addedUp(rows, 'total')).toBe(centsOf(all));
    }
  });

  it('tells no change of a month under way, and says so', async () => {
    const answer = await ask({ from: 'this_month', to: undefined, compare: 'previous_year' });
    const { from, to, compared_with, sums } = answer as unknown as Record<string, unknown>;
    expect([from, to]).toEqual(['2026-10-01', '2026-10-31']);
    expect(compared_with).toMatchObject({ from: '2025-10-01', to: '2025-10-31' });
    expect(sums).toMatchObject([{ change: { count: null, total: null } }]);
    expect(answer.text).toContain('no change told');
    expect(answer.text).not.toContain('_change');
  });

  it.each([
    [{ group_by: ['week'] }, 'week'],
    [{ due_from: '2026-08-01' }, 'due_from'],
    [{ columns: ['icms'] }, 'columns'],
  ])('%o is refused', async (args, word) => {
    const words = await refused('query_documents', {
      document: 'nfe',
      ...quarter,
      compare: 'previous_period',
      ...args,
    });
    expect(words).toContain(word);
  });
});

it("the service's own listing places every document on its day", async () => {
  // The sandbox lists a period by the day of issue.
  const august = { from: '2026-08-01', to: '2026-08-31' };
  const among = held('nfe').filter(({ day }) => day >= august.from && day <= august.to);
  for (const group_by of [['month'], ['week'], ['day']])
    await compare('nfe', { group_by }, { period: { ...august, by: 'period' }, among });
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
    const answer = await ask({ to: undefined, ...period, measures: ['count'] });
    expect(answer).toMatchObject({ from, to });
    const written = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(answer.text).toContain([from, to].map((day) => written.format(new Date(day))).join(' to '));
  });

  it.each([
    ['list_document_keys', { document: 'nfe' }],
    ['list_documents', { document: 'nfe' }],
    ['list_nfe_summaries', {}],
    ['list_nfe_covers', { direction: 'inbound' }],
    ['check_documents', { document: 'nfe' }],
    ['list_pending_manifestations', {}],
  ])('is taken by %s', async (tool, args) => {
    const { data } = await call(tool, { ...args, from: 'last_month' });
    expect([String(data.from).slice(0, 10), String(data.to).slice(0, 10)]).toEqual([
      '2026-09-01',
      '2026-09-30',
    ]);
  });
});

it('a day of entry stands on the lines of a list by entry', async () => {
  const days = { from: '2026-09-01', to: '2026-09-10' };
  const { listed, text } = await ask({ ...days, by: 'entry', direction: 'inbound' });
  expect(listed.length).toBeGreaterThan(0);
  for (const { entered_on = '' } of listed) expect(entered_on).toMatch(/^2026-09-(?:0[1-9]|10)$/);
  expect(text).toContain('number,date,entered_on,');
  expect(text).toContain('day of entry');
});
