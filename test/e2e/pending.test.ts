import { describe, expect, it } from 'vitest';
import { everyPage } from '../support/asked-sandbox.ts';
import { askThrough } from '../support/asking.ts';
import { accessKey, company, documentListReply, type Note, supplier } from '../support/documents.ts';
import {
  type AppendedEvent,
  listsIn,
  servedXml,
  holding as serviceHolding,
} from '../support/documents-service.ts';
import { type EventReply, registered, type SentEvent } from '../support/event-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { holdTimeLimit } from '../support/passing-time.ts';
import { daysAsked, json, type Responder } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';

interface Answer {
  readonly text: string;
  readonly pending: readonly (Record<'key' | 'status' | 'conclusive_until' | 'rests_on', string> & {
    readonly acknowledged: boolean;
    readonly days_left_ciencia?: number;
    readonly days_left_conclusive?: number;
  })[];
  readonly next_cursor?: string;
}

const now = () => Date.parse('2026-11-20T22:30:00-03:00');
/** The day so many days before that one, in São Paulo. */
const daysAgo = (days: number) =>
  new Date(now() - days * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);
const key = (number: number) => accessKey({ number });

/** A note issued and authorised so many days ago. */
const noteOf = (number: number, ago: number, more: Partial<Note> = {}) =>
  servedXml({ number, on: daysAgo(ago), ...more });
/** The same with an event of yesterday in its own file. */
const noteWith = (name: AppendedEvent['name'], number: number, ago: number) =>
  servedXml({ number, on: daysAgo(ago), events: [{ name, on: daysAgo(1) }] });
/** A note of a day of the calendar. */
const on = (number: number, day: string) => servedXml({ number, on: day });

const says =
  (messageFor: (code: string) => string) =>
  ({ ChaveNFe, TipoEvento }: SentEvent): EventReply => ({
    ...{ ChaveNFe, Evento: TipoEvento, Mensagem: messageFor(TipoEvento), Sucesso: 0 },
  });
const unknownEvent = says(() => 'Evento nao localizado');

/** A service that holds these notes and answers about events as it is told. */
const holding = (notes: readonly string[], replyTo = unknownEvent): Responder =>
  serviceHolding(notes, replyTo);
/** The same, whose answers about events say nothing. */
const silently =
  (notes: readonly string[]): Responder =>
  (request, response, count) =>
    request.path.includes('PesquisarStatusEvento')
      ? json(response, 'sem leiaute')
      : holding(notes)(request, response, count);
/** Lists these documents, whatever is asked for, and says nothing of events. */
const listing =
  (...documents: string[]): Responder =>
  ({ path }, response) =>
    json(response, path.includes('RetornaLista') ? documentListReply(documents) : 'sem leiaute');

const service = serve({ anew: true, now });
async function ask(args: object = {}, respond?: Responder): Promise<Answer> {
  if (respond) service.respond(respond);
  const asked = { from: daysAgo(100), to: daysAgo(0), ...args };
  const { data, text } = await service.ask('list_pending_manifestations', asked);
  return { ...(data as unknown as Answer), text };
}
const keysIn = ({ pending }: Answer) => pending.map((one) => one.key);

const summaryOf = (number: number, situation: string) =>
  `<resNFe versao="1.01"><chNFe>${key(number)}</chNFe><CNPJ>${supplier}</CNPJ><xNome>Fornecedor</xNome>` +
  `<IE>1</IE><dhEmi>${daysAgo(4)}T12:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>150.00</vNF><digVal>x</digVal>` +
  `<dhRecbto>${daysAgo(4)}T12:00:05-03:00</dhRecbto><nProt>135260000000001</nProt>` +
  `<cSitNFe>${situation}</cSitNFe></resNFe>`;

describe('notes that wait for a manifestation', () => {
  it.each<[what: string, respond: Responder, args: object, answered: object, ...said: RegExp[]]>([
    [
      'have 10 and 90 days from their authorisation, the day itself not counted, what runs out first in front',
      holding([noteOf(1, 0), noteOf(2, 9), noteOf(3, 10), noteOf(4, 11), noteOf(5, 88)]),
      {},
      {
        ...{ documents: 5, total: 5 },
        pending: [
          { key: key(3), days_left_ciencia: 0, days_left_conclusive: 80 },
          { key: key(2), days_left_ciencia: 1, days_left_conclusive: 81 },
          { key: key(5), days_left_ciencia: -78, days_left_conclusive: 2 },
          { key: key(1), days_left_ciencia: 10, days_left_conclusive: 90 },
          { key: key(4), days_left_ciencia: -1, days_left_conclusive: 79 },
        ],
      },
    ],
    [
      'come with the larger amount first among equals',
      holding([noteOf(1, 2), noteOf(2, 8), noteOf(3, 8, { items: 5 }), noteOf(5, 60), noteOf(6, 87)]),
      {},
      { pending: [3, 2, 6, 1, 5].map((number) => ({ key: key(number) })) },
    ],
    [
      'are tacitly confirmed after the ninetieth day, come last then, and are counted apart',
      holding([noteOf(1, 91), noteWith('ciencia', 4, 95), noteOf(3, 90), noteOf(2, 99)]),
      {},
      {
        ...{ total: 1, tacitly_confirmed: 3 },
        pending: [
          { key: key(3), status: 'open', conclusive_until: daysAgo(0), acknowledged: false },
          { key: key(1), status: 'tacitly_confirmed', conclusive_until: daysAgo(1), acknowledged: false },
          { key: key(4), status: 'tacitly_confirmed', conclusive_until: daysAgo(5), acknowledged: true },
          { key: key(2), status: 'tacitly_confirmed', conclusive_until: daysAgo(9), acknowledged: false },
        ],
      },
      /1 NF-e without a known conclusive event; 1 shown/,
      /3 more are tacitly confirmed.*596/,
    ],
    [
      'are not among them when a conclusive event came with the note; Ciência is not conclusive',
      holding([
        ...(['confirmacao', 'desconhecimento', 'nao_realizada', 'ciencia'] as const).map((name, i) =>
          noteWith(name, i + 1, 20),
        ),
        noteOf(5, 20),
      ]),
      {},
      { total: 2, pending: expect.toSatisfy((all: object[]) => all.length === 2) },
      new RegExp(`(?=.*${key(4)})(?=.*${key(5)})`, 's'),
    ],
    [
      'are those of which only the summary came, too, without one that was cancelled',
      listing(summaryOf(1, '1'), summaryOf(2, '3')),
      { from: daysAgo(4), to: daysAgo(4) },
      {
        pending: [
          {
            key: key(1),
            total: '150.00',
            days_left_ciencia: 6,
            days_left_conclusive: 86,
            acknowledged: false,
          },
        ],
        left_out: [{ reason: 'cancelled', count: 1 }],
      },
    ],
    [
      'are not those of others, nor the own notes of entry',
      holding([
        noteOf(7, 3, { issuer: company, recipient: supplier }).replace('<tpNF>1', '<tpNF>0'),
        noteOf(8, 3, { recipient: '27865757000102' }),
        noteOf(1, 3),
      ]),
      { from: daysAgo(3), to: daysAgo(3) },
      { documents: 3, pending: [{ key: key(1) }], left_out: [{ reason: 'not_to_manifest', count: 2 }] },
    ],
    [
      'drop out where the service knows the event',
      holding([noteOf(1, 5), noteOf(2, 5)], (event) =>
        (event.ChaveNFe === key(1) && event.TipoEvento === '210200' ? registered : unknownEvent)(event),
      ),
      {},
      { settled_upstream: 1, pending: [{ key: key(2) }] },
    ],
    [
      'of before June 2026 stay open while the longer term may hold, and the answer says so',
      holding([on(1, '2026-05-22'), on(2, '2026-05-25'), on(3, '2026-06-01')]),
      { from: '2026-05-01' },
      {
        tacitly_confirmed: 2,
        pending: [
          { key: key(2), status: 'open', conclusive_until: '2026-08-23', days_left_conclusive: -89 },
          { key: key(3), status: 'tacitly_confirmed', conclusive_until: '2026-08-30' },
          { key: key(1), status: 'tacitly_confirmed', conclusive_until: '2026-08-20' },
        ],
      },
      /authorised before 1 June 2026/,
    ],
  ])('%s', async (_, respond, args, answered, ...said) => {
    const answer = await ask(args, respond);
    expect(answer).toMatchObject(answered);
    for (const words of said) expect(answer.text).toMatch(words);
  });

  it('are those of the issuers asked for', async () => {
    const other = '27865757000102';
    service.respond(holding([noteOf(1, 3), noteOf(2, 3, { issuer: other })]));
    const ofOther = accessKey({ number: 2, issuer: other });
    expect(keysIn(await ask({ issuer: ['27.865.757/0001-02'] }))).toEqual([ofOther]);
    expect(keysIn(await ask({ issuer: supplier }))).toEqual([key(1)]);
    expect(keysIn(await ask({ issuer: [supplier, other] }))).toHaveLength(2);
    expect(await service.refused('list_pending_manifestations', { issuer: ['123'] })).toContain('issuer');
  });

  it('are what get_nfe_event_status has shown of them: acknowledged, or off the list', async () => {
    const notes = [1, 2, 3].map((number) => noteOf(number, 5));
    await ask({ limit: 1, refresh: true }, holding(notes, registered));
    for (const [number, event] of [
      [2, 'ciencia'],
      [3, 'confirmacao'],
    ] as const) {
      const { data } = await service.ask('get_nfe_event_status', { key: key(number), event });
      expect(data).toMatchObject({ status_code: '135' });
    }
    const { pending } = await ask({}, silently(notes));
    expect(pending).toMatchObject([{ key: key(2), status: 'acknowledged', acknowledged: true }]);
    const again = await service.preview('manifest_nfe', { key: key(2), event: 'ciencia' });
    expect(again).toMatch(/already registered/i);
  });

  it('leave the list when they are manifested from here, and stay, unclear, where the reply is lost', async () => {
    const notes = [noteOf(1, 5), noteOf(2, 5)];
    const confirm = (number: number) =>
      service.confirmed('manifest_nfe', { key: key(number), event: 'confirmacao' });
    service.respond(holding(notes, registered));
    await confirm(1);
    const isWrite = (path: string) => path.includes('RealizarManifesto');
    service.respond((request, response) =>
      isWrite(request.path) ? void response.destroy() : silently(notes)(request, response, 0),
    );
    await confirm(2);
    const answer = await ask({}, silently(notes));
    expect(answer).toMatchObject({ settled_upstream: 0, pending: [{ key: key(2), rests_on: 'unclear' }] });
    expect(answer.pending).toHaveLength(1);
  });

  const fiveAgo = { from: daysAgo(5), to: daysAgo(5) };

  it('are settled or acknowledged by the journal alone on another server with an empty archive', async () => {
    const notes = [noteOf(1, 5), noteOf(2, 5), noteOf(3, 5)];
    service.respond(holding(notes, registered));
    await service.confirmed('manifest_nfe', { key: key(1), event: 'confirmacao' });
    await service.confirmed('manifest_nfe', { key: key(2), event: 'ciencia' });
    service.respond(silently(notes));
    await using other = await connectInProcess('v1', { now, env: service.server.env });
    const { data } = await askThrough(() => other).ask('list_pending_manifestations', fiveAgo);
    expect(data.pending).toMatchObject([
      { key: key(3), acknowledged: false, rests_on: 'documents' },
      { key: key(2), acknowledged: true, rests_on: 'journal' },
    ]);
  });

  const request = (number: number, code: string) =>
    `<evento versao="1.00"><infEvento Id="ID${code}${key(number)}01"><cOrgao>91</cOrgao><tpAmb>1</tpAmb>` +
    `<CNPJ>${company}</CNPJ><chNFe>${key(number)}</chNFe><dhEvento>${daysAgo(1)}T12:00:00-03:00</dhEvento>` +
    `<tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento></infEvento></evento>`;
  const answered = (number: number, code: string, status: string) =>
    `<procEventoNFe versao="1.00">${request(number, code)}<retEvento versao="1.00"><infEvento><cStat>${status}</cStat>` +
    `<chNFe>${key(number)}</chNFe><tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento></infEvento></retEvento></procEventoNFe>`;

  it.each<[string, events: string[], waiting: boolean | undefined]>([
    ['was registered', [answered(1, '210200', '135')], undefined],
    ['was refused as too late', [answered(1, '210200', '596')], false],
    ['was sent and not answered', [request(1, '210200')], false],
    ['is a Ciência that was refused', [answered(1, '210210', '596')], false],
    ['is there behind an unanswered copy', [request(1, '210200'), answered(1, '210200', '135')], undefined],
  ])('wait unless the event that came beside them stands: one that %s', async (_, events, acknowledged) => {
    const { pending } = await ask(fiveAgo, listing(noteOf(1, 5), ...events));
    expect(pending.map((one) => [one.key, one.acknowledged])).toEqual(
      acknowledged === undefined ? [] : [[key(1), acknowledged]],
    );
  });

  const late = '596 - Evento apresentado fora do prazo';
  it.each([
    ['clear answers to all three', () => late, 'service'],
    [
      'one clear answer and two unclear ones',
      (code: string) => (code === '210240' ? late : 'Sem informacao'),
      'unclear',
    ],
    ['answers that want no questions', () => '656 - Consumo indevido', 'unclear'],
    ['a hint at another event', () => '655 - Evento de Ciencia apos conclusiva', 'unclear'],
  ])('rest on the service only after clear answers: %s', async (_, messageFor, restsOn) => {
    const { pending } = await ask({}, holding([noteOf(1, 5)], says(messageFor)));
    expect(pending).toMatchObject([{ key: key(1), rests_on: restsOn }]);
  });

  it('are given without the service where it does not answer about events in time', async () => {
    const lists = holding([noteOf(1, 5), noteOf(2, 6)]);
    const tenSeconds = holdTimeLimit(10_000);
    const { pending } = await ask({ from: daysAgo(6), to: daysAgo(5) }, (asked, response) =>
      asked.path.includes('RetornaLista') ? lists(asked, response, 0) : tenSeconds.end(),
    );
    expect(pending).toMatchObject([{ rests_on: 'documents' }, { rests_on: 'documents' }]);
  });

  it('come in pages without loss', async () => {
    service.respond(holding(Array.from({ length: 7 }, (_, i) => noteOf(i + 1, i + 1))));
    const keys = await everyPage(async (cursor) => {
      const answer = await ask({ limit: 3, ...cursor });
      expect(answer).toMatchObject({ total: 7 });
      return { entries: keysIn(answer), next: answer.next_cursor };
    });
    expect(keys.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7].map(key).toSorted());
  });

  it('are paged without loss if some are settled, and refuse a cursor if one was manifested since', async () => {
    const notes = Array.from({ length: 7 }, (_, i) => noteOf(i + 1, i + 1));
    const isSettled = ({ ChaveNFe, TipoEvento }: SentEvent) =>
      TipoEvento === '210200' && [key(2), key(6), key(7)].includes(ChaveNFe);
    const replyTo = (event: SentEvent) => (isSettled(event) ? registered : unknownEvent)(event);
    service.respond(holding(notes, replyTo));
    const keys = await everyPage(async (cursor) => {
      const answer = await ask({ limit: 2, ...cursor });
      return { entries: keysIn(answer), next: answer.next_cursor };
    });
    expect(keys.toSorted()).toEqual([1, 3, 4, 5].map(key).toSorted());
    const { next_cursor: cursor, pending } = await ask({ limit: 2 });
    service.respond(holding(notes, registered));
    await service.confirmed('manifest_nfe', { key: pending[0]?.key, event: 'confirmacao' });
    const asked = { from: daysAgo(100), to: daysAgo(0), limit: 2, cursor };
    expect(await service.refused('list_pending_manifestations', asked)).toMatch(/changed/);
  });

  it('without dates are those of the last hundred days, today in São Paulo included; with one the other follows', async () => {
    service.respond(holding([on(1, '2026-08-12'), on(2, '2026-08-13')]));
    const { data } = await service.ask('list_pending_manifestations', {});
    // 19 days of August, 30 of September, 31 of October and 20 of November.
    expect(data).toMatchObject({ from: '2026-08-13', to: '2026-11-20', pending: [{ key: key(2) }] });
    const lists = listsIn(service.seen);
    const days = lists.flatMap((request) => Object.values(daysAsked(request))).sort();
    expect([days[0], days.at(-1)]).toEqual(['2026-08-13', '2026-11-20']);
    for (const [args, from, to] of [
      [{ to: '2026-10-31' }, '2026-07-24', '2026-10-31'],
      [{ from: '2026-11-01' }, '2026-11-01', '2026-11-20'],
    ] as const)
      expect((await service.ask('list_pending_manifestations', args)).data).toMatchObject({ from, to });
  });
});
