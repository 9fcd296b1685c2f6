import { type AskedSandbox, company } from './asked-sandbox.ts';
import type { PlainDocument } from './independent-documents.ts';
import {
  answerPlainly,
  centsOf,
  counted,
  isOutbound,
  isOwn,
  money,
  otherParty,
  type PlainQuestion,
  part,
  payerOf,
  plain,
  rowsOf,
  stands,
  textOf,
  textsOf,
  totalOf,
} from './plain-answers.ts';
import { decimal, type PlainRow, sum } from './plain-sums.ts';

type Kind = PlainDocument['kind'];
type Period = Readonly<Record<'from' | 'to', string>>;
type Structured = Readonly<Record<string, unknown>>;
type Args = Readonly<Record<string, unknown>>;
type Call = readonly [tool: string, args: Args];

const DAY = 86_400_000;
const TODAY = '2026-11-20';
const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;
const before = { from: '2026-04-01', to: '2026-06-30' } as const;
const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const autumn = { from: '2026-09-01', to: TODAY } as const;

/** The documents of the demo company as of 2026-11-20, computed from the XML itself; by default of the quarter. */
export type World = (kind: Kind, period?: Period) => readonly PlainDocument[];

export async function worldOf({ documents }: AskedSandbox): Promise<World> {
  const year = { from: '2025-11-01', to: TODAY };
  const all = await Promise.all((['nfe', 'nfse', 'cte'] as const).map((kind) => documents(kind, year)));
  return (kind, { from, to } = quarter) =>
    all.flat().filter((one) => one.kind === kind && one.day >= from && one.day <= to);
}

/** A question as an analyst puts it, the calls it takes, and the figures that must be in the last answer. */
export interface AnalystQuestion {
  readonly question: string;
  readonly calls: (world: World) => readonly Call[];
  /** The expected fields of the last answer. */
  readonly told: (answer: Structured) => unknown;
  /** The same, computed from the XML. */
  readonly expected: (world: World) => unknown;
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;
const standing = (world: World, kind: Kind, period?: Period) => world(kind, period).filter(stands);
const received = (world: World, period?: Period) =>
  standing(world, 'nfe', period).filter((note) => !isOutbound(note));
const itemsOf = ({ xml }: PlainDocument): string[] => xml.match(/<det .*?<\/det>/gs) ?? [];
const keysIn = (documents: readonly PlainDocument[]) => documents.map(({ key }) => key).sort();
const linesOf = (name: string) => (answer: Structured) => answer[name] as readonly Record<string, string>[];
/** The keys of a list's lines. */
const keysOf = (name: string) => (answer: Structured) =>
  linesOf(name)(answer)
    .map(({ key }) => key)
    .sort();
/** Fields of a list's lines, those of inner objects by a point. */
const fields =
  (name: string, ...paths: readonly string[]) =>
  (answer: Structured) =>
    (answer[name] as readonly unknown[])
      .map((line) => paths.map((path) => path.split('.').reduce(member, line)))
      .sort();
const member = (value: unknown, name: string) => (value as Structured | undefined)?.[name];

/** What the table of CFOP calls a sale, as far as the demo company has it. */
const SALE = /^[567](?:10[1278]|110|40[1-5]|65[36])$/;
const hasCodes = (pattern: RegExp) => (note: PlainDocument) =>
  note.lines.every(({ cfop = '' }) => pattern.test(cfop));
const isSale = hasCodes(SALE);
const isBought = (note: PlainDocument) => (isOwn(note) ? hasCodes(/^[123]/) : isSale)(note);
const sold = (world: World, period?: Period) =>
  standing(world, 'nfe', period).filter((note) => isOutbound(note) && isSale(note));

const codesIn = ({ xml }: PlainDocument): string[] => textsOf(xml, 'tpEvento');
const CONCLUSIVE = ['210200', '210220', '210240'];
const eventsOf = ({ xml }: PlainDocument, code: string): string[] =>
  (xml.match(/<procEventoNFe.*?<\/procEventoNFe>/gs) ?? []).filter(
    (event) => textOf(event, 'tpEvento') === code,
  );

/** Days from the authorisation until today, by the days alone. */
const daysSince = ({ xml }: PlainDocument): number =>
  (Date.parse(TODAY) - Date.parse(textOf(xml, 'dhRecbto').slice(0, 10))) / DAY;
const inDays = (days: number): string => new Date(Date.parse(TODAY) + days * DAY).toISOString().slice(0, 10);
/** Notes of others to the company without a conclusive event. Source: docs/fiscal/events.md, deadlines. */
const unconcluded = (world: World) =>
  standing(world, 'nfe', { from: '2026-08-13', to: TODAY }).filter(
    (note) =>
      !isOwn(note) &&
      note.recipient.id === company &&
      !codesIn(note).some((code) => CONCLUSIVE.includes(code)),
  );

/** modFrete 0: the issuer hires the carrier, 1: the recipient. Carriage within a city needs no CT-e. */
function hiresCarrier({ xml, issuer, recipient, isEntry }: PlainDocument): boolean {
  const payer = { 0: issuer.id, 1: recipient.id }[textOf(xml, 'modFrete')];
  const [from, to] = ['enderEmit', 'enderDest'].map((place) => textOf(part(xml, place), 'cMun'));
  return payer === company && !isEntry && from !== to;
}
const carriedBy = ({ xml }: PlainDocument): string[] => textsOf(part(xml, 'infDoc'), 'chave');

/** Percent with two decimals, a half away from zero; of nothing there is none. */
function percent(part_: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const size = part_ < 0n ? -part_ : part_;
  const hundredths = (size * 20_000n + whole) / (whole * 2n);
  return decimal(part_ < 0n ? -hundredths : hundredths);
}

/** Instalments of notes. */
const duesOf = (notes: readonly PlainDocument[], from = '', to = '9') =>
  notes
    .flatMap((note) =>
      (note.xml.match(/<dup>.*?<\/dup>/gs) ?? []).map((dup) => ({
        note,
        day: textOf(dup, 'dVenc'),
        amount: centsOf(textOf(dup, 'vDup')),
      })),
    )
    .filter(({ day }) => day >= from && day <= to);
const dueMeasures = (dues: ReturnType<typeof duesOf>) => ({
  count: String(new Set(dues.map(({ note }) => note)).size),
  due: money(sum(dues.map(({ amount }) => amount))),
});
function byKey<T>(values: readonly T[], keyOf: (value: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

const query = (args: Args): Call => ['query_documents', { ...quarter, ...args }];
const firstMeasures = (answer: Structured) => rowsOf(answer)[0]?.measures;
const sumsOf = (answer: Structured) => (answer.sums as readonly PlainRow[])[0]?.measures;
const inbound = { document: 'nfe', direction: 'inbound' } as const;
const outbound = { document: 'nfe', direction: 'outbound' } as const;
const sales = { ...outbound, nature: 'sale' } as const;
const services = { document: 'nfse', direction: 'inbound' } as const;

/** A question of one call, answered by the oracle of sums; the selected documents supply some of its words. */
function sums(
  question: string,
  args: PlainQuestion & Args & { readonly document: Kind },
  where?: (document: PlainDocument) => boolean,
): AnalystQuestion {
  const { document, group_by, order_by } = args;
  const period = { ...quarter, ...args };
  const inTurn = (rows: readonly PlainRow[]) =>
    order_by === undefined ? rows.map((row) => JSON.stringify(row)).sort() : rows;
  return {
    question,
    calls: () => [query({ measures: ['count', 'total'], ...args })],
    told: (answer) =>
      group_by === undefined ? firstMeasures(answer) : [inTurn(rowsOf(answer)), sumsOf(answer)],
    expected(world) {
      // `where` has the name and the words.
      const { counterparty: _, text: __, ...told } = args;
      const answer = answerPlainly(world(document, period), where === undefined ? args : told, where);
      return group_by === undefined ? answer.sums : [inTurn(answer.rows), answer.sums];
    },
  };
}

/** A question with an answer of its own form. */
const asked = (
  question: string,
  calls: readonly Call[] | ((world: World) => readonly Call[]),
  told: AnalystQuestion['told'],
  expected: AnalystQuestion['expected'],
): AnalystQuestion => ({
  question,
  calls: typeof calls === 'function' ? calls : () => calls,
  told,
  expected,
});

const paysFor = (one: PlainDocument) => payerOf(one) === company;
const isImport = (note: PlainDocument) => otherParty(note).state === 'EX';
const found = (documents: readonly PlainDocument[]) => [documents.length, counted(documents)];
const totalAndSums = (answer: Structured) => [answer.total, sumsOf(answer)];
const says = (note: PlainDocument, name: string, ...words: readonly string[]) => {
  const text = plain(textsOf(note.xml, name).join(' '));
  return words.every((word) => text.includes(word));
};
const firstText = (documents: readonly PlainDocument[], name: string): string =>
  documents.flatMap(({ xml }) => textsOf(xml, name))[0] ?? '';

const largest = (world: World) =>
  world('nfe')
    .filter((note) => !isOwn(note))
    .sort((a, b) => ((a.amounts.total ?? 0n) > (b.amounts.total ?? 0n) ? -1 : 1))[0];
const acknowledged = (world: World) => world('nfe').find((note) => codesIn(note).includes('210210'))?.key;
const cancelledOne = (world: World) => world('nfe').find((note) => !stands(note));
const cancelledOfOthers = (world: World) =>
  world('nfe').find((note) => !stands(note) && !isOwn(note)) as PlainDocument;
const withItems = (world: World) =>
  received(world, october).find((note) => !isOwn(note) && itemsOf(note).length === 4) as PlainDocument;
const carriage = (world: World) => standing(world, 'cte', october)[0] as PlainDocument;

/** Twenty questions of fiscal analysts about the demo company. */
export const twentyQuestions: readonly AnalystQuestion[] = [
  sums('Quanto nós pagamos de frete no trimestre?', { document: 'cte', payer: company }, paysFor),
  sums('Qual foi o faturamento por mês, sem devoluções?', { ...sales, group_by: ['month'] }, isSale),
  sums('Qual o ticket médio das vendas?', sales, isSale),
  sums('Quanto pagamos, em média, por unidade de cada item comprado? Os dez maiores.', {
    ...{ ...inbound, group_by: ['item', 'unit'], order_by: '-products', limit: 10 },
    measures: ['products', 'quantity', 'average_price'],
  }),
  sums('Qual o total por CFOP das notas emitidas?', { ...outbound, group_by: ['cfop'] }),
  sums('Quanto de crédito de ICMS temos por fornecedor? Os cinco maiores.', {
    ...{ ...inbound, group_by: ['issuer'], measures: ['icms', 'icms_credit'], order_by: '-icms', limit: 5 },
  }),
  sums(
    'Qual o crédito de ICMS dos fornecedores do Simples, mês a mês?',
    { ...inbound, regime: '1', group_by: ['month'], measures: ['count', 'icms_credit'] },
    ({ xml }) => textOf(part(xml, 'emit'), 'CRT') === '1',
  ),
  sums('Que impostos foram retidos nos serviços que tomamos?', {
    ...{ ...services, measures: ['count', 'iss_withheld', 'irrf', 'csll'] },
  }),
  asked(
    'O que ainda falta manifestar?',
    [['list_pending_manifestations', { limit: 5 }]],
    ({ total }) => total,
    (world) => unconcluded(world).filter((note) => daysSince(note) <= 90).length,
  ),
  sums(
    'Quais são os cinco maiores fornecedores?',
    { ...inbound, nature: 'purchase', group_by: ['issuer'], order_by: '-total', limit: 5 },
    isBought,
  ),
  asked(
    'Quais notas foram canceladas no mês passado?',
    [['query_documents', { document: 'nfe', from: 'last_month', status: 'cancelled' }]],
    (answer) => [answer.from, answer.to, keysOf('listed')(answer)],
    (world) => [...Object.values(october), keysIn(world('nfe', october).filter((note) => !stands(note)))],
  ),
  asked(
    'Que notas trazem luminária de LED?',
    [query({ ...inbound, text: 'LED luminaria', limit: 10 })],
    totalAndSums,
    (world) =>
      found(
        received(world).filter(({ words, lines }) => {
          const said = plain([...words, ...lines.map(({ description }) => description)].join(' '));
          return said.includes('led') && said.includes('luminaria');
        }),
      ),
  ),
  sums(
    'Para que cidades mais vendemos?',
    { ...sales, group_by: ['city'], order_by: '-total', limit: 5 },
    isSale,
  ),
  sums('Quanto compramos de cada grupo, somando as filiais?', {
    ...{ ...inbound, group_by: ['issuer_root'], order_by: '-total', limit: 8 },
  }),
  sums('Quanto de IBS e CBS veio destacado nas compras, por mês?', {
    ...{ ...inbound, group_by: ['month'], measures: ['ibs', 'cbs'] },
  }),
  sums(
    'Quanto devolvemos de compras, por mês?',
    { ...outbound, nature: 'return', group_by: ['month'] },
    hasCodes(/^[567](?:20[12]|41[01])$/),
  ),
  sums('Quem pagou os fretes dos CT-e?', {
    ...{ document: 'cte', group_by: ['payer'], order_by: '-total', limit: 5 },
  }),
  sums('Quanto tomamos de serviços por competência?', {
    ...{ ...services, group_by: ['competence'], measures: ['count', 'services'] },
  }),
  asked(
    'A maior nota que recebemos foi cancelada?',
    (world) => {
      const { number, issuer, key } = largest(world) ?? {};
      return [
        query({ document: 'nfe', number, issuer: issuer?.id, status: ['authorized', 'cancelled'] }),
        ['get_document', { document: 'nfe', key, include: 'status' }],
      ];
    },
    (answer) => ['key', 'status'].map((name) => member(answer.document, name)),
    (world) => [largest(world)?.key, largest(world)?.status],
  ),
  asked(
    'Quanto compramos e quanto gastamos de frete e de serviços no trimestre?',
    [query({ document: ['nfe', 'nfse', 'cte'], recipient: company, measures: ['count', 'total'] })],
    (answer) => (answer.rows as readonly PlainRow[]).map(({ measures }) => measures),
    (world) =>
      (['nfe', 'nfse', 'cte'] as const).map((kind) =>
        counted(standing(world, kind).filter(({ recipient }) => recipient.id === company)),
      ),
  ),
];

/** Thirty-five more questions, each with the call that an assistant would make. */
const furtherQuestions: readonly AnalystQuestion[] = [
  sums('De quem importamos no trimestre, e quanto?', {
    ...{ ...inbound, state: 'EX', group_by: ['counterparty'] },
  }),
  sums(
    'quanto compramos da shenzhen',
    { document: 'nfe', counterparty: 'shenzhen', measures: ['count', 'total', 'import_duty'] },
    (note) => !isOutbound(note) && /shenzhen/i.test(otherParty(note).name ?? ''),
  ),
  asked(
    'Maiores fornecedores, importação junto, e a fatia de cada um',
    [
      query({
        ...{ ...inbound, group_by: ['counterparty'], measures: ['total'] },
        ...{ share: true, order_by: '-total', limit: 4 },
      }),
    ],
    fields('rows', 'group.counterparty', 'measures.total', 'share.total'),
    (world) => {
      const all = received(world);
      const asking = { group_by: ['counterparty'], order_by: '-total', limit: 4 };
      const shown = answerPlainly(all, asking).rows.map(
        ({ group, measures }) => [group.counterparty, centsOf(measures.total)] as const,
      );
      const others = totalOf(all) - sum(shown.map(([, cents]) => cents));
      return [...shown, [undefined, others] as const]
        .map(([id, cents]) => [id, money(cents), percent(cents, totalOf(all))])
        .sort();
    },
  ),
  asked(
    'Que documentos vocês têm aqui, e de quando?',
    [
      ['query_documents', { document: 'nfe', from: '2024-01-01', to: TODAY, measures: ['count'] }],
      ['list_documents', {}],
    ],
    (answer) =>
      linesOf('holdings')(answer).flatMap(({ document, from, to, documents }) =>
        document === 'nfe' ? [[from, to, documents]] : [],
      ),
    (world) => {
      const days = world('nfe', { from: '', to: TODAY })
        .map(({ day }) => day)
        .sort();
      return [[days[0], days.at(-1), days.length]];
    },
  ),
  sums('Pra qual município é devido o ISS dos serviços que tomamos?', {
    ...{ ...services, group_by: ['iss_city'], measures: ['count', 'iss'] },
  }),
  sums(
    'De onde pra onde foram os fretes que a gente pagou?',
    { document: 'cte', payer: company, group_by: ['origin_state', 'destination_state'] },
    paysFor,
  ),
  asked(
    'Pagamos frete de alguma nota que foi cancelada?',
    [['check_documents', { document: 'cte', ...quarter, rule: 'freight_of_cancelled_note' }]],
    keysOf('findings'),
    (world) => {
      const notes = world('nfe', { ...quarter, from: before.from });
      const cancelled = new Set(notes.filter((note) => !stands(note)).map(({ key }) => key));
      return keysIn(
        standing(world, 'cte').filter(({ xml }) => textsOf(xml, 'chave').some((key) => cancelled.has(key))),
      );
    },
  ),
  asked(
    'quanto deu o FR-0500 no trimestre (só o item)',
    [
      query({
        ...{ document: 'nfe', text: 'FR-0500', text_in: 'codes', text_counts: 'items' },
        measures: ['count', 'items', 'products'],
      }),
    ],
    firstMeasures,
    (world) => {
      const items = standing(world, 'nfe')
        .flatMap((note) => itemsOf(note).map((item) => ({ note, item })))
        .filter(({ item }) => textOf(item, 'cProd') === 'FR-0500');
      return {
        count: String(new Set(items.map(({ note }) => note)).size),
        items: String(items.length),
        products: money(sum(items.map(({ item }) => centsOf(textOf(item, 'vProd'))))),
      };
    },
  ),
  asked(
    'Quais notas são do pedido?',
    (world) => [
      query({
        document: 'nfe',
        text: firstText(standing(world, 'nfe'), 'xPed'),
        text_in: 'orders',
        limit: 5,
      }),
    ],
    totalAndSums,
    (world) => {
      const notes = standing(world, 'nfe');
      const order = firstText(notes, 'xPed');
      return found(notes.filter(({ xml }) => textsOf(xml, 'xPed').includes(order)));
    },
  ),
  asked(
    'Quantas notas dizem para conferir a mercadoria?',
    [query({ document: 'nfe', text: 'conferir mercadoria', text_in: 'remarks', measures: ['count'] })],
    (answer) => [firstMeasures(answer)?.count, answer.text_in, answer.text_counts],
    (world) => {
      const notes = standing(world, 'nfe').filter((note) => says(note, 'infCpl', 'conferir', 'mercadoria'));
      return [String(notes.length), ['remarks'], 'documents'];
    },
  ),
  sums('CT-e com pedágio destacado', { document: 'cte', text: 'pedágio' }, (one) =>
    says(one, 'xNome', 'pedagio'),
  ),
  sums('ICMS monofásico por CST, no segundo trimestre', {
    ...{ document: 'nfe', ...before, group_by: ['cst'], measures: ['icms_mono'] },
  }),
  sums('Bruto e líquido dos serviços tomados, por mês', {
    ...{ ...services, group_by: ['month'], measures: ['services', 'total'] },
  }),
  asked(
    'Do frete que chegou, quanto é por nossa conta?',
    [query({ document: 'cte', direction: 'inbound', measures: ['total'] })],
    ({ freight_paid_by }) => freight_paid_by,
    (world) => {
      const all = standing(world, 'cte').filter((one) => !isOwn(one));
      const own = totalOf(all.filter(paysFor));
      return { own: money(own), others: money(totalOf(all) - own) };
    },
  ),
  asked(
    'As cinco notas recebidas com mais ICMS: base, imposto e peso',
    [query({ ...inbound, columns: ['icms_base', 'icms', 'weight'], order_by: '-icms', limit: 5 })],
    fields('listed', 'key', 'columns'),
    (world) =>
      received(world)
        .toSorted((a, b) => ((a.amounts.icms ?? 0n) > (b.amounts.icms ?? 0n) ? -1 : 1))
        .slice(0, 5)
        .map((note) => [note.key, answerPlainly([note], { measures: ['icms_base', 'icms', 'weight'] }).sums])
        .sort(),
  ),
  sums('peso do que saiu por mês', {
    ...{ ...outbound, group_by: ['month'], measures: ['count', 'weight'] },
  }),
  sums('Que transportadora levou mais peso?', {
    ...{ document: 'cte', group_by: ['issuer'], measures: ['weight'], order_by: '-weight', limit: 3 },
  }),
  asked(
    'Qual a quantidade transportada por CT-e?',
    [query({ document: 'cte', measures: ['count', 'quantity'] })],
    (answer) => [firstMeasures(answer), answer.unavailable],
    (world) => [
      { count: String(standing(world, 'cte').length) },
      [{ argument: 'measures', value: 'quantity', document: 'cte', reason: 'not_in_kind' }],
    ],
  ),
  sums('PIS e COFINS das entradas por CST', {
    ...{ ...inbound, group_by: ['pis_cofins_cst'], measures: ['count', 'pis', 'cofins'] },
  }),
  asked(
    'Que notas são desta DI?',
    (world) => [query({ document: 'nfe', di: firstText(standing(world, 'nfe'), 'nDI'), limit: 5 })],
    keysOf('listed'),
    (world) => {
      const notes = standing(world, 'nfe');
      const number = firstText(notes, 'nDI');
      return keysIn(notes.filter(({ xml }) => textsOf(xml, 'nDI').includes(number)));
    },
  ),
  asked(
    'total de notas desde 2024',
    [['query_documents', { document: 'nfe', from: '2024-01-01', to: TODAY, measures: ['count'] }]],
    (answer) => [answer.known_from, answer.complete, firstMeasures(answer)?.count],
    (world) => {
      const notes = world('nfe', { from: '', to: TODAY });
      return [notes.map(({ day }) => day).sort()[0], true, String(notes.filter(stands).length)];
    },
  ),
  asked(
    'quanto recebemos em outubro de 2026?',
    [['query_documents', { ...inbound, from: '2026-10', measures: ['count', 'total'] }]],
    (answer) => [answer.from, answer.to, firstMeasures(answer)],
    (world) => [...Object.values(october), counted(received(world, october))],
  ),
  asked(
    'Faturamento por mês contra o trimestre anterior',
    [query({ ...sales, group_by: ['month'], measures: ['total'], compare: 'previous_period' })],
    fields('rows', 'group.month', 'measures.total', 'previous.total', 'change.total'),
    (world) =>
      [7, 8, 9].map((month) => {
        const of = (number: number, all: readonly PlainDocument[]) =>
          totalOf(all.filter(({ day }) => day.startsWith(`2026-0${number}`)));
        const [now, then] = [of(month, sold(world)), of(month - 3, sold(world, before))];
        return [`2026-0${month}`, money(now), money(then), percent(now - then, then)];
      }),
  ),
  asked(
    'Que clientes compraram no trimestre passado e não compraram neste?',
    [
      query({
        ...{ ...sales, group_by: ['counterparty'], measures: ['total'] },
        ...{ compare: 'previous_period', limit: 100 },
      }),
    ],
    (answer) =>
      (answer.rows as (PlainRow & Record<'previous' | 'change', Record<string, string>>)[])
        .filter(({ measures }) => measures.total === '0.00')
        .map(({ group, previous, change }) => [group.counterparty, previous.total, change.total])
        .sort(),
    (world) => {
      const now = new Set(sold(world).map(({ recipient }) => recipient.id));
      return byKey(sold(world, before), ({ recipient }) => recipient.id ?? '')
        .filter(([id]) => !now.has(id))
        .map(([id, notes]) => [id, money(totalOf(notes)), '-100.00'])
        .sort();
    },
  ),
  asked(
    'O que temos para pagar com vencimento em outubro?',
    [
      query({
        ...{ ...inbound, due_from: october.from, due_to: october.to, measures: ['count', 'due'] },
      }),
    ],
    firstMeasures,
    (world) => dueMeasures(duesOf(received(world), october.from, october.to)),
  ),
  asked(
    'vencimentos das compras por mês',
    [query({ ...inbound, group_by: ['due_month'] })],
    fields('rows', 'group.due_month', 'measures'),
    (world) =>
      byKey(duesOf(received(world)), ({ day }) => day.slice(0, 7)).map(([month, dues]) => [
        month,
        dueMeasures(dues),
      ]),
  ),
  asked(
    'Que duplicatas vencem na primeira semana de outubro, nota a nota?',
    [
      query({
        ...{ ...inbound, due_from: '2026-10-01', due_to: '2026-10-07' },
        ...{ columns: ['due_dates', 'due'], order_by: 'due_dates' },
      }),
    ],
    fields('listed', 'key', 'columns'),
    (world) =>
      byKey(duesOf(received(world), '2026-10-01', '2026-10-07'), ({ note }) => note.key ?? '').map(
        ([key, dues]) => {
          const due_dates = [...new Set(dues.map(({ day }) => day))].sort().join('; ');
          return [key, { due_dates, due: dueMeasures(dues).due }];
        },
      ),
  ),
  asked(
    'Quais notas tiveram carta de correção, e o que corrigiram?',
    [query({ document: 'nfe', event: 'correction_letter', limit: 12 })],
    (answer) =>
      (answer.listed as { key: string; events: { text?: string }[] }[])
        .map(({ key, events }) => [key, events.map(({ text }) => text).filter(isDefined)])
        .sort(),
    (world) =>
      standing(world, 'nfe')
        .filter((note) => codesIn(note).includes('110110'))
        .map(({ key, xml }) => [key, [...textsOf(xml, 'xCorrecao'), ...textsOf(xml, 'xJust')]])
        .sort(),
  ),
  asked(
    'Já demos ciência dessa nota?',
    (world) => [['get_nfe_event_status', { key: acknowledged(world), event: 'ciencia' }]],
    (answer) => [answer.key, answer.status_code],
    // 135: registered. Source: docs/fiscal/events.md.
    (world) => [acknowledged(world), '135'],
  ),
  sums('Notas de fornecedor sem manifestação nenhuma', { ...inbound, event: 'none' }, (note) =>
    codesIn(note).every((code) => ![...CONCLUSIVE, '210210'].includes(code)),
  ),
  asked(
    'Alguma nota foi cancelada depois de 24 horas?',
    [query({ document: 'nfe', status: 'cancelled', columns: ['authorized_at', 'cancelled_at'] })],
    (answer) =>
      (answer.listed as { key: string; columns: { authorized_at: string; cancelled_at: string } }[])
        .filter(({ columns }) => Date.parse(columns.cancelled_at) - Date.parse(columns.authorized_at) > DAY)
        .map(({ key }) => key)
        .sort(),
    (world) =>
      keysIn(
        world('nfe').filter((note) => {
          const [event = ''] = eventsOf(note, '110111');
          const authorized = textOf(part(note.xml, 'protNFe'), 'dhRecbto');
          return Date.parse(textOf(event, 'dhEvento')) - Date.parse(authorized) > DAY;
        }),
      ),
  ),
  asked(
    'E a nota tal, cadê? (foi cancelada)',
    (world) => [query({ document: 'nfe', number: cancelledOne(world)?.number })],
    fields('listed', 'number', 'status'),
    (world) =>
      world('nfe')
        .filter(({ number }) => number === cancelledOne(world)?.number)
        .map(({ number, status }) => [number, status])
        .sort(),
  ),
  asked(
    'O que é dessa devolução: qual a nota original?',
    [query({ document: 'nfe', purpose: '4', columns: ['references', 'counterparty'] })],
    fields('listed', 'key', 'columns.references', 'columns.counterparty'),
    (world) =>
      standing(world, 'nfe')
        .filter(({ xml }) => textOf(xml, 'finNFe') === '4')
        .map((note) => [note.key, textsOf(note.xml, 'refNFe').join('; '), otherParty(note).id])
        .sort(),
  ),
  asked(
    'Repete para esse fornecedor, mês a mês',
    (world) => [
      query({ ...inbound, state: 'EX', group_by: ['counterparty'] }),
      query({
        ...{ ...inbound, group_by: ['month'] },
        counterparty: otherParty(received(world).find(isImport) as PlainDocument).id,
      }),
    ],
    (answer) => rowsOf(answer),
    (world) => answerPlainly(received(world).filter(isImport), { group_by: ['month'] }).rows,
  ),
  sums('Prestadores por regime tributário', {
    ...{ ...services, group_by: ['regime'], measures: ['count', 'services'] },
  }),
];

const check = (args: Args): readonly Call[] => [['check_documents', args]];
const appliedTo = (answer: Structured) =>
  (answer.by_rule as { applied_to: number }[]).map(({ applied_to }) => applied_to);
const pendingOf = (answer: Structured) =>
  answer.pending as readonly (Record<'key' | 'number' | 'status' | 'conclusive_until', string> & {
    days_left_ciencia?: number;
  })[];

/** Fifteen questions about checks, lists, pending notes and documents. */
const fifteenQuestions: readonly AnalystQuestion[] = [
  asked(
    'que notas de outubro têm frete nosso e nenhum CT-e?',
    check({ document: 'nfe', ...october, rule: 'nfe_without_cte' }),
    (answer) => [keysOf('findings')(answer), appliedTo(answer)],
    (world) => {
      const carried = new Set(standing(world, 'cte', autumn).flatMap(carriedBy));
      const hired = standing(world, 'nfe', october).filter(hiresCarrier);
      return [keysIn(hired.filter(({ key = '' }) => !carried.has(key))), [hired.length]];
    },
  ),
  asked(
    'Cancelaram alguma nota depois que ela já tinha chegado?',
    check({ document: 'nfe', ...quarter, rule: 'cancelled_after_entry' }),
    keysOf('findings'),
    (world) =>
      keysIn(
        world('nfe').filter((note) => {
          const [event = ''] = eventsOf(note, '110111');
          return !isOwn(note) && textOf(event, 'dhEvento').slice(0, 10) > note.day;
        }),
      ),
  ),
  asked(
    'tem buraco na nossa numeração de outubro?',
    check({ document: 'nfe', ...october, direction: 'outbound', rule: 'number_gap' }),
    (answer) => [answer.total, appliedTo(answer)],
    (world) => {
      const own = world('nfe', october)
        .filter(isOwn)
        .toSorted((a, b) => Number(a.number) - Number(b.number));
      const gaps = own.filter((note, i) => i > 0 && Number(note.number) - Number(own[i - 1]?.number) > 1);
      // The last number has no next one to compare.
      return [gaps.length, [own.slice(0, -1).filter(({ isEntry }) => !isEntry).length]];
    },
  ),
  asked(
    'De que frete ainda dá pra registrar desacordo, e até quando?',
    check({ document: 'cte', from: october.from, to: TODAY, rule: 'cte_disagreement_deadline' }),
    fields('findings', 'key', 'expected'),
    // 45 days from the authorisation, reported in the last ten. Source: docs/fiscal/events.md.
    (world) =>
      standing(world, 'cte', { from: october.from, to: TODAY })
        .filter(paysFor)
        .map((one) => [one.key, 45 - daysSince(one)] as const)
        .filter(([, left]) => left >= 0 && left <= 10)
        .map(([key, left]) => [key, inDays(left)])
        .sort(),
  ),
  asked(
    'quais do fim de outubro já passaram dos dez dias da ciência sem a gente fazer nada?',
    [['list_pending_manifestations', { from: '20/10/2026', to: '31/10/2026', limit: 50 }]],
    (answer) =>
      pendingOf(answer)
        .filter(({ status, days_left_ciencia = 0 }) => status === 'open' && days_left_ciencia < 0)
        .map(({ key }) => key)
        .sort(),
    (world) =>
      keysIn(
        unconcluded(world).filter((note) => {
          const isOfTheEnd = note.day >= '2026-10-20' && note.day <= '2026-10-31';
          return isOfTheEnd && daysSince(note) > 10 && !codesIn(note).includes('210210');
        }),
      ),
  ),
  asked(
    'O que falta manifestar da Luminex, e até quando?',
    [['list_pending_manifestations', { issuer: 'luminex', limit: 50 }]],
    (answer) =>
      pendingOf(answer)
        .filter(({ status }) => status !== 'tacitly_confirmed')
        .map(({ number, conclusive_until }) => [number, conclusive_until])
        .sort(),
    (world) =>
      unconcluded(world)
        .filter((note) => /luminex/i.test(note.issuer.name ?? '') && daysSince(note) <= 90)
        .map((note) => [note.number, inDays(90 - daysSince(note))])
        .sort(),
  ),
  asked(
    'Quantas já contam como confirmadas sem ninguém ter confirmado?',
    [['list_pending_manifestations', { limit: 1 }]],
    ({ tacitly_confirmed }) => tacitly_confirmed,
    (world) => unconcluded(world).filter((note) => daysSince(note) > 90).length,
  ),
  asked(
    'Quando e por que cancelaram essa nota?',
    (world) => {
      const { number, issuer } = cancelledOfOthers(world);
      return [query({ document: 'nfe', number, issuer: issuer.id, event: 'cancellation' })];
    },
    (answer) =>
      (answer.listed as { status: string; events: Record<string, string>[] }[]).map(({ status, events }) => {
        const { at, text } = events.find(({ code }) => code === '110111') ?? {};
        return [status, at, text];
      }),
    (world) => {
      const [event = ''] = eventsOf(cancelledOfOthers(world), '110111');
      return [['cancelled', textOf(event, 'dhEvento'), textOf(event, 'xJust')]];
    },
  ),
  asked(
    'o que veio na nota tal do fornecedor tal?',
    (world) => {
      const { number, issuer, key } = withItems(world);
      return [
        ['query_documents', { document: 'nfe', ...october, number, issuer: issuer.id }],
        ['get_document', { document: 'nfe', key, include: ['items'] }],
      ];
    },
    ({ document }) => fields('items', 'code', 'quantity', 'unit', 'total')(document as Structured),
    (world) =>
      itemsOf(withItems(world))
        .map((item) => ['cProd', 'qCom', 'uCom', 'vProd'].map((name) => textOf(item, name)))
        .sort(),
  ),
  asked(
    'que CT-e levou essa nota?',
    (world) => [['query_documents', { document: 'cte', ...autumn, text: carriedBy(carriage(world))[0] }]],
    keysOf('listed'),
    (world) => {
      const [note = ''] = carriedBy(carriage(world));
      return keysIn(standing(world, 'cte', autumn).filter((one) => carriedBy(one).includes(note)));
    },
  ),
  asked(
    'Notas recebidas em outubro acima de 50 mil, da maior pra menor',
    [['query_documents', { ...inbound, ...october, min_total: '50000', order_by: '-total' }]],
    (answer) => linesOf('listed')(answer).map(({ key }) => key),
    (world) =>
      received(world, october)
        .filter(({ amounts: { total = 0n } }) => total >= 5_000_000n)
        .sort((a, b) => ((a.amounts.total ?? 0n) > (b.amounts.total ?? 0n) ? -1 : 1))
        .map(({ key }) => key),
  ),
  asked(
    'o que emitimos ontem?',
    [['list_documents', { ...outbound, from: 'yesterday' }]],
    keysOf('documents'),
    (world) => keysIn(world('nfe', { from: '2026-11-19', to: '2026-11-19' }).filter(isOutbound)),
  ),
  asked(
    'Que serviços tomados em outubro tiveram ISS retido, e quanto?',
    [['query_documents', { ...services, ...october, columns: ['iss_withheld'], order_by: '-iss_withheld' }]],
    (answer) =>
      (answer.listed as { number: string; columns: { iss_withheld?: string } }[])
        .filter(({ columns }) => centsOf(columns.iss_withheld) > 0n)
        .map(({ number, columns }) => [number, columns.iss_withheld])
        .sort(),
    (world) =>
      standing(world, 'nfse', october)
        .filter((note) => !isOwn(note) && (note.amounts.iss_withheld ?? 0n) > 0n)
        .map(({ number, amounts: { iss_withheld = 0n } }) => [number, money(iss_withheld)])
        .sort(),
  ),
  asked(
    'me passa as chaves dos CT-e que recebemos em outubro',
    [['list_document_keys', { document: 'cte', ...october, direction: 'inbound' }]],
    ({ keys }) => [...(keys as readonly string[])].sort(),
    (world) => keysIn(world('cte', october).filter((one) => !isOwn(one))),
  ),
  asked(
    'Que notas esse CT-e leva, e quem paga?',
    (world) => [
      ['get_document', { document: 'cte', key: carriage(world).key, include: ['transport', 'parties'] }],
    ],
    ({ document }) => [member(document, 'linked_keys'), member(member(document, 'payer'), 'id')],
    (world) => [carriedBy(carriage(world)), payerOf(carriage(world))],
  ),
];

export const analystQuestions = [...twentyQuestions, ...furtherQuestions, ...fifteenQuestions];

/** The answers to the calls that a question takes. */
export async function askQuestion({ ask }: AskedSandbox, { calls }: AnalystQuestion, world: World) {
  const answers = [];
  for (const [tool, args] of calls(world)) answers.push(await ask(tool, args));
  return answers;
}
