import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { tokensOf } from '../support/tokens.ts';

const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const month = { from: '2026-10-01', to: '2026-10-31' } as const;
const three = ['nfe', 'nfse', 'cte'];
const many = [
  'count',
  'total',
  'icms',
  'icms_st',
  'ipi',
  'pis',
  'cofins',
  'ibs',
  'cbs',
  'freight',
  'discount',
];

type Asked = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const lists: readonly Asked[] = [
  ...['nfe', 'nfse', 'cte'].flatMap((document): Asked[] => [
    ['list_documents', { document, ...month }],
    ['list_documents', { document, ...month, by: 'entry', limit: 10 }],
    ['list_documents', { document, ...month, limit: 1 }],
    ['list_document_keys', { document, ...month, ...(document === 'nfe' ? {} : { direction: 'inbound' }) }],
    ['query_documents', { document, ...quarter }],
    ['query_documents', { document, ...quarter, by: 'entry', limit: 5 }],
  ]),
  ['list_documents', { document: 'nfe' }],
  ['list_nfe_summaries', month],
  ['list_nfe_covers', { ...month, direction: 'inbound' }],
  ['list_integration_keys', { document: 'nfe', company: 1001, establishment: 1 }],
  ['list_pending_manifestations', {}],
  ['list_pending_manifestations', { limit: 2 }],
  ['query_documents', { document: three, ...quarter }],
  ['query_documents', { document: 'nfe', ...quarter, text: 'nada disso' }],
];

function questions(all: readonly object[]): Asked[] {
  return [['nfe'], ['nfse'], ['cte'], three].flatMap((document) =>
    all.map((args): Asked => ['query_documents', { document, ...quarter, ...args }]),
  );
}

const groupings = questions([
  { group_by: ['month'] },
  { group_by: ['status', 'month'] },
  { group_by: ['issuer'], order_by: '-total' },
  { group_by: ['issuer'], measures: many },
  { group_by: ['cfop'], measures: ['total', 'products', 'icms'] },
  { group_by: ['item', 'unit'], measures: ['quantity', 'average_price'], limit: 20 },
  { by: 'entry', group_by: ['month'] },
]);

/** Their one row of a kind is also its sum, and both names are promised. */
const sums = questions([{ measures: ['count', 'total'] }, { measures: ['total'] }, { measures: many }]);

describe.each(['pt-BR', 'en'])('the data of an answer in %s', (language) => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;
  let connection: Connection;
  beforeAll(async () => {
    sandbox = await startNovemberSandbox();
    const env = sandboxSettings(sandbox, { DFE_DATA_DIR: folder.path, DFE_LANGUAGE: language });
    connection = await connectInProcess('v2 modern', {
      env,
      now: () => Date.parse('2026-11-20T12:00:00-03:00'),
    });
  });
  afterAll(async () => {
    await connection?.close();
    await sandbox?.close();
    folder.remove();
  });

  async function asked([tool, args]: Asked) {
    const { isError, text, structured = {} } = await connection.call(tool, args, { timeout: 60_000 });
    expect(isError, text).toBe(false);
    return { text, structured };
  }

  /** Data of a list names both parties of every document; its text says once who the company is. */
  function mostTimesText([tool]: Asked, structured: Readonly<Record<string, unknown>>): number {
    if (tool === 'list_documents') return 3;
    return Array.isArray(structured.listed) ? 2.5 : 2;
  }

  it.each([...lists, ...groupings])(
    'of %s %j is at most twice its text, a list of documents three times, without empty lists',
    async (...call) => {
      const { text, structured } = await asked(call);
      const most = mostTimesText(call, structured) * tokensOf(text);
      expect(tokensOf(JSON.stringify(structured))).toBeLessThanOrEqual(most);
      expect(structured).not.toHaveProperty('warnings', []);
      expect(structured).not.toHaveProperty('assumptions', []);
    },
  );

  it.each(sums)('of %s %j has rows that are sums, and little else', async (...call) => {
    const { text, structured } = await asked(call);
    const { rows, sums: same } = structured as Record<'rows' | 'sums', readonly { measures: object }[]>;
    expect(same.map(({ measures }) => measures)).toEqual(rows.map(({ measures }) => measures));
    const { sums: _, ...others } = structured;
    expect(tokensOf(JSON.stringify(others))).toBeLessThanOrEqual(2 * tokensOf(text));
  });

  it.each([[['nfe']], [['nfse']], [three]])(
    'of a check of %j is at most twice its text, but for what is said of every rule',
    async (document) => {
      const { text, structured } = await asked(['check_documents', { document, ...quarter }]);
      const { by_rule: rules, ...others } = structured as { by_rule: readonly { rule: string }[] };
      expect(tokensOf(JSON.stringify(others))).toBeLessThanOrEqual(2 * tokensOf(text));
      expect(tokensOf(JSON.stringify(rules)) / rules.length).toBeLessThan(80);
      for (const { rule } of rules) expect(text).toContain(rule);
    },
  );
});
