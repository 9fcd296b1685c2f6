import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company, everyPage } from '../support/asked-sandbox.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import {
  answerPlainly,
  centsOf,
  counted,
  isOutbound,
  isOwn,
  money,
  otherParty,
  type PlainQuestion,
  part,
  payerOf,
  plain,
  rowsOf,
  stands,
  textOf,
  totalOf,
} from '../support/plain-answers.ts';
import { inOrder, type PlainRow, sum } from '../support/plain-sums.ts';

/** In UTC it is the first of November already. */
const { ask: call, refused, documents } = askSandbox({ today: '2026-10-31T22:30:00-03:00' });
const other = '07391455000124';
const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const spring = { from: '2026-04-01', to: '2026-06-30' } as const;
const kinds = ['nfe', 'nfse', 'cte'] as const;
type Kind = (typeof kinds)[number];

const measures = (
  'count items total products icms icms_base icms_st ipi pis cofins iss iss_withheld ibs cbs is freight discount ' +
  'products_net services insurance other icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty irrf ' +
  'csll inss pis_withheld cofins_withheld'
).split(' ');

const found = new Map<string, readonly PlainDocument[]>();
const held = (kind: Kind | 'other' | 'spring') => found.get(kind) ?? [];
const standing = (kind: Kind | 'other' | 'spring') => held(kind).filter(stands);

beforeAll(async () => {
  for (const kind of kinds) found.set(kind, await documents(kind, quarter));
  found.set('other', await documents('nfe', quarter, other));
  found.set('spring', await documents('nfe', spring));
});

type Compared = PlainRow & { readonly document?: string; previous: object; change: object; others?: boolean };

interface Answer extends Readonly<Record<string, unknown>> {
  readonly documents: number;
  readonly rows: readonly Compared[];
  readonly sums: readonly PlainRow[];
  readonly listed: readonly (Record<'key' | 'number' | 'issued_at' | 'entered_on', string> & {
    readonly totals: { readonly total: string };
  })[];
  readonly left_out?: readonly { reason: string; count: number }[];
  readonly resolved?: readonly { argument: string; given: string; ids: string[] }[];
  readonly unavailable?: readonly { argument: string; value: string; document: string }[];
  readonly text: string;
}

async function ask(args: object): Promise<Answer> {
  const { text, data } = await call('query_documents', { document: 'nfe', ...quarter, ...args });
  return { ...(data as unknown as Answer), text };
}

const both = { measures: ['count', 'total'] };
const addedUp = (rows: readonly PlainRow[], measure: string): bigint =>
  sum(rows.map(({ measures: values }) => centsOf(values[measure])));

/** Puts a question to the tool and to a loop over the XML, and compares every sum to the cent. */
async function compare(
  kind: Kind,
  question: PlainQuestion,
  { period = quarter, among = held(kind) }: { period?: object; among?: readonly PlainDocument[] } = {},
): Promise<Answer> {
  const answer = await ask({ document: kind, measures, ...question, ...period, limit: 500 });
  const expected = answerPlainly(among, { measures, ...question });
  expect(inOrder(rowsOf(answer))).toEqual(inOrder(expected.rows));
  const left = answer.left_out?.find(({ reason }) => reason === 'cancelled')?.count ?? 0;
  const { documents: count, groups, cancelled } = expected;
  expect({ ...answer, left }).toMatchObject({
    documents: count,
    total_groups: groups,
    left: cancelled,
    complete: true,
  });
  return answer;
}

describe.each(kinds)('sums of %s are those of a loop over the XML', (kind) => {
  it.each([
    'kind',
    'issuer month',
    'recipient day',
    'counterparty week',
    'state status',
    'cfop',
    'ncm item',
    'issuer cst class_trib',
  ])('by %s', async (names) => {
    await compare(kind, { group_by: names.split(' ') });
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

it('a filter that nothing meets gives no rows, and no document', async () => {
  const answer = await compare('nfe', { group_by: ['issuer'], issuer: '00000000000191' });
  expect(answer).toMatchObject({ rows: [], documents: 0, total_groups: 0 });
});

it('a filter on items lets in every document that has such an item, and adds up those items alone', async () => {
  const { cfop } = standing('nfe').find((one) => !isOwn(one))?.lines[0] ?? {};
  const { documents: count } = await compare('nfe', { group_by: ['cfop'], cfop });
  expect(count).toBeGreaterThan(0);
  expect((await ask({ cfop, limit: 1 })).total).toBe(count);
});

describe('somebody by name', () => {
  const meant = () => standing('nfe').filter(({ issuer }) => plain(issuer.name).includes('condutora'));

  it('means all whose name has the words, and the answer has their ids', async () => {
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
    const { resolved } = await ask({ document: 'cte', payer: 'ltda', measures: ['count'] });
    const ids = resolved?.[0]?.ids ?? [];
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !held('cte').map(payerOf).includes(id))).toEqual([]);
    expect((await ask({ issuer: 'ltda', measures: ['count'] })).text).toMatch(/… \+\d+\./);
  });

  it('that no name has is reported, without a figure', async () => {
    const answer = await ask({ issuer: 'Inexistente', group_by: ['month'] });
    expect(answer).toMatchObject({ documents: 0, rows: [], resolved: [{ given: 'Inexistente', ids: [] }] });
    expect(answer.text).toContain('no name with "Inexistente"');
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
    const sold = standing('nfe').filter(isOutbound);
    const ofCity = ({ xml }: PlainDocument, name: string) => textOf(part(xml, 'enderDest'), name);
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

  it('that does not exist is refused; abroad is one', async () => {
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
    const own = answer.rows.filter(({ document }) => document === kind);
    expect(rowsOf({ rows: own })).toEqual(answerPlainly(held(kind), { group_by: ['month'] }).rows);
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

it('several companies are checked as each by itself, and a note of both counts once', async () => {
  const august = { document: 'nfe', from: '2026-08-01', to: '2026-08-31' } as const;
  const check = async (args: object) => (await call('check_documents', { ...august, ...args })).data;
  const [one, two] = [await check({ cnpj: company }), await check({ cnpj: other })];
  const all = await check({ cnpj: [company, other], limit: 200 });
  const added = (name: string) => Number(one[name]) + Number(two[name]);
  expect(all.total).toBe(added('total'));
  const keysOf = async (of: string) => (await documents('nfe', august, of)).map(({ key }) => key);
  const own = new Set(await keysOf(company));
  const shared = (await keysOf(other)).filter((key) => own.has(key)).length;
  expect(shared).toBeGreaterThan(0);
  expect(all.documents).toBe(added('documents') - shared);
  for (const { applied_to } of all.by_rule as { applied_to: number }[])
    expect(applied_to).toBeLessThanOrEqual(Number(all.documents));
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
    let total: unknown;
    const lines = await everyPage(async (cursor) => {
      const { text, rows, total_groups, next_cursor } = await ask({ limit: 500, group_by, ...cursor });
      const under = text.split(`\n${group_by},count,total\n`)[1]?.split('\n') ?? [];
      const shown = under.filter((line) => !line.startsWith('TOTAL,'));
      expect([under.length, shown.length]).toEqual([rows.length + 1, rows.length]);
      expect(text.length).toBeLessThan(50_000);
      expect(rows.length).toBeLessThan(Number(total_groups));
      total = total_groups;
      return { entries: shown, next: next_cursor };
    });
    expect(lines).toHaveLength(Number(total));
  });
});

describe('what is left out', () => {
  it('is counted, in words and in data', async () => {
    const cancelled = held('nfe').filter((one) => !stands(one)).length;
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
    const asked = ['count', 'total', 'freight', 'irrf', 'items'];
    const answer = await ask({ group_by: ['cfop'], measures: asked });
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
  const idOf = (one: PlainDocument) => otherParty(one).id;
  const id = () => {
    const customers = new Set(standing('nfe').filter(isOutbound).map(idOf));
    return standing('nfe')
      .filter((one) => !isOutbound(one))
      .map(idOf)
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
        (one) => idOf(one) === id() && (of === undefined || isOutbound(one) === (of === 'outbound')),
      );
      const { sums, text } = await ask({ [word]: id(), ...(given && { direction: given }), ...both });
      expect(sums).toEqual([{ document: 'nfe', measures: counted(notes) }]);
      if (words === undefined) expect(text).not.toContain('bound only');
      else expect(text).toContain(words);
    },
  );
});

describe('what must not read as nothing', () => {
  const months = { from: '2024-01-01', to: '2024-03-31' } as const;

  it('is a cancelled document asked for by its number: it is listed, outside the total', async () => {
    const number = held('nfe').find((note) => !stands(note))?.number;
    const same = held('nfe').filter((note) => note.number === number);
    const { listed, sums, text } = await ask({ number });
    expect(listed.map(({ key }) => key).sort()).toEqual(same.map(({ key }) => key).sort());
    expect(text).toContain(',cancelled,');
    const total = same.some(stands) && { total: money(totalOf(same.filter(stands))) };
    expect(sums).toEqual([{ document: 'nfe', measures: { count: String(same.length), ...total } }]);
    expect((await ask({ number, measures: ['count'] })).text).toContain('has this number');
  });

  it('is a period before the first document that is known', async () => {
    const { known_from, complete, documents: count, text } = await ask(months);
    expect({ count, complete }).toEqual({ count: 0, complete: true });
    expect(known_from).toMatch(/^202[56]-\d\d-\d\d$/);
    expect(text).toContain('First document known here:');
    const { data } = await call('list_documents', { document: 'nfe', ...months });
    expect(data.known_from).toBe(known_from);
    expect(await ask({})).not.toHaveProperty('known_from');
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
        expect(answer.documents).toBe(0);
        for (const { measures: values } of [...answer.rows, ...answer.sums]) expect(values.count).toBe('0');
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
    const gross = money(sum(standing('nfse').map(({ amounts }) => amounts.services ?? 0n)));
    for (const document of ['nfse', ['nfe', 'nfse']] as const) {
      const { beside, text } = await ask({ document, ...both });
      expect(beside).toMatchObject({ services: gross });
      expect(text).toContain('total is net');
    }
    const { text, sums, listed } = await ask({ document: 'nfse', limit: 3 });
    expect(text).toContain('services (gross),total (net)');
    const total = money(totalOf(standing('nfse')));
    expect(sums).toMatchObject([{ measures: { services: gross, total } }]);
    for (const one of listed) expect(one.totals).toMatchObject({ services: expect.stringMatching(/^\d/) });
  });
});

it('a filter that a kind of document lacks is reported for that kind alone', async () => {
  const ncm = standing('nfe')[0]?.lines[0]?.ncm;
  const { rows, unavailable, text } = await ask({ document: kinds, ncm, group_by: ['kind'] });
  expect(rows.map(({ group }) => group.kind)).toEqual(['nfe']);
  expect(unavailable?.map(({ argument, document }) => `${argument} ${document}`)).toEqual([
    'ncm nfse',
    'ncm cte',
  ]);
  expect(text).not.toContain('not available for NF-e');
  expect((await ask({ group_by: ['ncm'] })).unavailable).toBeUndefined();
});

describe('a comparison', () => {
  it('goes with shares: what limit cuts off stands together, in both periods', async () => {
    const shared = { order_by: '-total', limit: 2, share: true, compare: 'previous_period' };
    const [now, before] = [standing('nfe'), standing('spring')];
    const { rows, sums, compared_with, text } = await ask({ group_by: ['issuer'], ...shared });
    expect(compared_with).toMatchObject({ ...spring, complete: true, documents: before.length });
    expect(sums).toMatchObject([{ measures: counted(now), previous: counted(before) }]);
    expect(text).toContain('count,total,count_previous,total_previous,count_change,total_change');
    expect(rows.map(({ others }) => others)).toEqual([undefined, undefined, true]);
    const previous = rows.map(({ group, previous: values }) => ({ group, measures: values }) as PlainRow);
    expect(addedUp(rows, 'total')).toBe(totalOf(now));
    expect(addedUp(previous, 'total')).toBe(totalOf(before));
  });

  it('tells no change of a month under way, and says so', async () => {
    const answer = await ask({ from: 'this_month', to: undefined, compare: 'previous_year' });
    expect(answer).toMatchObject({
      ...{ from: '2026-10-01', to: '2026-10-31' },
      compared_with: { from: '2025-10-01', to: '2025-10-31' },
      sums: [{ change: { count: null, total: null } }],
    });
    expect(answer.text).toContain('no change given');
    expect(answer.text).not.toContain('_change');
  });

  it.each([
    [{ group_by: ['week'] }, 'week'],
    [{ due_from: '2026-08-01' }, 'due_from'],
    [{ columns: ['icms'] }, 'columns'],
  ])('%o is refused', async (args, word) => {
    const asked = { document: 'nfe', ...quarter, compare: 'previous_period', ...args };
    expect(await refused('query_documents', asked)).toContain(word);
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
    ['list_document_keys', { document: 'nfe' }],
    ['list_documents', { document: 'nfe' }],
    ['list_nfe_summaries', {}],
    ['list_nfe_covers', { direction: 'inbound' }],
    ['check_documents', { document: 'nfe' }],
    ['list_pending_manifestations', {}],
  ])('is taken by %s', async (tool, args) => {
    const { data } = await call(tool, { ...args, from: 'last_month' });
    const days = [data.from, data.to].map((day) => String(day).slice(0, 10));
    expect(days).toEqual(['2026-09-01', '2026-09-30']);
  });
});

it('a day of entry stands on the lines of a list by entry', async () => {
  const days = { from: '2026-09-01', to: '2026-09-10' };
  const { listed, text } = await ask({ ...days, by: 'entry', direction: 'inbound' });
  expect(listed.length).toBeGreaterThan(0);
  for (const { entered_on } of listed) expect(entered_on).toMatch(/^2026-09-(?:0[1-9]|10)$/);
  expect(text).toContain('number,date,entered_on,');
  expect(text).toContain('day of entry');
});

describe('at the turn of the year 2027', () => {
  const later = askSandbox({ today: '2027-01-20T12:00:00-03:00' });
  const winter = { from: '2026-12-15', to: '2027-01-15' } as const;
  const shared = ['count', 'total', 'products', 'products_net', 'ibs', 'cbs', 'discount', 'freight'];
  const words = 'from 1 January 2027 the price of goods includes IBS, CBS and IS';
  let notes: readonly PlainDocument[];
  beforeAll(async () => {
    notes = await later.documents('nfe', winter);
  });
  const asked = (args: object) =>
    later.ask('query_documents', { document: 'nfe', ...winter, measures: shared, limit: 500, ...args });

  it.each(['kind', 'cfop', 'ncm', 'item', 'issuer', 'cst', 'month'])(
    'sums by %s are those of a loop over the XML of both layouts',
    async (grouping) => {
      const rows = inOrder(rowsOf((await asked({ group_by: [grouping] })).data));
      expect(rows).toEqual(answerPlainly(notes, { group_by: [grouping], measures: shared }).rows);
    },
  );

  it.each([
    [{ group_by: ['cfop'] }, true],
    [{ group_by: ['issuer'], measures: ['products'] }, true],
    [{ group_by: ['cfop'], measures: ['icms'] }, false],
    [{ group_by: ['cfop'], to: '2026-12-31' }, false],
    [{ from: '2027-01-01', compare: 'previous_year' }, true],
    [{ from: '2027-01-10', compare: 'previous_period' }, false],
    [{ measures: undefined, limit: 3 }, true],
    [{ measures: undefined, limit: 3, document: ['nfe', 'cte'] }, true],
    [{ measures: undefined, document: 'cte' }, false],
    [{ measures: undefined, number: '1' }, false],
    [{ measures: undefined, limit: 3, from: '2027-01-01' }, false],
  ])('an answer that spans both years says so, and no other: %j %s', async (args, spans) => {
    expect((await asked(args)).text.split(words)).toHaveLength(spans ? 2 : 1);
  });

  it.each([
    [{ document: 'nfe', ...winter }, true],
    [{ document: 'nfe', ...winter, direction: 'inbound', by: 'entry' }, true],
    [{ document: 'cte', ...winter }, false],
    [{ document: 'nfe', from: '2026-12-15', to: '2026-12-31' }, false],
  ])('and so does the service’s list: %j %s', async (args, spans) => {
    expect((await later.ask('list_documents', { ...args, limit: 3 })).text.includes(words)).toBe(spans);
  });
});
