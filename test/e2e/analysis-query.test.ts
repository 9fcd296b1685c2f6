import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly, type PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { answerPlainly, inOrder, type PlainQuestion, type PlainRow } from '../support/plain-answers.ts';

const company = '48152036000117';
const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const kinds = ['nfe', 'nfse', 'cte'] as const;
type Kind = (typeof kinds)[number];

const documentGroupings = ['issuer', 'recipient', 'state', 'month', 'week', 'day', 'kind', 'status'] as const;
const itemGroupings = ['cfop', 'ncm', 'cst', 'class_trib', 'item'] as const;
const measures = [
  'count',
  'items',
  'total',
  'products',
  'icms',
  'icms_base',
  'icms_st',
  'ipi',
  'pis',
  'cofins',
  'iss',
  'iss_withheld',
  'ibs',
  'cbs',
  'is',
  'freight',
  'discount',
  'products_net',
  'services',
  'insurance',
  'other',
  'icms_credit',
  'icms_relieved',
  'icms_mono',
  'fcp',
  'fcp_st',
  'difal',
  'import_duty',
  'irrf',
  'csll',
  'inss',
  'pis_withheld',
  'cofins_withheld',
] as const;

const folder = temporaryFolder();
let sandbox: Sandbox;
let connection: Connection;
const documents = new Map<Kind, readonly PlainDocument[]>();

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  connection = await connectInProcess('v2 modern', {
    env: sandboxSettings(sandbox, { DFE_DATA_DIR: folder.path }),
  });
  for (const kind of kinds)
    documents.set(kind, await fetchPlainly(sandbox.url, kind, { company, ...quarter }));
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.close();
  folder.remove();
});

const held = (kind: Kind) => documents.get(kind) ?? [];

interface Grouped {
  readonly documents: number;
  readonly complete: boolean;
  readonly total_groups: number;
  readonly rows: readonly PlainRow[];
  readonly left_out?: readonly { reason: string; count: number }[];
  readonly next_cursor?: string;
}

interface Listed {
  readonly total: number;
  readonly listed: readonly { number: string; issued_at: string; key?: string; totals: { total: string } }[];
  readonly left_out?: readonly { reason: string; count: number }[];
  readonly next_cursor?: string;
}

async function query(kind: Kind, args: object): Promise<{ text: string; structured: unknown }> {
  const { isError, text, structured } = await connection.call(
    'query_documents',
    { document: kind, ...quarter, ...args },
    { timeout: 60_000 },
  );
  expect(isError, text).toBe(false);
  return { text, structured };
}

const ask = async (kind: Kind, args: object) =>
  (await query(kind, { limit: 500, ...args })).structured as Grouped;
const list = async (kind: Kind, args: object) => (await query(kind, args)).structured as Listed;

const withoutNames = ({ group, measures: values }: PlainRow): PlainRow => ({
  group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
  measures: values,
});

/** Puts a question to the tool and to the loop, and compares every sum to the cent. */
async function compare(kind: Kind, question: PlainQuestion): Promise<Grouped> {
  const answer = await ask(kind, { ...question, measures });
  const expected = answerPlainly(company, held(kind), question, measures);
  expect(inOrder(answer.rows.map(withoutNames))).toEqual(inOrder(expected.rows));
  expect(answer.documents).toBe(expected.documents);
  expect(answer.total_groups).toBe(expected.rows.length);
  const left = answer.left_out?.find(({ reason }) => reason === 'cancelled')?.count ?? 0;
  expect(left).toBe(expected.cancelled);
  expect(answer.complete).toBe(true);
  return answer;
}

it('the quarter has documents of every kind, and cancelled ones', () => {
  expect(held('nfe').length).toBeGreaterThan(100);
  expect(held('nfse').length).toBeGreaterThan(20);
  expect(held('cte').length).toBeGreaterThan(20);
  expect(held('nfe').some(({ status }) => status === 'cancelled')).toBe(true);
  expect(held('nfse').some(({ status }) => status === 'cancelled')).toBe(true);
});

describe.each(kinds)('sums of %s equal those of a loop over the XML', (kind) => {
  it.each([...documentGroupings, ...itemGroupings])('by %s', async (grouping) => {
    await compare(kind, { group_by: [grouping] });
  });

  it.each([
    [['issuer', 'month']],
    [['state', 'month']],
    [['cfop', 'ncm']],
    [['month', 'cfop']],
    [['issuer', 'cst', 'class_trib']],
    [['kind', 'status', 'month', 'state']],
    [['week', 'item']],
  ])('by %j', async (group_by) => {
    await compare(kind, { group_by });
  });

  it.each(['inbound', 'outbound'] as const)('of one direction: %s', async (direction) => {
    await compare(kind, { group_by: ['month'], direction });
    await compare(kind, { group_by: ['state'], direction });
  });

  it('of a period that ends within months', async () => {
    const days = { from: '2026-07-10', to: '2026-08-05' };
    const answer = (await query(kind, { ...days, group_by: ['month'], measures, limit: 500 }))
      .structured as Grouped;
    const inside = held(kind).filter(({ day }) => day >= days.from && day <= days.to);
    const { rows } = answerPlainly(company, inside, { group_by: ['month'] }, measures);
    expect(inOrder(answer.rows.map(withoutNames))).toEqual(inOrder(rows));
  });
});

const addedUp = (rows: readonly PlainRow[], measure: string): bigint =>
  rows.reduce((sum, { measures: values }) => sum + BigInt((values[measure] ?? '0').replace('.', '')), 0n);

describe('groups of items add up to what the documents say', () => {
  const shared = ['total', 'products', 'freight', 'discount', 'insurance', 'other', 'products_net'];

  it.each(itemGroupings)('by %s', async (grouping) => {
    const totals = await ask('nfe', { group_by: ['kind'], measures: shared });
    const { rows } = await ask('nfe', { group_by: [grouping], measures: shared });
    for (const measure of shared) expect(addedUp(rows, measure)).toBe(addedUp(totals.rows, measure));
    expect(addedUp(totals.rows, 'total')).toBe(
      held('nfe').reduce((sum, { status, amounts }) => {
        return status === 'cancelled' ? sum : sum + (amounts.total ?? 0n);
      }, 0n),
    );
  });
});

describe('of the spring, whose notes have relieved and single-phase ICMS and import duty', () => {
  const spring = { from: '2026-04-01', to: '2026-06-30' } as const;
  const rare = ['icms_relieved', 'icms_mono', 'import_duty'] as const;
  let notes: readonly PlainDocument[];
  beforeAll(async () => {
    notes = await fetchPlainly(sandbox.url, 'nfe', { company, ...spring });
  });

  it.each([[['cfop']], [['cst']], [['month']], [['issuer', 'item']]])(
    'sums by %j are those of a loop over the XML, and those of items add up to the notes',
    async (group_by) => {
      const { rows } = await ask('nfe', { ...spring, group_by, measures });
      const expected = answerPlainly(company, notes, { group_by }, measures).rows;
      expect(inOrder(rows.map(withoutNames))).toEqual(inOrder(expected));
      const authorized = notes.filter(({ status }) => status === 'authorized');
      for (const measure of ['total', ...rare]) {
        const all = authorized.reduce((sum, { amounts }) => sum + (amounts[measure] ?? 0n), 0n);
        expect(all).toBeGreaterThan(0n);
        expect(addedUp(rows, measure)).toBe(all);
      }
    },
  );
});

describe('quantities and prices', () => {
  interface OfUnit {
    readonly unit: string;
    readonly quantity: string;
    readonly average_price: string;
    readonly min_price?: string;
    readonly max_price?: string;
  }
  const byName = (one: OfUnit, other: OfUnit) => (one.unit < other.unit ? -1 : 1);
  const prices = ['quantity', 'average_price', 'min_price', 'max_price'];
  const goods = () => held('nfe').flatMap(({ status, lines }) => (status === 'cancelled' ? [] : lines));

  /** Decimal texts as whole numbers of ten thousandths, rounded half up. */
  const tenThousandths = (text: string) => {
    const [whole = '', decimals = ''] = text.split('.');
    const digits = BigInt(whole + decimals.padEnd(10, '0'));
    return (digits * 2n + 1_000_000n) / 2_000_000n;
  };
  const price = (n: bigint) => {
    const digits = String(n).padStart(5, '0');
    return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
  };

  function expected(of: (line: PlainDocument['lines'][number]) => string | undefined) {
    const units = new Map<string, Map<string, PlainDocument['lines'][number][]>>();
    for (const line of goods()) {
      const group = units.get(of(line) ?? '') ?? new Map();
      units.set(of(line) ?? '', group);
      group.set(line.unit ?? '', [...(group.get(line.unit ?? '') ?? []), line]);
    }
    return new Map(
      [...units].map(([name, group]): [string, OfUnit[]] => [
        name,
        [...group].map(([unit, lines]) => {
          const quantity = lines.reduce((sum, line) => sum + tenThousandths(line.quantity ?? ''), 0n);
          const cents = lines.reduce((sum, line) => sum + (line.amounts.products ?? 0n), 0n);
          const each = lines.map((line) => tenThousandths(line.price ?? '')).sort((a, b) => (a < b ? -1 : 1));
          // Cents and ten thousandths: the quotient in ten thousandths is that of so many zeros more.
          const average = (cents * 10n ** 6n * 2n + quantity) / (quantity * 2n);
          return {
            unit,
            quantity: price(quantity).replace(/0{1,2}$/, ''),
            average_price: price(average),
            min_price: price(each[0] ?? 0n),
            max_price: price(each.at(-1) ?? 0n),
          };
        }),
      ]),
    );
  }

  it.each([
    ['item', (line: PlainDocument['lines'][number]) => line.description],
    ['ncm', (line: PlainDocument['lines'][number]) => line.ncm],
    ['cfop', (line: PlainDocument['lines'][number]) => line.cfop],
  ] as const)('by %s are those of a loop over the XML, each unit by itself', async (grouping, of) => {
    const { rows } = (await ask('nfe', { group_by: [grouping], measures: prices })) as unknown as {
      rows: (PlainRow & { unit?: string; quantities?: OfUnit[] })[];
    };
    const known = expected(of);
    expect(rows.map(({ group }) => group[grouping]).sort()).toEqual([...known.keys()].sort());
    for (const { group, measures: values, unit, quantities } of rows) {
      const units = known.get(group[grouping] ?? '') ?? [];
      const byUnit = units.toSorted(byName);
      if (quantities === undefined) expect([{ unit, ...values }]).toEqual(byUnit);
      else expect([values, quantities.toSorted(byName)]).toEqual([{}, byUnit]);
    }
    expect(rows.some(({ unit }) => unit !== undefined)).toBe(true);
  });
});

describe('every filter', () => {
  const some = (kind: Kind) => {
    const inbound = held(kind).filter(
      ({ issuer, status }) => issuer.id !== company && status === 'authorized',
    );
    const [first] = inbound;
    if (first === undefined) throw new Error(`no ${kind}`);
    return first;
  };
  const total = (document: PlainDocument) => {
    const text = String(document.amounts.total).padStart(3, '0');
    return `${text.slice(0, -2)}.${text.slice(-2)}`;
  };

  const filters: readonly [string, Kind, () => Omit<PlainQuestion, 'group_by'>][] = [
    ['issuer', 'nfe', () => ({ issuer: some('nfe').issuer.id ?? '' })],
    ['issuer', 'nfse', () => ({ issuer: some('nfse').issuer.id ?? '' })],
    ['issuer', 'cte', () => ({ issuer: some('cte').issuer.id ?? '' })],
    [
      'recipient',
      'nfe',
      () => ({ recipient: held('nfe').find(({ issuer }) => issuer.id === company)?.recipient.id ?? '' }),
    ],
    ['state', 'nfe', () => ({ state: some('nfe').issuer.state ?? '' })],
    ['state', 'cte', () => ({ state: some('cte').issuer.state ?? '' })],
    ['cfop', 'nfe', () => ({ cfop: some('nfe').lines[0]?.cfop ?? '' })],
    ['cfop by its first digit', 'nfe', () => ({ cfop: '6' })],
    ['cfop', 'cte', () => ({ cfop: '5353' })],
    ['ncm', 'nfe', () => ({ ncm: some('nfe').lines[0]?.ncm ?? '' })],
    ['ncm by its heading', 'nfe', () => ({ ncm: some('nfe').lines[0]?.ncm?.slice(0, 4) ?? '' })],
    ['cst', 'nfe', () => ({ cst: '00' })],
    ['cst', 'cte', () => ({ cst: '00' })],
    ['class_trib', 'nfe', () => ({ class_trib: '000001' })],
    ['status', 'nfe', () => ({ status: 'cancelled' })],
    ['status', 'nfse', () => ({ status: 'cancelled' })],
    ['min_total', 'nfe', () => ({ min_total: total(some('nfe')) })],
    ['max_total', 'nfe', () => ({ max_total: total(some('nfe')) })],
    ['min_total', 'cte', () => ({ min_total: total(some('cte')) })],
    ['text: a name, without accents', 'nfe', () => ({ text: 'condutora nacional' })],
    ['text: what an item is', 'nfe', () => ({ text: 'LUMINARIA' })],
    ['text: a number', 'nfe', () => ({ text: some('nfe').number })],
    ['text: a service', 'nfse', () => ({ text: 'vigilância' })],
    ['two at once', 'nfe', () => ({ direction: 'inbound', cfop: '5', min_total: '1000.00' })],
  ];

  it.each(filters)('%s of %s', async (_, kind, filter) => {
    const question = filter();
    const whole = await compare(kind, { group_by: ['month'], ...question });
    expect(whole.documents).toBeGreaterThan(0);
    await compare(kind, { group_by: ['issuer'], ...question });
    await compare(kind, { group_by: ['cfop'], ...question });
    // A list is of documents, so that a filter on items lets in every document that has such an item.
    const listed = await list(kind, { ...question, limit: 1 });
    expect(listed.total).toBe(whole.documents);
  });

  it('that nothing meets gives no rows, and no document', async () => {
    const answer = await compare('nfe', { group_by: ['issuer'], issuer: '00000000000191' });
    expect(answer).toMatchObject({ rows: [], documents: 0, total_groups: 0 });
  });
});

describe("the service's own listing", () => {
  it('places every document on its day', async () => {
    // The sandbox lists a period by the day of issue.
    const august = { from: '2026-08-01', to: '2026-08-31' };
    const ofAugust = held('nfe').filter(({ day }) => day >= august.from && day <= august.to);
    expect(ofAugust.length).toBeGreaterThan(30);
    for (const group_by of [['month'], ['week'], ['day']]) {
      const answer = await ask('nfe', { ...august, group_by, by: 'period', measures: ['count', 'total'] });
      const expected = answerPlainly(company, ofAugust, { group_by }, ['count', 'total']);
      expect(inOrder(answer.rows.map(withoutNames))).toEqual(inOrder(expected.rows));
    }
  });
});

describe('an order', () => {
  const value = ({ measures: { total = '0' } }: PlainRow) => Number(total);

  it('by a measure puts the largest first, or the smallest', async () => {
    const down = await ask('nfe', { group_by: ['issuer'], order_by: '-total' });
    const up = await ask('nfe', { group_by: ['issuer'], order_by: 'total' });
    const sums = down.rows.map(value);
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
    expect(up.rows.map(value)).toEqual(sums.toReversed());
  });

  it('by a group is that of its text', async () => {
    const { rows } = await ask('nfe', { group_by: ['month', 'state'], order_by: '-month' });
    const months = rows.map(({ group }) => group.month ?? '');
    expect(months).toEqual(months.toSorted().toReversed());
  });

  it('of a list is by total or by date', async () => {
    const byTotal = await list('nfe', { order_by: '-total', limit: 500 });
    const totals = byTotal.listed.map(({ totals: { total } }) => Number(total));
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    const byDate = await list('nfe', { order_by: 'issued_at', limit: 500 });
    const dates = byDate.listed.map(({ issued_at }) => issued_at);
    expect(dates).toEqual(dates.toSorted());
  });
});

describe('pages', () => {
  it('of groups lose and repeat nothing', async () => {
    const question = { group_by: ['issuer', 'month'], order_by: '-total' };
    const all = await ask('nfe', question);
    const rows: PlainRow[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 100; page++) {
      const part = await ask('nfe', { ...question, limit: 7, ...(cursor && { cursor }) });
      expect(part.total_groups).toBe(all.total_groups);
      rows.push(...part.rows);
      cursor = part.next_cursor;
      if (cursor === undefined) break;
    }
    expect(rows).toEqual(all.rows);
    expect(rows.length).toBeGreaterThan(20);
  });

  it('end where their text does, so that a host which shows only text loses nothing', async () => {
    const group_by = ['issuer', 'recipient', 'ncm', 'day'];
    const every = { limit: 500, group_by };
    let lines = 0;
    let cursor: string | undefined;
    let total: number | undefined;
    for (let page = 0; page < 100; page++) {
      const { text, structured } = await query('nfe', { ...every, ...(cursor && { cursor }) });
      const { rows, total_groups, next_cursor } = structured as Grouped;
      const under = text.split(`\n${group_by},count,total\n`)[1]?.split('\n') ?? [];
      const shown = under.filter((line) => !line.startsWith('TOTAL,'));
      expect(under.length).toBe(shown.length + 1);
      expect(shown).toHaveLength(rows.length);
      expect(text.length).toBeLessThan(50_000);
      lines += shown.length;
      total = total_groups;
      cursor = next_cursor;
      if (page === 0) expect(rows.length).toBeLessThan(total_groups);
      if (cursor === undefined) break;
    }
    expect(lines).toBe(total);
  });

  it('of documents lose and repeat nothing', async () => {
    const keys: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 100; page++) {
      const part = await list('nfe', { limit: 13, ...(cursor && { cursor }) });
      keys.push(...part.listed.map(({ key = '' }) => key));
      cursor = part.next_cursor;
      if (cursor === undefined) break;
    }
    const expected = held('nfe').filter(({ status }) => status === 'authorized');
    expect(keys.toSorted()).toEqual(expected.map(({ key }) => key).toSorted());
  });
});

describe('what is left out', () => {
  it('is told in words and counted', async () => {
    const cancelled = held('nfe').filter(({ status }) => status === 'cancelled').length;
    const { text, structured } = await query('nfe', { group_by: ['month'] });
    expect(text).toContain(`${cancelled} cancelled`);
    expect(structured).toMatchObject({
      left_out: expect.arrayContaining([{ reason: 'cancelled', count: cancelled }]),
    });
    const listed = await list('nfe', { limit: 1 });
    expect(listed.left_out).toContainEqual({ reason: 'cancelled', count: cancelled });
    expect(listed.total).toBe(held('nfe').length - cancelled);
  });

  it('is side by side with the rest where statuses are asked for, and the total says that it is of both', async () => {
    const words = 'the total adds up all statuses';
    expect((await query('nfe', { group_by: ['status'] })).text).toContain(words);
    expect((await query('nfe', { group_by: ['status'], status: ['cancelled'] })).text).not.toContain(words);
    expect((await query('nfe', { group_by: ['month'] })).text).not.toContain(words);
  });

  it('is what only documents have where lines are added up, and the answer says so', async () => {
    const { text, structured } = await query('nfe', {
      group_by: ['cfop'],
      measures: ['count', 'total', 'freight', 'irrf', 'items'],
    });
    expect(text).toContain('irrf');
    expect((structured as Grouped).rows.every(({ measures: values }) => !('irrf' in values))).toBe(true);
    expect(structured).toMatchObject({
      meanings: { count: 'documents', total: 'items', freight: 'items', irrf: 'items', items: 'items' },
    });
    const byIssuer = await query('nfe', { group_by: ['issuer'], measures: ['count', 'total', 'items'] });
    expect(byIssuer.structured).toMatchObject({
      meanings: { count: 'documents', total: 'documents', items: 'items' },
    });
  });
});

describe('totals by supplier', () => {
  it('name the suppliers', async () => {
    const { text, structured } = await query('nfe', {
      direction: 'inbound',
      group_by: ['issuer'],
      order_by: '-total',
    });
    const { rows, total_groups } = structured as Grouped;
    expect(total_groups).toBe(rows.length);
    const names = new Map(held('nfe').map(({ issuer }) => [issuer.id, issuer.name]));
    for (const { group, measures: values } of rows) {
      const name = names.get(group.issuer);
      expect(group.issuer_name).toBe(name);
      expect(text).toContain(name);
      expect(text).toContain(values.total);
    }
    expect(rows.length).toBeGreaterThan(10);
  });
});
