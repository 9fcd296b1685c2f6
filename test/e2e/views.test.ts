import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import type { Page } from '../../src/views/page.ts';
import { clientKinds } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey, downloadReply, nfeXml } from '../support/documents.ts';
import { connectInProcess, type InProcessOptions } from '../support/in-process.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

type Meta = { readonly ui?: Record<string, unknown>; readonly 'ui/resourceUri'?: string } | undefined;

/** Which tool has which view, by hand. */
const shown = {
  get_document: 'ui://docfiscal/document.html',
  verify_document: 'ui://docfiscal/document.html',
  query_documents: 'ui://docfiscal/period.html',
  list_pending_manifestations: 'ui://docfiscal/period.html',
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
  const connection = await connectInProcess(kind, options);
  try {
    const tools = await connection.listTools();
    return new Map(tools.map(({ name, _meta }) => [String(name), _meta as Meta]));
  } finally {
    await connection.close();
  }
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
    expect(html).not.toMatch(/\b(?:Buffer|process|require)\b/);
    expect(html).not.toMatch(/DOMParser|createContextualFragment|localStorage|document\.cookie/);
  });
});

describe('an answer about a document', () => {
  const key = accessKey({ number: 4_711 });
  const args = { document: 'nfe', key, refresh: true };
  let reply: string;
  const servers: ConfiguredServer[] = [];
  beforeAll(async () => {
    reply = downloadReply(nfeXml({ number: 4_711, items: 2 }));
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function answerTo(hasViews: boolean, more: object = {}) {
    const respond: Responder = (_request, response) => json(response, reply);
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

  it('that has a part of it only brings the rest for the view', async () => {
    const { structuredContent, _meta } = await answerTo(true, { include: ['status'] });
    expect(structuredContent).not.toHaveProperty('document.items');
    const { page } = (_meta as { 'docfiscal/view': { page: Page } })['docfiscal/view'];
    expect(page.tables.map(({ rows }) => rows.length)).toContain(2);
  });
});
