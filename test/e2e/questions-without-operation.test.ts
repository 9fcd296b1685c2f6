import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import { smallService } from '../support/small-service.ts';

const cteKey = accessKey({ number: 1, model: '57' });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;

let program: ConfiguredServer;

beforeAll(async () => {
  program = await startConfigured({ respond: smallService });
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.respond(smallService);
  program.upstream.seen.length = 0;
});

/** The call that a refusal names, taken apart. */
function nearestIn(text: string): { call: string; tool: string; values: Record<string, string> } {
  const call = /has no operation for this.*The nearest that works: (.*?)\. /.exec(text)?.[1] ?? '';
  const [tool = '', ...pairs] = call.split(' ');
  return { call, tool, values: Object.fromEntries(pairs.map((pair) => pair.split('='))) };
}

describe('questions that the service has no operation for', () => {
  const inbound = { direction: 'inbound' } as const;

  it.each([
    [
      'list_document_keys',
      { document: 'nfe', ...inbound },
      'list_documents document=nfe by=issue direction=inbound',
    ],
    [
      'list_document_keys',
      { document: 'nfe', by: 'entry', direction: 'outbound' },
      'list_documents document=nfe by=entry direction=outbound',
    ],
    [
      'list_document_keys',
      { document: 'nfe', by: 'period', ...inbound },
      'list_documents document=nfe by=issue direction=inbound',
    ],
    [
      'list_document_keys',
      { document: 'nfe', approved_only: true },
      'list_document_keys document=nfe by=issue',
    ],
    [
      'list_document_keys',
      { document: 'nfse' },
      'list_document_keys document=nfse by=issue direction=inbound',
    ],
    [
      'list_document_keys',
      { document: 'nfse', by: 'entry', approved_only: true },
      'list_document_keys document=nfse by=entry direction=inbound approved_only=true',
    ],
    [
      'list_document_keys',
      { document: 'nfse', by: 'period', direction: 'outbound' },
      'list_document_keys document=nfse by=issue direction=outbound',
    ],
    ['list_document_keys', { document: 'cte' }, 'list_document_keys document=cte by=issue direction=inbound'],
    [
      'list_document_keys',
      { document: 'cte', approved_only: true },
      'list_document_keys document=cte by=issue direction=inbound',
    ],
    [
      'list_document_keys',
      { document: 'cte', by: 'period' },
      'list_document_keys document=cte by=issue direction=inbound',
    ],
    [
      'list_document_keys',
      { document: 'cte', by: 'entry', direction: 'outbound' },
      'list_documents document=cte by=entry direction=outbound',
    ],
    ['list_documents', { document: 'nfse', by: 'period' }, 'list_documents document=nfse by=issue'],
    [
      'list_documents',
      { document: 'nfse', by: 'period', direction: 'outbound' },
      'list_documents document=nfse by=issue direction=outbound',
    ],
    ['list_documents', { document: 'cte', by: 'period' }, 'list_documents document=cte by=issue'],
    [
      'list_documents',
      { document: 'nfe', by: 'period', ...inbound },
      'list_documents document=nfe by=issue direction=inbound',
    ],
  ])('%s %j is answered with a call that works', async (tool, args, nearest) => {
    const more = tool === 'get_document' ? {} : days;
    const refused = await program.call(tool, { ...args, ...more });
    expect(refused.isError).toBe(true);
    expect(program.upstream.seen).toEqual([]);
    const named = nearestIn(refused.text);
    expect(named.call).toBe(nearest);
    const key = tool === 'get_document' && { key: cteKey };
    const result = await program.call(named.tool, { ...named.values, ...more, ...key });
    expect(result.isError, result.text).toBe(false);
  });

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
