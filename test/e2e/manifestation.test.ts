import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { accessKey, accessKeys, company, supplier } from '../support/documents.ts';
import {
  answerEvents,
  type EventReply,
  eventsOf,
  isAbout,
  keysOf,
  operationOf,
  registered,
} from '../support/event-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json, type Responder, type SeenRequest } from '../support/recording-upstream.ts';

const registerAll: Responder = (request, response) => answerEvents(request, response);

/** Codes of the schemas. Source: docs/fiscal/events.md; two of them are often swapped. */
const codes = {
  ciencia: '210210',
  confirmacao: '210200',
  desconhecimento: '210220',
  nao_realizada: '210240',
} as const;

let connection: ConfiguredServer;
let lastNote = 0;

/** Keys of notes that no other test uses. */
function nextKeys(count: number): string[] {
  lastNote += count;
  return accessKeys(count, { first: lastNote - count + 1 });
}

function nextKey(): string {
  return nextKeys(1)[0] ?? '';
}

function sentFor(...keys: readonly string[]): SeenRequest[] {
  return connection.upstream.seen.filter(isAbout(keys)).filter(({ method }) => method === 'POST');
}

function preview({ structured }: ToolResult): string {
  expect(structured?.status).toBe('confirmation_required');
  return String(structured?.preview);
}

function outcomes({ structured }: ToolResult): Record<string, unknown>[] {
  return structured?.results as Record<string, unknown>[];
}

function lineLength({ method, path, rawQuery }: SeenRequest): number {
  return `${method} ${path}?${rawQuery} HTTP/1.1`.length;
}

beforeAll(async () => {
  connection = await startConfigured({ respond: registerAll, hasNotes: false });
});
beforeEach(() => connection.upstream.respond(registerAll));
afterAll(() => connection.close());

describe('the four events', () => {
  const justified = { justification: 'Mercadoria recusada na portaria' };

  it.each([
    ['ciencia', {}, ''],
    ['confirmacao', {}, ''],
    ['desconhecimento', {}, ''],
    ['desconhecimento', justified, justified.justification],
    ['nao_realizada', justified, justified.justification],
  ] as const)('%s goes out with its own code, alone and in a batch', async (event, more, motivo) => {
    const [alone = '', one = '', two = ''] = nextKeys(3);
    const single = await confirmed(connection, 'manifest_nfe', { key: alone, event, ...more });
    expect(single.structured).toMatchObject({
      status: 'done',
      results: [{ key: alone, status: 'done', success: 1, status_code: '135' }],
    });
    const batch = await confirmed(connection, 'manifest_nfe_batch', { keys: [one, two], event, ...more });
    expect(batch.structured).toMatchObject({ status: 'done' });
    const sent = sentFor(alone, one, two);
    expect(sent.map(operationOf)).toEqual(['RealizarManifesto', 'RealizarLoteManifesto']);
    expect(sent.flatMap(eventsOf)).toEqual(
      [alone, one, two].map((key) => ({ ChaveNFe: key, TipoEvento: codes[event], Motivo: motivo })),
    );
  });

  it('are previewed with what they declare, what stays, and the deadline', async () => {
    const words = {
      ciencia: [/210210/, /not conclusive/, /10 calendar days/],
      confirmacao: [/210200/, /issuer can no longer cancel/, /corrected/, /90 calendar days/],
      desconhecimento: [/210220/, /does not recognise/, /cannot be erased/, /90 calendar days/],
      nao_realizada: [/210240/, /did not happen/, /cannot be erased/, /90 calendar days/],
    } as const;
    for (const [event, expected] of Object.entries(words)) {
      const key = nextKey();
      const more = event === 'nao_realizada' ? justified : {};
      const text = preview(await connection.call('manifest_nfe', { key, event, ...more }));
      for (const pattern of [...expected, key, String(lastNote), supplier, 'Nov 2026']) {
        expect(text).toMatch(pattern);
      }
      if (event === 'nao_realizada') expect(text).toContain(`"${justified.justification}"`);
    }
  });
});

describe('what is checked before anything is sent', () => {
  const key = accessKey({ number: 800_001 });
  const ciencia = (of: Parameters<typeof accessKey>[0]) => ({ key: accessKey(of), event: 'ciencia' });
  const because = (justification: string, event = 'nao_realizada') => ({ key, event, justification });
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['the key of an NFC-e', ciencia({ number: 1, model: '65' }), /model 55.*model 65/],
    ['a note the company issued', ciencia({ number: 1, issuer: company }), /recipient who manifests/],
    ['no justification', { key, event: 'nao_realizada' }, /requires a justification/],
    ['a blank justification', because('  \n '), /requires a justification/],
    ['14 characters and blanks', because(`  ${'x'.repeat(14)}  `), /14 characters.*15 to 255/],
    ['256 characters', because('x'.repeat(256)), /256 characters/],
    ['another alphabet', because(`${'x'.repeat(15)}Ω`), /U\+03A9/],
    ['a justification nobody takes', because('x'.repeat(15), 'confirmacao'), /takes no justification/],
    ['a bare code for an event', { key, event: '210200' }, /ciencia, confirmacao/],
    ['no event', { key }, /"event" is missing/],
    ['a raw event beside a key', { key, raw_event: '<evento/>' }, /remove key/],
    ['a raw event that does not fit a request', { raw_event: 'x'.repeat(2_000) }, /limit is 2000/],
  ];

  it.each(cases)('refuses %s, and says so', async (_, args, expected) => {
    const before = connection.upstream.seen.length;
    const refused = await connection.call('manifest_nfe', args);
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(expected);
    expect(refused.text).toMatch(/nothing was asked or sent/i);
    expect(connection.upstream.seen.length).toBe(before);
  });

  it('refuses a batch for every fault in it, and sends none of it', async () => {
    const [one = '', two = ''] = nextKeys(2);
    const masked = one.replace(/(\d{4})/g, '$1 ');
    const own = accessKey({ number: 5, issuer: company });
    const consumer = accessKey({ number: 6, model: '65' });
    const refused = await connection.call('manifest_nfe_batch', {
      keys: [one, two, masked, own, consumer],
      event: 'nao_realizada',
      justification: 'curta',
    });
    expect(refused.isError).toBe(true);
    for (const words of [/appears 2 times/, /recipient who manifests/, /model 65/, /5 characters/]) {
      expect(refused.text).toMatch(words);
    }
    const empty = await connection.call('manifest_nfe_batch', { keys: [], event: 'ciencia' });
    expect(empty.isError).toBe(true);
    expect(sentFor(one, two, own, consumer)).toEqual([]);
  });

  it('refuses every write, with the reason, where the journal has no folder', async () => {
    const file = join(connection.dataFolder, 'a-file');
    writeFileSync(file, '');
    const env = { ...connection.env, DFE_DATA_DIR: join(file, 'inside') };
    const homeless = await connectInProcess('v1', { env });
    const note = nextKey();
    const refused = await homeless.call('manifest_nfe', { key: note, event: 'ciencia' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/"inside".*ENOTDIR.*DFE_DATA_DIR/s);
    expect(sentFor(note)).toEqual([]);
    const read = await homeless.call('get_nfe_event_status', { key: note, event: 'ciencia' });
    await homeless.close();
    expect(read.isError).toBe(false);
  });
});

describe('the text that is sent', () => {
  it('is what a chat wrote, in the characters of an event; the preview shows it and says what changed', async () => {
    const key = nextKey();
    const args = {
      key,
      event: 'nao_realizada',
      justification: '  “Pedido” não entregue — devolvido à\u200b transportadora…\r\nd’água  ',
    };
    const mended = '"Pedido" não entregue - devolvido à transportadora... d\'água';
    const text = preview(await connection.call('manifest_nfe', args));
    // On a line of its own, which it cannot leave.
    expect(text.split('\n')).toContain(`> ${mended}`);
    for (const change of [/quotes/, /dashes/, /ellipsis/, /line breaks/, /invisible/]) {
      expect(text).toMatch(change);
    }
    await confirmed(connection, 'manifest_nfe', args);
    expect(sentFor(key).flatMap(eventsOf)).toEqual([{ ChaveNFe: key, TipoEvento: '210240', Motivo: mended }]);
  });

  it.each([
    ['manifest_nfe', 'raw_event', 'RealizarManifesto', 'evento'],
    ['manifest_nfe_batch', 'raw_events', 'RealizarLoteManifesto', 'eventos'],
  ])('of a raw event in %s is shown and sent to the letter', async (tool, argument, operation, parameter) => {
    const key = nextKey();
    const raw = `<evento chave='${key}'> “não” é & conferido\t</evento>\n`;
    const reply = registered({ ChaveNFe: key, TipoEvento: '', Motivo: '' });
    connection.upstream.respond((_, response) => json(response, parameter === 'evento' ? reply : [reply]));
    const shown = `<evento chave='${key}'> “não” é & conferido\\t</evento>\\n`;
    expect(preview(await connection.call(tool, { [argument]: raw })).split('\n')).toContain(shown);
    const done = await confirmed(connection, tool, { [argument]: raw });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    const [request, ...more] = sentFor(key);
    expect(more).toEqual([]);
    expect(request?.path).toBe(`/API/Mercadoria/${operation}`);
    expect(request?.query.at(-1)).toEqual([parameter, raw]);
  });
});

describe('what the preview knows of earlier writes', () => {
  it('has what was sent before, for this event and for others', async () => {
    const key = nextKey();
    await confirmed(connection, 'manifest_nfe', { key, event: 'ciencia' });
    connection.upstream.respond((request, response) =>
      answerEvents(request, response, ({ ChaveNFe }) => ({
        ChaveNFe,
        Mensagem: 'Rejeicao 596: Evento apresentado fora do prazo',
        Sucesso: 0,
      })),
    );
    const refused = await confirmed(connection, 'manifest_nfe', { key, event: 'confirmacao' });
    expect(refused.structured).toMatchObject({ status: 'refused', results: [{ status_code: '596' }] });

    const again = preview(await connection.call('manifest_nfe', { key, event: 'ciencia' }));
    expect(again).toMatch(new RegExp(`was sent for key ${key} on .*135`));
    expect(again).toMatch(/Another event .*Confirmação.*refused.*596/);
    const other = preview(await connection.call('manifest_nfe', { key, event: 'confirmacao' }));
    expect(other).toMatch(new RegExp(`was sent for key ${key} on .* refused it: 596`));
    const raw = preview(await connection.call('manifest_nfe', { raw_event: `chave ${key}` }));
    expect(raw).toMatch(/Another event .*Ciência/);
  });
});

describe('a batch', () => {
  it('of forty keys is split by length, and one refusal in the middle hides nothing', async () => {
    const keys = nextKeys(40);
    const refusedKey = keys[20] ?? '';
    connection.upstream.respond((request, response) =>
      answerEvents(request, response, (event) =>
        event.ChaveNFe === refusedKey
          ? { ChaveNFe: refusedKey, Mensagem: '650 - Evento de Ciencia para NF-e Cancelada', Sucesso: 0 }
          : registered(event),
      ),
    );
    const done = await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(done.structured?.status).toBe('partly');
    expect(outcomes(done).map(({ key }) => key)).toEqual(keys);
    expect(outcomes(done).filter(({ status }) => status !== 'done')).toEqual([
      {
        key: refusedKey,
        status: 'refused',
        success: 0,
        status_code: '650',
        message: '650 - Evento de Ciencia para NF-e Cancelada',
      },
    ]);
    const sent = sentFor(...keys);
    expect(keysOf(sent)).toEqual(keys);
    expect(sent.length).toBeGreaterThan(1);
    for (const request of sent) {
      expect(request.path).toBe('/API/Mercadoria/RealizarLoteManifesto');
      expect(eventsOf(request).length).toBeLessThanOrEqual(20);
      expect(lineLength(request)).toBeLessThanOrEqual(2_000);
    }
    // No part is shorter than it must be: the next event would not have fitted in.
    for (const [index, request] of sent.slice(0, -1).entries()) {
      const next = encodeURIComponent(`,${JSON.stringify(eventsOf(sent[index + 1] as SeenRequest)[0])}`);
      expect(lineLength(request) + next.length).toBeGreaterThan(2_000);
    }
  });

  it('finds the record of each key by the key in it, whatever their order and number', async () => {
    const [registeredKey = '', lowerCase = '', missing = '', twice = '', disputed = ''] = nextKeys(5);
    const stranger = nextKey();
    const done = (key: string): EventReply => registered({ ChaveNFe: key, TipoEvento: '', Motivo: '' });
    connection.upstream.respond((_, response) =>
      json(response, [
        done(disputed),
        done(stranger),
        done(twice),
        { ...done(lowerCase), ChaveNFe: ` ${lowerCase.toLowerCase()} ` },
        { ChaveNFe: disputed, Mensagem: '594 - nSeqEvento acima do permitido', Sucesso: 0 },
        done(twice),
        { Mensagem: '135 sem chave', Sucesso: 1 },
        done(registeredKey),
      ]),
    );
    const keys = [registeredKey, lowerCase, missing, twice, disputed];
    const answer = await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(answer.structured?.status).toBe('partly');
    expect(outcomes(answer).map(({ key, status }) => [key, status])).toEqual([
      [registeredKey, 'done'],
      [lowerCase, 'done'],
      [missing, 'unknown'],
      [twice, 'done'],
      [disputed, 'unknown'],
    ]);
    expect(answer.text).toMatch(/get_nfe_event_status/);
    expect(sentFor(...keys)).toHaveLength(1);
  });

  it('reports Sucesso and Mensagem as they came, and infers nothing but from a code', async () => {
    const keys = nextKeys(4);
    const replies: readonly EventReply[] = [
      { Mensagem: 'Processado com sucesso', Sucesso: 1 },
      { Mensagem: 'Erro interno', Sucesso: 0 },
      { Mensagem: 'Duplicidade de Evento [cStat=573]', Sucesso: -7 },
      { Mensagem: '128 - Lote de Evento Processado', Sucesso: 1 },
    ];
    connection.upstream.respond((_, response) =>
      json(
        response,
        replies.map((reply, index) => ({ ...reply, ChaveNFe: keys[index] })),
      ),
    );
    const answer = await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(outcomes(answer)).toEqual([
      { key: keys[0], status: 'unknown', success: 1, message: 'Processado com sucesso' },
      { key: keys[1], status: 'unknown', success: 0, message: 'Erro interno' },
      { key: keys[2], status: 'done', success: -7, message: replies[2]?.Mensagem, status_code: '573' },
      { key: keys[3], status: 'unknown', success: 1, message: replies[3]?.Mensagem, status_code: '128' },
    ]);
  });

  it('goes on after a part that failed, and stops where every further part would be refused', async () => {
    const keys = nextKeys(40);
    connection.upstream.respond((request, response) => {
      if (keysOf([request]).includes(keys[0] ?? '')) return json(response, { Message: 'Lote recusado' }, 400);
      return answerEvents(request, response);
    });
    const partly = await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    const [first, ...rest] = sentFor(...keys);
    const refusedKeys = first === undefined ? [] : keysOf([first]);
    expect(partly.structured?.status).toBe('partly');
    expect(rest.length).toBeGreaterThan(0);
    expect(outcomes(partly).map(({ status }) => status)).toEqual(
      keys.map((key) => (refusedKeys.includes(key) ? 'refused' : 'done')),
    );
    expect(partly.text).toMatch(/Lote recusado/);

    const others = nextKeys(40);
    connection.upstream.respond((_, response) =>
      json(response, { Message: 'Authorization has been denied' }, 401),
    );
    const stopped = await confirmed(connection, 'manifest_nfe_batch', { keys: others, event: 'ciencia' });
    const sent = sentFor(...others);
    expect(sent).toHaveLength(1);
    const asked = keysOf(sent);
    expect(outcomes(stopped).map(({ status }) => status)).toEqual(
      others.map((key) => (asked.includes(key) ? 'refused' : 'not_sent')),
    );
  });

  it('tells of its progress part by part', async () => {
    const keys = nextKeys(40);
    const seen: { progress: number; total?: number | undefined }[] = [];
    await confirmed(
      connection,
      'manifest_nfe_batch',
      { keys, event: 'ciencia' },
      { onprogress: (one) => seen.push(one) },
    );
    // What follows the last part may reach the client together with the answer, and is dropped by it then.
    const parts = sentFor(...keys).length;
    const told = seen.map(({ progress, total }) => [progress, total]);
    expect(parts).toBeGreaterThan(2);
    expect(told.slice(0, parts - 1)).toEqual(
      Array.from({ length: parts - 1 }, (_, index) => [index + 1, parts]),
    );
  });

  it('stops before the next part when the call is cancelled, and the journal says what was done', async () => {
    const keys = nextKeys(40);
    const cancelling = new AbortController();
    let arrived = 0;
    connection.upstream.respond((request, response) => {
      arrived += 1;
      if (arrived < 2) return answerEvents(request, response);
      cancelling.abort();
      return undefined;
    });
    using time = standStill();
    const call = confirmed(
      connection,
      'manifest_nfe_batch',
      { keys, event: 'ciencia' },
      { signal: cancelling.signal },
    );
    await expect(call).rejects.toThrow();

    const text = () =>
      connection.call('manifest_nfe_batch', { keys, event: 'ciencia' }).then((asked) =>
        preview(asked)
          .split('\n')
          .filter((line) => /this event/i.test(line)),
      );
    // The request under way has some seconds to be answered before its outcome is given up.
    await until(async () => {
      await time.pass(5_000);
      return (await text()).some((line) => /unknown/.test(line));
    });
    const [first, second, ...more] = sentFor(...keys);
    expect(more).toEqual([]);
    const lines = await text();
    const lineOf = (key: string) => lines.filter((line) => line.includes(key));
    for (const key of keysOf(first ? [first] : []))
      expect(lineOf(key)).toEqual([expect.stringMatching(/was sent .*135/)]);
    for (const key of keysOf(second ? [second] : []))
      expect(lineOf(key)).toEqual([expect.stringMatching(/may have been sent/)]);
    const sent = keysOf([first, second].flatMap((request) => request ?? []));
    expect(lines).toHaveLength(sent.length);
  });

  it('that was cancelled still takes the reply on its way, and sends no other part', async () => {
    const keys = nextKeys(40);
    const cancelling = new AbortController();
    let arrived = 0;
    let answerAtLast = (): void => undefined;
    connection.upstream.respond((request, response) => {
      arrived += 1;
      if (arrived < 2) return answerEvents(request, response);
      answerAtLast = () => answerEvents(request, response);
      cancelling.abort();
      return undefined;
    });
    const args = { keys, event: 'ciencia' };
    await expect(
      confirmed(connection, 'manifest_nfe_batch', args, { signal: cancelling.signal }),
    ).rejects.toThrow();
    answerAtLast();
    const told = async () =>
      preview(await connection.call('manifest_nfe_batch', args))
        .split('\n')
        .filter((line) => /was sent .*135/.test(line));
    await until(async () => (await told()).length > 20);
    const sent = sentFor(...keys);
    expect(sent).toHaveLength(2);
    const lines = await told();
    for (const key of keysOf(sent)) expect(lines.filter((line) => line.includes(key))).toHaveLength(1);
  });

  it('answers within the limits of a text however much the service has to say', async () => {
    const keys = nextKeys(70);
    const message = `135 - registrado. ${'muito a dizer '.repeat(60)}`;
    connection.upstream.respond((request, response) =>
      answerEvents(request, response, ({ ChaveNFe }) => ({ ChaveNFe, Mensagem: message, Sucesso: 1 })),
    );
    const done = await confirmed(connection, 'manifest_nfe_batch', { keys, event: 'ciencia' });
    expect(done.structured?.status).toBe('done');
    expect(done.text.length).toBeLessThan(50_000);
    for (const key of keys) expect(done.text).toContain(key);
    for (const { message: whole } of outcomes(done)) expect(String(whole).length).toBeGreaterThan(800);
  });
});

describe('the journal', () => {
  it('is on the disk before the request is', async () => {
    const key = nextKey();
    let known = '';
    connection.upstream.respond((request, response) => {
      known = readFileSync(join(connection.dataFolder, 'journal.jsonl'), 'utf8');
      answerEvents(request, response);
    });
    await confirmed(connection, 'manifest_nfe', { key, event: 'ciencia' });
    const lines = known
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({
      line: 'intent',
      keys: [key],
      event: '210210',
      tool: 'manifest_nfe',
    });
  });
});
