import { describe, expect, it } from 'vitest';
import { askThrough } from '../../support/asking.ts';
import { accessKey, company, supplier } from '../../support/documents.ts';
import { holding, type ServedNote, servedXml } from '../../support/documents-service.ts';
import {
  type EventReply,
  eventsOf,
  operationOf,
  registered,
  type SentEvent,
} from '../../support/event-service.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { holdTimeLimit, until } from '../../support/passing-time.ts';
import { json } from '../../support/recording-upstream.ts';
import { serve } from '../../support/served.ts';

const now = () => Date.parse('2026-11-20T12:00:00-03:00');
const key = (number: number) => accessKey({ number });
const service = serve({ anew: true, now });

const serving = (notes: readonly ServedNote[], replyTo?: (event: SentEvent) => EventReply) =>
  service.respond(holding(notes.map(servedXml), replyTo));

async function previewed(event: string, ...numbers: readonly number[]): Promise<string[]> {
  const args = {
    event,
    ...(event === 'nao_realizada' && { justification: 'Mercadoria recusada na portaria' }),
  };
  const [only = 0, ...others] = numbers;
  const text =
    others.length === 0
      ? await service.preview('manifest_nfe', { key: key(only), ...args })
      : await service.preview('manifest_nfe_batch', { keys: numbers.map(key), ...args });
  return text.split('\n');
}

/** What a preview warns of before it names the notes. */
function warnings(lines: readonly string[]): string[] {
  const named = lines.findIndex((line) => line.startsWith('- '));
  const warned = lines.filter((line) => line.startsWith('⚠ '));
  for (const line of warned) expect(lines.indexOf(line)).toBeLessThan(named);
  return warned;
}
const warnsOf = (...expected: readonly RegExp[]) => expected.map((words) => expect.stringMatching(words));

const lineOf = (lines: readonly string[], number: number) =>
  lines.find((line) => line.startsWith(`- NF-e ${number} `)) ?? '';

const reads = () => service.seen.filter((request) => operationOf(request) === 'DownloadXml');
const november13 = { number: 7, on: '2026-11-13' };

describe('the preview of a manifestation', () => {
  it.each<[language: string, note: ServedNote, event: string, words: readonly string[]]>([
    [
      'en',
      { ...november13, items: 123 },
      'ciencia',
      ['Nov 13, 2026', 'BRL 1,230.00', key(7), 'Nov 23, 2026 (in 3 days)', '10 days'],
    ],
    [
      'pt-BR',
      { number: 7, items: 123, on: '2026-09-01' },
      'confirmacao',
      ['01/09/2026', 'R$ 1.230,00', key(7), '30/11/2026', 'em 10 dias', '90 dias'],
    ],
  ])(
    'names the note, which is read before, and its very deadline: %s',
    async (language, note, event, words) => {
      serving([note]);
      const env = { ...service.server.env, DFE_LANGUAGE: language };
      await using connection = await connectInProcess('v1', { env, now });
      const lines = (
        await askThrough(() => connection).preview('manifest_nfe', { key: key(7), event })
      ).split('\n');
      expect(warnings(lines)).toEqual([]);
      const line = lineOf(lines, 7);
      for (const one of [`"Metalúrgica Ação Ltda" ${supplier}`, ...words]) expect(line).toContain(one);
      expect(service.seen.map(({ method, path }) => [method, path])).toEqual([
        ['GET', '/API/Mercadoria/DownloadXml'],
      ]);
    },
  );

  it.each([
    ['ACME”, total BRL 1.00. Nothing else “', "ACME', total BRL 1.00. Nothing else '"],
    ['Boa&#10;⚠ NADA CONTRA" - NF-e 1 de', "Boa ⚠ NADA CONTRA' - NF-e 1 de"],
  ])('keeps the words of a supplier in quotation marks: %s', async (issuerName, shown) => {
    serving([{ ...november13, issuerName }]);
    const lines = await previewed('ciencia', 7);
    expect(lineOf(lines, 7)).toContain(`"${shown}" ${supplier}`);
    expect(warnings(lines)).toEqual([]);
  });

  it('does not ask for a note that was read before, and sends one event and nothing else after the yes', async () => {
    serving([november13]);
    await service.ask('get_document', { document: 'nfe', key: key(7) });
    const done = await service.confirmed('manifest_nfe', { key: key(7), event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done' });
    expect(service.seen.map(operationOf)).toEqual(['DownloadXml', 'RealizarManifesto']);
    expect(service.seen.slice(1).flatMap(eventsOf)).toEqual([
      { ChaveNFe: key(7), TipoEvento: '210210', Motivo: '' },
    ]);
  });

  it('names the notes inside a raw event, too', async () => {
    serving([november13]);
    const text = await service.preview('manifest_nfe', { raw_event: `<evento chave="${key(7)}"/>` });
    expect(lineOf(text.split('\n'), 7)).toContain('BRL 10.00');
  });
});

describe('what speaks against it comes first', () => {
  const both = [
    { name: 'ciencia', on: '2026-11-14' },
    { name: 'confirmacao', on: '2026-11-16' },
  ] as const;
  const corrected = [
    { name: 'confirmacao', on: '2026-11-02' },
    { name: 'desconhecimento', on: '2026-11-03' },
  ] as const;

  it.each<[what: string, note: Omit<ServedNote, 'number'>, event: string, warned: RegExp[], said?: RegExp]>([
    [
      'a cancellation, with its day',
      { on: '2026-11-13', events: [{ name: 'cancelamento', on: '2026-11-14' }] },
      'ciencia',
      [/CANCELLED.*NF-e 7, Nov 14, 2026.*650.*651/],
      /Registered events: 110111 "Cancelamento", Nov 14, 2026/,
    ],
    [
      'a deadline that has passed, and that the note is tacitly confirmed',
      { on: '2026-08-21' },
      'desconhecimento',
      [
        /TACITLY CONFIRMED: NF-e 7, term until Nov 19, 2026/,
        /PAST ITS DEADLINE: NF-e 7, term until Nov 19, 2026.*596/,
      ],
      /- NF-e 7 .*The deadline was Nov 19, 2026/,
    ],
    [
      'both terms for a note authorised before June 2026, of which neither is sure',
      { on: '2026-05-31' },
      'confirmacao',
      [/PERHAPS TACITLY CONFIRMED: NF-e 7, term until Aug 29, 2026 or Nov 27, 2026/],
      /NF-e 7 .*before 1 June 2026.*Nov 27, 2026/,
    ],
    [
      'the same event, where it is registered',
      { on: '2026-11-13', events: both },
      'confirmacao',
      [/ALREADY REGISTERED: NF-e 7, Nov 16, 2026/],
      /Registered events.*Acknowledgement.*Nov 14, 2026.*Confirmation.*Nov 16, 2026.*can be corrected until Dec 16, 2026/,
    ],
    [
      'Ciência after a conclusive event',
      { on: '2026-11-13', events: both },
      'ciencia',
      [/CONCLUSIVE EVENT ALREADY: NF-e 7, Confirmation.*655/],
    ],
    [
      'a correction, with the day until which it is possible',
      { on: '2026-11-01', events: corrected.slice(0, 1) },
      'nao_realizada',
      [/CORRECTS.*NF-e 7, Confirmation.*can be corrected until Dec 2, 2026/],
    ],
    [
      'that a correction is the last one',
      { on: '2026-11-01', events: corrected },
      'confirmacao',
      [/CORRECTS.*NF-e 7, Unknown operation/, /SECOND AND LAST TIME.*NF-e 7/],
      /- NF-e 7 .*Dec 2, 2026 \(in 12 days\).*30 days of a correction.*Nov 2, 2026/,
    ],
    [
      'that the note is another company’s',
      { on: '2026-11-13', recipient: '27865757000102' },
      'ciencia',
      [/RECIPIENT.*NF-e 7.*575/],
    ],
    [
      'nothing for another establishment of the company',
      { on: '2026-11-13', recipient: `${company.slice(0, 8)}000262` },
      'ciencia',
      [],
    ],
  ])('%s', async (_, note, event, warned, said = /./) => {
    serving([{ number: 7, ...note }]);
    const lines = await previewed(event, 7);
    expect(warnings(lines)).toEqual(warnsOf(...warned));
    expect(lines).toContainEqual(expect.stringMatching(said));
  });

  it('and is no refusal: a late event is sent after a yes', async () => {
    serving([{ number: 7, on: '2026-08-21' }]);
    const sent = await service.confirmed('manifest_nfe', { key: key(7), event: 'confirmacao' });
    expect(sent.structured).toMatchObject({ status: 'done' });
  });

  it('what was registered from here, though the service does not give it with the note', async () => {
    serving([{ number: 7, on: '2026-11-01' }]);
    await service.confirmed('manifest_nfe', { key: key(7), event: 'confirmacao' });
    const again = warnsOf(/ALREADY REGISTERED: NF-e 7, Nov 20, 2026/);
    expect(warnings(await previewed('confirmacao', 7))).toEqual(again);
    const other = warnsOf(/CORRECTS.*NF-e 7, Confirmation.*until Dec 20, 2026/);
    expect(warnings(await previewed('desconhecimento', 7))).toEqual(other);
    // Another process knows it from the journal alone.
    await using later = await connectInProcess('v1', { env: service.server.env, now });
    const text = await askThrough(() => later).preview('manifest_nfe', { key: key(7), event: 'confirmacao' });
    expect(warnings(text.split('\n'))).toEqual(again);
  });

  const confirmation = { key: key(7), event: 'confirmacao' };
  it.each<[shown: string, args: object, reply: EventReply, warned: RegExp[]]>([
    ['by key and event', confirmation, {}, [/CORRECTS.*NF-e 7, Confirmation/]],
    [
      'as a raw event',
      { raw_event: JSON.stringify({ ChaveNFe: key(7), TipoEvento: '210200', Motivo: '' }) },
      {},
      [/CORRECTS.*NF-e 7, Confirmation/],
    ],
    ['of another note', confirmation, { ChaveNFe: key(8) }, []],
    ['as refused', confirmation, { Mensagem: '596 - Evento apresentado fora do prazo' }, []],
  ])('what a look-up has shown as registered: %s', async (_, args, reply, warned) => {
    const notes = [7, 8].map((number) => ({ number, on: '2026-11-01' }));
    serving(notes, (event) => ({ ...registered(event), ...reply }));
    await service.ask('get_nfe_event_status', args);
    expect(warnings(await previewed('desconhecimento', 7))).toEqual(warnsOf(...warned));
    expect(warnings(await previewed('desconhecimento', 8))).toEqual([]);
  });

  it('an earlier sending whose outcome is not known', async () => {
    const known = holding([servedXml(november13)]);
    service.respond((request, response, count) =>
      operationOf(request) === 'RealizarManifesto'
        ? void response.destroy()
        : known(request, response, count),
    );
    await service.confirmed('manifest_nfe', { key: key(7), event: 'ciencia' });
    const unknown = warnsOf(/UNKNOWN OUTCOME: NF-e 7.*get_nfe_event_status/);
    expect(warnings(await previewed('ciencia', 7))).toEqual(unknown);
  });

  it('one line for each thing, with the notes it is about', async () => {
    serving([
      { number: 7, on: '2026-08-01' },
      { number: 8, on: '2026-11-13' },
      { number: 9, on: '2026-08-02' },
    ]);
    const lines = warnsOf(
      /TACITLY CONFIRMED: NF-e 7, term until Oct 30, 2026; NF-e 9, term until Oct 31, 2026\./,
      /PAST ITS DEADLINE: NF-e 7, .*NF-e 9, /,
    );
    expect(warnings(await previewed('confirmacao', 7, 8, 9))).toEqual(lines);
  });
});

describe('the notes of a batch', () => {
  it('are summed, and of how many the sum is where some could not be read', async () => {
    serving([
      { ...november13, items: 100 },
      { number: 8, items: 23, on: '2026-11-13' },
    ]);
    expect(await previewed('ciencia', 7, 8)).toContain('Sum of the notes read (2 of 2): BRL 1,230.00');
    const lines = await previewed('ciencia', 7, 8, 9);
    expect(lines).toContain('Sum of the notes read (2 of 3): BRL 1,230.00');
    expect(warnings(lines)).toEqual(warnsOf(/NOT READ: NF-e 9\..*217/));
    // What its key says is known, and keeps nobody from a yes.
    expect(lineOf(lines, 9)).toContain(`${supplier}, issued Nov 2026`);
    const sent = await service.confirmed('manifest_nfe', { key: key(9), event: 'ciencia' });
    expect(sent.structured).toMatchObject({ status: 'done' });
  });

  it('are read side by side, as many at once as the settings allow', async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    const known = holding(numbers.map((number) => servedXml({ number, on: '2026-11-13' })));
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    service.respond(async (request, response, count) => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => waiting.push(resolve));
      open -= 1;
      await known(request, response, count);
    });
    const asked = previewed('ciencia', ...numbers);
    for (let read = 0; read < numbers.length; read += 4) {
      await until(() => waiting.length === 4);
      for (const go of waiting.splice(0)) go();
    }
    expect(warnings(await asked)).toEqual([]);
    expect(most).toBe(4);
    expect(reads()).toHaveLength(numbers.length);
  });

  it('are not asked for one after the other where the service refuses the credentials', async () => {
    service.respond((_, response) => json(response, { Message: 'Authorization has been denied' }, 401));
    const lines = await previewed('ciencia', ...Array.from({ length: 20 }, (_, i) => i + 1));
    expect(warnings(lines)).toEqual(warnsOf(/NOT READ: NF-e 1; .*NF-e 20\./));
    expect(reads().length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['one', [7], 8_000],
    ['a batch', [7, 8], 15_000],
  ] as const)('are waited for so long and no longer: %s', async (_, numbers, longest) => {
    service.respond(() => undefined);
    const limit = holdTimeLimit(longest);
    const asked = previewed('ciencia', ...numbers);
    await until(() => reads().length === numbers.length);
    limit.end();
    const words = new RegExp(`did not deliver it within ${longest / 1000} seconds`);
    expect(warnings(await asked)).toEqual(warnsOf(words));
  });
});
