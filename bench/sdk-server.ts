// The yardstick of starting and of a call: the SDK's own server, current and bundled as ours is, with one tool that asks
// the service once and gives the reply back as it came. What it costs is the SDK's; what ours costs more is ours.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'yardstick', version: '1.0.0' }, {});
  server.registerTool(
    'ask',
    { description: 'Asks the service.', inputSchema: z.object({ key: z.string() }) },
    async ({ key }) => {
      const reply = await fetch(`${process.env.DFE_URL}/?key=${key}`);
      return { content: [{ type: 'text', text: await reply.text() }] };
    },
  );
  return server;
});
process.stdin.once('end', () => process.exit(0));
