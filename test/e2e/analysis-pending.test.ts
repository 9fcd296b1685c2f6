import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askSandbox, company as buyer, everyPage } from '../support/asked-sandbox.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { accessKey, company, documentListReply, nfeXml, supplier } from '../support/documents.ts';
import { type AppendedEvent, servedXml, holding as serviceHolding } from '../support/documents-service.ts';
import { type EventReply, registered, type SentEvent } from '../support/event-service.ts';
import { holdTimeLimit } from '../support/passing-time.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

interface Pending {
  readonly key: string;
  readonly acknowledged: boolean;
  readonly status: string;
  readonly days_left_ciencia?: number;
  readonly days_left_conclusive?: number;
  readonly conclusive_until?: string;
  readonly rests_on: string;
  readonly total?: string;
}

interface Answer {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly documents: number;
  readonly total: number;
  readonly tacitly_confirmed: number;
  readonly settled_upstream: number;
  readonly pending: readonly Pending[];
  readonly left_out: readonly { readonly reason: string; readonly count: number }[];
  readonly next_cursor?: string;
}

const now = () => Date.parse('2026-11-20T22:30:00-03:00');
/** The day so many days before that one, in São Paulo. */
const daysAgo = (days: number) =>
  new Date(now() - days * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);

/** A note issued and authorised so many days ago. */
const noteOf = (number: number, ago: number, items = 1) => servedXml({ number, items, on: daysAgo(ago) });
/** The same with an event of yesterday in its own file. */
const noteWith = (name: AppendedEvent['name'], number: number, ago: number) =>
  servedXml({ number, on: daysAgo(ago), events: [{ name, on: daysAgo(1) }] });

const unknownEvent = ({ ChaveNFe, TipoEvento }: SentEvent): EventReply => ({
  ChaveNFe,
  Evento: TipoEvento,
  Mensagem: 'Evento nao localizado',
  Sucesso: 0,
});

/** A service that holds these notes and answers about events as it is told. */
const holding = (
  notes: readonly string[],
  replyTo: (event: SentEvent) => EventReply = unknownEvent,
): Responder => serviceHolding(notes, replyTo);

/** The same, whose answers about events say nothing. */
const silently =
  (notes: readonly string[]): Responder =>
  (request, response, count) => {
    if (request.path.includes('PesquisarStatusEvento')) return json(response, 'sem leiaute');
    return holding(notes)(request, response, count);
  };
const period = { from: daysAgo(100), to: daysAgo(0) };

describe('notes that wait for a manifestation', () => {
  let program: ConfiguredServer;
  beforeEach(async () => {
    program = await startConfigured({ respond: holding([]), now });
  });
  afterEach(() => program.close());

  async function ask(args: object = {}): Promise<Answer> {
    const { isError, text, structured } = await program.call('list_pending_manifestations', {
      ...period,
      ...args,
    });
    expect(isError, text).toBe(false);
    return { ...(structured as unknown as Answer), text };
  }

  const key = (number: number) => accessKey({ number });

  it('have 10 and 90 days from their authorisation, the day itself not counted', async () => {
    program.upstream.respond(
      holding([noteOf(1, 0), noteOf(2, 9), noteOf(3, 10), noteOf(4, 11), noteOf(5, 90)]),
    );
    const { pending, documents, total } = await ask();
    expect({ documents, total }).toEqual({ documents: 5, total: 5 });
    const left = new Map(pending.map((one) => [one.key, [one.days_left_ciencia, one.days_left_conclusive]]));
    expect(left.get(key(1))).toEqual([10, 90]);
    expect(left.get(key(2))).toEqual([1, 81]);
    expect(left.get(key(3))).toEqual([0, 80]);
    expect(left.get(key(4))).toEqual([-1, 79]);
    expect(left.get(key(5))).toEqual([-80, 0]);
  });

  it('come with what runs out first in front, the larger amount among equals', async () => {
    const notes = [noteOf(1, 2), noteOf(2, 8), noteOf(3, 8, 5), noteOf(5, 60), noteOf(6, 87)];
    program.upstream.respond(holding(notes));
    const { pending } = await ask();
    expect(pending.map((one) => one.key)).toEqual([3, 2, 6, 1, 5].map(key));
  });

  it('are tacitly confirmed after the ninetieth day, come last then, and are counted apart', async () => {
    const known = noteWith('ciencia', 4, 95);
    program.upstream.respond(holding([noteOf(1, 91), known, noteOf(3, 90), noteOf(2, 99)]));
    const { pending, total, tacitly_confirmed, text } = await ask();
    expect({ total, tacitly_confirmed }).toEqual({ total: 1, tacitly_confirmed: 3 });
    const facts = pending.map((one) => [one.key, one.status, one.conclusive_until]);
    expect(facts).toEqual([
      [key(3), 'open', daysAgo(0)],
      [key(1), 'tacitly_confirmed', daysAgo(1)],
      [key(4), 'tacitly_confirmed', daysAgo(5)],
      [key(2), 'tacitly_confirmed', daysAgo(9)],
    ]);
    expect(pending.map((one) => one.acknowledged)).toEqual([false, false, true, false]);
    expect(text).toContain('1 NF-e without a known conclusive event; 1 shown');
    expect(text).toMatch(/3 more are tacitly confirmed.*596/);
  });

  it('are those of the issuers asked for', async () => {
    const other = '27865757000102';
    const ofOther = nfeXml({ number: 2, issuer: other }).replaceAll('2026-11-05T', `${daysAgo(3)}T`);
    program.upstream.respond(holding([noteOf(1, 3), ofOther]));
    const keys = async (issuer: unknown) => (await ask({ issuer })).pending.map((one) => one.key);
    expect(await keys(['27.865.757/0001-02'])).toEqual([accessKey({ number: 2, issuer: other })]);
    expect(await keys(supplier)).toEqual([key(1)]);
    expect(await keys([supplier, other])).toHaveLength(2);
    const refused = await program.call('list_pending_manifestations', { ...period, issuer: ['123'] });
    expect({ isError: refused.isError, text: refused.text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('issuer'),
    });
  });

  it('are not among them when a conclusive event came with the note; Ciência is not conclusive', async () => {
    program.upstream.respond(
      holding([
        noteWith('confirmacao', 1, 20),
        noteWith('desconhecimento', 2, 20),
        noteWith('nao_realizada', 3, 20),
        noteWith('ciencia', 4, 20),
        noteOf(5, 20),
      ]),
    );
    const { pending, total } = await ask();
    expect(total).toBe(2);
    expect(Object.fromEntries(pending.map((one) => [one.key, one.acknowledged]))).toEqual({
      [key(4)]: true,
      [key(5)]: false,
    });
  });

  it('are what get_nfe_event_status has shown of them: acknowledged, or off the list', async () => {
    const notes = [1, 2, 3].map((number) => noteOf(number, 5));
    program.upstream.respond(holding(notes, (event) => registered(event)));
    await ask({ limit: 1, refresh: true });
    for (const [number, event] of [
      [2, 'ciencia'],
      [3, 'confirmacao'],
    ] as const) {
      const shown = await program.call('get_nfe_event_status', { key: key(number), event });
      expect(shown.structured).toMatchObject({ status_code: '135' });
    }
    program.upstream.respond(silently(notes));
    const { pending, total } = await ask();
    expect(total).toBe(1);
    expect(pending).toMatchObject([{ key: key(2), status: 'acknowledged', acknowledged: true }]);
    const preview = await program.call('manifest_nfe', { key: key(2), event: 'ciencia' });
    expect(preview.text).toMatch(/already registered/i);
  });

  it('leave the list when they are manifested from here', async () => {
    program.upstream.respond(holding([noteOf(1, 5), noteOf(2, 5)], (event) => registered(event)));
    await confirmed(program, 'manifest_nfe', { key: key(1), event: 'confirmacao' });
    program.upstream.respond(holding([noteOf(1, 5), noteOf(2, 5)]));
    const { pending, total, settled_upstream } = await ask();
    expect(pending.map((one) => one.key)).toEqual([key(2)]);
    expect({ total, settled_upstream }).toEqual({ total: 1, settled_upstream: 0 });
  });

  describe('with events that came beside them', () => {
    const fiveAgo = { from: daysAgo(5), to: daysAgo(5) };
    const receipt = (number: number, code: string, status: string) =>
      `<retEvento versao="1.00"><infEvento><cStat>${status}</cStat><chNFe>${key(number)}</chNFe>` +
      `<tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento></infEvento></retEvento>`;
    const request = (number: number, code: string) =>
      `<evento versao="1.00"><infEvento Id="ID${code}${key(number)}01"><cOrgao>91</cOrgao><tpAmb>1</tpAmb>` +
      `<CNPJ>${company}</CNPJ><chNFe>${key(number)}</chNFe><dhEvento>${daysAgo(1)}T12:00:00-03:00</dhEvento>` +
      `<tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento></infEvento></evento>`;
    const answered = (number: number, code: string, status: string) =>
      `<procEventoNFe versao="1.00">${request(number, code)}${receipt(number, code, status)}</procEventoNFe>`;
    const listed =
      (...documents: string[]): Responder =>
      (incoming, response) =>
        incoming.path.includes('RetornaLista')
          ? json(response, documentListReply(documents))
          : json(response, 'sem leiaute');

    it.each([
      ['registered', '135', false],
      ['registered without the note', '136', false],
      ['registered before', '573', false],
      ['refused as too late', '596', true],
      ['refused for its author', '575', true],
    ])('wait unless the event stands: %s', async (_, status, waits) => {
      program.upstream.respond(listed(noteOf(1, 5), answered(1, '210200', status)));
      const { pending } = await ask(fiveAgo);
      expect(pending.map((one) => one.key)).toEqual(waits ? [key(1)] : []);
    });

    it('wait where an event was sent and not answered, and are not acknowledged by a refused one', async () => {
      program.upstream.respond(
        listed(noteOf(1, 5), request(1, '210200'), noteOf(2, 5), answered(2, '210210', '596')),
      );
      const { pending } = await ask(fiveAgo);
      expect(pending.map((one) => [one.key, one.acknowledged]).toSorted()).toEqual([
        [key(1), false],
        [key(2), false],
      ]);
    });

    it.each([
      ['after', [answered(1, '210200', '135'), request(1, '210200')]],
      ['before', [request(1, '210200'), answered(1, '210200', '135')]],
    ])('do not wait because of an unanswered copy %s the registered event', async (_, events) => {
      program.upstream.respond(listed(noteOf(1, 5), ...events));
      expect((await ask(fiveAgo)).pending).toEqual([]);
    });
  });

  it('are those of which only the summary came, too, without one that was cancelled', async () => {
    const summaryOf = (number: number, situation: string) =>
      `<resNFe versao="1.01"><chNFe>${key(number)}</chNFe><CNPJ>${supplier}</CNPJ><xNome>Fornecedor</xNome>` +
      `<IE>1</IE><dhEmi>${daysAgo(4)}T12:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>150.00</vNF><digVal>x</digVal>` +
      `<dhRecbto>${daysAgo(4)}T12:00:05-03:00</dhRecbto><nProt>135260000000001</nProt>` +
      `<cSitNFe>${situation}</cSitNFe></resNFe>`;
    program.upstream.respond((request, response) =>
      json(
        response,
        request.path.includes('RetornaLista')
          ? documentListReply([summaryOf(1, '1'), summaryOf(2, '3')])
          : 'sem leiaute',
      ),
    );
    const answer = await ask({ from: daysAgo(4), to: daysAgo(4) });
    expect(answer.pending).toMatchObject([
      { key: key(1), total: '150.00', days_left_ciencia: 6, days_left_conclusive: 86, acknowledged: false },
    ]);
    expect(answer.left_out).toEqual([{ reason: 'cancelled', count: 1 }]);
  });

  it('are not those of others, nor the own notes of entry', async () => {
    const ownEntry = nfeXml({ number: 7, issuer: company, recipient: supplier }).replace(
      '<tpNF>1</tpNF>',
      '<tpNF>0</tpNF>',
    );
    const ofOthers = nfeXml({ number: 8, recipient: '27865757000102' });
    const on = (xml: string) => xml.replaceAll('2026-11-05T', `${daysAgo(3)}T`);
    program.upstream.respond(holding([on(ownEntry), on(ofOthers), noteOf(1, 3)]));
    const { pending, documents, left_out } = await ask({ from: daysAgo(3), to: daysAgo(3) });
    expect(pending.map((one) => one.key)).toEqual([key(1)]);
    expect(documents).toBe(3);
    expect(left_out).toEqual([{ reason: 'not_to_manifest', count: 2 }]);
  });

  it.each([
    ['clear answers to all three', () => '596 - Evento apresentado fora do prazo', 'service'],
    [
      'one clear answer and two unclear ones',
      (code: string) => (code === '210240' ? '596 - Evento apresentado fora do prazo' : 'Sem informacao'),
      'unclear',
    ],
    ['unclear answers', () => 'Sem informacao', 'unclear'],
    ['answers that want no questions', () => '656 - Consumo indevido', 'unclear'],
    ['a hint at another event', () => '655 - Evento de Ciencia apos conclusiva', 'unclear'],
  ])('rest on the service only after clear answers: %s', async (_, messageFor, restsOn) => {
    program.upstream.respond(
      holding([noteOf(1, 5)], ({ ChaveNFe, TipoEvento }) => ({
        ChaveNFe,
        Evento: TipoEvento,
        Mensagem: messageFor(TipoEvento),
        Sucesso: 0,
      })),
    );
    expect((await ask()).pending).toMatchObject([{ key: key(1), rests_on: restsOn }]);
  });

  it('are given without the service where it does not answer about events in time', async () => {
    const lists = holding([noteOf(1, 5), noteOf(2, 6)]);
    const tenSeconds = holdTimeLimit(10_000);
    program.upstream.respond((request, response) => {
      if (request.path.includes('RetornaLista')) return lists(request, response, 0);
      return tenSeconds.end();
    });
    const { pending } = await ask({ from: daysAgo(6), to: daysAgo(5) });
    expect(pending).toMatchObject([{ rests_on: 'documents' }, { rests_on: 'documents' }]);
  });

  it('drop out where the service knows the event', async () => {
    const isKnown = ({ ChaveNFe, TipoEvento }: SentEvent) => ChaveNFe === key(1) && TipoEvento === '210200';
    program.upstream.respond(
      holding([noteOf(1, 5), noteOf(2, 5)], (event) => (isKnown(event) ? registered : unknownEvent)(event)),
    );
    const { pending, settled_upstream } = await ask();
    expect(settled_upstream).toBe(1);
    expect(pending.map((one) => one.key)).toEqual([key(2)]);
  });

  it('are unclear, and stay, where a manifestation was sent and its reply lost', async () => {
    program.upstream.respond((request, response) => {
      if (request.path.includes('RealizarManifesto')) return void response.destroy();
      return silently([noteOf(1, 5)])(request, response, 0);
    });
    await confirmed(program, 'manifest_nfe', { key: key(1), event: 'confirmacao' });
    program.upstream.respond(silently([noteOf(1, 5)]));
    expect((await ask()).pending).toMatchObject([{ key: key(1), rests_on: 'unclear' }]);
  });

  it('come in pages without loss', async () => {
    program.upstream.respond(holding(Array.from({ length: 7 }, (_, i) => noteOf(i + 1, i + 1))));
    const keys = await everyPage(async (cursor) => {
      const { total, pending, next_cursor } = await ask({ limit: 3, ...cursor });
      expect(total).toBe(7);
      return { entries: pending.map((one) => one.key), next: next_cursor };
    });
    expect(keys.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7].map(key).toSorted());
  });
});

describe('asked on a day of November 2026', () => {
  const on = (number: number, day: string) =>
    nfeXml({ number }).replaceAll(/2026-11-05T10:00:0(.)/g, `${day}T10:00:0$1`);

  async function asked(args: object, notes: readonly string[], language = 'en') {
    const respond = holding(notes);
    await using program = await startConfigured({ respond, now, env: { DFE_LANGUAGE: language } });
    const { isError, text, structured } = await program.call('list_pending_manifestations', { ...args });
    expect(isError, text).toBe(false);
    const listed = program.upstream.seen.filter(({ path }) => path.includes('RetornaLista'));
    return { ...(structured as unknown as Answer), text, listed };
  }

  it('without dates it means the last hundred days, today in São Paulo included', async () => {
    const { from, to, listed, pending } = await asked({}, [on(1, '2026-08-12'), on(2, '2026-08-13')]);
    // 19 days of August, 30 of September, 31 of October and 20 of November.
    expect({ from, to }).toEqual({ from: '2026-08-13', to: '2026-11-20' });
    const days = listed.flatMap(({ query }) => {
      const sent = new Map(query);
      return [sent.get('dataDe'), sent.get('dataAte')].map((day) => day?.split('/').reverse().join('-'));
    });
    expect(days.toSorted().at(0)).toBe('2026-08-13');
    expect(days.toSorted().at(-1)).toBe('2026-11-20');
    expect(pending.map((one) => one.key)).toEqual([accessKey({ number: 2 })]);
  });

  it('with one of the dates the other follows', async () => {
    expect(await asked({ to: '2026-10-31' }, [])).toMatchObject({ from: '2026-07-24', to: '2026-10-31' });
    expect(await asked({ from: '2026-11-01' }, [])).toMatchObject({ from: '2026-11-01', to: '2026-11-20' });
  });

  it('a note of before June 2026 stays open while the longer term may hold, and the answer says so', async () => {
    const notes = [on(1, '2026-05-22'), on(2, '2026-05-25'), on(3, '2026-06-01')];
    const { pending, tacitly_confirmed, text } = await asked({ from: '2026-05-01' }, notes);
    expect(pending.map((one) => [one.key, one.status, one.conclusive_until])).toEqual([
      [accessKey({ number: 2 }), 'open', '2026-08-23'],
      [accessKey({ number: 3 }), 'tacitly_confirmed', '2026-08-30'],
      [accessKey({ number: 1 }), 'tacitly_confirmed', '2026-08-20'],
    ]);
    expect(pending[0]?.days_left_conclusive).toBe(-89);
    expect(tacitly_confirmed).toBe(2);
    expect(text).toMatch(/authorised before 1 June 2026/);
  });
});

describe('a company whose notes are mostly manifested', () => {
  const { ask, documents } = askSandbox();
  const month = { from: '2026-08-01', to: '2026-08-31' };

  it('has those pending that carry no conclusive event in their own XML', async () => {
    const authorized = (await documents('nfe', month)).filter(({ status }) => status === 'authorized');
    const inbound = authorized.filter(({ issuer }) => issuer.id !== buyer);
    const entries = authorized.filter(({ issuer, isEntry }) => issuer.id === buyer && isEntry);
    const has = (xml: string, code: string) => xml.includes(`<tpEvento>${code}</tpEvento>`);
    const open = inbound.filter(({ xml }) => !['210200', '210220', '210240'].some((code) => has(xml, code)));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(inbound.length / 2);
    const { data } = await ask('list_pending_manifestations', { ...month, limit: 200 });
    const { pending, total, tacitly_confirmed, ...others } = data as unknown as Answer;
    expect(entries.length).toBeGreaterThan(0);
    expect(others).toMatchObject({
      documents: inbound.length + entries.length,
      left_out: expect.arrayContaining([{ reason: 'not_to_manifest', count: entries.length }]),
      settled_upstream: 0,
    });
    expect(total + tacitly_confirmed).toBe(open.length);
    expect(pending.map((one) => one.key).toSorted()).toEqual(open.map(({ key = '' }) => key).toSorted());
    const acknowledged = pending.filter((one) => one.acknowledged).map((one) => one.key);
    expect(acknowledged.toSorted()).toEqual(
      open.flatMap(({ xml, key = '' }) => (has(xml, '210210') ? [key] : [])).toSorted(),
    );
  });
});
