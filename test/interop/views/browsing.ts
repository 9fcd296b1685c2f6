import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { cleanEnvironment, program, temporaryFolder } from '../../support/built-program.ts';
import { type Browser, chromium, type Host, type HostOptions, openHost, startBrowser } from './host.mjs';

/** Whether there is a Chromium to try views in. */
export const isHere = chromium() !== undefined;
if (!isHere && process.env.CHROMIUM_REQUIRED) throw new Error('views are not tried: there is no Chromium');
// Vitest shows it under the name of the test file.
if (!isHere)
  console.error("skipped: views are tried in Chromium, and none is here (Debian's package chromium)");

/** The timeout of a test of this suite, also for its waits. */
export const patiently = { timeout: 240_000 };

/** A browser for the tests of a file, hosts in it that each test ends without a fault, and the demo for them. */
export function startBrowsing() {
  const folder = temporaryFolder();
  const hosts: Host[] = [];
  let browser: Browser;
  beforeAll(async () => {
    if (isHere) browser = await startBrowser();
  });
  afterEach(async () => {
    const all = hosts.splice(0);
    await Promise.all(all.map((host) => host.close()));
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open(options: HostOptions = {}): Promise<Host> {
      const host = await openHost(browser, options);
      hosts.push(host);
      return host;
    },
    /** The built program with the demo's data, in English. */
    demo: (era: string): HostOptions => ({
      command: [process.execPath, program, '--demo', '--language', 'en'],
      env: cleanEnvironment({ DFE_DATA_DIR: folder.path }),
      era,
    }),
  };
}

/** Shows the answer of a tool of the demo, and returns its data. */
export async function showAnswer(host: Host, tool: string, args: object, context: object = { locale: 'en' }) {
  const page = `ui://docfiscal/${tool.endsWith('_document') ? 'document' : 'period'}.html`;
  const result = await host.call(tool, args);
  await host.show({ page, args, result, context });
  const { structuredContent } = result;
  return structuredContent as Record<string, unknown> & {
    readonly listed: readonly { readonly key: string; readonly number: string }[];
    readonly sums: readonly [{ readonly measures: Record<'total' | 'count', string> }];
    readonly total: number;
  };
}

/** The first note of a month of the demo. */
export async function aNote(host: Host) {
  const { structuredContent } = await host.call('query_documents', { ...lastMonth, limit: 1 });
  const [{ key }] = structuredContent.listed as [{ key: string }];
  return { document: 'nfe', key };
}

export const lastMonth = { document: 'nfe', from: 'last_month', direction: 'inbound' };
