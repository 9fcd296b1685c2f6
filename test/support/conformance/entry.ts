import { randomUUID } from 'node:crypto';
import {
  InMemoryServerEventBus,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createCompany } from '../../../src/company/company.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { createFront } from '../../../src/server/http/front.ts';
import { allowedHosts, listen } from '../../../src/server/http/listen.ts';
import { createTenants } from '../../../src/server/tenants.ts';
import { configurationOf } from '../configuration.ts';
import { endsBehindTests } from '../ending.ts';
import { createFixtures } from './fixtures.ts';

export interface Entry {
  readonly url: string;
  close(): Promise<void>;
}

/** Our HTTP front, with the suite's fixtures instead of our tools. */
export function createFixtureFront(bus: InMemoryServerEventBus) {
  const { settings } = configurationOf();
  const front = createFront({
    url: 'http://127.0.0.1',
    hosts: allowedHosts('127.0.0.1', 'http://127.0.0.1'),
    origins: [],
    identity: undefined,
    tenants: createTenants(() => createCompany(settings)),
    files: { open: async () => 'unknown', answer: () => Promise.reject(new Error('no links here')) },
    serve: () => createFixtures(bus),
    bus,
    translator: createTranslator('en'),
    ready: async () => true,
    onerror: () => undefined,
    onRequest: () => undefined,
  });
  endsBehindTests(() => front.close());
  return front;
}

/** A leg with sessions for clients of the older era, in which a server can ask while a call is under way. */
function createSessions(bus: InMemoryServerEventBus) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return {
    async fetch(request: Request): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      const known = sessions.get(id ?? '');
      if (known !== undefined) return known.handleRequest(request);
      if (id !== null) return Response.json({ error: 'session' }, { status: 404 });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      await createFixtures(bus).connect(transport);
      return transport.handleRequest(request);
    },
    async close() {
      await Promise.all([...sessions.values()].map((one) => one.close()));
    },
  };
}

/** @param hasSessions whether clients of the older era have sessions, or are served statelessly as in production */
export async function startEntry(hasSessions: boolean): Promise<Entry> {
  const bus = new InMemoryServerEventBus();
  const front = createFixtureFront(bus);
  const sessions = createSessions(bus);
  const listening = await listen(
    async (request, arrival) => {
      const { origin, hostname } = new URL(request.url);
      // The front refuses requests from other machines; only accepted ones may have a session.
      const isHere = hostname === '127.0.0.1' && [null, origin].includes(request.headers.get('origin'));
      if (!hasSessions || !isHere) return front.fetch(request, arrival);
      const body = await arrival.body('session');
      if (body instanceof Response) return body;
      const { url, method, headers, signal } = request;
      const read = new Request(url, { method, headers, signal, ...(body !== undefined && { body }) });
      const isLegacy = await isLegacyRequest(read.clone());
      return isLegacy ? sessions.fetch(read) : front.fetch(request, { ...arrival, body: async () => body });
    },
    '127.0.0.1',
    0,
  );
  return {
    url: `http://127.0.0.1:${listening.port}/mcp`,
    close: endsBehindTests(async () => {
      await sessions.close();
      await listening.close();
    }),
  };
}
