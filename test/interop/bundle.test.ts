import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, it } from 'vitest';
import { cleanEnvironment, temporaryFolder } from '../support/built-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());

it('the bundle validates, and starts as a host unpacks it, with nothing filled in', async () => {
  const [bundle, unpacked] = [join(folder.path, 'docfiscal.mcpb'), join(folder.path, 'unpacked')];
  execFileSync(process.execPath, [join(root, 'scripts', 'bundle.mjs'), bundle], { stdio: 'pipe' });
  const program = join(root, 'tools', 'bundle', 'node_modules', '.bin', 'mcpb');
  execFileSync(process.execPath, [program, 'unpack', bundle, unpacked], { stdio: 'pipe' });
  const {
    server,
    user_config: form,
    tools,
  } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
  const put = (text: string) =>
    text
      .replaceAll(/\$\{__dirname\}/g, unpacked)
      .replace(/\$\{user_config\.(\w+)\}/g, (_, field) => String(form[field].default));
  const env = Object.entries(server.mcp_config.env as Record<string, string>);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: server.mcp_config.args.map(put),
      env: cleanEnvironment(Object.fromEntries(env.map(([name, text]) => [name, put(text)]))),
    }),
  );
  try {
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(tools.map(({ name }: { name: string }) => name));
  } finally {
    await client.close();
  }
});
