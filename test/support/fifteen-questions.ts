import type { PlainDocument } from './independent-documents.ts';
import {
  cents,
  isOwn,
  itemsOf,
  money,
  part,
  payerOf,
  quarter,
  query,
  type Structured,
  stands,
  type TableQuestion,
  textOf,
  textsOf,
  vNF,
  type World,
} from './questions-and-figures.ts';

const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const DAY = 86_400_000;
const TODAY = Date.parse('2026-11-20T00:00:00Z');
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const keysIn = (documents: readonly PlainDocument[]) => documents.map(({ key }) => key).sort();
const keysOf = (lines: unknown) => (lines as readonly { key: string }[]).map(({ key }) => key).sort();
interface Found {
  readonly key: string;
  readonly expected: string;
}
const findingsOf = (answer: Structured) => answer.findings as readonly Found[];
const appliedTo = (answer: Structured) =>
  (answer.by_rule as readonly { applied_to: number }[]).map(({ applied_to }) => applied_to);
const check = (args: Record<string, unknown>) => () => [{ tool: 'check_documents', args }];

interface Pending {
  readonly key: string;
  readonly number: string;
  readonly status: string;
  readonly days_left_ciencia?: number;
  readonly conclusive_until?: string;
}
const pendingOf = (answer: Structured) => answer.pending as readonly Pending[];

/** Days from the authorisation until today, by the days alone. */
const daysSince = ({ xml }: PlainDocument): number =>
  (TODAY - Date.parse(`${/<dhRecbto>(.{10})/.exec(xml)?.[1]}T00:00:00Z`)) / DAY;
const eventsIn = ({ xml }: PlainDocument): string[] => textsOf(xml, 'tpEvento');
const CONCLUSIVE = ['210200', '210220', '210240'];
/** Notes of others to the company without a conclusive event. Source: docs/fiscal/events.md, deadlines. */
const unconcluded = (world: World) =>
  world.recentNfe.filter(
    (note) =>
      stands(note) &&
      !isOwn(world)(note) &&
      note.recipient.id === world.company &&
      !eventsIn(note).some((code) => CONCLUSIVE.includes(code)),
  );

/** modFrete 0: the issuer hires the carrier, 1: the recipient. Carriage within a city needs no CT-e. */
const hiresCarrier =
  ({ company }: World) =>
  ({ xml, issuer, recipient, isEntry }: PlainDocument): boolean => {
    const payer = { 0: issuer.id, 1: recipient.id }[textOf(xml, 'modFrete')];
    const [from, to] = ['enderEmit', 'enderDest'].map((place) => textOf(part(xml, place), 'cMun'));
    return payer === company && !isEntry && from !== to;
  };
const carriedBy = ({ xml }: PlainDocument): string[] => textsOf(part(xml, 'infDoc'), 'chave');

const cancelledOfOthers = (world: World) =>
  world.nfe.find((note) => !stands(note) && !isOwn(world)(note)) as PlainDocument;
const cancellation = (note: PlainDocument): string =>
  (note.xml.match(/<procEventoNFe.*?<\/procEventoNFe>/gs) ?? []).find((event) => event.includes('110111')) ??
  '';
const receivedInOctober = (world: World) =>
  world.monthNfe.filter((note) => stands(note) && !isOwn(world)(note));
const withItems = (world: World) =>
  receivedInOctober(world).find((note) => itemsOf(note).length === 4) as PlainDocument;
const carriageOf = ({ monthCte }: World) => monthCte.filter(stands)[0] as PlainDocument;

/** Fifteen questions about checks, lists, pending notes and documents. */
export const fifteenQuestions: readonly TableQuestion[] = [
  {
    question: 'que notas de outubro têm frete nosso e nenhum CT-e?',
    calls: check({ document: 'nfe', ...october, rule: 'nfe_without_cte' }),
    told: (answer) => [keysOf(answer.findings), appliedTo(answer)],
    expected: (world) => {
      const carried = new Set(world.autumnCte.filter(stands).flatMap(carriedBy));
      const hired = world.monthNfe.filter((note) => stands(note) && hiresCarrier(world)(note));
      return [keysIn(hired.filter(({ key = '' }) => !carried.has(key))), [hired.length]];
    },
  },
  {
    question: 'Cancelaram alguma nota depois que ela já tinha chegado?',
    calls: check({ document: 'nfe', ...quarter, rule: 'cancelled_after_entry' }),
    told: (answer) => keysOf(answer.findings),
    expected: (world) =>
      keysIn(
        world.nfe.filter((note) => {
          const at = textOf(cancellation(note), 'dhEvento').slice(0, 10);
          return !isOwn(world)(note) && at > note.day;
        }),
      ),
  },
  {
    question: 'tem buraco na nossa numeração de outubro?',
    calls: check({ document: 'nfe', ...october, direction: 'outbound', rule: 'number_gap' }),
    told: (answer) => [answer.total, appliedTo(answer)],
    expected: (world) => {
      const own = world.monthNfe.filter(isOwn(world)).toSorted((a, b) => Number(a.number) - Number(b.number));
      const gaps = own.filter((note, i) => i > 0 && Number(note.number) - Number(own[i - 1]?.number) > 1);
      // The last number has no next one to compare.
      return [gaps.length, [own.slice(0, -1).filter(({ isEntry }) => !isEntry).length]];
    },
  },
  {
    question: 'De que frete ainda dá pra registrar desacordo, e até quando?',
    calls: check({
      document: 'cte',
      from: '2026-10-01',
      to: '2026-11-20',
      rule: 'cte_disagreement_deadline',
    }),
    told: (answer) =>
      findingsOf(answer)
        .map(({ key, expected }) => [key, expected])
        .sort(),
    // 45 days from the authorisation, told in the last ten. Source: docs/fiscal/events.md.
    expected: (world) =>
      world.autumnCte
        .filter((one) => one.day >= '2026-10-01' && stands(one) && payerOf(one) === world.company)
        .map((one) => ({ key: one.key, left: 45 - daysSince(one) }))
        .filter(({ left }) => left >= 0 && left <= 10)
        .map(({ key, left }) => [key, isoDay(TODAY + left * DAY)])
        .sort(),
  },
  {
    question: 'quais do fim de outubro já passaram dos dez dias da ciência sem a gente fazer nada?',
    calls: () => [
      { tool: 'list_pending_manifestations', args: { from: '20/10/2026', to: '31/10/2026', limit: 50 } },
    ],
    told: (answer) =>
      keysOf(
        pendingOf(answer).filter(
          ({ status, days_left_ciencia = 0 }) => status === 'open' && days_left_ciencia < 0,
        ),
      ),
    expected: (world) =>
      keysIn(
        unconcluded(world).filter((note) => {
          const isOfTheEnd = note.day >= '2026-10-20' && note.day <= '2026-10-31';
          return isOfTheEnd && daysSince(note) > 10 && !eventsIn(note).includes('210210');
        }),
      ),
  },
  {
    question: 'O que falta manifestar da Luminex, e até quando?',
    calls: () => [{ tool: 'list_pending_manifestations', args: { issuer: 'luminex', limit: 50 } }],
    told: (answer) =>
      pendingOf(answer)
        .filter(({ status }) => status !== 'tacitly_confirmed')
        .map(({ number, conclusive_until }) => [number, conclusive_until])
        .sort(),
    expected: (world) =>
      unconcluded(world)
        .filter((note) => /luminex/i.test(note.issuer.name ?? '') && daysSince(note) <= 90)
        .map((note) => [note.number, isoDay(TODAY + (90 - daysSince(note)) * DAY)])
        .sort(),
  },
  {
    question: 'Quantas já contam como confirmadas sem ninguém ter confirmado?',
    calls: () => [{ tool: 'list_pending_manifestations', args: { limit: 1 } }],
    told: (answer) => answer.tacitly_confirmed,
    expected: (world) => unconcluded(world).filter((note) => daysSince(note) > 90).length,
  },
  {
    question: 'Quando e por que cancelaram essa nota?',
    calls: (world) => {
      const { number, issuer } = cancelledOfOthers(world);
      return [query({ document: 'nfe', number, issuer: issuer.id, event: 'cancellation' })];
    },
    told: (answer) =>
      (answer.listed as readonly { status: string; events: readonly Record<string, string>[] }[]).map(
        ({ status, events }) => {
          const { at, text } = events.find(({ code }) => code === '110111') ?? {};
          return [status, at, text];
        },
      ),
    expected: (world) => {
      const event = cancellation(cancelledOfOthers(world));
      return [['cancelled', textOf(event, 'dhEvento'), textOf(event, 'xJust')]];
    },
  },
  {
    question: 'o que veio na nota tal do fornecedor tal?',
    calls: (world) => {
      const { number, issuer, key } = withItems(world);
      return [
        { tool: 'query_documents', args: { document: 'nfe', ...october, number, issuer: issuer.id } },
        { tool: 'get_document', args: { document: 'nfe', key, include: ['items'] } },
      ];
    },
    told: (answer) =>
      (answer.document as { items: readonly Record<string, string>[] }).items.map(
        ({ code, quantity, unit, total }) => [code, quantity, unit, total],
      ),
    expected: (world) =>
      itemsOf(withItems(world)).map((item) =>
        ['cProd', 'qCom', 'uCom', 'vProd'].map((name) => textOf(item, name)),
      ),
  },
  {
    question: 'que CT-e levou essa nota?',
    calls: (world) => [
      {
        tool: 'query_documents',
        args: {
          document: 'cte',
          from: '2026-09-01',
          to: '2026-11-20',
          text: carriedBy(carriageOf(world))[0],
        },
      },
    ],
    told: (answer) => keysOf(answer.listed),
    expected: (world) => {
      const [note = ''] = carriedBy(carriageOf(world));
      return keysIn(world.autumnCte.filter((one) => stands(one) && carriedBy(one).includes(note)));
    },
  },
  {
    question: 'Notas recebidas em outubro acima de 50 mil, da maior pra menor',
    calls: () => [
      {
        tool: 'query_documents',
        args: {
          ...{ document: 'nfe', ...october, direction: 'inbound' },
          ...{ min_total: '50000', order_by: '-total' },
        },
      },
    ],
    told: (answer) => (answer.listed as readonly { key: string }[]).map(({ key }) => key),
    expected: (world) =>
      world.monthNfe
        .filter((note) => stands(note) && (!isOwn(world)(note) || note.isEntry) && vNF(note) >= 5_000_000n)
        .sort((a, b) => (vNF(a) > vNF(b) ? -1 : 1))
        .map(({ key }) => key),
  },
  {
    question: 'o que emitimos ontem?',
    calls: () => [
      { tool: 'list_documents', args: { document: 'nfe', from: 'yesterday', direction: 'outbound' } },
    ],
    told: (answer) => keysOf(answer.documents),
    expected: (world) =>
      keysIn(
        world.recentNfe.filter((note) => note.day === '2026-11-19' && isOwn(world)(note) && !note.isEntry),
      ),
  },
  {
    question: 'Que serviços tomados em outubro tiveram ISS retido, e quanto?',
    calls: () => [
      {
        tool: 'query_documents',
        args: {
          ...{ document: 'nfse', ...october, direction: 'inbound' },
          ...{ columns: ['iss_withheld'], order_by: '-iss_withheld' },
        },
      },
    ],
    told: (answer) =>
      (answer.listed as readonly { number: string; columns: { iss_withheld?: string } }[])
        .filter(({ columns }) => cents(columns.iss_withheld ?? '') > 0n)
        .map(({ number, columns }) => [number, columns.iss_withheld])
        .sort(),
    expected: (world) =>
      world.monthNfse
        .filter((note) => stands(note) && !isOwn(world)(note))
        .flatMap(({ number, amounts: { iss_withheld = 0n } }) =>
          iss_withheld > 0n ? [[number, money(iss_withheld)]] : [],
        )
        .sort(),
  },
  {
    question: 'me passa as chaves dos CT-e que recebemos em outubro',
    calls: () => [
      { tool: 'list_document_keys', args: { document: 'cte', ...october, direction: 'inbound' } },
    ],
    told: (answer) => [...(answer.keys as readonly string[])].sort(),
    expected: (world) => keysIn(world.monthCte.filter((one) => !isOwn(world)(one))),
  },
  {
    question: 'Que notas esse CT-e leva, e quem paga?',
    calls: (world) => [
      {
        tool: 'get_document',
        args: { document: 'cte', key: carriageOf(world).key, include: ['transport', 'parties'] },
      },
    ],
    told: (answer) => {
      const { linked_keys, payer } = answer.document as { linked_keys: string[]; payer: { id: string } };
      return [linked_keys, payer.id];
    },
    expected: (world) => [carriedBy(carriageOf(world)), payerOf(carriageOf(world))],
  },
];
