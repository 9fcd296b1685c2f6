import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { singleCompany } from '../../src/company/company-resolver.ts';
import type { Scope } from '../../src/config/settings.ts';
import { createServer } from '../../src/server/server.ts';
import { tools } from '../../src/tools/index.ts';
import { prepareContext } from '../support/tool-context.ts';

/** How often a JSON Schema was made of a tool's input or output. */
let made = 0;

/** Our tools with schemas that count what is made of them. */
const counted = tools.map((tool) => {
  const counting = (make: typeof tool.input) => {
    let schema: ReturnType<typeof make> | undefined;
    return () => {
      if (schema !== undefined) return schema;
      schema = make().clone() as ReturnType<typeof make>;
      const { processJSONSchema } = schema._zod;
      schema._zod.processJSONSchema = (...args) => {
        made += 1;
        return processJSONSchema?.apply(schema?._zod, args);
      };
      return schema;
    };
  };
  return { ...tool, input: counting(tool.input), output: counting(tool.output) };
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

it('JSON Schemas are made once per process, however many requests, callers and eras there are', async () => {
  const { context, close } = prepareContext();
  const callers: Scope[][] = [['documents:read'], ['documents:read', 'manifestation:write']];
  let turn = 0;
  const handler = createMcpHandler(() => {
    turn += 1;
    return createServer(singleCompany(context.company), { scopes: callers[turn % 2], tools: counted });
  });
  const ask = async (isModern: boolean, method: string, params: Record<string, unknown> = {}) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(isModern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
      ...(isModern && typeof params.name === 'string' && { 'mcp-name': params.name }),
    };
    const all = { ...params, ...(isModern && { _meta: envelope }) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all });
    const response = await handler.fetch(new Request('http://x/mcp', { method: 'POST', headers, body }));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  const all = async () => {
    for (const isModern of [true, false]) {
      for (let round = 0; round < 2; round++) {
        expect(await ask(isModern, 'tools/list')).toContain('list_document_keys');
        await ask(isModern, 'tools/call', { name: 'check_connection', arguments: {} });
        await ask(isModern, 'tools/call', { name: 'list_document_keys', arguments: { document: 'x' } });
      }
    }
    await ask(true, 'server/discover');
  };
  await all();
  const first = made;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(2 * tools.length);
  await all();
  expect(made).toBe(first);
  await handler.close();
  await close();
});
