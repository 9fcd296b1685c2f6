import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../archive/postgres-server.ts';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { accessKey, company as writer } from '../support/documents.ts';
import { answerEvents, documentsUser, keysOf } from '../support/event-service.ts';
import { freePort } from '../support/free-port.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';

/** `npm run kill-replicas` kills more often. */
const KILLS = Number(process.env.REPLICA_KILLS ?? 6);
const KILL_EVERY_MS = 2_500;
const WRITERS = 4;
const READERS = 2;

const reader = '48152036000117';
const tokens = { writer: `dfe_${'w'.repeat(43)}`, reader: `dfe_${'r'.repeat(43)}` };
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Answer {
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
  readonly text: string;
}

describe.skipIf(findPostgres() === undefined)(
  'two replicas and a database, one killed again and again',
  () => {
    let server: PostgresServer;
    let adminUrl: string;
    let sandbox: Sandbox;
    let upstream: RecordingUpstream;
    let env: Record<string, string>;
    const folder = temporaryFolder();
    const ports: number[] = [];
    const children: ChildProcess[] = [];

    beforeAll(async () => {
      server = await startPostgres();
      const database = await server.createDatabase();
      ({ adminUrl } = database);
      sandbox = await startNovemberSandbox();
      upstream = await startRecordingUpstream(
        async (request, response) => {
          await sleep(30);
          answerEvents(request, response);
        },
        { hasNotes: false },
      );
      const tenant = (id: string, token: string, company: string, settings: object) => ({
        id,
        who: [{ token_sha256: hashOf(token), scopes: ['documents:read', 'manifestation:write'] }],
        companies: [company],
        settings,
      });
      const tenants = [
        tenant('writer', tokens.writer, writer, { DFE_URL: upstream.url, ...documentsUser }),
        tenant('reader', tokens.reader, reader, {
          DFE_URL: sandbox.url,
          DFE_USER: sandbox.credentials.user,
          DFE_PASSWORD: sandbox.credentials.password,
        }),
      ];
      writeFileSync(join(folder.path, 'tenants.json'), JSON.stringify({ tenants }));
      writeFileSync(join(folder.path, 'key'), randomBytes(32).toString('base64'));
      env = cleanEnvironment({
        DFE_DATABASE_URL: database.url,
        DFE_TENANTS: join(folder.path, 'tenants.json'),
        DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
        DFE_LANGUAGE: 'en',
      });
      for (const index of [0, 1]) {
        ports[index] = await freePort();
        await startReplica(index);
      }
    });

    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([upstream.close(), sandbox.close(), server.stop()]);
      folder.remove();
    });

    async function startReplica(index: number): Promise<void> {
      const child = spawn(process.execPath, [program, 'http', '--port', String(ports[index])], {
        env: { ...env, DFE_DATA_DIR: join(folder.path, `replica-${index}`) },
        stdio: 'ignore',
      });
      children[index] = child;
      while (child.exitCode === null) {
        const response = await fetch(`http://127.0.0.1:${ports[index]}/readyz`).catch(() => undefined);
        if (response?.status === 200) return;
        await sleep(50);
      }
      throw new Error('a replica ended by itself');
    }

    async function kill(index: number): Promise<void> {
      const child = children[index];
      if (child === undefined) return;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }

    /** Undefined where the replica was killed under the call. */
    async function call(
      index: number,
      token: string,
      name: string,
      args: Readonly<Record<string, unknown>>,
    ): Promise<Answer | undefined> {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      try {
        const response = await fetch(`http://127.0.0.1:${ports[index]}/mcp`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-11-25',
            authorization: `Bearer ${token}`,
          },
          body: JSON.stringify(body),
        });
        const text = (await response.text()).replace(/^(?:event|id): .*\n/gm, '').replace(/^data: /gm, '');
        if (response.status !== 200) throw new TypeError(`status ${response.status}: ${text}`);
        const last = text.trim().split('\n').at(-1) ?? '';
        const { result } = JSON.parse(last) as {
          result: {
            structuredContent?: Record<string, unknown>;
            isError?: boolean;
            content: { text?: string }[];
          };
        };
        return {
          structured: result.structuredContent ?? {},
          isError: result.isError === true,
          text: result.content.map((part) => part.text ?? '').join('\n'),
        };
      } catch (error) {
        // Nobody listens, or the connection ended in the middle.
        if (error instanceof TypeError && !error.message.startsWith('status')) return undefined;
        throw error;
      }
    }

    /** An error that says to call again. */
    const isForLater = ({ text }: Answer): boolean => /again/i.test(text);

    const any = (): number => Math.floor(Math.random() * 2);

    it('names every write that arrived, none twice, no token twice; readers are told to call again at most', async () => {
      let isOver = false;
      let number = 0;
      const confirmed: string[] = [];
      const problems: string[] = [];

      async function write(): Promise<void> {
        number += 1;
        const args = { key: accessKey({ number }), event: 'ciencia' };
        const preview = await call(any(), tokens.writer, 'manifest_nfe', args);
        const token = preview?.structured.confirmation_token;
        if (preview?.isError === true && !isForLater(preview)) problems.push(preview.text);
        if (token === undefined) return;
        const yes = { ...args, confirmation_token: token };
        // The same yes reaches both replicas, at once or one after the other.
        const answers =
          number % 2 === 0
            ? await Promise.all([0, 1].map((index) => call(index, tokens.writer, 'manifest_nfe', yes)))
            : [
                await call(any(), tokens.writer, 'manifest_nfe', yes),
                await call(any(), tokens.writer, 'manifest_nfe', yes),
              ];
        if (answers.some((answer) => answer?.structured.status === 'done')) confirmed.push(args.key);
      }

      let read = 0;
      async function ask(): Promise<void> {
        const day = 1 + (read % 28);
        const question = {
          document: ['nfe'],
          cnpj: [reader],
          from: `2026-10-${String(day).padStart(2, '0')}`,
          to: '2026-10-31',
          measures: ['count'],
        };
        const answer = await call(any(), tokens.reader, 'query_documents', question);
        if (answer === undefined) return;
        if (answer.isError) {
          if (!isForLater(answer)) problems.push(answer.text);
          return;
        }
        const { complete, documents, from } = answer.structured;
        if (complete !== true) return;
        read += 1;
        counts.set(String(from), new Set([...(counts.get(String(from)) ?? []), Number(documents)]));
      }
      const counts = new Map<string, Set<number>>();

      const repeatedly = async (work: () => Promise<void>): Promise<void> => {
        while (!isOver) await work();
      };
      const workers = [
        ...Array.from({ length: WRITERS }, () => repeatedly(write)),
        ...Array.from({ length: READERS }, () => repeatedly(ask)),
      ];
      const over = Promise.all(workers);
      over.catch(() => undefined);
      for (let count = 0; count < KILLS; count += 1) {
        await sleep(KILL_EVERY_MS * (0.5 + Math.random() / 2));
        await kill(count % 2);
        await startReplica(count % 2);
      }
      await sleep(KILL_EVERY_MS);
      isOver = true;
      await over;

      expect(problems).toEqual([]);
      const arrived = keysOf(upstream.seen);
      expect(arrived.length).toBeGreaterThan(KILLS);
      expect(arrived.filter((key, index) => arrived.indexOf(key) !== index)).toEqual([]);
      expect(confirmed.filter((key) => !arrived.includes(key))).toEqual([]);
      const client = new pg.Client({ connectionString: adminUrl });
      await client.connect();
      const lines = await client.query<{ tenant: string; line: string }>(
        'select tenant, line from journal_lines',
      );
      await client.end();
      const intents = lines.rows
        .map(({ tenant, line }) => ({ tenant, ...(JSON.parse(line) as { line: string; keys?: string[] }) }))
        .filter(({ line }) => line === 'intent');
      const named = new Set(intents.flatMap(({ keys = [] }) => keys));
      expect(arrived.filter((key) => !named.has(key))).toEqual([]);
      expect(new Set(intents.map(({ tenant }) => tenant))).toEqual(new Set(['writer']));
      // The same period has the same documents, whoever collected it.
      expect(read).toBeGreaterThan(0);
      expect([...counts].filter(([, values]) => values.size > 1)).toEqual([]);
      process.stdout.write(
        `${arrived.length} writes arrived, ${read} questions were answered, ${KILLS} kills\n`,
      );
    });
  },
);
