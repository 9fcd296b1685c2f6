import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect, type ToolResult } from '../support/clients.ts';
import { confirmed } from '../support/confirmed.ts';
import { answerEvents, documentsUser, isAbout, keysOf, registered } from '../support/event-service.ts';
import { converse, type ModernProgram, type ModernReply } from '../support/modern-conversation.ts';
import { company, keyOfNote, keysOfNotes } from '../support/notes.ts';
import {
  json,
  type RecordingUpstream,
  type Responder,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';

const registerAll: Responder = (request, response) => answerEvents(request, response);

let upstream: RecordingUpstream;
let folder: ReturnType<typeof temporaryFolder>;
let open: { close(): Promise<void> }[];

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    DFE_URL: upstream.url,
    ...documentsUser,
    DFE_CNPJ: company,
    DFE_DATA_DIR: folder.path,
    DFE_LANGUAGE: 'en',
    ...more,
  };
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Connection> {
  const connection = await connect('v1', { env: environment(env) });
  open.push(connection);
  return connection;
}

function startModern(env: Readonly<Record<string, string>> = environment()): ModernProgram {
  const conversation = converse(env);
  open.push({ close: () => conversation.kill() });
  return conversation;
}

/** What `doctor` says of the journal of a data folder; without a service, so that none is asked. */
async function doctorOnWrites(path = folder.path): Promise<string> {
  const env = { DFE_DATA_DIR: path, DFE_LANGUAGE: 'en' };
  const { stdout } = await runProgram(['doctor', '--json'], env);
  const { writes } = JSON.parse(stdout) as { writes: { status: string; message: string } };
  expect(writes.status).toBe('ok');
  return writes.message;
}

/** The data of a write's answer to a modern call. */
function structuredOf({ result }: ModernReply): { preview: string; confirmation_token: string } {
  expect(result).toMatchObject({ structuredContent: { status: 'confirmation_required' } });
  return result?.structuredContent as never;
}

function previewOf({ structured }: ToolResult): string {
  expect(structured?.status).toBe('confirmation_required');
  return String(structured?.preview);
}

function statuses({ structured }: ToolResult): unknown[] {
  const { results } = structured as { results: { status: string }[] };
  return results.map(({ status }) => status);
}

const journalPath = () => join(folder.path, 'journal.jsonl');

beforeEach(async () => {
  open = [];
  folder = temporaryFolder();
  upstream = await startRecordingUpstream(registerAll);
});

afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  await upstream.close();
  folder.remove();
});

describe('a reply that is lost', () => {
  const key = keyOfNote(1);
  const body = JSON.stringify(registered({ ChaveNFe: key, TipoEvento: '210210', Motivo: '' }));

  const losses: readonly (readonly [string, Responder])[] = [
    [
      'comes too late',
      async (_, response) => {
        await sleep(1_500);
        json(response, JSON.parse(body));
      },
    ],
    [
      'breaks off in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.write(body.slice(0, 40), () => response.destroy());
      },
    ],
    ['is shorter than a reply, though whole', (_, response) => void response.end(body.slice(0, 40))],
    ['never begins', (_, response) => void response.destroy()],
    ['is a 500 after the work', (_, response) => json(response, { Message: 'An error has occurred.' }, 500)],
    ['is a 502 of a proxy', (_, response) => void response.writeHead(502).end('<html>Bad gateway</html>')],
    ['is a page of another program', (_, response) => void response.end('<html><body>Login</body></html>')],
    ['is empty', (_, response) => void response.writeHead(204).end()],
    ['is there twice in one body', (_, response) => void response.end(body + body)],
    ['is of another note', (_, response) => json(response, { ...JSON.parse(body), ChaveNFe: keyOfNote(2) })],
  ];

  it.each(losses)('leaves the outcome unknown when it %s; one look-up settles it', async (_, lose) => {
    upstream.respond(lose);
    const connection = await start({ DFE_TIMEOUT: '1' });
    const args = { key, event: 'ciencia' };
    const lost = await confirmed(connection, 'manifest_nfe', args);
    expect(lost.isError).toBe(false);
    expect(lost.structured).toMatchObject({ status: 'unknown', results: [{ key, status: 'unknown' }] });
    expect(lost.text).toMatch(/get_nfe_event_status/);
    expect(upstream.seen.map(({ method }) => method)).toEqual(['POST']);

    expect(previewOf(await connection.call('manifest_nfe', args))).toMatch(
      new RegExp(`may have been sent for key ${key} .*Look up`),
    );

    upstream.respond(registerAll);
    const settled = await connection.call('get_nfe_event_status', args);
    expect(settled.structured).toMatchObject({ key, status_code: '135', success: 1 });
    expect(settled.text).toMatch(/settled in the journal/);
    expect(previewOf(await connection.call('manifest_nfe', args))).toMatch(
      new RegExp(`was sent for key ${key} .*135`),
    );
    expect(upstream.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is not settled by an answer about another event or another note, nor by one without a known code', async () => {
    upstream.respond((_, response) => void response.destroy());
    const connection = await start();
    const args = { key, event: 'ciencia' };
    await confirmed(connection, 'manifest_nfe', args);

    upstream.respond(registerAll);
    await connection.call('get_nfe_event_status', { key, event: 'confirmacao' });
    upstream.respond((_, response) => json(response, { ...JSON.parse(body), ChaveNFe: keyOfNote(2) }));
    const ofAnother = await connection.call('get_nfe_event_status', args);
    expect(ofAnother.text).toMatch(/question was about/);
    upstream.respond((_, response) => json(response, { ChaveNFe: key, Mensagem: 'Consultado', Sucesso: 1 }));
    await connection.call('get_nfe_event_status', args);
    upstream.respond((_, response) =>
      json(response, { ChaveNFe: key, Evento: '210200', Mensagem: '135 - registrado', Sucesso: 1 }),
    );
    await connection.call('get_nfe_event_status', args);
    expect(previewOf(await connection.call('manifest_nfe', args))).toMatch(/may have been sent/);
  });

  it('of one part of a batch leaves the others known', async () => {
    const keys = keysOfNotes(10, 40);
    let parts = 0;
    upstream.respond((request, response) => {
      parts += 1;
      if (parts === 2) return json(response, { Message: 'An error has occurred.' }, 500);
      return answerEvents(request, response);
    });
    const done = await confirmed(await start(), 'manifest_nfe_batch', { keys, event: 'ciencia' });
    const [first, second, ...rest] = upstream.seen.map((request) => keysOf([request]));
    expect(rest.length).toBeGreaterThan(0);
    expect(done.structured?.status).toBe('partly');
    expect(statuses(done)).toEqual([
      ...(first ?? []).map(() => 'done'),
      ...(second ?? []).map(() => 'unknown'),
      ...rest.flat().map(() => 'done'),
    ]);
    expect(keysOf(upstream.seen)).toEqual(keys);
  });

  it('is not mistaken for the next one when the service answers one request twice', async () => {
    const [one = '', two = ''] = keysOfNotes(60, 2);
    upstream.respond((request, response) => {
      if (!isAbout([one])(request)) return answerEvents(request, response);
      const reply = JSON.stringify(registered({ ChaveNFe: one, TipoEvento: '210210', Motivo: '' }));
      const message = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;
      response.socket?.write(message + message);
      return undefined;
    });
    const connection = await start();
    const first = await confirmed(connection, 'manifest_nfe', { key: one, event: 'ciencia' });
    expect(['done', 'unknown']).toContain(first.structured?.status);
    const second = await confirmed(connection, 'manifest_nfe', { key: two, event: 'ciencia' });
    expect(second.structured).toMatchObject({ status: 'done', results: [{ key: two, status: 'done' }] });
    expect(keysOf(upstream.seen)).toEqual([one, two]);
  });
});

describe('a journal that fails after a request went out', () => {
  function spoilFolder(): void {
    renameSync(folder.path, `${folder.path}-away`);
    writeFileSync(folder.path, '');
  }

  function mendFolder(): void {
    rmSync(folder.path);
    renameSync(`${folder.path}-away`, folder.path);
  }

  it('hides nothing of what was done, and keeps the intent', async () => {
    const key = keyOfNote(1);
    upstream.respond((request, response) => {
      spoilFolder();
      answerEvents(request, response);
    });
    const connection = await start();
    const done = await confirmed(connection, 'manifest_nfe', { key, event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    mendFolder();
    expect(previewOf(await connection.call('manifest_nfe', { key, event: 'ciencia' }))).toContain(
      `for key ${key}`,
    );
  });

  it('stops a batch before the next part', async () => {
    const keys = keysOfNotes(1, 40);
    upstream.respond((request, response) => {
      spoilFolder();
      answerEvents(request, response);
    });
    const partly = await confirmed(await start(), 'manifest_nfe_batch', { keys, event: 'ciencia' });
    mendFolder();
    expect(upstream.seen).toHaveLength(1);
    const sent = keysOf(upstream.seen);
    expect(partly.structured?.status).toBe('partly');
    expect(statuses(partly)).toEqual(keys.map((key) => (sent.includes(key) ? 'done' : 'not_sent')));
    expect(partly.text).toMatch(/DFE_DATA_DIR/);
  });
});

describe('a process killed between the request and the reply', () => {
  it('leaves an intent that the next one reports and a look-up settles', async () => {
    const key = keyOfNote(7);
    const args = { key, event: 'nao_realizada', justification: 'Mercadoria recusada na portaria' };
    upstream.respond(() => undefined);
    const killed = startModern();
    const { confirmation_token } = structuredOf(await killed.call('manifest_nfe', args));
    killed.post('manifest_nfe', { ...args, confirmation_token });
    await expect.poll(() => upstream.seen.length, { timeout: 10_000 }).toBe(1);
    await killed.kill();

    upstream.respond(registerAll);
    expect(await doctorOnWrites()).toMatch(/1 writes whose outcome is unknown/);
    const next = await start();
    const replayed = await next.call('manifest_nfe', { ...args, confirmation_token });
    expect(replayed.structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
    expect(previewOf(await next.call('manifest_nfe', args))).toMatch(/may have been sent/);
    expect(next.stderr()).toMatch(/1 writes whose outcome is unknown/);
    const settled = await next.call('get_nfe_event_status', { key, event: 'nao_realizada' });
    expect(settled.text).toMatch(/settled/);
    expect(previewOf(await next.call('manifest_nfe', args))).toMatch(/was sent for key .*135/);
    expect(await doctorOnWrites()).not.toMatch(/unknown/);
    expect(upstream.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('in the middle of a line leaves a journal that is read, reported and written on', async () => {
    const [one = '', two = ''] = keysOfNotes(1, 2);
    const connection = await start();
    await confirmed(connection, 'manifest_nfe', { key: one, event: 'ciencia' });
    const [firstLine = ''] = readFileSync(journalPath(), 'utf8').split('\n');
    appendFileSync(journalPath(), firstLine.slice(0, firstLine.length / 2));
    const torn = previewOf(await connection.call('manifest_nfe', { key: one, event: 'ciencia' }));
    expect(torn).toMatch(/was sent for key .*135/);
    expect(torn).toMatch(/ends inside a line/);
    expect(await doctorOnWrites()).toMatch(/unreadable/);

    await confirmed(connection, 'manifest_nfe', { key: two, event: 'ciencia' });
    const mended = previewOf(await connection.call('manifest_nfe', { key: two, event: 'ciencia' }));
    expect(mended).toMatch(/was sent for key .*135/);
    expect(mended).toMatch(/unreadable/);
    expect(mended).not.toMatch(/ends inside a line/);
    expect(readFileSync(journalPath(), 'utf8').startsWith(firstLine)).toBe(true);
  });
});

describe('two processes with one journal', () => {
  it('write whole lines side by side', async () => {
    const processes = await Promise.all([start(), start()]);
    const work = processes.map(async (connection, index) => {
      for (const round of [0, 1, 2, 3, 4]) {
        const keys = keysOfNotes(1 + 100 * (10 * index + round), 12);
        await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
      }
    });
    await Promise.all(work);
    const lines = readFileSync(journalPath(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: string; key?: string; keys?: string[] });
    const keysIn = (kind: string) =>
      lines.filter(({ line }) => line === kind).flatMap(({ key, keys = [] }) => key ?? keys);
    expect(keysIn('intent').toSorted()).toEqual(keysOf(upstream.seen).toSorted());
    expect(keysIn('outcome').toSorted()).toEqual(keysOf(upstream.seen).toSorted());
    expect(keysOf(upstream.seen)).toHaveLength(120);
  });
});

describe('fifty kills at random moments', () => {
  const LANES = 5;
  const ROUNDS = 10;
  const KEYS = 12;
  const LATEST_KILL_MS = 200;
  const justification = `Mercadoria recusada: ${'motivo '.repeat(28)}`.trim();

  /** Numbers from 0 to 1 that are the same in every run. Source: the generator "mulberry32". */
  function createRandom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  /** What a new process tells of these keys, by key: the line of its preview. */
  async function remembered(
    conversation: ModernProgram,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const args = { keys, event: 'nao_realizada', justification };
    const { preview } = structuredOf(await conversation.call('manifest_nfe_batch', args));
    const lines = preview.split('\n').filter((line) => /^This event /.test(line));
    return new Map(
      keys.flatMap((key) => {
        const line = lines.find((one) => one.includes(key));
        return line === undefined ? [] : [[key, line] as const];
      }),
    );
  }

  /**
   * Begins a batch and kills the process at some moment after that; in every other round after the first request,
   * however long the process takes to come to it.
   */
  async function beginAndKill(
    conversation: ModernProgram,
    keys: readonly string[],
    { isAfterRequest, killAfter }: { isAfterRequest: boolean; killAfter: number },
  ): Promise<void> {
    const args = { keys, event: 'nao_realizada', justification };
    const { confirmation_token } = structuredOf(await conversation.call('manifest_nfe_batch', args));
    conversation.post('manifest_nfe_batch', { ...args, confirmation_token });
    if (isAfterRequest) {
      await expect.poll(() => upstream.seen.some(isAbout(keys)), { timeout: 10_000, interval: 5 }).toBe(true);
    }
    await sleep(killAfter);
    await conversation.kill();
  }

  interface Tally {
    sent: number;
    unknown: number;
    done: number;
  }

  async function checkRound(conversation: ModernProgram, keys: readonly string[], tally: Tally) {
    const told = await remembered(conversation, keys);
    const sent = keysOf(upstream.seen.filter(isAbout(keys)));
    expect(new Set(sent).size).toBe(sent.length);
    for (const key of sent) expect(told.get(key)).toMatch(/may have been sent|was sent .*135/);
    for (const [key, line] of told) {
      if (!sent.includes(key)) expect(line).toMatch(/may have been sent/);
      if (/may have been sent/.test(line)) tally.unknown += 1;
      else tally.done += 1;
    }
    tally.sent += sent.length;
  }

  async function runLane(lane: number): Promise<Tally> {
    const random = createRandom(lane + 1);
    const tally: Tally = { sent: 0, unknown: 0, done: 0 };
    const env = environment({ DFE_DATA_DIR: join(folder.path, `lane-${lane}`) });
    let previous: string[] | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const conversation = startModern(env);
      if (previous !== undefined) await checkRound(conversation, previous, tally);
      previous = keysOfNotes(1 + KEYS * (ROUNDS * lane + round), KEYS);
      await beginAndKill(conversation, previous, {
        isAfterRequest: round % 2 === 1,
        killAfter: random() * LATEST_KILL_MS,
      });
    }
    const last = startModern(env);
    await checkRound(last, previous ?? [], tally);
    const message = await doctorOnWrites(env.DFE_DATA_DIR);
    const [, count = '0'] = /There are (\d+) writes/.exec(message) ?? [];
    expect(Number(count)).toBe(tally.unknown);
    return tally;
  }

  it('leave a journal that names every event that may have been performed', async () => {
    upstream.respond(async (request, response) => {
      await sleep(20);
      return answerEvents(request, response);
    });
    const tallies = await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
    const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
    expect(sum('sent')).toBeGreaterThan(0);
    expect(sum('unknown')).toBeGreaterThan(0);
    expect(sum('done')).toBeGreaterThan(0);
  }, 120_000);
});
