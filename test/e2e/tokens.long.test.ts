import { describe, expect, it } from 'vitest';
import { askSandbox } from '../support/asked-sandbox.ts';
import {
  accessKey,
  alphanumericCompany,
  documentListReply,
  downloadReply,
  nfeXml,
  supplier,
} from '../support/documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { saying, serve } from '../support/served.ts';
import { tokensOf } from '../support/tokens.ts';

/** Tokens of a tool's name, description and arguments; those of the questions say more. */
const USUAL_BUDGET = 265;
const budgets: Readonly<Record<string, number>> = {
  query_documents: 1_330,
  export_documents: 450,
  reconcile: 330,
};

/** A line of a list. */
interface Listed extends Record<'key' | 'number' | 'issued_at', string> {
  readonly issuer: { readonly id: string };
}

describe('what a model reads', () => {
  const service = serve();

  it('takes less than 4,700 tokens for all tools together, and of none more than its budget', async () => {
    const tools = (await service.server.listTools()).map(({ name, description, inputSchema }) => ({
      ...{ name: String(name), description, inputSchema },
    }));
    expect(tools.length).toBeGreaterThan(10);
    expect(tokensOf(JSON.stringify(tools))).toBeLessThan(4_700);
    const told = tools.map((tool) => ({ name: tool.name, tokens: tokensOf(JSON.stringify(tool)) }));
    const dear = told.filter(({ name, tokens }) => tokens > (budgets[name] ?? USUAL_BUDGET));
    expect(dear).toEqual([]);
    // A budget that has become too wide is none.
    const wide = told.filter(({ name, tokens }) => name in budgets && tokens < (budgets[name] ?? 0) * 0.9);
    expect(wide).toEqual([]);
  });

  it('takes less than 4,000 tokens for 50 documents, with names as long as real ones', async () => {
    const notes = Array.from({ length: 50 }, (_, i) =>
      nfeXml({
        number: 1_000 + i,
        issuer: i % 2 === 0 ? supplier : alphanumericCompany,
        issuerName: `INDÚSTRIA E COMÉRCIO DE EMBALAGENS SÃO JOSÉ LTDA ${i % 2 === 0 ? 'EPP' : 'ME'}`,
        recipientName: 'COMERCIAL DE ALIMENTOS BOA VISTA DO SUL S.A.',
        items: 1 + (i % 5),
      }),
    );
    const question = { document: 'nfe', from: '2026-11-01', to: '2026-11-19' };
    service.respond(saying(documentListReply(notes)));
    const { data, text } = await service.ask('list_documents', question);
    expect(data).toMatchObject({ total: 50, shown: 50 });
    expect(text).toContain(accessKey({ number: 1_049, issuer: alphanumericCompany }));
    expect(tokensOf(text)).toBeLessThan(4_000);
    // Data names both parties of every document; the text says once who the company is.
    expect(tokensOf(JSON.stringify(data))).toBeLessThan(3 * tokensOf(text));
  });

  it('takes less than 200 tokens for whether a note was cancelled', async () => {
    const key = accessKey({ number: 4_711 });
    const args = { document: 'nfe', key, include: 'status' };
    service.respond(saying(downloadReply(nfeXml({ number: 4_711, items: 12 }))));
    const { data, text, content } = await service.ask('get_document', args);
    expect(data).toMatchObject({ document: { key, status: 'authorized' } });
    expect(tokensOf(text)).toBeLessThan(200);
    expect(tokensOf(JSON.stringify(data))).toBeLessThan(200);
    expect(content).toHaveLength(1);
  });
});

describe('answers over the demo', () => {
  const { ask } = askSandbox({ env: { DFE_LANGUAGE: 'pt-BR' } });

  it.each(['nfe', 'nfse', 'cte'])('take less than 200 tokens for the status of any %s', async (document) => {
    const months = { document, from: '2026-08-01', to: '2026-11-20', limit: 200 };
    const documents = (await ask('list_documents', months)).data.documents as readonly Listed[];
    const dear: unknown[] = [];
    let events = 0;
    for (const { key, number, issued_at, issuer } of documents) {
      const named =
        document === 'nfse'
          ? { number, issue_date: issued_at.slice(0, 10), issuer_cnpj: issuer.id }
          : { key };
      const { text, data } = await ask('get_document', { document, ...named, include: ['status'] });
      events += (data.events as unknown[] | undefined)?.length ?? 0;
      const [said, given] = [tokensOf(text), tokensOf(JSON.stringify(data))];
      if (said >= 200 || given >= 300) dear.push({ key, said, given });
    }
    expect(dear).toEqual([]);
    if (document === 'nfe') expect(events).toBeGreaterThan(documents.length / 2);
  });

  it.each([
    [{ document: 'nfe', from: '2026-10' }],
    [{ document: ['nfe', 'nfse', 'cte'], from: '2026-10' }],
    [{ document: ['nfe', 'nfse', 'cte'], from: '2026-08', to: '2026-10', limit: 200 }],
    [{ document: 'cte', from: '2026-10', rule: 'cte_without_nfe' }],
    [{ document: 'nfe', from: '2026-10', rule: ['nfe_without_cte', 'number_gap'] }],
    [{ document: 'nfse', from: '2026-10', direction: 'outbound' }],
  ])('take at most twice the text in data for the checks of %j', async (args) => {
    const { text, data } = await ask('check_documents', args);
    expect(data.by_rule).toBeDefined();
    expect(tokensOf(JSON.stringify(data))).toBeLessThanOrEqual(2 * tokensOf(text));
  });

  it('take less than 1,500 tokens for all suppliers of a quarter with their names', async () => {
    const quarter = { document: 'nfe', direction: 'inbound', from: '2026-07-01', to: '2026-09-30' };
    const { data, text } = await ask('query_documents', {
      ...quarter,
      group_by: ['issuer'],
      order_by: '-total',
    });
    const rows = data.rows as readonly { group: { issuer_name: string } }[];
    expect(rows.length).toBeGreaterThan(10);
    for (const { group } of rows) expect(text).toContain(group.issuer_name);
    expect(tokensOf(text)).toBeLessThan(1_500);
    expect(tokensOf(JSON.stringify(data))).toBeLessThan(2 * tokensOf(text));
  });
});

it('a conversation reads once that answers may be of documents known before', async () => {
  let now = Date.parse('2026-11-20T12:00:00-03:00');
  const sandbox = await startNovemberSandbox();
  await using connection = await connectInProcess('v2 modern', {
    env: sandboxSettings(sandbox),
    now: () => now,
  });
  const month = { document: 'nfe', from: '2026-10' };
  const ask = [
    ['query_documents', { ...month, measures: ['count'] }],
    ['check_documents', month],
    ['list_documents', { ...month, limit: 2 }],
    ['query_documents', { ...month, group_by: ['issuer'] }],
  ] as const;
  const told: boolean[] = [];
  for (const [tool, args] of [...ask, ...ask]) {
    now += 2 * 60_000;
    told.push((await connection.call(tool, args)).text.includes('That is what was known.'));
  }
  // The first call fetches.
  expect(told.filter((one) => one)).toHaveLength(1);
  expect(told[0]).toBe(false);
});
