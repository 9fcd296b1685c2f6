import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { daysAgo } from '../support/recent-days.ts';
import { newerNode } from './nodes.ts';

const inspector = fileURLToPath(
  new URL('./node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
const node = newerNode();
// Vitest shows it under the name of the test file.
if (node === undefined) console.error('skipped: the Inspector needs Node 22.19, and none is here');

const folder = temporaryFolder();

interface Inspected {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the inspector, a third-party client, against the demo on the current Node. */
function inspect(era: string, args: readonly string[]): Promise<Inspected> {
  const command = ['--cli', process.execPath, program, '--demo', '--language', 'en'];
  const options = ['--protocol-era', era, '--format', 'json', '-q', ...args];
  // Its own settings and catalogue stay out of the person's home.
  const own = {
    HOME: folder.path,
    USERPROFILE: folder.path,
    MCP_CATALOG_PATH: join(folder.path, 'catalogue.json'),
  };
  return new Promise((resolve) => {
    execFile(
      node ?? process.execPath,
      [inspector, ...command, ...options],
      { env: cleanEnvironment(own), timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe.skipIf(node === undefined).each(['legacy', 'modern'])('the inspector, in the %s era', (era) => {
  it('lists the tools and finds their schemas portable', async () => {
    const { code, stdout, stderr } = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"list_documents"');
  });

  it('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'list_document_keys'];
    const args = { document: 'nfe', from: daysAgo(14), to: daysAgo(1), limit: 3 };
    const { code, stdout } = await inspect(era, [...call, '--tool-args-json', JSON.stringify(args)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/"shown":\s*3/);
  });

  it('finds the views, and that no tool that writes has one or is for one', async () => {
    const { code, stdout, stderr } = await inspect(era, [
      '--method',
      'tools/list',
      '--app-info',
      '--advertise-apps',
    ]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const apps = told
      .filter(({ hasApp }) => hasApp)
      .map(({ toolName, resourceUri }) => [toolName, resourceUri]);
    expect(Object.fromEntries(apps)).toEqual({
      get_document: 'ui://docfiscal/document.html',
      verify_document: 'ui://docfiscal/document.html',
      query_documents: 'ui://docfiscal/period.html',
      list_pending_manifestations: 'ui://docfiscal/period.html',
      reconcile: 'ui://docfiscal/period.html',
    });
    expect(told.find(({ toolName }) => toolName === 'get_document')).toMatchObject({
      resourceMimeType: 'text/html;profile=mcp-app',
      prefersBorder: true,
    });
  });

  it('is told of a failing call', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'get_document'];
    const { code, stdout, stderr } = await inspect(era, [...call, '--tool-args-json', '{"document":"nfe"}']);
    expect(code).toBe(5);
    expect(stdout + stderr).toContain('the 44-character access key');
  });
});
