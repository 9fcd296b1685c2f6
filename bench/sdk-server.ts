// The yardstick of starting and of a call, over stdio, or over HTTP with `BENCH_HTTP_PORT`: the SDK's own server, current
// and bundled as ours is, with one tool that asks the service once and answers what our tool answers: the reply's values
// as data of a declared form, and as text. What it costs is the SDK's; what ours costs more is ours.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const create = () => {
  const server = new McpServer({ name: 'yardstick', version: '1.0.0' }, {});
  server.registerTool(
    'ask',
    {
      description: 'Asks the service.',
      inputSchema: z.object({ key: z.string() }),
      outputSchema: z.object({ total: z.int(), records: z.array(z.record(z.string(), z.string())) }),
    },
    async ({ key }) => {
      const reply = await fetch(`${process.env.DFE_URL}/?key=${key}`);
      const { Itens: records } = (await reply.json()) as { Itens: Record<string, string>[] };
      const structuredContent = { total: records.length, records };
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    },
  );
  return server;
};

const port = process.env.BENCH_HTTP_PORT;
if (port !== undefined) {
  const handle = toNodeHandler(createMcpHandler(create));
  // As long as ours keeps them.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    void handle(request as Parameters<typeof handle>[0], response);
  });
  server.listen(Number(port), '127.0.0.1', () => {
    console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
} else {
  serveStdio(create);
  process.stdin.once('end', () => process.exit(0));
}
