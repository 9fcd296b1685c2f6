import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, temporaryFolder } from '../support/built-program.ts';
import { daysAgo } from '../support/recent-days.ts';
import { nodesToTry, npmCommand, withNode } from './nodes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The files of the repository as a clone has them: nothing built, nothing but what git knows. */
function cloned(): string {
  const clone = join(folder.path, 'clone');
  const known = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const path of known.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(root, path), join(clone, path));
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
  return clone;
}

function packed(): Packed {
  const args = [npmCommand('npm'), 'pack', '--json', '--pack-destination', folder.path];
  const told = execFileSync(process.execPath, args, { cwd: cloned(), stdio: ['ignore', 'pipe', 'inherit'] });
  // npm 12 reports by package name, npm 10 and 11 as a list.
  const [only] = Object.values(JSON.parse(told.toString()) as Record<string, Packed>);
  if (only === undefined) throw new Error('npm packed nothing');
  return only;
}

const tarball = packed();
const archive = join(folder.path, tarball.filename);

describe('the package', () => {
  const paths = tarball.files.map(({ path }) => path);

  it('holds the program, every part with its map, and what its licences ask for', () => {
    const parts = paths.filter((path) => /^dist\/[^/]+\.cjs$/.test(path));
    expect(parts).toContain('dist/docfiscal-mcp.cjs');
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((path) => !paths.includes(`${path}.map`))).toEqual([]);
    // What the program looks for beside itself when it draws.
    expect(paths).toEqual(expect.arrayContaining(['dist/package.json', 'dist/fonts/Helvetica.cjs']));
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md']));
  });

  it('holds nothing that is only for the workshop', () => {
    expect(paths.filter((path) => /^(src|test|scripts|bench|tools)\/|\.env|\.pem$/.test(path))).toEqual([]);
  });
});

const question = {
  document: 'nfe',
  direction: 'inbound',
  from: daysAgo(140),
  to: daysAgo(50),
  group_by: ['issuer'],
  measures: ['count', 'total'],
  limit: 5,
};

/** What `npx --package <file> docfiscal-mcp --demo` answers to a question, started in an empty folder. */
async function askByNpx(node: string, own: Readonly<Record<string, string>>) {
  const cwd = join(folder.path, `empty-${readdirSync(folder.path).length}`);
  mkdirSync(cwd);
  const transport = new StdioClientTransport({
    command: node,
    args: [npmCommand('npx'), '--yes', '--package', archive, 'docfiscal-mcp', '--demo'],
    cwd,
    env: withNode(node, cleanEnvironment(own)),
  });
  const client = new Client({ name: 'package-test', version: '1' });
  try {
    await client.connect(transport, { timeout: 200_000 });
    const { isError, structuredContent } = await client.callTool({
      name: 'query_documents',
      arguments: question,
    });
    return { isError: isError ?? false, answer: structuredContent, left: readdirSync(cwd) };
  } finally {
    await client.close();
  }
}

const answered = {
  isError: false,
  answer: expect.objectContaining({ complete: true, rows: expect.objectContaining({ length: 5 }) }),
  left: [],
};

describe.each([...nodesToTry(folder.path)])(
  'npx of the package in an empty folder, on Node %s',
  (version, node) => {
    const cache = { npm_config_cache: join(folder.path, `cache-${version}`) };

    it('answers a question over many documents', async () => {
      expect(await askByNpx(node, cache)).toMatchObject(answered);
    });

    it('answers it without any network once it is installed', async () => {
      const nowhere = 'http://127.0.0.1:1';
      const offline = {
        npm_config_offline: 'true',
        HTTP_PROXY: nowhere,
        HTTPS_PROXY: nowhere,
        NO_PROXY: '127.0.0.1',
      };
      expect(await askByNpx(node, { ...cache, ...offline })).toMatchObject(answered);
    });
  },
);
