import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { accessKey, documentListReply, downloadReply, nfeXml } from '../support/documents.ts';
import { duringTests } from '../support/during-tests.ts';
import { settingsFor } from '../support/event-service.ts';
import { message, startTestServer } from '../support/http-server.ts';
import { serveInProcess } from '../support/in-process.ts';
import { json, startRecordingUpstream } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const list = ['list_documents', { document: 'nfe', from: '2026-11-01', to: '2026-11-19' }] as const;
const one = ['get_document', { document: 'nfe', key }] as const;
const file = ['get_document', { document: 'nfe', key, format: 'xml' }] as const;
const write = ['manifest_nfe', { key, event: 'ciencia' }] as const;

/** Kinds of content that a revision's schema knows in a result of a tool. Source: schema.ts of each revision. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  '2024-11-05': ['text', 'image', 'resource'],
  '2025-03-26': ['text', 'image', 'audio', 'resource'],
  '2025-06-18': ['text', 'image', 'audio', 'resource', 'resource_link'],
  '2025-11-25': ['text', 'image', 'audio', 'resource', 'resource_link'],
};

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

const folder = temporaryFolder();
const upstream = duringTests(() =>
  startRecordingUpstream(({ path }, response) => {
    const isDownload = path.includes('Download');
    const note = nfeXml({ number: 1 });
    json(response, isDownload ? downloadReply(note) : documentListReply([note]));
  }),
);
const environment = () => settingsFor(upstream, folder);

const http = duringTests(() => startTestServer(environment()));

/** Calls one tool over a connection that a client of the revision opened, which says that it has forms. */
async function callAs(revision: string, [name, args]: readonly [string, object]) {
  const server = serveInProcess({ env: environment() });
  const requests: string[] = [];
  const result = await new Promise<Result>((resolve) => {
    server.transport.onmessage = (message) => {
      const { id, method, result } = message as { id?: number; method?: string; result?: Result };
      if (method !== undefined) requests.push(method);
      if (method === 'elicitation/create') {
        void server.transport.send({ jsonrpc: '2.0', id: id ?? 0, result: { action: 'decline' } });
      }
      if (id === 2 && result !== undefined) resolve(result);
    };
    const send = (message: object) => void server.transport.send({ jsonrpc: '2.0', ...message } as never);
    void server.transport.start();
    const params = {
      protocolVersion: revision,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name, arguments: args } });
  });
  return { result, requests };
}

const typesIn = ({ content }: Result) => [...new Set(content.map(({ type }) => type))];
const textIn = ({ content }: Result) => content.map(({ text = '' }) => text).join('\n');

describe.each(Object.entries(kindsOf))('a client of revision %s', (revision, kinds) => {
  it.each([list, one, file])(
    'understands what %s %j answers, and can read what is linked',
    async (...call) => {
      const { result } = await callAs(revision, call);
      expect(result.isError ?? false, textIn(result)).toBe(false);
      expect(kinds).toEqual(expect.arrayContaining(typesIn(result)));
      const links = result.content.flatMap(({ uri }) => uri ?? []);
      const isInText = textIn(result).includes(`dfe://nfe/${key}/`);
      expect(links.length > 0 || isInText).toBe(true);
      expect(links.length > 0).toBe(kinds.includes('resource_link'));
    },
  );

  it('is asked by a form only where the revision has forms', async () => {
    const { result, requests } = await callAs(revision, write);
    const hasForms = revision >= '2025-06-18';
    expect(requests.includes('elicitation/create')).toBe(hasForms);
    expect(result.structuredContent?.status).toBe(hasForms ? 'not_sent' : 'confirmation_required');
  });
});

describe('over HTTP, where every request stands by itself', () => {
  it.each([
    [undefined, false],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
  ])('a request that says revision %s gets links: %s', async (revision, hasLinks) => {
    const call = { method: 'tools/call', params: { name: list[0], arguments: list[1] } };
    const headers: Record<string, string> =
      revision === undefined ? {} : { 'mcp-protocol-version': revision };
    const body = await (await http.request('/mcp', message(call, undefined, headers))).text();
    const { result } = JSON.parse(body.slice(body.indexOf('{'))) as { result: Result };
    expect(typesIn(result).includes('resource_link')).toBe(hasLinks);
    expect(JSON.stringify(result)).toContain(`dfe://nfe/${key}/summary`);
  });
});
