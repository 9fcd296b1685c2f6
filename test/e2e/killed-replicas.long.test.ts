import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../archive/postgres-server.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { ToolResult } from '../support/clients.ts';
import { accessKey, company as writer } from '../support/documents.ts';
import { duringTests } from '../support/during-tests.ts';
import { answerEvents, documentsUser, keysOf } from '../support/event-service.ts';
import { freePort } from '../support/free-port.ts';
import { type HttpProgram, startHttpProgram, tenantOf } from '../support/http-server.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';

/** `npm run kill-replicas` kills more often. */
const KILLS = Number(process.env.REPLICA_KILLS ?? 6);
const KILL_EVERY_MS = 2_500;
const WRITERS = 4;
const READERS = 2;

const reader = '48152036000117';
const tokens = { writer: `dfe_${'w'.repeat(43)}`, reader: `dfe_${'r'.repeat(43)}` };

describe.skipIf(findPostgres() === undefined)(
  'two replicas and a database, one killed again and again',
  () => {
    let server: PostgresServer;
    let adminUrl: string;
    const sandbox = duringTests(startNovemberSandbox);
    const upstream = duringTests(() =>
      startRecordingUpstream(
        async (request, response) => {
          await sleep(30);
          answerEvents(request, response);
        },
        { hasNotes: false },
      ),
    );
    let env: Record<string, string>;
    const folder = temporaryFolder();
    const ports: number[] = [];
    const replicas: HttpProgram[] = [];

    async function startReplica(index: number): Promise<void> {
      const own = { ...env, DFE_DATA_DIR: join(folder.path, `replica-${index}`) };
      replicas[index] = await startHttpProgram(ports[index] ?? 0, own);
    }

    beforeAll(async () => {
      server = await startPostgres();
      const database = await server.createDatabase();
      ({ adminUrl } = database);
      const { user, password } = sandbox.credentials;
      const tenants = [
        tenantOf('writer', tokens.writer, writer, { DFE_URL: upstream.url, ...documentsUser }),
        tenantOf('reader', tokens.reader, reader, {
          DFE_URL: sandbox.url,
          DFE_USER: user,
          DFE_PASSWORD: password,
        }),
      ];
      writeFileSync(join(folder.path, 'tenants.json'), JSON.stringify({ tenants }));
      writeFileSync(join(folder.path, 'key'), randomBytes(32).toString('base64'));
      env = {
        DFE_DATABASE_URL: database.url,
        DFE_TENANTS: join(folder.path, 'tenants.json'),
        DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
      };
      for (const index of [0, 1]) {
        ports[index] = await freePort();
        await startReplica(index);
      }
    });
    afterAll(async () => {
      for (const replica of replicas) await replica.end('SIGKILL');
      await server.close();
    });

    /** Undefined where the replica was killed under the call. */
    async function call(
      index: number,
      token: string,
      tool: string,
      args: object,
    ): Promise<ToolResult | undefined> {
      try {
        return await replicas[index]?.call(token, tool, args);
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    }
    const any = (): number => Math.floor(Math.random() * 2);

    it('names every write that arrived, none twice, no token twice; at most a reader has to call again', async () => {
      let isOver = false;
      let number = 0;
      let read = 0;
      const confirmed: string[] = [];
      const problems: string[] = [];
      const counts = new Map<string, Set<number>>();
      /** An error that says anything else than to call again. */
      const note = ({ isError, text }: ToolResult) => {
        if (isError && !/again/i.test(text)) problems.push(text);
      };

      async function write(): Promise<void> {
        number += 1;
        const args = { key: accessKey({ number }), event: 'ciencia' };
        const preview = await call(any(), tokens.writer, 'manifest_nfe', args);
        if (preview !== undefined) note(preview);
        const token = preview?.structured?.confirmation_token;
        if (token === undefined) return;
        // The same yes reaches both replicas, at once or one after the other.
        const sayYes = (index: number) =>
          call(index, tokens.writer, 'manifest_nfe', { ...args, confirmation_token: token });
        const answers =
          number % 2 === 0
            ? await Promise.all([0, 1].map(sayYes))
            : [await sayYes(any()), await sayYes(any())];
        if (answers.some((answer) => answer?.structured?.status === 'done')) confirmed.push(args.key);
      }

      async function ask(): Promise<void> {
        const from = `2026-10-${String(1 + (read % 28)).padStart(2, '0')}`;
        const question = { document: ['nfe'], cnpj: [reader], from, to: '2026-10-31', measures: ['count'] };
        const answer = await call(any(), tokens.reader, 'query_documents', question);
        if (answer === undefined) return;
        note(answer);
        if (answer.structured?.complete !== true) return;
        read += 1;
        counts.set(from, new Set([...(counts.get(from) ?? []), Number(answer.structured.documents)]));
      }

      const repeatedly = async (work: () => Promise<void>): Promise<void> => {
        while (!isOver) await work();
      };
      const workers = [...Array(WRITERS).fill(write), ...Array(READERS).fill(ask)].map(repeatedly);
      const over = Promise.all(workers);
      over.catch(() => undefined);
      for (let count = 0; count < KILLS; count += 1) {
        await sleep(KILL_EVERY_MS * (0.5 + Math.random() / 2));
        await replicas[count % 2]?.end('SIGKILL');
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
      const { rows } = await client.query<{ tenant: string; line: string }>(
        'select tenant, line from journal_lines',
      );
      await client.end();
      const intents = rows
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
