import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, expect, it } from 'vitest';
import { singleCompany } from '../../src/company/company-resolver.ts';
import { type Asked, createServer } from '../../src/server/server.ts';
import { prepareContext } from '../support/tool-context.ts';

const { context, close } = prepareContext();
afterAll(close);

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const completion = {
  ref: { type: 'ref/prompt', name: 'month_closing' },
  argument: { name: 'month', value: '2' },
};

/** What a server answers that was made for this request, or with everything. */
async function answer(isModern: boolean, method: string, params: Record<string, unknown>, asked?: Asked) {
  const handler = createMcpHandler(() =>
    createServer(singleCompany(context.company), { scopes: ['documents:read'], asked }),
  );
  const name = params.name ?? params.uri;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(isModern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
    ...(isModern && typeof name === 'string' && { 'mcp-name': name }),
  };
  const all = { ...params, ...(isModern && { _meta: envelope }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all });
  const response = await handler.fetch(new Request('http://x/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  await handler.close();
  return { status: response.status, text };
}

it.each([
  [true, 'server/discover', {}],
  [false, 'initialize', initialize],
  [false, 'ping', {}],
  [true, 'tools/list', {}],
  [false, 'tools/list', {}],
  [true, 'tools/call', { name: 'list_document_keys', arguments: { document: 'x', chave: 'y' } }],
  [true, 'tools/call', { name: 'manifest_nfe', arguments: {} }],
  [true, 'tools/call', { name: 'no_such_tool', arguments: {} }],
  [true, 'prompts/list', {}],
  [true, 'prompts/get', { name: 'no_such_prompt' }],
  [true, 'resources/list', {}],
  [true, 'resources/templates/list', {}],
  [true, 'resources/read', { uri: 'dfe://nfe/1/summary' }],
  [true, 'completion/complete', completion],
  [false, 'logging/setLevel', { level: 'info' }],
  [true, 'no/such_method', {}],
])(
  'a server made for one request answers as one with everything (modern era: %s, %s %o)',
  async (isModern, method, params: Record<string, unknown>) => {
    const tool = method === 'tools/call' ? String(params.name) : undefined;
    const narrow = await answer(isModern, method, params, { method, tool });
    expect(narrow).toEqual(await answer(isModern, method, params));
    expect(narrow.text).not.toBe('');
  },
);
