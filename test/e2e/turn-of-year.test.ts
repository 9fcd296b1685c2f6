import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly, type PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings } from '../support/november-sandbox.ts';
import { answerPlainly, inOrder, type PlainRow } from '../support/plain-answers.ts';

const company = '48152036000117';
const winter = { from: '2026-12-15', to: '2027-01-15' } as const;
const measures = ['count', 'total', 'products', 'products_net', 'ibs', 'cbs', 'discount', 'freight'] as const;
const now = () => new Date('2027-01-20T12:00:00-03:00');

const folder = temporaryFolder();
let sandbox: Sandbox;
let connection: Connection;
let notes: readonly PlainDocument[];

beforeAll(async () => {
  sandbox = await startSandbox({ now });
  connection = await connectInProcess('v2 modern', {
    now: () => now().getTime(),
    env: sandboxSettings(sandbox, { DFE_DATA_DIR: folder.path }),
  });
  notes = await fetchPlainly(sandbox.url, 'nfe', { company, ...winter });
});
afterAll(async () => {
  await connection?.close();
  await sandbox?.close();
  folder.remove();
});

async function ask(args: object): Promise<{ text: string; rows: readonly PlainRow[] }> {
  const asked = { document: 'nfe', ...winter, measures, limit: 500, ...args };
  const { isError, text, structured } = await connection.call('query_documents', asked, { timeout: 60_000 });
  expect(isError, text).toBe(false);
  const { rows } = structured as { rows: PlainRow[] };
  const plain = rows.map(({ group, measures: values }) => ({
    group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
    measures: values,
  }));
  return { text, rows: plain };
}

const cents = (text: string | undefined) => BigInt((text ?? '0').replace('.', ''));
const words = 'from 1 January 2027 the price of goods includes IBS, CBS and IS';

describe('at the turn of the year 2027', () => {
  it.each([['month'], ['cfop'], ['ncm'], ['item'], ['issuer'], ['cst']])(
    'sums by %s are those of a loop over the XML of both layouts',
    async (grouping) => {
      const { rows } = await ask({ group_by: [grouping] });
      const expected = answerPlainly(company, notes, { group_by: [grouping] }, measures);
      expect(inOrder(rows)).toEqual(inOrder(expected.rows));
    },
  );

  it('goods have IBS and CBS in them from the first of January on, and not before', async () => {
    const { rows } = await ask({ group_by: ['month'] });
    const [december, january] = inOrder(rows).map(({ measures: values }) => values);
    expect(december?.products_net).toBe(december?.products);
    const taxes = cents(january?.ibs) + cents(january?.cbs);
    expect(taxes).toBeGreaterThan(0n);
    expect(cents(january?.products) - cents(january?.products_net)).toBe(taxes);
  });

  it('groups of items add up to the notes, in which no tax is added twice', async () => {
    const whole = await ask({ group_by: ['kind'] });
    const { rows } = await ask({ group_by: ['cfop'] });
    for (const measure of ['total', 'products', 'products_net', 'freight', 'discount']) {
      const sum = rows.reduce((all, { measures: values }) => all + cents(values[measure]), 0n);
      expect(sum).toBe(cents(whole.rows[0]?.measures[measure]));
    }
    const counted = notes.filter(({ status }) => status !== 'cancelled');
    const declared = counted.reduce((all, { amounts }) => all + (amounts.total ?? 0n), 0n);
    expect(cents(whole.rows[0]?.measures.total)).toBe(declared);
  });

  it('an answer that spans both years says so, and no other', async () => {
    expect((await ask({ group_by: ['cfop'] })).text).toContain(words);
    expect((await ask({ group_by: ['issuer'], measures: ['products'] })).text).toContain(words);
    expect((await ask({ group_by: ['cfop'], measures: ['icms'] })).text).not.toContain(words);
    expect((await ask({ group_by: ['cfop'], to: '2026-12-31' })).text).not.toContain(words);
    expect((await ask({ group_by: ['cfop'], from: '2027-01-01' })).text).not.toContain(words);
  });
});
