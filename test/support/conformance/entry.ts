import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { createCompany } from '../../../src/company/company.ts';
import { configure } from '../../../src/config/configure.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { createFront } from '../../../src/server/http/front.ts';
import { allowedHosts, listen } from '../../../src/server/http/listen.ts';
import { createTenants } from '../../../src/server/tenants.ts';
import { createFixtures } from './fixtures.ts';

export interface Entry {
  readonly url: string;
  close(): Promise<void>;
}

/** Our own way in, with the suite's fixtures in the place of our tools. */
export function createFixtureFront(bus: InMemoryServerEventBus) {
  const configured = configure(new Map(), {});
  if (!configured.ok) throw new Error('bad settings');
  const { settings } = configured.configuration;
  return createFront({
    url: 'http://127.0.0.1',
    hosts: allowedHosts('127.0.0.1', 'http://127.0.0.1'),
    origins: [],
    identity: undefined,
    tenants: createTenants(() => createCompany(settings, 'conformance')),
    files: { open: async () => 'unknown', answer: () => Promise.reject(new Error('no links here')) },
    serve: () => createFixtures(bus),
    bus,
    translator: createTranslator('en'),
    ready: async () => true,
    onerror: () => undefined,
    onRequest: () => undefined,
  });
}

/** Serves the fixtures as the program serves its tools. */
export async function startEntry(): Promise<Entry> {
  const front = createFixtureFront(new InMemoryServerEventBus());
  const listening = await listen(front.fetch, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${listening.port}/mcp`,
    async close() {
      await front.close();
      await listening.close();
    },
  };
}
