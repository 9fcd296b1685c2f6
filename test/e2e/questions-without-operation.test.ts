import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { cteXml, nfeXml, nfseXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';

const days = { from: '2026-11-01', to: '2026-11-19' } as const;

let program: ConfiguredServer;

beforeAll(async () => {
  const documents = [nfeXml, nfseXml, cteXml].map((write) => write({ number: 1 }));
  program = await startConfigured({ respond: holding(documents) });
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.seen.length = 0;
});

/** The call that a refusal names, taken apart. */
function nearestIn(text: string): { call: string; tool: string; values: Record<string, string> } {
  const call = /has no operation for this.*The nearest that works: (.*?)\. /.exec(text)?.[1] ?? '';
  const [tool = '', ...pairs] = call.split(' ');
  return { call, tool, values: Object.fromEntries(pairs.map((pair) => pair.split('='))) };
}

describe('questions that the service has no operation for', () => {
  it.each(
    ['list_document_keys', 'list_documents'].flatMap((tool) =>
      ['nfe', 'nfse', 'cte'].flatMap((document) =>
        ['issue', 'entry', 'period'].flatMap((by) =>
          [undefined, 'inbound', 'outbound'].map((direction) => ({ tool, document, by, direction })),
        ),
      ),
    ),
  )('$tool $document by $by, $direction: works, or names one that does', async ({ tool, ...args }) => {
    const result = await program.call(tool, { ...args, ...days });
    if (!result.isError) return;
    expect(program.upstream.seen).toEqual([]);
    const named = nearestIn(result.text);
    expect((await program.call(named.tool, { ...named.values, ...days })).isError).toBe(false);
  });
});
