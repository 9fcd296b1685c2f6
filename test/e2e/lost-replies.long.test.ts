import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askThrough } from '../support/asking.ts';
import { connect, type ToolResult } from '../support/clients.ts';
import { accessKey, accessKeys } from '../support/documents.ts';
import { answerEvents, isAbout, keysOf, registered } from '../support/event-service.ts';
import { converse } from '../support/modern-conversation.ts';
import { until } from '../support/passing-time.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';
import { doctorOnWrites, structuredOf } from './remembered-writes.ts';

const registerAll: Responder = (request, response) => answerEvents(request, response);
const service = serve({ anew: true, respond: registerAll, hasNotes: false });
const { confirmed, preview } = service;
const dataFolder = () => service.server.dataFolder;
const statuses = ({ structured }: ToolResult) =>
  (structured as { results: { status: string }[] }).results.map(({ status }) => status);
const partsSent = () => service.seen.map((request) => keysOf([request]));

/** Confirms a write with the built program, and kills it when so many requests have come. */
async function killAfter(requests: number, tool: string, args: Readonly<Record<string, unknown>>) {
  const killed = converse(service.server.env);
  const { confirmation_token } = structuredOf(await killed.call(tool, args));
  killed.post(tool, { ...args, confirmation_token });
  await until(() => service.seen.length === requests);
  await killed.kill();
  return { ...args, confirmation_token };
}

describe('a reply that is lost', () => {
  const key = accessKey({ number: 1 });
  const args = { key, event: 'ciencia' };
  const record = registered({ ChaveNFe: key, TipoEvento: '210210', Motivo: '' });
  const body = JSON.stringify(record);
  const ofAnother = { ...record, ChaveNFe: accessKey({ number: 2 }) };

  // Further ways to lose one: test/clients/fault-matrix.test.ts.
  it.each<[string, Responder]>([
    [
      'breaks off in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.write(body.slice(0, 40), () => response.destroy());
      },
    ],
    ['is a 500 after the work', (_, response) => json(response, { Message: 'An error has occurred.' }, 500)],
    ['is there twice in one body', (_, response) => void response.end(body + body)],
    ['is of another note', (_, response) => json(response, ofAnother)],
  ])('leaves the outcome unknown when it %s; one look-up settles it', async (_, lose) => {
    service.respond(lose);
    const lost = await confirmed('manifest_nfe', args);
    const unknown = { status: 'unknown', results: [{ key, status: 'unknown' }] };
    expect(lost).toMatchObject({ isError: false, structured: unknown });
    expect(lost.text).toMatch(/get_nfe_event_status/);
    expect(service.seen.map(({ method }) => method)).toEqual(['POST']);
    expect(await preview('manifest_nfe', args)).toMatch(
      new RegExp(`UNKNOWN OUTCOME.*Look up.*, key ${key}, on .*: outcome unknown`, 's'),
    );
    service.respond(registerAll);
    const settled = await service.ask('get_nfe_event_status', args);
    expect(settled.data).toMatchObject({ key, status_code: '135', success: 1 });
    expect(settled.text).toMatch(/settled in the journal/);
    expect(await preview('manifest_nfe', args)).toMatch(new RegExp(`key ${key}, on .*: registered \\(135`));
    expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each<[string, reply: object | undefined, asked: object, words: RegExp]>([
    ['another event', undefined, { event: 'confirmacao' }, /./],
    ['another note', ofAnother, {}, /question was about/],
    ['no known code', { ChaveNFe: key, Mensagem: 'Consultado', Sucesso: 1 }, {}, /./],
    ['an event of another code', { ...record, Evento: '210200' }, {}, /./],
  ])('is not settled by an answer about %s', async (_, reply, asked, words) => {
    service.respond((__, response) => void response.destroy());
    await confirmed('manifest_nfe', args);
    service.respond(reply === undefined ? registerAll : (__, response) => json(response, reply));
    expect((await service.call('get_nfe_event_status', { ...args, ...asked })).text).toMatch(words);
    expect(await preview('manifest_nfe', args)).toMatch(/outcome unknown/);
  });

  it('of one part of a batch leaves the others known', async () => {
    const keys = accessKeys(40, { first: 10 });
    service.respond((request, response) =>
      service.seen.length === 2
        ? json(response, { Message: 'An error has occurred.' }, 500)
        : answerEvents(request, response),
    );
    const done = await confirmed('manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(done.structured?.status).toBe('partly');
    expect(service.seen.length).toBeGreaterThan(2);
    expect(statuses(done)).toEqual(
      partsSent().flatMap((part, i) => part.map(() => (i === 1 ? 'unknown' : 'done'))),
    );
    expect(keysOf(service.seen)).toEqual(keys);
  });

  it('is not mistaken for the next one when the service answers one request twice', async () => {
    const [one = '', two = ''] = accessKeys(2, { first: 60 });
    service.respond((request, response) => {
      if (!isAbout([one])(request)) return answerEvents(request, response);
      const reply = JSON.stringify({ ...record, ChaveNFe: one });
      const message = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;
      response.socket?.write(message + message);
      return undefined;
    });
    const first = await confirmed('manifest_nfe', { key: one, event: 'ciencia' });
    expect(['done', 'unknown']).toContain(first.structured?.status);
    const second = await confirmed('manifest_nfe', { key: two, event: 'ciencia' });
    expect(second.structured).toMatchObject({ status: 'done', results: [{ key: two, status: 'done' }] });
    expect(keysOf(service.seen)).toEqual([one, two]);
  });
});

describe('a journal that fails after a request went out', () => {
  const spoilFolder = (): void => {
    renameSync(dataFolder(), `${dataFolder()}-away`);
    writeFileSync(dataFolder(), '');
  };
  const mendFolder = (): void => {
    rmSync(dataFolder());
    renameSync(`${dataFolder()}-away`, dataFolder());
  };

  it.each([
    ['manifest_nfe', 1, 'done'],
    ['manifest_nfe_batch', 40, 'partly'],
  ])('%s hides nothing of what was done, keeps the intent and sends no further part', async (...row) => {
    const [tool, count, status] = row;
    const keys = accessKeys(count);
    const args = count === 1 ? { key: keys[0], event: 'ciencia' } : { keys, event: 'ciencia' };
    service.respond((request, response) => {
      spoilFolder();
      answerEvents(request, response);
    });
    const answer = await confirmed(tool, args);
    mendFolder();
    const sent = keysOf(service.seen);
    expect(service.seen).toHaveLength(1);
    expect(answer.structured?.status).toBe(status);
    expect(statuses(answer)).toEqual(keys.map((key) => (sent.includes(key) ? 'done' : 'not_sent')));
    if (status === 'partly') expect(answer.text).toMatch(/DFE_DATA_DIR/);
    expect(await preview(tool, args)).toContain(`, key ${keys[0]}, on `);
  });
});

describe('a process that is killed', () => {
  it('between the request and the reply leaves an intent that the next one reports and a look-up settles', async () => {
    const key = accessKey({ number: 7 });
    const args = { key, event: 'nao_realizada', justification: 'Mercadoria recusada na portaria' };
    service.respond(() => undefined);
    const withToken = await killAfter(1, 'manifest_nfe', args);
    service.respond(registerAll);
    expect(await doctorOnWrites(dataFolder())).toMatch(/There is 1 write whose outcome is unknown/);
    await using next = await connect('v1', { env: service.server.env });
    const by = askThrough(() => next);
    const replayed = await by.call('manifest_nfe', withToken);
    expect(replayed.structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
    expect(await by.preview('manifest_nfe', args)).toMatch(/outcome unknown/);
    expect(next.stderr()).toMatch(/There is 1 write whose outcome is unknown/);
    expect((await by.ask('get_nfe_event_status', { key, event: 'nao_realizada' })).text).toMatch(/settled/);
    expect(await by.preview('manifest_nfe', args)).toMatch(/registered \(135/);
    expect(await doctorOnWrites(dataFolder())).not.toMatch(/unknown/);
    expect(service.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('in the middle of a line leaves a journal that is read, reported and written on', async () => {
    const path = join(dataFolder(), 'journal.jsonl');
    const [one = {}, two = {}] = accessKeys(2).map((key) => ({ key, event: 'ciencia' }));
    await confirmed('manifest_nfe', one);
    const [firstLine = ''] = readFileSync(path, 'utf8').split('\n');
    appendFileSync(path, firstLine.slice(0, firstLine.length / 2));
    expect(await preview('manifest_nfe', one)).toMatch(
      /ends inside a line.*registered \(135|registered \(135.*ends inside a line/s,
    );
    expect(await doctorOnWrites(dataFolder())).toMatch(/unreadable/);
    await confirmed('manifest_nfe', two);
    const mended = await preview('manifest_nfe', two);
    expect(mended).toMatch(/registered \(135/);
    expect(mended).toMatch(/unreadable/);
    expect(mended).not.toMatch(/ends inside a line/);
    expect(readFileSync(path, 'utf8').startsWith(firstLine)).toBe(true);
  });
});
