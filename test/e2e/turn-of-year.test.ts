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
  ])('an answer that spans both years says so, and no other: %j %s', async (args, spans) => {
    const words = 'from 1 January 2027 the price of goods includes IBS, CBS and IS';
    expect((await ask(args)).text.includes(words)).toBe(spans);
  });
});
