import { beforeAll, describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import { cellText, type Page, type Row, type Table, type Text } from '../../src/page/page.ts';
import { askSandbox } from '../support/asked-sandbox.ts';
import { type Connection, clientKinds } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import { accessKey, downloadReply, nfeXml } from '../support/documents.ts';
import { failing, holding } from '../support/documents-service.ts';
import { connectInProcess, type InProcessOptions } from '../support/in-process.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

type Meta = { readonly ui?: Record<string, unknown>; readonly 'ui/resourceUri'?: string } | undefined;

/** Which tool has which view, by hand. */
const shown = {
  get_document: 'ui://docfiscal/document.html',
  verify_document: 'ui://docfiscal/document.html',
  query_documents: 'ui://docfiscal/period.html',
  list_pending_manifestations: 'ui://docfiscal/period.html',
  reconcile: 'ui://docfiscal/period.html',
};
/** What writes upstream, or saves a file of the person's. */
const modelOnly = [
  'manifest_nfe',
  'manifest_nfe_batch',
  'update_company_setting',
  'update_subscription',
  'export_documents',
];

async function metaOf(kind: (typeof clientKinds)[number], options: InProcessOptions) {
  await using connection = await connectInProcess(kind, options);
  const tools = await connection.listTools();
  return new Map(tools.map(({ name, _meta }) => [String(name), _meta as Meta]));
}

const uris = (metas: ReadonlyMap<string, Meta>) =>
  Object.fromEntries(
    [...metas].flatMap(([name, meta]) => (meta?.ui?.resourceUri ? [[name, meta.ui.resourceUri]] : [])),
  );

describe.each(clientKinds)('views, to a %s client', (kind) => {
  it('are listed to one that declares them, under the flat name too', async () => {
    const metas = await metaOf(kind, { hasViews: true });
    expect(uris(metas)).toEqual(shown);
    for (const [name, uri] of Object.entries(shown)) expect(metas.get(name)?.['ui/resourceUri']).toBe(uri);
  });

  it('are not listed to others unless DFE_APPS is on, and never with off', async () => {
    expect(uris(await metaOf(kind, {}))).toEqual({});
    expect(uris(await metaOf(kind, { env: { DFE_APPS: 'on' } }))).toEqual(shown);
    expect(uris(await metaOf(kind, { hasViews: true, env: { DFE_APPS: 'off' } }))).toEqual({});
  });

  it('are not listed to a host that leaves those of local programs blank', async () => {
    const name = ['clau' + 'de', 'ai'].join('-');
    expect(uris(await metaOf(kind, { hasViews: true, name }))).toEqual({});
    expect(uris(await metaOf(kind, { hasViews: true, name, env: { DFE_APPS: 'on' } }))).toEqual(shown);
  });

  it.each([
    { hasViews: true },
    { hasViews: false },
    { hasViews: true, env: { DFE_APPS: 'off' } },
    { env: { DFE_APPS: 'on' } },
  ])('never reach a tool that writes: %j', async (options) => {
    const metas = await metaOf(kind, options);
    const alone = [...metas].filter(([, meta]) => JSON.stringify(meta?.ui?.visibility) === '["model"]');
    expect(alone.map(([name]) => name)).toEqual(modelOnly);
  });

  it('are read as pages of their own, in the language of the server, and stand in no list', async () => {
    for (const language of ['pt-BR', 'en']) {
      const connection = await connectInProcess(kind, { hasViews: true, env: { DFE_LANGUAGE: language } });
      const [page] = await connection.readResource('ui://docfiscal/document.html');
      expect(page).toMatchObject({
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: { prefersBorder: true } },
      });
      expect((page?._meta as Meta)?.ui).not.toHaveProperty('csp');
      expect(String(page?.text)).toMatch(new RegExp(`^<!doctype html><html lang="${language}">`));
      const { resources } = await (
        connection.raw as { listResources(): Promise<{ resources: { uri: string }[] }> }
      ).listResources();
      expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
      await expect(connection.readResource('ui://docfiscal/other.html')).rejects.toThrow();
    }
  });
});

describe('the page of the views', () => {
  let html: string;
  beforeAll(async () => {
    html = await viewHtml();
  });

  it('is under 42 kB, with everything in it', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(42_000);
    expect(html).not.toMatch(/\b(?:src|href)=|@import|url\(/);
  });

  it('asks nothing of any network, and makes no element out of text', () => {
    expect(html).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\b/);
    expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/);
    expect(html).not.toMatch(/\b(?:process|require)\b/);
    expect(html).not.toMatch(/DOMParser|createContextualFragment|localStorage|document\.cookie/);
  });
});

interface Answer {
  readonly content: unknown;
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly _meta?: { readonly 'docfiscal/view': { readonly page: Page } };
}

async function withPage({ raw }: Pick<Connection, 'raw'>, name: string, args: object) {
  const client = raw as { callTool(request: object): Promise<Answer> };
  const answer = await client.callTool({ name, arguments: args });
  return { ...answer, page: answer._meta?.['docfiscal/view'].page as Page };
}

/** What a tool answers, with its page. */
async function answerOf(
  respond: Responder,
  name: string,
  args: object,
  { hasViews = true, day = '2026-11-20' } = {},
) {
  const now = () => Date.parse(`${day}T12:00:00Z`);
  const server = await startConfigured({ respond, hasViews, now, env: { DFE_LANGUAGE: 'pt-BR' } });
  return withPage(server, name, args);
}

const portuguese = (text: Text | undefined) => (typeof text === 'string' ? text : (text?.[0] ?? ''));

describe('an answer about a document', () => {
  const key = accessKey({ number: 4_711 });
  const note = nfeXml({ number: 4_711, items: 2 });
  const answerTo = (more: object = {}, xml = note, hasViews = true) =>
    answerOf(
      (_request, response) => json(response, downloadReply(xml)),
      'get_document',
      { document: 'nfe', key, refresh: true, ...more },
      { hasViews },
    );

  it('has the fields of its form beside it for who shows views, and is the same besides', async () => {
    const [plain, shown] = [await answerTo({}, note, false), await answerTo()];
    expect(plain._meta ?? {}).not.toHaveProperty('docfiscal/view');
    expect(shown.content).toEqual(plain.content);
    expect(shown.structuredContent).toEqual(plain.structuredContent);
    expect(shown.page.document).toMatchObject({
      named: { document: 'nfe', key },
      sheet: { form: 'danfe', head: { title: 'DANFE', key }, marks: [] },
    });
  });

  it.each([
    ['1', 1],
    ['2', 0],
  ])('of the environment %s has %i deadlines, since nobody manifests a test', async (environment, count) => {
    const { page } = await answerTo({}, note.replaceAll('<tpAmb>1<', `<tpAmb>${environment}<`));
    expect(page.checks?.filter(({ name }) => portuguese(name) === 'Prazo')).toHaveLength(count);
  });

  it('that has a part of it only brings the rest for the view', async () => {
    const { structuredContent, page } = await answerTo({ include: ['status'] });
    expect(structuredContent).not.toHaveProperty('document.items');
    expect(page.tables.map(({ rows }) => rows.length)).toContain(2);
  });

  it.each([
    ['authorised', '100', true],
    ['cancelled', '101', false],
  ])('that is %s names the next instalment only where one falls due', async (_, code, fallsDue) => {
    const due = '<cobr><dup><nDup>001</nDup><dVenc>2026-12-08</dVenc><vDup>20.00</vDup></dup></cobr>';
    const xml = note.replace('</infNFe>', `${due}</infNFe>`).replace('<cStat>100', `<cStat>${code}`);
    expect(JSON.stringify((await answerTo({}, xml)).page.figures).includes('08/12')).toBe(fallsDue);
  });
});

describe('the page of an answer about a period', () => {
  const days = ['2026-10-02', '2026-10-05', '2026-10-05'];
  const healthy = holding(days.map((day, i) => nfeXml({ number: i + 1, day })));
  const withGap = failing(healthy, '', { from: '2026-10-14', to: '2026-10-16' });
  const pageOf = async (respond: Responder, args: object, day?: string) =>
    (await answerOf(respond, 'query_documents', { document: 'nfe', ...args }, { day })).page;
  const noticesOf = ({ notices }: Page) => notices.map(({ strong }) => portuguese(strong));

  it.each([
    [{ direction: 'inbound' }, ['de 1 fornecedor']],
    [{}, []],
  ])('calls the other parties suppliers or customers only in one direction: %j', async (args, expected) => {
    const { figures } = await pageOf(healthy, { from: '2026-10', group_by: ['counterparty'], ...args });
    const notes = figures.map(({ note }) => portuguese(note));
    expect(notes.filter((note) => /fornecedor|cliente/.test(note))).toEqual(expected);
  });

  it('has rows of days without documents, marks the day under way, and says of days to come that they are', async () => {
    const args = { from: '2026-10-01', to: '2026-10-12', group_by: ['day'] };
    const page = await pageOf(healthy, args, '2026-10-06');
    expect(
      page.tables[0]?.rows.map(({ cells, isOpen }) => [portuguese(cells.day), cells.count, isOpen]),
    ).toEqual([
      ['01/10/2026', '0', undefined],
      ['02/10/2026', '1', undefined],
      ['03/10/2026', '0', undefined],
      ['04/10/2026', '0', undefined],
      ['05/10/2026', '2', undefined],
      ['06/10/2026', undefined, true],
    ]);
    expect(noticesOf(page)).toEqual([
      'O período vai além de hoje (06/10); dos dias seguintes ainda não há documentos.',
    ]);
    const none = await pageOf(healthy, { from: '2026-12', group_by: ['month'] });
    expect(portuguese(none.reasons?.[0])).toMatch(/^O período ainda não começou: hoje é /);
  });

  it('names the last document before an empty period as the last one known, since days between may be unread', async () => {
    const server = await startConfigured({
      respond: healthy,
      hasViews: true,
      now: () => Date.parse('2026-11-20T12:00:00Z'),
    });
    const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-05' };
    await withPage(server, 'query_documents', october);
    const { page } = await withPage(server, 'query_documents', {
      ...october,
      from: '2026-11-02',
      to: '2026-11-03',
    });
    expect(page.reasons?.map(portuguese)).toContain('O último que se conhece antes disso é de 05/10/2026.');
  });

  it('says in the heading which days are missing, and that amounts are the least there is, without a comparison', async () => {
    const args = { from: '2026-10', group_by: ['issuer'], compare: 'previous_period' };
    const page = await pageOf(withGap, args);
    const [figure] = page.figures;
    expect(portuguese(page.heading)).toMatch(/^NF-e de outubro por emitente, sem \d+ dias? de 31$/);
    expect(noticesOf(page)).toContainEqual(expect.stringContaining('14/10'));
    expect(portuguese(figure?.value)).toMatch(/^R\$ \d/);
    expect(figure?.strong).toBeUndefined();
    expect(portuguese(figure?.note)).toMatch(/^pelo menos/);
    expect(page.tables[0]?.columns.map(({ kind }) => kind)).not.toContain('change');
    expect(page.presses.map(({ text }) => portuguese(text))).toContainEqual(
      expect.stringMatching(/^Buscar \d+ dia/),
    );
  });

  it('says of nothing found what was looked at, and nothing else', async () => {
    const period = (to: string) => ({ from: '2026-10-10', to, direction: 'inbound' });
    const none = await pageOf(healthy, period('2026-10-12'));
    expect(portuguese(none.heading)).toBe('Nenhuma NF-e de entrada de 10/10/2026 a 12/10/2026');
    expect(portuguese(none.reasons?.[0])).toContain('a resposta veio completa, sem documentos');
    const unknown = await pageOf(withGap, period('2026-10-15'));
    expect(portuguese(unknown.heading)).toMatch(/^Ainda não se sabe/);
    expect(unknown.reasons?.map(portuguese).join()).not.toContain('completa');
    expect(portuguese(unknown.presses[0]?.text)).toMatch(/^Buscar \d+ dias/);
  });
});

describe('the page of an answer of the demo', () => {
  const { connection } = askSandbox({ hasViews: true, env: { DFE_LANGUAGE: 'pt-BR' } });
  const inbound = { document: 'nfe', from: 'last_month', direction: 'inbound' };
  interface Sums {
    readonly rows: readonly { readonly measures: { readonly total: string } }[];
    readonly sums: readonly [{ readonly measures: { readonly total: string } }];
    readonly total_groups: string;
    readonly total: number;
  }
  const asked = async (name: string, args: object) => {
    const { page, structuredContent } = await withPage(connection, name, args);
    const [table] = page.tables;
    if (table === undefined) throw new Error('the page has no table');
    return { page, table, answer: structuredContent as unknown as Sums };
  };
  const writer = { language: 'pt-BR', day: (day: string) => day, text: portuguese } as const;
  const cell = ({ columns }: Table, row: Row | undefined, name: string) => {
    const column = columns.find((one) => one.name === name);
    if (column === undefined || row === undefined) throw new Error(`no cell ${name}`);
    return cellText(column, row, writer);
  };
  const cents = (text = '') => Math.round(Number(text) * 100);
  const written = (amount: number) =>
    (amount / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2, useGrouping: 'always' });

  it('compares months with the month before, but for one that was asked about in part', async () => {
    const args = { ...inbound, from: '2026-08-10', to: '2026-11-10', group_by: ['month'] };
    const { table, answer } = await asked('query_documents', args);
    const [, september = 0, october = 0] = answer.rows.map(({ measures }) => cents(measures.total));
    const shown = `${october < september ? '−' : '+'}${written(Math.abs(october - september))}`;
    expect(table.rows.map((row) => cell(table, row, 'difference'))).toEqual(['', '', shown, '']);
    expect(table.rows.map(({ details }) => portuguese(details?.month))).toEqual([
      'só de 10/08 a 31/08',
      '',
      '',
      'só de 01/11 a 10/11',
    ]);
  });

  it('says that it has a part of the groups, and has the others and the total below', async () => {
    const args = { ...inbound, group_by: ['issuer'], limit: 3 };
    const { page, table, answer } = await asked('query_documents', args);
    const all = Number(answer.total_groups);
    const total = cents(answer.sums[0].measures.total);
    const rest = answer.rows.reduce((left, { measures }) => left - cents(measures.total), total);
    expect(JSON.stringify(page)).toContain(`3 de ${all} na tabela.`);
    expect(cell(table, table.others, 'issuer')).toBe(`Outros ${all - 3}`);
    expect(cell(table, table.others, 'total')).toBe(written(rest));
    expect(cell(table, table.total, 'total')).toBe(written(total));
  });

  it.each([
    [{}, 'day', true],
    [{ order_by: 'total' }, 'total', false],
    [{ columns: ['icms'], order_by: '-icms' }, 'icms', true],
    [{ group_by: ['cfop'], order_by: 'cfop' }, 'cfop', false],
    // Parties and cities are sorted by id and code, and shown by name.
    [{ group_by: ['issuer'], order_by: '-issuer' }, '', true],
    [{ document: 'nfse', group_by: ['city'], order_by: 'city' }, '', false],
  ])('of %j is marked as sorted by "%s" (descending: %s)', async (args, by, descending) => {
    const { table } = await asked('query_documents', { ...inbound, ...args });
    expect(table.sorted).toEqual({ by, descending });
  });

  it('has notes that wait by act and deadline, with their sums', async () => {
    const { page, table, answer } = await asked('list_pending_manifestations', {});
    expect(portuguese(page.heading)).toMatch(/^\d+ notas? (?:vencem? em 7 dias|no prazo|sem)/);
    const waiting = (table.groups ?? []).filter(({ heading }) => !/tacitamente/.test(portuguese(heading)));
    const sum = waiting.reduce((all, group) => all + cents(group.sum), 0);
    expect(written(sum)).toBe(cell(table, table.total, 'total'));
    expect(JSON.stringify(table.total)).toContain(`Total, ${answer.total} notas`);
    expect(cell(table, waiting[0]?.rows[0], 'key')).toMatch(/^\d{4}…\d{4}$/);
  });

  it('says what a question that nothing answers looked at, and leads on', async () => {
    const { page } = await withPage(connection, 'query_documents', { ...inbound, issuer: ['Lumynex'] });
    expect(portuguese(page.heading)).toMatch(/^Nenhuma das \d+ notas de outubro: fornecedor Lumynex$/);
    const luminex = 'Luminex Indústria de Iluminação Ltda';
    const presses = page.presses.map(({ tool, text, args }) => [tool, portuguese(text), args.issuer]);
    expect(presses).toEqual([
      ['query_documents', `Usar ${luminex}`, [luminex]],
      ['query_documents', 'Tirar o filtro', undefined],
    ]);
  });
});
