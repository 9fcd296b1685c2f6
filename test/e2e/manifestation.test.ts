import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askThrough } from '../support/asking.ts';
import type { ToolResult } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import { accessKey, accessKeys, company, supplier } from '../support/documents.ts';
import {
  answerEvents,
  type EventReply,
  eventsOf,
  isAbout,
  keysOf,
  operationOf,
  registered,
  type SentEvent,
} from '../support/event-service.ts';
import { asJson, send } from '../support/failed-answers.ts';
import { connectInProcess } from '../support/in-process.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json, type Responder, type SeenRequest } from '../support/recording-upstream.ts';
import { saying, serve } from '../support/served.ts';

/** Codes of the schemas. Source: docs/fiscal/events.md; two of them are often swapped. */
const codes = {
  ciencia: '210210',
  confirmacao: '210200',
  desconhecimento: '210220',
  nao_realizada: '210240',
} as const;

const service = serve({
  respond: (request, response) => answerEvents(request, response),
  hasNotes: false,
  envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'k3y-as-it-is' }),
});
const { confirmed, preview, refused } = service;
const setting = { company_id: 1, id: 2, set: 'X-docfiscal', name: 'a', value: 'b' };

let lastNote = 0;

/** Keys of notes that no other test uses. */
function nextKeys(count: number): string[] {
  lastNote += count;
  return accessKeys(count, { first: lastNote - count + 1 });
}
const nextKey = () => nextKeys(1)[0] ?? '';

const sentFor = (...keys: readonly string[]): SeenRequest[] =>
  service.seen.filter(isAbout(keys)).filter(({ method }) => method === 'POST');
const outcomes = ({ structured }: ToolResult) => structured?.results as Record<string, unknown>[];
const statuses = (result: ToolResult) => outcomes(result).map(({ status }) => status);
const lineLength = ({ method, path, rawQuery }: SeenRequest) =>
  `${method} ${path}?${rawQuery} HTTP/1.1`.length;
/** Answers events as the test says for one. */
const replying =
  (replyTo: (event: SentEvent) => EventReply): Responder =>
  (request, response) =>
    answerEvents(request, response, replyTo);

describe('the four events', () => {
  const justified = { justification: 'Mercadoria recusada na portaria' };

  it.each<[event: keyof typeof codes, more: { justification?: string }, words: readonly RegExp[]]>([
    ['ciencia', {}, [/not conclusive/, /10 calendar days/]],
    ['confirmacao', {}, [/issuer can no longer cancel/, /corrected/, /90 calendar days/]],
    ['desconhecimento', {}, [/does not recognise/, /cannot be erased/, /90 calendar days/]],
    ['desconhecimento', justified, [/"Mercadoria .*"/]],
    [
      'nao_realizada',
      justified,
      [/did not happen/, /cannot be erased/, /90 calendar days/, /"Mercadoria .*"/],
    ],
  ])('%s %j: its preview, and its code alone and in a batch', async (event, more, words) => {
    const [alone = '', one = '', two = ''] = nextKeys(3);
    const args = { key: alone, event, ...more };
    const text = await preview('manifest_nfe', args);
    const number = String(lastNote - 2);
    for (const pattern of [...words, codes[event], alone, number, supplier, 'Nov 2026'])
      expect(text).toMatch(pattern);
    const single = await confirmed('manifest_nfe', args);
    expect(single.structured).toMatchObject({
      status: 'done',
      results: [{ key: alone, status: 'done', success: 1, status_code: '135' }],
    });
    expect(single.text).toContain('the meaning of Sucesso and Mensagem is not documented');
    const batch = await confirmed('manifest_nfe_batch', { keys: [one, two], event, ...more });
    expect(batch.structured).toMatchObject({ status: 'done' });
    const sent = sentFor(alone, one, two);
    expect(sent.map(operationOf)).toEqual(['RealizarManifesto', 'RealizarLoteManifesto']);
    const Motivo = more.justification ?? '';
    expect(sent.flatMap(eventsOf)).toEqual(
      [alone, one, two].map((key) => ({ ChaveNFe: key, TipoEvento: codes[event], Motivo })),
    );
  });
});

describe('what is checked before anything is sent', () => {
  const key = accessKey({ number: 800_001 });
  const ciencia = (of: Parameters<typeof accessKey>[0]) => ({ key: accessKey(of), event: 'ciencia' });

  it.each<[string, object, RegExp]>([
    ['the key of an NFC-e', ciencia({ number: 1, model: '65' }), /model 55.*model 65/],
    ['another alphabet', { key, event: 'nao_realizada', justification: `${'x'.repeat(15)}Ω` }, /U\+03A9/],
    ['a bare code for an event', { key, event: '210200' }, /ciencia, confirmacao/],
    ['no event', { key }, /"event" is missing/],
    ['a raw event beside a key', { key, raw_event: '<evento/>' }, /remove key/],
    ['a raw event that does not fit a request', { raw_event: 'x'.repeat(2_000) }, /limit is 2000/],
  ])('refuses %s, and says so', async (_, args, words) => {
    const text = await refused('manifest_nfe', args);
    expect(text).toMatch(words);
    expect(text).toMatch(/nothing was sent or changed/i);
    expect(service.seen).toEqual([]);
  });

  it('refuses a batch for every fault in it, and sends none of it', async () => {
    const [one = '', two = ''] = nextKeys(2);
    const masked = one.replace(/(\d{4})/g, '$1 ');
    const [own, consumer] = [
      accessKey({ number: 5, issuer: company }),
      accessKey({ number: 6, model: '65' }),
    ];
    const text = await refused('manifest_nfe_batch', {
      ...{ keys: [one, two, masked, own, consumer], event: 'nao_realizada', justification: 'curta' },
    });
    for (const words of [/appears 2 times/, /recipient who manifests/, /model 65/, /5 characters/])
      expect(text).toMatch(words);
    expect(service.seen).toEqual([]);
  });

  it('refuses every write, with the reason, where the journal has no folder', async () => {
    const file = join(service.server.dataFolder, 'a-file');
    writeFileSync(file, '');
    const env = { ...service.server.env, DFE_DATA_DIR: join(file, 'inside') };
    await using homeless = await connectInProcess('v1', { env });
    const args = { key: nextKey(), event: 'ciencia' };
    const { isError, text } = await homeless.call('manifest_nfe', args);
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringMatching(/"inside".*ENOTDIR.*DFE_DATA_DIR/s),
    });
    expect(sentFor(args.key)).toEqual([]);
    expect((await homeless.call('get_nfe_event_status', args)).isError).toBe(false);
  });
});

describe('the text that is sent', () => {
  it('is what a chat wrote, in the characters of an event; the preview shows it and says that it was adapted', async () => {
    const key = nextKey();
    const justification = '  “Pedido” não entregue — devolvido à\u200b transportadora…\r\nd’água  ';
    const args = { key, event: 'nao_realizada', justification };
    const mended = '"Pedido" não entregue - devolvido à transportadora... d\'água';
    const text = await preview('manifest_nfe', args);
    // On a line of its own, which it cannot leave.
    expect(text.split('\n')).toContain(`> ${mended}`);
    expect(text).toContain('adapted to the characters that an NF-e event accepts');
    await confirmed('manifest_nfe', args);
    expect(sentFor(key).flatMap(eventsOf)).toEqual([{ ChaveNFe: key, TipoEvento: '210240', Motivo: mended }]);
  });

  it.each([
    ['manifest_nfe', 'raw_event', 'RealizarManifesto', 'evento'],
    ['manifest_nfe_batch', 'raw_events', 'RealizarLoteManifesto', 'eventos'],
  ])('of a raw event in %s is shown and sent to the letter', async (tool, argument, operation, parameter) => {
    const key = nextKey();
    const raw = `<evento chave='${key}'> “não” é & conferido\t</evento>\n`;
    const reply = registered({ ChaveNFe: key, TipoEvento: '', Motivo: '' });
    service.respond(saying(parameter === 'evento' ? reply : [reply]));
    const shown = `<evento chave='${key}'> “não” é & conferido\\t</evento>\\n`;
    expect((await preview(tool, { [argument]: raw })).split('\n')).toContain(shown);
    const done = await confirmed(tool, { [argument]: raw });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    expect(sentFor(key).map(({ path, query }) => [path, query.at(-1)])).toEqual([
      [`/API/Mercadoria/${operation}`, [parameter, raw]],
    ]);
  });
});

it('the preview has what was sent before, for this event and for others', async () => {
  const key = nextKey();
  await confirmed('manifest_nfe', { key, event: 'ciencia' });
  const late = 'Rejeicao 596: Evento apresentado fora do prazo';
  service.respond(replying(({ ChaveNFe }) => ({ ChaveNFe, Mensagem: late, Sucesso: 0 })));
  const no = await confirmed('manifest_nfe', { key, event: 'confirmacao' });
  expect(no.structured).toMatchObject({ status: 'refused', results: [{ status_code: '596' }] });
  for (const [args, ...words] of [
    [
      { key, event: 'ciencia' },
      `Ciência.*, key ${key}, on .*: registered \\(135`,
      `Confirmação.*, key ${key}, on .*: refused \\(596`,
    ],
    [{ raw_event: `chave ${key}` }, `Ciência.*, key ${key}`],
  ] as const) {
    const text = await preview('manifest_nfe', args);
    for (const one of words) expect(text).toMatch(new RegExp(one));
  }
});

it('a text without a key is known again by the same text', async () => {
  service.respond(saying({ Mensagem: '135 - Evento registrado', Sucesso: 1 }));
  await confirmed('manifest_nfe', { raw_event: 'um evento' });
  expect(await preview('manifest_nfe', { raw_event: 'um evento' })).toMatch(/an event sent as text/);
  expect(await preview('manifest_nfe', { raw_event: 'outro evento' })).not.toMatch(/sent as text/);
});

describe('a batch', () => {
  it('of forty keys is split by length, and one refusal in the middle hides nothing', async () => {
    const keys = nextKeys(40);
    const [refusedKey = ''] = keys.slice(20);
    const message = '650 - Evento de Ciencia para NF-e Cancelada';
    service.respond(
      replying((event) =>
        event.ChaveNFe === refusedKey
          ? { ChaveNFe: refusedKey, Mensagem: message, Sucesso: 0 }
          : registered(event),
      ),
    );
    const told: unknown[] = [];
    const done = await confirmed(
      'manifest_nfe_batch',
      { keys, event: 'ciencia' },
      { onprogress: ({ progress, total }) => told.push([progress, total]) },
    );
    expect(done.structured?.status).toBe('partly');
    expect(outcomes(done).map(({ key }) => key)).toEqual(keys);
    expect(outcomes(done).filter(({ status }) => status !== 'done')).toEqual([
      { key: refusedKey, status: 'refused', success: 0, status_code: '650', message },
    ]);
    const sent = sentFor(...keys);
    expect(keysOf(sent)).toEqual(keys);
    expect(sent.length).toBeGreaterThan(2);
    for (const request of sent) {
      expect(operationOf(request)).toBe('RealizarLoteManifesto');
      expect(eventsOf(request).length).toBeLessThanOrEqual(20);
      expect(lineLength(request)).toBeLessThanOrEqual(2_000);
    }
    // What follows the last part may reach the client together with the answer, and is dropped by it then.
    const steps = sent.slice(0, -1).map((_, index) => [index + 1, sent.length]);
    expect(told.slice(0, steps.length)).toEqual(steps);
  });

  it('finds the record of each key by the key in it, whatever their order and number', async () => {
    const [done = '', lowerCase = '', missing = '', twice = '', disputed = ''] = nextKeys(5);
    const recordOf = (key: string): EventReply => registered({ ChaveNFe: key, TipoEvento: '', Motivo: '' });
    service.respond(
      saying([
        recordOf(disputed),
        recordOf(nextKey()),
        recordOf(twice),
        { ...recordOf(lowerCase), ChaveNFe: ` ${lowerCase.toLowerCase()} ` },
        { ChaveNFe: disputed, Mensagem: '594 - nSeqEvento acima do permitido', Sucesso: 0 },
        recordOf(twice),
        { Mensagem: '135 sem chave', Sucesso: 1 },
        recordOf(done),
      ]),
    );
    const keys = [done, lowerCase, missing, twice, disputed];
    const answer = await confirmed('manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(answer.structured?.status).toBe('partly');
    expect(outcomes(answer).map(({ key }) => key)).toEqual(keys);
    expect(statuses(answer)).toEqual(['done', 'done', 'unknown', 'done', 'unknown']);
    expect(answer.text).toMatch(/get_nfe_event_status/);
    expect(sentFor(...keys)).toHaveLength(1);
  });

  it('goes on after a part that failed, and stops where every further part would be refused', async () => {
    const keys = nextKeys(40);
    service.respond((request, response) => {
      if (keysOf([request]).includes(keys[0] ?? '')) return json(response, { Message: 'Lote recusado' }, 400);
      return answerEvents(request, response);
    });
    const partly = await confirmed('manifest_nfe_batch', { keys, event: 'ciencia' });
    const [first, ...rest] = sentFor(...keys).map((request) => keysOf([request]));
    expect(partly.structured?.status).toBe('partly');
    expect(rest.length).toBeGreaterThan(0);
    expect(statuses(partly)).toEqual(keys.map((key) => (first?.includes(key) ? 'refused' : 'done')));
    expect(partly.text).toMatch(/Lote recusado/);
    const others = nextKeys(40);
    service.respond((_, response) => json(response, { Message: 'Authorization has been denied' }, 401));
    const stopped = await confirmed('manifest_nfe_batch', { keys: others, event: 'ciencia' });
    const sent = sentFor(...others);
    expect(sent).toHaveLength(1);
    expect(statuses(stopped)).toEqual(
      others.map((key) => (keysOf(sent).includes(key) ? 'refused' : 'not_sent')),
    );
  });

  it.each([
    ['stops before the next part, and the journal says what was done', false],
    ['still takes the reply on its way, and sends no other part', true],
  ])('that is cancelled %s', async (_, answersAtLast) => {
    const keys = nextKeys(40);
    const args = { keys, event: 'ciencia' };
    const cancelling = new AbortController();
    let answerAtLast = (): void => undefined;
    service.respond((request, response) => {
      if (sentFor(...keys).length < 2) return answerEvents(request, response);
      answerAtLast = () => answerEvents(request, response);
      cancelling.abort();
      return undefined;
    });
    using time = standStill();
    const canceled = confirmed('manifest_nfe_batch', args, { signal: cancelling.signal });
    await expect(canceled).rejects.toThrow();
    if (answersAtLast) answerAtLast();
    const linesAbout = async () => {
      const lines = (await preview('manifest_nfe_batch', args)).split('\n');
      return lines.filter((line) => /, key \d{44}, on /.test(line));
    };
    const last = answersAtLast ? /registered \(135/ : /outcome unknown/;
    const [first = [], second = []] = sentFor(...keys).map((request) => keysOf([request]));
    // The request under way has some seconds to be answered before its outcome is given up.
    await until(async () => {
      if (!answersAtLast) await time.pass(5_000);
      return (await linesAbout()).some((line) => last.test(line) && line.includes(second[0] ?? '-'));
    });
    expect(sentFor(...keys)).toHaveLength(2);
    const lines = await linesAbout();
    expect(lines).toHaveLength(first.length + second.length);
    for (const key of [...first, ...second])
      expect(lines.filter((line) => line.includes(key))).toEqual([
        expect.stringMatching(first.includes(key) ? /registered \(135/ : last),
      ]);
  });

  const long = ' por muitos motivos'.repeat(46);
  it.each([
    ['shortened where they would not fit', 70, () => true],
    ['whole where they fit', 40, (key: string, keys: readonly string[]) => key === keys[7]],
  ])('shows messages %s', async (_, count, isLong) => {
    const keys = nextKeys(count);
    const message = `135 - registrado${long}`;
    service.respond(
      replying((event) => ({
        ...registered(event),
        ...(isLong(event.ChaveNFe, keys) && { Mensagem: message }),
      })),
    );
    const done = await confirmed('manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(done.structured?.status).toBe('done');
    expect(done.text.length).toBeLessThan(50_000);
    for (const key of keys) expect(done.text).toContain(key);
    expect(outcomes(done).some((one) => one.message === message)).toBe(true);
    expect(done.text.includes(message)).toBe(count === 40);
    expect(done.text.includes('shortened')).toBe(count > 40);
  });
});

describe('what may have been sent is never sent again', () => {
  it('the intent is on the disk before the request is', async () => {
    const key = nextKey();
    let known = '';
    service.respond((request, response) => {
      known = readFileSync(join(service.server.dataFolder, 'journal.jsonl'), 'utf8');
      answerEvents(request, response);
    });
    await confirmed('manifest_nfe', { key, event: 'ciencia' });
    const line = known.trimEnd().split('\n').at(-1) ?? '';
    const intent = { line: 'intent', keys: [key], event: '210210', tool: 'manifest_nfe' };
    expect(JSON.parse(line)).toMatchObject(intent);
  });

  it.each([
    '{"Message":"No action was found on the controller that matches the request."}',
    '{"cStat":"596","xMotivo":"Evento apresentado fora do prazo"}',
  ])('a reply of status 200 that is plainly a no refuses it: %s', async (body) => {
    service.respond(send(200, body, asJson));
    const sent = await confirmed('manifest_nfe', { key: nextKey(), event: 'ciencia' });
    expect(sent.structured).toMatchObject({ status: 'refused', results: [{ status: 'refused' }] });
    expect(service.seen).toHaveLength(1);
  });

  it('is not sent, and not refused, where the service is out of reach', async () => {
    const nowhere = 'http://127.0.0.1:9';
    await using away = await startConfigured({ respond: saying(''), env: { DFE_URL: nowhere } });
    const keys = nextKeys(2);
    const batch = { keys, event: 'ciencia' };
    const { structured, text } = await askThrough(() => away).confirmed('manifest_nfe_batch', batch);
    const results = keys.map((key) => expect.objectContaining({ key, status: 'not_sent' }));
    expect(structured).toEqual({ status: 'not_sent', results });
    expect(text).toMatch(/nothing was sent/i);
  });

  it('is not sent where its credential cannot be, and is closed in the journal', async () => {
    await using asked = await startConfigured({
      respond: saying(''),
      envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'k3y\nof-two-lines' }),
    });
    const by = askThrough(() => asked);
    const { structured, text } = await by.confirmed('update_company_setting', setting);
    expect(structured).toMatchObject({ status: 'not_sent' });
    expect(text).toMatch(/nothing was sent.*DFE_ACCOUNT_|DFE_ACCOUNT_.*nothing was sent/is);
    expect(text).not.toContain('k3y');
    expect(asked.upstream.seen).toEqual([]);
    expect(await by.preview('update_company_setting', setting)).not.toMatch(/outcome|unknown/i);
  });
});
