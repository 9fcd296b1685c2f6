import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { answerPlainly, inOrder, type PlainRow } from '../support/plain-answers.ts';

const { ask: call, documents } = askSandbox({ today: '2027-01-20T12:00:00-03:00' });
const winter = { from: '2026-12-15', to: '2027-01-15' } as const;
const measures = ['count', 'total', 'products', 'products_net', 'ibs', 'cbs', 'discount', 'freight'];
let notes: readonly PlainDocument[];

beforeAll(async () => {
  notes = await documents('nfe', winter);
});

async function ask(args: object): Promise<{ text: string; rows: readonly PlainRow[] }> {
  const { text, data } = await call('query_documents', {
    document: 'nfe',
    ...winter,
    measures,
    limit: 500,
    ...args,
  });
  const rows = (data.rows as PlainRow[]).map(({ group, measures: values }) => ({
    group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
    measures: values,
  }));
  return { text, rows: inOrder(rows) };
}

const words = 'from 1 January 2027 the price of goods includes IBS, CBS and IS';
const cents = (text: string | undefined) => BigInt((text ?? '0').replace('.', ''));

describe('at the turn of the year 2027', () => {
  it.each(['kind', 'cfop', 'ncm', 'item', 'issuer', 'cst'])(
    'sums by %s are those of a loop over the XML of both layouts',
    async (grouping) => {
      const { rows } = await ask({ group_by: [grouping] });
      expect(rows).toEqual(inOrder(answerPlainly(company, notes, { group_by: [grouping] }, measures).rows));
    },
  );

  it('goods have IBS and CBS in them from the first of January on, and not before', async () => {
    const { rows } = await ask({ group_by: ['month'] });
    const [december, january] = rows.map(({ measures: values }) => values);
    expect(december?.products_net).toBe(december?.products);
    const taxes = cents(january?.ibs) + cents(january?.cbs);
    expect(taxes).toBeGreaterThan(0n);
    expect(cents(january?.products) - cents(january?.products_net)).toBe(taxes);
  });

  it.each([
    [{ group_by: ['cfop'] }, true],
    [{ group_by: ['issuer'], measures: ['products'] }, true],
    [{ group_by: ['cfop'], measures: ['icms'] }, false],
    [{ group_by: ['cfop'], to: '2026-12-31' }, false],
    [{ group_by: ['cfop'], from: '2027-01-01' }, false],
    [{ from: '2027-01-01', compare: 'previous_year' }, true],
    [{ from: '2027-01-10', compare: 'previous_period' }, false],
    [{ measures: undefined, limit: 3 }, true],
    [{ measures: undefined, limit: 3, document: ['nfe', 'cte'] }, true],
    [{ measures: undefined, document: 'cte' }, false],
    [{ measures: undefined, number: '1' }, false],
    [{ measures: undefined, limit: 3, from: '2027-01-01' }, false],
  ])('an answer that spans both years says so, and no other: %j %s', async (args, spans) => {
    const { text } = await call('query_documents', {
      document: 'nfe',
      ...winter,
      measures,
      limit: 500,
      ...args,
    });
    expect(text.split(words)).toHaveLength(spans ? 2 : 1);
  });

  it.each([
    [{ document: 'nfe', ...winter }, true],
    [{ document: 'nfe', ...winter, direction: 'inbound', by: 'entry' }, true],
    [{ document: 'cte', ...winter }, false],
    [{ document: 'nfe', from: '2026-12-15', to: '2026-12-31' }, false],
  ])('and so does the service’s list: %j %s', async (args, spans) => {
    expect((await call('list_documents', { ...args, limit: 3 })).text.includes(words)).toBe(spans);
  });
});
