import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../archive/postgres-server.ts';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { accessKey, company, documentListReply, nfeXml } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import {
  json,
  type RecordingUpstream,
  type Responder,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';

/** The built program over HTTP, for tenants `one` and `two` that may both ask about the same company. */
interface Team {
  call(tenant: string, tool: string, args: object): Promise<{ isError?: boolean; text: string }>;
  close(): Promise<void>;
}

async function startTeam(url: string, env: Readonly<Record<string, string>> = {}): Promise<Team> {
  const folder = temporaryFolder();
  const tenants = ['one', 'two'].map((id) => ({
    id,
    who: [
      {
        token_sha256: createHash('sha256').update(`token-of-${id}`).digest('hex'),
        scopes: ['documents:read'],
      },
    ],
    companies: [company],
    settings: { DFE_URL: url, DFE_USER: `user-${id}`, DFE_PASSWORD: `password-of-${id}` },
  }));
  writeFileSync(join(folder.path, 'tenants.json'), JSON.stringify({ tenants }));
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [program, 'http', '--port', String(port)], {
    env: cleanEnvironment({
      DFE_TENANTS: join(folder.path, 'tenants.json'),
      DFE_DATA_DIR: join(folder.path, 'data'),
      DFE_LANGUAGE: 'en',
      ...env,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stderr ?? child, 'data'), ended]);
  child.stderr?.resume();
  return {
    async call(tenant, name, args) {
      const params = { name, arguments: args };
      const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer token-of-${tenant}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const text = await response.text();
      const data = text.split('\n').findLast((line) => line.startsWith('data: '));
      const { result } = JSON.parse(data?.slice(6) ?? text);
      return { isError: result.isError, text: JSON.stringify(result) };
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      folder.remove();
    },
  };
}

const number = 4711;
const key = accessKey({ number });
const days = { document: 'nfe', from: '2026-11-01', to: '2026-11-30' };

describe.each([{ kept: 'file' }, { kept: 'database' }])(
  'what is kept in a $kept of one tenant',
  ({ kept }) => {
    const isThere = kept === 'file' || findPostgres() !== undefined;
    let postgres: PostgresServer | undefined;
    let upstream: RecordingUpstream;
    let team: Team;
    let isFailing = false;

    /** The service shows its documents to tenant `one`, and to nobody else. */
    const respond: Responder = ({ query }, response) => {
      const isOne = query.some(([, value]) => value === 'user-one');
      if (isFailing) return json(response, { Message: 'away' }, 500);
      json(response, documentListReply(isOne ? [nfeXml({ number })] : []));
    };

    beforeAll(async () => {
      if (!isThere) return;
      upstream = await startRecordingUpstream(respond);
      postgres = kept === 'database' ? await startPostgres() : undefined;
      const database = await postgres?.createDatabase();
      team = await startTeam(upstream.url, {
        DFE_ARCHIVE: kept,
        ...(database && { DFE_DATABASE_URL: database.url }),
      });
    });

    afterAll(async () => {
      if (!isThere) return;
      await team.close();
      await upstream.close();
      await postgres?.stop();
    });

    it.skipIf(!isThere)('never answers another that has the same company', async () => {
      const mine = await team.call('one', 'query_documents', { ...days, group_by: ['issuer'] });
      expect(mine.text).toContain('1 document');
      expect((await team.call('one', 'list_documents', days)).text).toContain(key);

      const before = upstream.seen.length;
      const theirs = await team.call('two', 'query_documents', { ...days, group_by: ['issuer'] });
      expect(theirs.text).not.toContain('1 document');
      const asked = upstream.seen.slice(before);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.every(({ query }) => query.some(([, value]) => value === 'user-two'))).toBe(true);
      for (const tool of ['list_documents', 'check_documents', 'list_document_keys']) {
        expect((await team.call('two', tool, days)).text).not.toContain(key);
      }
      const read = await team.call('two', 'get_document', { document: 'nfe', key });
      expect(read.isError).toBe(true);
      expect(read.text).not.toContain('vNF');

      // Also where the service has nothing to say, what another has is no answer.
      isFailing = true;
      const failing = await team.call('two', 'list_documents', { ...days, refresh: true });
      expect(failing.text).toMatch(/0 in all.*INCOMPLETE/s);
      expect(failing.text).not.toContain('answered with an empty list');
      expect(failing.text).not.toContain(key);
      expect((await team.call('one', 'list_documents', days)).text).toContain(key);
    });
  },
);
