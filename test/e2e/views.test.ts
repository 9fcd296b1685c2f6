import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import type { Page, Text } from '../../src/page/page.ts';
import { clientKinds } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey, downloadReply, nfeXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
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
  it('are told to one that declares them, under the flat name too', async () => {
    const metas = await metaOf(kind, { hasViews: true });
    expect(uris(metas)).toEqual(shown);
    for (const [name, uri] of Object.entries(shown)) expect(metas.get(name)?.['ui/resourceUri']).toBe(uri);
  });

  it('are not told to others, unless DFE_APPS is on; with off to nobody', async () => {
    expect(uris(await metaOf(kind, {}))).toEqual({});
    expect(uris(await metaOf(kind, { env: { DFE_APPS: 'on' } }))).toEqual(shown);
    expect(uris(await metaOf(kind, { hasViews: true, env: { DFE_APPS: 'off' } }))).toEqual({});
  });

  it('are not told to a host that leaves those of local programs blank', async () => {
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
      await connection.close();
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

describe('an answer about a document', () => {
  const key = accessKey({ number: 4_711 });
  const args = { document: 'nfe', key, refresh: true };
  const note = nfeXml({ number: 4_711, items: 2 });
  const servers: ConfiguredServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function answerTo(hasViews: boolean, more: object = {}, xml = note) {
    const respond: Responder = (_request, response) => json(response, downloadReply(xml));
    const now = () => Date.parse('2026-11-20T12:00:00Z');
    const server = await startConfigured({ respond, hasViews, now });
    servers.push(server);
    const client = server.raw as {
      callTool(request: object): Promise<{ content: unknown; structuredContent: object; _meta?: object }>;
    };
    return client.callTool({ name: 'get_document', arguments: { ...args, ...more } });
  }

  it('has the fields of its form beside it for who shows views, and is the same besides', async () => {
    const [plain, shown] = [await answerTo(false), await answerTo(true)];
    expect(plain._meta ?? {}).not.toHaveProperty('docfiscal/view');
    expect(shown.content).toEqual(plain.content);
    expect(shown.structuredContent).toEqual(plain.structuredContent);
    expect(shown._meta).toMatchObject({
      'docfiscal/view': {
        page: {
          document: {
            named: { document: 'nfe', key },
            sheet: { form: 'danfe', head: { title: 'DANFE', key }, marks: [] },
          },
        },
      },
    });
  });

  it('of the test environment names no deadline, since nobody manifests it', async () => {
    const deadlines = async (xml: string) => {
      const { _meta } = await answerTo(true, {}, xml);
      const { page } = (_meta as { 'docfiscal/view': { page: Page } })['docfiscal/view'];
      return page.checks?.filter(({ name }) => ['Prazo', 'Deadline'].includes(String([name].flat()[0])));
    };
    expect(await deadlines(note)).toHaveLength(1);
    expect(await deadlines(note.replaceAll('<tpAmb>1</tpAmb>', '<tpAmb>2</tpAmb>'))).toHaveLength(0);
  });

  it('that has a part of it only brings the rest for the view', async () => {
    const { structuredContent, _meta } = await answerTo(true, { include: ['status'] });
    expect(structuredContent).not.toHaveProperty('document.items');
    const { page } = (_meta as { 'docfiscal/view': { page: Page } })['docfiscal/view'];
    expect(page.tables.map(({ rows }) => rows.length)).toContain(2);
  });

  it.each([
    ['authorised', '100', true],
    ['cancelled', '101', false],
  ])('that is %s names the next instalment only where one falls due', async (_, code, fallsDue) => {
    const due = '<cobr><dup><nDup>001</nDup><dVenc>2026-12-08</dVenc><vDup>20.00</vDup></dup></cobr>';
    const xml = note.replace('</infNFe>', `${due}</infNFe>`).replace('<cStat>100', `<cStat>${code}`);
    const { _meta } = await answerTo(true, {}, xml);
    const { figures } = (_meta as { 'docfiscal/view': { page: Page } })['docfiscal/view'].page;
    expect(JSON.stringify(figures).includes('08/12')).toBe(fallsDue);
  });
});

describe('the page of an answer about a period', () => {
  const total = (cents: number) => (cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
  const noteOf = (number: number, day: string) =>
    nfeXml({ number }).replaceAll('2026-11-05T10:00:00-03:00', `${day}T10:00:00-03:00`);
  const notes = [noteOf(1, '2026-10-02'), noteOf(2, '2026-10-05'), noteOf(3, '2026-10-05')];
  const healthy = holding(notes);
  /** Answers for no day from the 14th to the 16th. */
  const withGap: Responder = (request, response, count) => {
    const asked = new Map(request.query);
    const day = (name: string) => Number(asked.get(name)?.slice(0, 2));
    if (day('dataDe') <= 16 && day('dataAte') >= 14) return json(response, '{}', 500);
    return healthy(request, response, count);
  };
  const servers: ConfiguredServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function pageOf(respond: Responder, args: object, now = '2026-11-20T12:00:00Z') {
    const env = { DFE_LANGUAGE: 'pt-BR' };
    const server = await startConfigured({ respond, hasViews: true, now: () => Date.parse(now), env });
    servers.push(server);
    const asked = { name: 'query_documents', arguments: { document: 'nfe', ...args } };
    const answer = (await (server.raw as { callTool(request: object): Promise<unknown> }).callTool(
      asked,
    )) as {
      structuredContent: { sums: { measures: { total: string } }[] };
      _meta: { 'docfiscal/view': { page: Page } };
    };
    return { ...answer.structuredContent, page: answer._meta['docfiscal/view'].page };
  }
  const portuguese = (text: Text | undefined) => (typeof text === 'string' ? text : (text?.[0] ?? ''));

  it.each([
    [{ direction: 'inbound' }, ['de 1 fornecedor']],
    [{}, []],
  ])('calls the other parties suppliers or customers only in one direction: %j', async (args, expected) => {
    const { page } = await pageOf(healthy, { from: '2026-10', group_by: ['counterparty'], ...args });
    const notes = page.figures.map(({ note }) => portuguese(note));
    expect(notes.filter((note) => /fornecedor|cliente/.test(note))).toEqual(expected);
  });

  it('days without documents are rows, and the day under way says so', async () => {
    const args = { from: '2026-10-01', to: '2026-10-06', group_by: ['day'] };
    const { page } = await pageOf(healthy, args, '2026-10-06T12:00:00Z');
    const [table] = page.tables;
    const rows = table?.rows.map(({ cells, isOpen }) => [portuguese(cells.day), cells.count, isOpen]);
    expect(rows).toEqual([
      ['01/10/2026', '0', undefined],
      ['02/10/2026', '1', undefined],
      ['03/10/2026', '0', undefined],
      ['04/10/2026', '0', undefined],
      ['05/10/2026', '2', undefined],
      ['06/10/2026', undefined, true],
    ]);
  });

  it('days to come are no rows of nothing, and are said', async () => {
    const args = { from: '2026-10-04', to: '2026-10-12', group_by: ['day'] };
    const { page } = await pageOf(healthy, args, '2026-10-06T12:00:00Z');
    expect(page.tables[0]?.rows.map(({ cells }) => portuguese(cells.day))).toEqual([
      '04/10/2026',
      '05/10/2026',
      '06/10/2026',
    ]);
    expect(page.notices.map(({ strong }) => portuguese(strong))).toEqual([
      'Só até 06/10: os dias seguintes ainda não chegaram.',
    ]);
    const { page: none } = await pageOf(healthy, { from: '2026-12', group_by: ['month'] });
    expect(none.reasons?.map(portuguese)[0]).toBe('O período ainda não começou.');
  });

  it('missing days stand in the heading and the amounts are the least there is, without a comparison', async () => {
    const args = { from: '2026-10', group_by: ['issuer'], compare: 'previous_period' };
    const { page, sums } = await pageOf(withGap, args);
    expect(portuguese(page.heading)).toMatch(/^NF-e de outubro por emitente, sem \d+ dias? de 31$/);
    expect(page.notices.map(({ strong }) => portuguese(strong))).toContainEqual(
      expect.stringContaining('14/10'),
    );
    expect(portuguese(page.figures[0]?.value)).toBe(`R$ ${total(Number(sums[0]?.measures.total) * 100)}`);
    expect(page.figures[0]?.strong).toBeUndefined();
    expect(portuguese(page.figures[0]?.note)).toMatch(/^pelo menos/);
    expect(page.tables[0]?.columns.map(({ kind }) => kind)).not.toContain('change');
    expect(page.presses.map(({ text }) => portuguese(text))).toContainEqual(
      expect.stringMatching(/^Buscar \d+ dia/),
    );
  });

  it('nothing found is said of what was looked at, and of nothing else', async () => {
    const none = await pageOf(healthy, { from: '2026-10-10', to: '2026-10-12', direction: 'inbound' });
    expect(portuguese(none.page.heading)).toBe('Nenhuma NF-e de entrada de 10/10/2026 a 12/10/2026');
    expect(none.page.reasons?.map(portuguese)[0]).toContain('a resposta veio completa, sem documentos');
    const unknown = await pageOf(withGap, { from: '2026-10-10', to: '2026-10-15', direction: 'inbound' });
    expect(portuguese(unknown.page.heading)).toMatch(/^Ainda não se sabe/);
    expect(unknown.page.reasons?.map(portuguese).join()).not.toContain('completa');
    expect(portuguese(unknown.page.presses[0]?.text)).toMatch(/^Buscar \d+ dias/);
  });
});
