import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startEntry } from '../support/conformance/entry.ts';
import { startTestServer } from '../support/http-server.ts';
import { newerNode } from './nodes.ts';

const suite = fileURLToPath(
  new URL('./node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const node = newerNode();
// Vitest shows it under the name of the test file.
if (node === undefined) console.error('skipped: the conformance suite needs Node 22, and none is here');

interface Verdict {
  readonly code: number | string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Runs the suite; what it does not score for a revision (extensions, what came later) counts for nothing here. */
function run(url: string, args: readonly string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const command = [suite, 'server', '--url', url, ...args];
    execFile(node ?? '', command, { maxBuffer: 64 * 1024 ** 2 }, (error, stdout) => {
      const [scored = '', others = ''] = stdout.split(/^Not scored for /m);
      const isOther = (name: string) => new RegExp(`^ +[✓✗] ${name} `, 'm').test(others);
      const named = (mark: string) =>
        [...scored.matchAll(new RegExp(`^${mark} ([\\w-]+): `, 'gm'))].flatMap(([, name = '']) =>
          isOther(name) ? [] : [name],
        );
      resolve({ code: error?.code ?? 0, passed: named('✓'), failed: named('✗') });
    });
  });
}

/** How many scenarios each revision of the protocol requires. Source: the suite's own `requirements`. */
const revisions = [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const;

/**
 * A server without sessions cannot ask a client of 2025-11-25 anything while a call is under way: the answer would
 * come to any replica. Source: docs/team.md, Conformance.
 */
const byNature = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];

it('an entry with sessions asks within the call, be the client’s stream beside it slow or not there', async () => {
  const entry = await startEntry(true);
  const withoutStream: typeof fetch = async (url, init) =>
    init?.method === 'GET' ? new Response(null, { status: 405 }) : fetch(url, init);
  const transport = new StreamableHTTPClientTransport(new URL(entry.url), { fetch: withoutStream });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  await client.connect(transport);
  const answer = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
  expect(JSON.stringify(answer)).toContain('action=decline');
  await client.close();
  await entry.close();
});

describe.skipIf(node === undefined)('the official conformance suite', () => {
  it.each(revisions)('passes whole for %s, with sessions for the older era', async (revision, count) => {
    const entry = await startEntry(true);
    const { code, passed, failed } = await run(entry.url, ['--requirements', revision]);
    await entry.close();
    expect(failed).toEqual([]);
    expect(passed).toHaveLength(count);
    expect(code).toBe(0);
  });

  it.each(revisions)(
    'passes for %s as served in production, but for what needs a session',
    async (revision, count) => {
      const entry = await startEntry(false);
      const { passed, failed } = await run(entry.url, ['--requirements', revision]);
      await entry.close();
      const exceptions = revision === '2025-11-25' ? byNature : [];
      expect(failed).toEqual(exceptions);
      expect(passed).toHaveLength(count - exceptions.length);
    },
  );

  it('passes with our own tools and resources, where it needs no fixtures', async () => {
    const server = await startTestServer({});
    const scenarios = {
      '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'prompts-list', 'dns-rebinding-protection'],
      '2026-07-28': [
        ...['tools-list', 'resources-list', 'prompts-list', 'caching', 'sep-2164-resource-not-found'],
        ...[
          'http-header-validation',
          'dns-rebinding-protection',
          'input-required-result-unsupported-methods',
        ],
      ],
    };
    for (const [revision, names] of Object.entries(scenarios)) {
      for (const name of names) {
        const { code } = await run(server.url, ['--scenario', name, '--spec-version', revision]);
        expect(code, `${name}, ${revision}`).toBe(0);
      }
    }
    await server.close();
  });
});
