import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolResult } from '../../support/clients.ts';
import {
  type ConfiguredOptions,
  type ConfiguredServer,
  startConfigured,
} from '../../support/configured-server.ts';
import { confirmed } from '../../support/confirmed.ts';
import { accessKey, company, supplier } from '../../support/documents.ts';
import { holding, type ServedNote, servedXml } from '../../support/documents-service.ts';
import {
  type EventReply,
  eventsOf,
  operationOf,
  registered,
  type SentEvent,
} from '../../support/event-service.ts';
import { holdTimeLimit, until } from '../../support/passing-time.ts';
import { json, type Responder } from '../../support/recording-upstream.ts';

const NOON = Date.parse('2026-11-20T12:00:00-03:00');
const key = (number: number) => accessKey({ number });
const servingNotes = (notes: readonly ServedNote[], replyTo?: (event: SentEvent) => EventReply) =>
  holding(notes.map(servedXml), replyTo);

let server: ConfiguredServer;

async function serve(respond: Responder, options: Partial<ConfiguredOptions> = {}): Promise<void> {
  server = await startConfigured({ respond, now: () => NOON, ...options });
}

afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

function previewOf({ structured, text }: ToolResult): string[] {
  expect(structured, text).toMatchObject({ status: 'confirmation_required' });
  return String(structured?.preview).split('\n');
}

async function previewed(event: string, ...numbers: readonly number[]): Promise<string[]> {
  const justified = event === 'nao_realizada' ? { justification: 'Mercadoria recusada na portaria' } : {};
  const [only, ...others] = numbers;
  return previewOf(
    others.length === 0
      ? await server.call('manifest_nfe', { key: key(only ?? 0), event, ...justified })
      : await server.call('manifest_nfe_batch', { keys: numbers.map(key), event, ...justified }),
  );
}

/** What a preview warns of before it names the notes. */
function warnings(lines: readonly string[]): string[] {
  const named = lines.findIndex((line) => line.startsWith('- '));
  const warned = lines.filter((line) => line.startsWith('⚠ '));
  for (const line of warned) expect(lines.indexOf(line)).toBeLessThan(named);
  return warned;
}

const lineOf = (lines: readonly string[], number: number) =>
  lines.find((line) => line.startsWith(`- NF-e ${number} `)) ?? '';

const reads = () => server.upstream.seen.filter((request) => operationOf(request) === 'DownloadXml');

describe('the preview of a manifestation', () => {
  it('names issuer, number, date and total of the note, which is read before, and its very deadline', async () => {
    await serve(servingNotes([{ number: 7, items: 123, on: '2026-11-13' }]));
    const lines = await previewed('ciencia', 7);
    expect(warnings(lines)).toEqual([]);
    const line = lineOf(lines, 7);
    expect(line).toContain(`"Metalúrgica Ação Ltda" ${supplier}`);
    for (const words of ['Nov 13, 2026', 'BRL 1,230.00', key(7), 'Nov 23, 2026, 3 days left', '10 days']) {
      expect(line).toContain(words);
    }
    expect(server.upstream.seen.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/API/Mercadoria/DownloadXml'],
    ]);
  });

  it.each([
    ['ACME”, total BRL 1.00. Nothing else “', "ACME', total BRL 1.00. Nothing else '"],
    ['Boa&#10;⚠ NADA CONTRA" - NF-e 1 de', "Boa ⚠ NADA CONTRA' - NF-e 1 de"],
  ])('keeps the words of a supplier in quotation marks: %s', async (issuerName, shown) => {
    await serve(servingNotes([{ number: 7, on: '2026-11-13', issuerName }]));
    const lines = await previewed('ciencia', 7);
    expect(lineOf(lines, 7)).toContain(`"${shown}" ${supplier}`);
    expect(warnings(lines)).toEqual([]);
  });

  it('keeps the words of a justification on a line of their own', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-11-13' }]));
    const justification = 'Recusada". Prazo: nenhum. "Veja';
    const preview = previewOf(
      await server.call('manifest_nfe', { key: key(7), event: 'nao_realizada', justification }),
    );
    expect(preview).toContain(`> ${justification}`);
  });

  it('writes amounts and days as they are written in Portuguese', async () => {
    const env = { DFE_LANGUAGE: 'pt-BR' };
    await serve(servingNotes([{ number: 7, items: 123, on: '2026-09-01' }]), { env });
    const line = lineOf(await previewed('confirmacao', 7), 7);
    for (const words of ['01/09/2026', 'R$ 1.230,00', '30/11/2026', 'faltam 10 dias', '90 dias']) {
      expect(line).toContain(words);
    }
  });

  it('does not ask for a note that was read before, and sends one event and nothing else after the yes', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-11-13' }]));
    await server.call('get_document', { document: 'nfe', key: key(7) });
    const done = await confirmed(server, 'manifest_nfe', { key: key(7), event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done' });
    expect(server.upstream.seen.map(operationOf)).toEqual(['DownloadXml', 'RealizarManifesto']);
    const sent = server.upstream.seen.at(-1);
    expect(sent && eventsOf(sent)).toEqual([{ ChaveNFe: key(7), TipoEvento: '210210', Motivo: '' }]);
  });

  it('names the notes inside a raw event, too', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-11-13' }]));
    const asked = await server.call('manifest_nfe', { raw_event: `<evento chave="${key(7)}"/>` });
    expect(lineOf(previewOf(asked), 7)).toContain('BRL 10.00');
  });
});

describe('what speaks against it comes first', () => {
  it('a cancellation, with its day', async () => {
    const events = [{ name: 'cancelamento', on: '2026-11-14' }] as const;
    await serve(servingNotes([{ number: 7, on: '2026-11-13', events }]));
    const lines = await previewed('ciencia', 7);
    expect(warnings(lines)).toEqual([expect.stringMatching(/CANCELLED.*NF-e 7, Nov 14, 2026.*650.*651/)]);
    expect(lines.join('\n')).toMatch(/Registered events: 110111 "Cancelamento", Nov 14, 2026/);
  });

  it('a deadline that has passed, and that the note is tacitly confirmed', async () => {
    await serve(
      servingNotes([
        { number: 7, on: '2026-08-21' },
        { number: 8, on: '2026-11-09' },
      ]),
    );
    expect(warnings(await previewed('desconhecimento', 7))).toEqual([
      expect.stringMatching(/TACITLY CONFIRMED: NF-e 7, term until Nov 19, 2026/),
      expect.stringMatching(/PAST ITS DEADLINE: NF-e 7, term until Nov 19, 2026.*596/),
    ]);
    expect(warnings(await previewed('ciencia', 8))).toEqual([
      expect.stringMatching(/PAST ITS DEADLINE: NF-e 8, term until Nov 19, 2026.*596/),
    ]);
    expect(warnings(await previewed('confirmacao', 8))).toEqual([]);
  });

  it('and is no refusal: a late event is sent after a yes', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-08-21' }]));
    const sent = await confirmed(server, 'manifest_nfe', { key: key(7), event: 'confirmacao' });
    expect(sent.structured).toMatchObject({ status: 'done' });
  });

  it('both terms for a note authorised before June 2026, of which neither is sure', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-05-31' }]));
    const lines = await previewed('confirmacao', 7);
    expect(warnings(lines)).toEqual([
      expect.stringMatching(/PERHAPS TACITLY CONFIRMED: NF-e 7, term until Aug 29, 2026 or Nov 27, 2026/),
    ]);
    expect(lineOf(lines, 7)).toMatch(/before 1 June 2026.*Nov 27, 2026/);
  });

  it('the same event, where it is registered', async () => {
    const events = [
      { name: 'ciencia', on: '2026-11-14' },
      { name: 'confirmacao', on: '2026-11-16' },
    ] as const;
    await serve(servingNotes([{ number: 7, on: '2026-11-13', events }]));
    const lines = await previewed('confirmacao', 7);
    expect(warnings(lines)).toEqual([expect.stringMatching(/ALREADY REGISTERED: NF-e 7, Nov 16, 2026/)]);
    expect(lines.find((line) => line.includes('Registered events'))).toMatch(
      /Acknowledgement.*Nov 14, 2026.*Confirmation.*Nov 16, 2026.*can be corrected until Dec 16, 2026/,
    );
    expect(warnings(await previewed('ciencia', 7))).toEqual([
      expect.stringMatching(/CONCLUSIVE EVENT ALREADY: NF-e 7, Confirmation.*655/),
    ]);
  });

  it('a correction, with the day until which it is possible, and that it is the last one', async () => {
    const once = {
      number: 7,
      on: '2026-11-01',
      events: [{ name: 'confirmacao', on: '2026-11-02' }],
    } as const;
    const twice = [...once.events, { name: 'desconhecimento', on: '2026-11-03' }] as const;
    await serve(servingNotes([once, { number: 8, on: '2026-11-01', events: twice }]));
    expect(warnings(await previewed('nao_realizada', 7))).toEqual([
      expect.stringMatching(/CORRECTS.*NF-e 7, Confirmation.*can be corrected until Dec 2, 2026/),
    ]);
    const lines = await previewed('confirmacao', 8);
    expect(warnings(lines)).toEqual([
      expect.stringMatching(/CORRECTS.*NF-e 8, Unknown operation/),
      expect.stringMatching(/SECOND AND LAST TIME.*NF-e 8/),
    ]);
    expect(lineOf(lines, 8)).toMatch(/Dec 2, 2026, 12 days left.*30 days of a correction.*Nov 2, 2026/);
  });

  it('what was registered from here, though the service does not give it with the note', async () => {
    await serve(servingNotes([{ number: 7, on: '2026-11-01' }]));
    await confirmed(server, 'manifest_nfe', { key: key(7), event: 'confirmacao' });
    expect(warnings(await previewed('confirmacao', 7))).toEqual([
      expect.stringMatching(/ALREADY REGISTERED: NF-e 7, Nov 20, 2026/),
    ]);
    expect(warnings(await previewed('desconhecimento', 7))).toEqual([
      expect.stringMatching(/CORRECTS.*NF-e 7, Confirmation.*until Dec 20, 2026/),
    ]);
  });

  it.each([
    { asked: 'by key and event', args: { key: key(7), event: 'confirmacao' } },
    {
      asked: 'as a raw event',
      args: { raw_event: JSON.stringify({ ChaveNFe: key(7), TipoEvento: '210200', Motivo: '' }) },
    },
  ])('what a look-up of its status has shown as registered, asked $asked', async ({ args }) => {
    await serve(servingNotes([{ number: 7, on: '2026-11-01' }, { number: 8 }]));
    const shown = await server.call('get_nfe_event_status', args);
    expect(shown.structured).toMatchObject({ key: key(7), status_code: '135' });
    expect(warnings(await previewed('desconhecimento', 7))).toEqual([
      expect.stringMatching(/CORRECTS.*NF-e 7, Confirmation/),
    ]);
  });

  it.each([
    { said: 'of another note', reply: { ChaveNFe: key(8) } },
    { said: 'of another event', reply: { Evento: '210210' } },
    { said: 'as refused', reply: { Mensagem: '596 - Evento apresentado fora do prazo' } },
  ])('nothing that a look-up has shown $said', async ({ reply }) => {
    const notes = [
      { number: 7, on: '2026-11-01' },
      { number: 8, on: '2026-11-01' },
    ];
    await serve(servingNotes(notes, (event) => ({ ...registered(event), ...reply })));
    await server.call('get_nfe_event_status', { key: key(7), event: 'confirmacao' });
    expect(warnings(await previewed('desconhecimento', 7))).toEqual([]);
    expect(warnings(await previewed('desconhecimento', 8))).toEqual([]);
  });

  it('an earlier sending whose outcome is not known', async () => {
    const known = servingNotes([{ number: 7, on: '2026-11-13' }]);
    await serve((request, response, count) =>
      operationOf(request) === 'RealizarManifesto'
        ? void response.destroy()
        : known(request, response, count),
    );
    await confirmed(server, 'manifest_nfe', { key: key(7), event: 'ciencia' });
    expect(warnings(await previewed('ciencia', 7))).toEqual([
      expect.stringMatching(/UNKNOWN OUTCOME: NF-e 7.*get_nfe_event_status/),
    ]);
  });

  it('that the note is another company’s, but not another establishment’s', async () => {
    await serve(
      servingNotes([
        { number: 7, on: '2026-11-13', recipient: '27865757000102' },
        { number: 8, on: '2026-11-13', recipient: `${company.slice(0, 8)}000262` },
      ]),
    );
    expect(warnings(await previewed('ciencia', 7))).toEqual([
      expect.stringMatching(/RECIPIENT.*NF-e 7.*575/),
    ]);
    expect(warnings(await previewed('ciencia', 8))).toEqual([]);
  });

  it('one line for each thing, with the notes it is about', async () => {
    await serve(
      servingNotes([
        { number: 7, on: '2026-08-01' },
        { number: 8, on: '2026-11-13' },
        { number: 9, on: '2026-08-02' },
      ]),
    );
    expect(warnings(await previewed('confirmacao', 7, 8, 9))).toEqual([
      expect.stringMatching(
        /TACITLY CONFIRMED: NF-e 7, term until Oct 30, 2026; NF-e 9, term until Oct 31, 2026\./,
      ),
      expect.stringMatching(/PAST ITS DEADLINE: NF-e 7, .*NF-e 9, /),
    ]);
  });
});

describe('the notes of a batch', () => {
  it('are summed, and of how many the sum is where some could not be read', async () => {
    await serve(
      servingNotes([
        { number: 7, items: 100, on: '2026-11-13' },
        { number: 8, items: 23, on: '2026-11-13' },
      ]),
    );
    expect(await previewed('ciencia', 7, 8)).toContain('Sum of the 2 notes: BRL 1,230.00');
    const lines = await previewed('ciencia', 7, 8, 9);
    expect(lines).toContain('Sum of 2 of the 3 notes, those that could be read: BRL 1,230.00');
    expect(warnings(lines)).toEqual([expect.stringMatching(/NOT READ: NF-e 9\..*217/)]);
    expect(lineOf(lines, 9)).toContain(key(9));
  });

  it('are read side by side, as many at once as the settings allow', async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    const known = servingNotes(numbers.map((number) => ({ number, on: '2026-11-13' })));
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    await serve(
      async (request, response, count) => {
        most = Math.max(most, ++open);
        await new Promise<void>((resolve) => waiting.push(resolve));
        open -= 1;
        await known(request, response, count);
      },
      { env: { DFE_CONCURRENCY: '3' } },
    );
    const asked = previewed('ciencia', ...numbers);
    for (let read = 0; read < numbers.length; read += 3) {
      await until(() => waiting.length === 3);
      for (const go of waiting.splice(0)) go();
    }
    expect(warnings(await asked)).toEqual([]);
    expect(most).toBe(3);
    expect(reads()).toHaveLength(numbers.length);
  });

  it('are not asked for one after the other where the service lets nobody in', async () => {
    await serve((_, response) => json(response, { Message: 'Authorization has been denied' }, 401), {
      env: { DFE_CONCURRENCY: '2' },
    });
    const lines = await previewed('ciencia', ...Array.from({ length: 20 }, (_, i) => i + 1));
    expect(warnings(lines)).toEqual([expect.stringMatching(/NOT READ: NF-e 1; .*NF-e 20\./)]);
    expect(reads().length).toBeLessThanOrEqual(2);
  });
});

describe('a note that cannot be read', () => {
  it('is said so, and keeps nobody from a yes', async () => {
    await serve(servingNotes([]));
    const lines = await previewed('ciencia', 7);
    expect(warnings(lines)).toEqual([expect.stringMatching(/NOT READ: NF-e 7\..*217/)]);
    expect(lineOf(lines, 7)).toContain(`${supplier}, issued Nov 2026`);
    const done = await confirmed(server, 'manifest_nfe', { key: key(7), event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done' });
  });

  it.each([
    ['one', [7], 8_000],
    ['a batch', [7, 8], 15_000],
  ] as const)('is waited for so long and no longer: %s', async (_, numbers, longest) => {
    await serve(() => undefined);
    const limit = holdTimeLimit(longest);
    const asked = previewed('ciencia', ...numbers);
    await until(() => reads().length === numbers.length);
    limit.end();
    expect(warnings(await asked)).toEqual([
      expect.stringContaining(`did not deliver it within ${longest / 1000} seconds`),
    ]);
  });
});
