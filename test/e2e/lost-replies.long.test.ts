import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, connect, type ToolResult } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { accessKey, accessKeys } from '../support/documents.ts';
import { answerEvents, isAbout, keysOf, registered } from '../support/event-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { converse, type ModernProgram } from '../support/modern-conversation.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { doctorOnWrites, justification, structuredOf, toldOf } from './remembered-writes.ts';

const registerAll: Responder = (request, response) => answerEvents(request, response);

let server: ConfiguredServer;
let open: { close(): Promise<void> }[];

async function startProgram(): Promise<Connection> {
  const connection = await connect('v1', { env: server.env });
  open.push(connection);
  return connection;
}

function startModern(): ModernProgram {
  const conversation = converse(server.env);
  open.push({ close: () => conversation.kill() });
  return conversation;
}

function previewOf({ structured }: ToolResult): string {
  expect(structured?.status).toBe('confirmation_required');
  return String(structured?.preview);
}

function statuses({ structured }: ToolResult): unknown[] {
  const { results } = structured as { results: { status: string }[] };
  return results.map(({ status }) => status);
}

const journalPath = () => join(server.dataFolder, 'journal.jsonl');

beforeEach(async () => {
  open = [];
  server = await startConfigured({ respond: registerAll, hasNotes: false });
});

afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  await server.close();
});

describe('a reply that is lost', () => {
  const key = accessKey({ number: 1 });
  const body = JSON.stringify(registered({ ChaveNFe: key, TipoEvento: '210210', Motivo: '' }));

  const losses: readonly (readonly [string, Responder])[] = [
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
    [
      'is of another note',
      (_, response) => json(response, { ...JSON.parse(body), ChaveNFe: accessKey({ number: 2 }) }),
    ],
  ];

  const args = { key, event: 'ciencia' };

  async function expectUnknownUntilLookedUp(connection: Connection, lost: ToolResult): Promise<void> {
    expect(lost.isError).toBe(false);
    expect(lost.structured).toMatchObject({ status: 'unknown', results: [{ key, status: 'unknown' }] });
    expect(lost.text).toMatch(/get_nfe_event_status/);
    expect(server.upstream.seen.map(({ method }) => method)).toEqual(['POST']);

    expect(previewOf(await connection.call('manifest_nfe', args))).toMatch(
      new RegExp(`may have been sent for key ${key} .*Look up`),
    );

    server.upstream.respond(registerAll);
    const settled = await connection.call('get_nfe_event_status', args);
    expect(settled.structured).toMatchObject({ key, status_code: '135', success: 1 });
    expect(settled.text).toMatch(/settled in the journal/);
    expect(previewOf(await connection.call('manifest_nfe', args))).toMatch(
      new RegExp(`was sent for key ${key} .*135`),
    );
    expect(server.upstream.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  }

  it.each(losses)('leaves the outcome unknown when it %s; one look-up settles it', async (_, lose) => {
    server.upstream.respond(lose);
    await expectUnknownUntilLookedUp(server, await confirmed(server, 'manifest_nfe', args));
  });

  it('leaves the outcome unknown when it comes too late; one look-up settles it', async () => {
    let answer = (): void => undefined;
    server.upstream.respond((_, response) => {
      answer = () => json(response, JSON.parse(body));
    });
    await using hurried = await connectInProcess('v1', { env: { ...server.env, DFE_TIMEOUT: '30' } });
    const token = (await hurried.call('manifest_nfe', args)).structured?.confirmation_token;
    const lost = await (async () => {
      using time = standStill();
      const sent = hurried.call('manifest_nfe', { ...args, confirmation_token: token });
      await until(() => server.upstream.seen.length === 1);
      await time.pass(30_000);
      answer();
      return await sent;
    })();
    await expectUnknownUntilLookedUp(hurried, lost);
  });

  it('is not settled by an answer about another event or another note, nor by one without a known code', async () => {
    server.upstream.respond((_, response) => void response.destroy());
    await confirmed(server, 'manifest_nfe', args);

    server.upstream.respond(registerAll);
    await server.call('get_nfe_event_status', { key, event: 'confirmacao' });
    server.upstream.respond((_, response) =>
      json(response, { ...JSON.parse(body), ChaveNFe: accessKey({ number: 2 }) }),
    );
    const ofAnother = await server.call('get_nfe_event_status', args);
    expect(ofAnother.text).toMatch(/question was about/);
    server.upstream.respond((_, response) =>
      json(response, { ChaveNFe: key, Mensagem: 'Consultado', Sucesso: 1 }),
    );
    await server.call('get_nfe_event_status', args);
    server.upstream.respond((_, response) =>
      json(response, { ChaveNFe: key, Evento: '210200', Mensagem: '135 - registrado', Sucesso: 1 }),
    );
    await server.call('get_nfe_event_status', args);
    expect(previewOf(await server.call('manifest_nfe', args))).toMatch(/may have been sent/);
  });

  it('of one part of a batch leaves the others known', async () => {
    const keys = accessKeys(40, { first: 10 });
    let parts = 0;
    server.upstream.respond((request, response) => {
      parts += 1;
      if (parts === 2) return json(response, { Message: 'An error has occurred.' }, 500);
      return answerEvents(request, response);
    });
    const done = await confirmed(server, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    const [first, second, ...rest] = server.upstream.seen.map((request) => keysOf([request]));
    expect(rest.length).toBeGreaterThan(0);
    expect(done.structured?.status).toBe('partly');
    expect(statuses(done)).toEqual([
      ...(first ?? []).map(() => 'done'),
      ...(second ?? []).map(() => 'unknown'),
      ...rest.flat().map(() => 'done'),
    ]);
    expect(keysOf(server.upstream.seen)).toEqual(keys);
  });

  it('is not mistaken for the next one when the service answers one request twice', async () => {
    const [one = '', two = ''] = accessKeys(2, { first: 60 });
    server.upstream.respond((request, response) => {
      if (!isAbout([one])(request)) return answerEvents(request, response);
      const reply = JSON.stringify(registered({ ChaveNFe: one, TipoEvento: '210210', Motivo: '' }));
      const message = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;
      response.socket?.write(message + message);
      return undefined;
    });
    const first = await confirmed(server, 'manifest_nfe', { key: one, event: 'ciencia' });
    expect(['done', 'unknown']).toContain(first.structured?.status);
    const second = await confirmed(server, 'manifest_nfe', { key: two, event: 'ciencia' });
    expect(second.structured).toMatchObject({ status: 'done', results: [{ key: two, status: 'done' }] });
    expect(keysOf(server.upstream.seen)).toEqual([one, two]);
  });
});

describe('a journal that fails after a request went out', () => {
  function spoilFolder(): void {
    renameSync(server.dataFolder, `${server.dataFolder}-away`);
    writeFileSync(server.dataFolder, '');
  }

  function mendFolder(): void {
    rmSync(server.dataFolder);
    renameSync(`${server.dataFolder}-away`, server.dataFolder);
  }

  it('hides nothing of what was done, and keeps the intent', async () => {
    const key = accessKey({ number: 1 });
    server.upstream.respond((request, response) => {
      spoilFolder();
      answerEvents(request, response);
    });
    const done = await confirmed(server, 'manifest_nfe', { key, event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    mendFolder();
    expect(previewOf(await server.call('manifest_nfe', { key, event: 'ciencia' }))).toContain(
      `for key ${key}`,
    );
  });

  it('stops a batch before the next part', async () => {
    const keys = accessKeys(40);
    server.upstream.respond((request, response) => {
      spoilFolder();
      answerEvents(request, response);
    });
    const partly = await confirmed(server, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    mendFolder();
    expect(server.upstream.seen).toHaveLength(1);
    const sent = keysOf(server.upstream.seen);
    expect(partly.structured?.status).toBe('partly');
    expect(statuses(partly)).toEqual(keys.map((key) => (sent.includes(key) ? 'done' : 'not_sent')));
    expect(partly.text).toMatch(/DFE_DATA_DIR/);
  });
});

describe('a process killed between the request and the reply', () => {
  it('leaves an intent that the next one reports and a look-up settles', async () => {
    const key = accessKey({ number: 7 });
    const args = { key, event: 'nao_realizada', justification: 'Mercadoria recusada na portaria' };
    server.upstream.respond(() => undefined);
    const killed = startModern();
    const { confirmation_token } = structuredOf(await killed.call('manifest_nfe', args));
    killed.post('manifest_nfe', { ...args, confirmation_token });
    await until(() => server.upstream.seen.length === 1);
    await killed.kill();

    server.upstream.respond(registerAll);
    expect(await doctorOnWrites(server.dataFolder)).toMatch(/There is 1 write whose outcome is unknown/);
    const next = await startProgram();
    const replayed = await next.call('manifest_nfe', { ...args, confirmation_token });
    expect(replayed.structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
    expect(previewOf(await next.call('manifest_nfe', args))).toMatch(/may have been sent/);
    expect(next.stderr()).toMatch(/There is 1 write whose outcome is unknown/);
    const settled = await next.call('get_nfe_event_status', { key, event: 'nao_realizada' });
    expect(settled.text).toMatch(/settled/);
    expect(previewOf(await next.call('manifest_nfe', args))).toMatch(/was sent for key .*135/);
    expect(await doctorOnWrites(server.dataFolder)).not.toMatch(/unknown/);
    expect(server.upstream.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('in the middle of a line leaves a journal that is read, reported and written on', async () => {
    const [one = '', two = ''] = accessKeys(2);
    await confirmed(server, 'manifest_nfe', { key: one, event: 'ciencia' });
    const [firstLine = ''] = readFileSync(journalPath(), 'utf8').split('\n');
    appendFileSync(journalPath(), firstLine.slice(0, firstLine.length / 2));
    const torn = previewOf(await server.call('manifest_nfe', { key: one, event: 'ciencia' }));
    expect(torn).toMatch(/was sent for key .*135/);
    expect(torn).toMatch(/ends inside a line/);
    expect(await doctorOnWrites(server.dataFolder)).toMatch(/unreadable/);

    await confirmed(server, 'manifest_nfe', { key: two, event: 'ciencia' });
    const mended = previewOf(await server.call('manifest_nfe', { key: two, event: 'ciencia' }));
    expect(mended).toMatch(/was sent for key .*135/);
    expect(mended).toMatch(/unreadable/);
    expect(mended).not.toMatch(/ends inside a line/);
    expect(readFileSync(journalPath(), 'utf8').startsWith(firstLine)).toBe(true);
  });
});

describe('a process killed between two requests of a batch', () => {
  it('leaves a journal that names every event that may have been performed', async () => {
    const keys = accessKeys(12);
    const args = { keys, event: 'nao_realizada', justification };
    server.upstream.respond((request, response, count) =>
      count === 1 ? answerEvents(request, response) : undefined,
    );
    const killed = startModern();
    const { confirmation_token } = structuredOf(await killed.call('manifest_nfe_batch', args));
    killed.post('manifest_nfe_batch', { ...args, confirmation_token });
    await until(() => server.upstream.seen.length === 2);
    await killed.kill();

    const [done = [], unknown = []] = server.upstream.seen.map((request) => keysOf([request]));
    const told = toldOf(keys, structuredOf(await startModern().call('manifest_nfe_batch', args)).preview);
    for (const key of done) expect(told.get(key)).toMatch(/was sent .*135/);
    for (const key of unknown) expect(told.get(key)).toMatch(/may have been sent/);
    expect([...told.keys()]).toEqual([...done, ...unknown]);
    expect(await doctorOnWrites(server.dataFolder)).toContain(`There are ${unknown.length} writes`);
  });
});
