import type { PlainDocument } from './independent-documents.ts';
import {
  add,
  amount,
  byKey,
  carriage,
  cents,
  count,
  firstMeasures,
  given,
  grouped,
  groupsAnd,
  isOwn,
  itemsOf,
  money,
  month,
  one,
  part,
  payerOf,
  quarter,
  query,
  received,
  rowsOf,
  type Structured,
  sold,
  stands,
  sumsOf,
  type TableQuestion,
  textOf,
  textsOf,
  total,
  vNF,
  type World,
} from './questions-and-figures.ts';

const listedOf = (answer: Structured) =>
  answer.listed as readonly {
    readonly key: string;
    readonly number: string;
    readonly status: string;
    readonly columns: Readonly<Record<string, string>>;
    readonly events: readonly { readonly text?: string }[];
  }[];
const keysOf = (answer: Structured) =>
  listedOf(answer)
    .map(({ key }) => key)
    .sort();
const keysIn = (documents: readonly PlainDocument[]) => documents.map(({ key }) => key).sort();
const eventsIn = ({ xml }: PlainDocument): string[] => textsOf(xml, 'tpEvento');
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
/** The other party of what the company issued itself is the one it names. */
const otherParty = (world: World) => (document: PlainDocument) =>
  isOwn(world)(document) ? document.recipient : document.issuer;
const imports = (world: World) => received(world).filter((note) => otherParty(world)(note).state === 'EX');
const servicesTaken = (world: World) =>
  world.nfse.filter((note) => stands(note) && note.issuer.id !== world.company);
const inboundCarriage = (world: World) =>
  world.cte.filter((one) => stands(one) && one.issuer.id !== world.company);

/** Thousandths of a kilogram as decimal text with two decimals or three. */
const kilograms = (thousandths: bigint): string => {
  const digits = String(thousandths).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/0$/, '');
};
const thousandths = (text: string): bigint => BigInt(Math.round(Number(text) * 1000));
const weightOf =
  (name: string) =>
  (documents: readonly PlainDocument[]): string | undefined => {
    const texts = documents.flatMap(({ xml }) => textsOf(xml, name));
    return texts.length === 0 ? undefined : kilograms(add(texts.map(thousandths)));
  };

/** Percent with two decimals, a half away from zero; of nothing there is none. */
function percent(part_: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const size = part_ < 0n ? -part_ : part_;
  const hundredths = (size * 20_000n + whole) / (whole * 2n);
  return `${part_ < 0n && hundredths > 0n ? '-' : ''}${money(hundredths)}`;
}
const sumOf = (documents: readonly PlainDocument[]): bigint => add(documents.map(vNF));

interface Due {
  readonly note: PlainDocument;
  readonly day: string;
  readonly amount: bigint;
}
const duesOf = (notes: readonly PlainDocument[]): Due[] =>
  notes.flatMap((note) =>
    (note.xml.match(/<dup>.*?<\/dup>/gs) ?? []).map((dup) => ({
      note,
      day: textOf(dup, 'dVenc'),
      amount: cents(textOf(dup, 'vDup')),
    })),
  );
const dueMeasures = (dues: readonly Due[]) => ({
  count: String(new Set(dues.map(({ note }) => note)).size),
  due: money(add(dues.map((one) => one.amount))),
});

/** Items of notes that hold a text in a field. */
const lines = (notes: readonly PlainDocument[]) =>
  notes.flatMap((note) => itemsOf(note).map((item) => ({ note, item })));
const withItem = (notes: readonly PlainDocument[], test: (item: string) => boolean) => {
  const found = lines(notes).filter(({ item }) => test(item));
  return {
    count: String(new Set(found.map(({ note }) => note)).size),
    items: String(found.length),
    products: money(add(found.map(({ item }) => cents(textOf(item, 'vProd'))))),
  };
};
const firstText = (documents: readonly PlainDocument[], name: string): string =>
  documents.flatMap(({ xml }) => textsOf(xml, name))[0] ?? '';

const eventTimes = ({ xml }: PlainDocument, code: string): string[] =>
  (xml.match(/<procEventoNFe.*?<\/procEventoNFe>/gs) ?? [])
    .filter((event) => textOf(event, 'tpEvento') === code)
    .map((event) => textOf(event, 'dhEvento'));
const DAY = 86_400_000;

const standing = (notes: readonly PlainDocument[]) => notes.filter(stands);
const customersBefore = (world: World) => {
  const customer = ({ recipient }: PlainDocument) => recipient.id ?? '';
  return byKey(sold({ ...world, nfe: world.springNfe }), customer);
};

/** Thirty-five questions more, each with what an assistant would call. */
export const furtherQuestions: readonly TableQuestion[] = [
  {
    question: 'De quem importamos no trimestre, e quanto?',
    calls: one({ document: 'nfe', direction: 'inbound', state: 'EX', group_by: ['counterparty'] }),
    told: groupsAnd,
    expected: (world) =>
      grouped(imports(world), (note) => otherParty(world)(note).id ?? '', { count, total }),
  },
  {
    question: 'quanto compramos da shenzhen',
    calls: one({ document: 'nfe', counterparty: 'shenzhen', measures: ['count', 'total', 'import_duty'] }),
    told: firstMeasures,
    expected: (world) => {
      const found = imports(world).filter((note) => /shenzhen/i.test(otherParty(world)(note).name ?? ''));
      return { count: count(found), total: total(found), import_duty: given('vII')(found) };
    },
  },
  {
    question: 'Maiores fornecedores, importação junto, e a fatia de cada um',
    calls: one({
      ...{ document: 'nfe', direction: 'inbound', group_by: ['counterparty'], measures: ['total'] },
      ...{ share: true, order_by: '-total', limit: 4 },
    }),
    told: (answer) =>
      rowsOf(answer).map(({ group, measures, share, others }) => [
        others ? 'others' : group.counterparty,
        measures.total,
        share?.total,
      ]),
    expected: (world) => {
      const all = received(world);
      const { rows } = grouped(
        all,
        (note) => otherParty(world)(note).id ?? '',
        { total },
        { order: 'total' },
      );
      const shown = rows.slice(0, 4).map(([id, measures]) => [id, measures.total ?? ''] as const);
      const rest = sumOf(all) - add(shown.map(([, text]) => cents(text)));
      return [...shown, ['others', money(rest)] as const].map(([id, text]) => [
        ...[id, text],
        percent(cents(text), sumOf(all)),
      ]);
    },
  },
  {
    question: 'Que documentos vocês têm aqui, e de quando?',
    calls: () => [
      {
        tool: 'query_documents',
        args: { document: 'nfe', from: '2024-01-01', to: '2026-11-20', measures: ['count'] },
      },
      { tool: 'list_documents', args: {} },
    ],
    told: (answer) =>
      (answer.holdings as readonly { document: string; from: string; to: string; documents: number }[])
        .filter(({ document }) => document === 'nfe')
        .map(({ from, to, documents }) => [from, to, documents]),
    expected: ({ everyNfe }) => {
      const days = everyNfe.map(({ day }) => day).sort();
      return [[days[0], days.at(-1), everyNfe.length]];
    },
  },
  {
    question: 'Pra qual município é devido o ISS dos serviços que tomamos?',
    calls: one({
      document: 'nfse',
      direction: 'inbound',
      group_by: ['iss_city'],
      measures: ['count', 'iss'],
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        servicesTaken(world),
        ({ xml }) => textOf(xml, 'MunicipioIncidencia') || textOf(xml, 'cLocIncid'),
        { count, iss: (notes) => amount(notes, ({ amounts }) => amounts.iss ?? 0n) },
      ),
  },
  {
    question: 'De onde pra onde foram os fretes que a gente pagou?',
    calls: ({ company }) => [
      query({ document: 'cte', payer: company, group_by: ['origin_state', 'destination_state'] }),
    ],
    told: (answer) => groupsAnd(answer).rows,
    expected: ({ cte, company }) =>
      grouped(
        cte.filter((one) => stands(one) && payerOf(one) === company),
        ({ xml }) => `${textOf(xml, 'UFIni')}|${textOf(xml, 'UFFim')}`,
        { count, total: carriage },
      ).rows.map(([route, measures]) => [...route.split('|'), measures]),
  },
  {
    question: 'Pagamos frete de alguma nota que foi cancelada?',
    calls: () => [
      {
        tool: 'check_documents',
        args: { document: 'cte', ...quarter, rule: 'freight_of_cancelled_note' },
      },
    ],
    told: (answer) => (answer.findings as readonly { key: string }[]).map(({ key }) => key),
    expected: ({ cte, nfe, springNfe }) => {
      const cancelled = new Set([...springNfe, ...nfe].filter((note) => !stands(note)).map(({ key }) => key));
      return cte
        .filter((one) => stands(one) && textsOf(one.xml, 'chave').some((key) => cancelled.has(key)))
        .map(({ key }) => key);
    },
  },
  {
    question: 'quanto deu o FR-0500 no trimestre (só o item)',
    calls: one({
      ...{ document: 'nfe', text: 'FR-0500', text_in: 'codes', text_counts: 'items' },
      measures: ['count', 'items', 'products'],
    }),
    told: firstMeasures,
    expected: ({ nfe }) => withItem(standing(nfe), (item) => textOf(item, 'cProd') === 'FR-0500'),
  },
  {
    question: 'Quais notas são do pedido?',
    calls: ({ nfe }) => [
      query({ document: 'nfe', text: firstText(standing(nfe), 'xPed'), text_in: 'orders', limit: 5 }),
    ],
    told: (answer) => ({ total: answer.total, sums: sumsOf(answer) }),
    expected: ({ nfe }) => {
      const order = firstText(standing(nfe), 'xPed');
      const found = standing(nfe).filter(({ xml }) => textsOf(xml, 'xPed').includes(order));
      return { total: found.length, sums: { count: count(found), total: total(found) } };
    },
  },
  {
    question: 'Quantas notas dizem para conferir a mercadoria?',
    calls: one({ document: 'nfe', text: 'conferir mercadoria', text_in: 'remarks', measures: ['count'] }),
    told: (answer) => [firstMeasures(answer), answer.text_in, answer.text_counts],
    expected: ({ nfe }) => {
      const found = standing(nfe).filter(({ xml }) => {
        const said = plain(textsOf(xml, 'infCpl').join(' '));
        return said.includes('conferir') && said.includes('mercadoria');
      });
      return [{ count: count(found) }, ['remarks'], 'documents'];
    },
  },
  {
    question: 'CT-e com pedágio destacado',
    calls: one({ document: 'cte', text: 'pedágio', measures: ['count', 'total'] }),
    told: firstMeasures,
    expected: ({ cte }) => {
      const found = standing(cte).filter(({ xml }) =>
        plain(textsOf(xml, 'xNome').join(' ')).includes('pedagio'),
      );
      return { count: count(found), total: carriage(found) };
    },
  },
  {
    question: 'ICMS monofásico por CST, no segundo trimestre',
    calls: one({
      ...{ document: 'nfe', from: '2026-04-01', to: '2026-06-30' },
      ...{ group_by: ['cst'], measures: ['icms_mono'] },
    }),
    told: (answer) =>
      rowsOf(answer).flatMap(({ group, measures }) =>
        measures.icms_mono === undefined ? [] : [[group.cst, measures.icms_mono]],
      ),
    expected: ({ springNfe }) => {
      const names = ['vICMSMono', 'vICMSMonoReten', 'vICMSMonoRet'];
      const amounts = lines(standing(springNfe)).flatMap(({ item }) => {
        const texts = names.flatMap((name) => textsOf(item, name));
        const cst = textOf(part(item, 'ICMS'), 'CST');
        return texts.length === 0 ? [] : [{ cst, units: add(texts.map(cents)) }];
      });
      return [...byKey(amounts, ({ cst }) => cst)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([cst, some]) => [cst, money(add(some.map(({ units }) => units)))]);
    },
  },
  {
    question: 'Bruto e líquido dos serviços tomados, por mês',
    calls: one({
      ...{ document: 'nfse', direction: 'inbound', group_by: ['month'] },
      measures: ['services', 'total'],
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(servicesTaken(world), month, {
        services: (notes) =>
          amount(notes, ({ xml }) => cents(textOf(xml, 'vServ') || textOf(xml, 'ValorServicos'))),
        total: (notes) =>
          amount(notes, ({ xml }) => cents(textOf(xml, 'vLiq') || textOf(xml, 'ValorLiquidoNfse'))),
      }),
  },
  {
    question: 'Do frete que chegou, quanto é por nossa conta?',
    calls: one({ document: 'cte', direction: 'inbound', measures: ['total'] }),
    told: (answer) => answer.freight_paid_by,
    expected: (world) => {
      const all = inboundCarriage(world);
      const own = all.filter((one) => payerOf(one) === world.company);
      return { own: carriage(own), others: carriage(all.filter((one) => !own.includes(one))) };
    },
  },
  {
    question: 'As cinco notas recebidas com mais ICMS: base, imposto e peso',
    calls: one({
      ...{ document: 'nfe', direction: 'inbound', columns: ['icms_base', 'icms', 'weight'] },
      ...{ order_by: '-icms', limit: 5 },
    }),
    told: (answer) =>
      listedOf(answer)
        .map(({ key, columns }) => [key, columns])
        .sort(),
    expected: (world) =>
      received(world)
        .map((note) => ({ note, units: cents(textOf(part(note.xml, 'ICMSTot'), 'vICMS')) }))
        .sort((a, b) => (a.units > b.units ? -1 : 1))
        .slice(0, 5)
        .map(({ note }) => {
          const weight = weightOf('pesoB')([note]);
          const [icms_base, icms] = ['vBC', 'vICMS'].map((name) => given(name)([note]));
          return [note.key, { icms_base, icms, ...(weight && { weight }) }];
        })
        .sort(),
  },
  {
    question: 'peso do que saiu por mês',
    calls: one({
      ...{ document: 'nfe', direction: 'outbound', group_by: ['month'], measures: ['count', 'weight'] },
    }),
    told: groupsAnd,
    expected: (world) => {
      const out = standing(world.nfe).filter((note) => isOwn(world)(note) && !note.isEntry);
      return grouped(out, month, { count, weight: weightOf('pesoB') });
    },
  },
  {
    question: 'Que transportadora levou mais peso?',
    calls: one({
      document: 'cte',
      group_by: ['issuer'],
      measures: ['weight'],
      order_by: '-weight',
      limit: 3,
    }),
    told: groupsAnd,
    expected: ({ cte }) =>
      grouped(
        standing(cte),
        ({ issuer }) => issuer.id ?? '',
        { weight: weightOf('qCarga') },
        { order: 'weight', limit: 3 },
      ),
  },
  {
    question: 'Qual a quantidade transportada por CT-e?',
    calls: one({ document: 'cte', measures: ['count', 'quantity'] }),
    told: (answer) => [firstMeasures(answer), answer.unavailable],
    expected: ({ cte }) => [
      { count: count(standing(cte)) },
      [{ argument: 'measures', value: 'quantity', document: 'cte', reason: 'not_in_kind' }],
    ],
  },
  {
    question: 'PIS e COFINS das entradas por CST',
    calls: one({
      ...{ document: 'nfe', direction: 'inbound', group_by: ['pis_cofins_cst'] },
      measures: ['count', 'pis', 'cofins'],
    }),
    told: (answer) => groupsAnd(answer).rows,
    expected: (world) => {
      const all = lines(received(world)).map(({ note, item }) => ({
        ...{ note, cst: textOf(part(item, 'PIS'), 'CST') },
        ...{ pis: textsOf(item, 'vPIS'), cofins: textsOf(item, 'vCOFINS') },
      }));
      return [...byKey(all, ({ cst }) => cst)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([cst, some]) => {
          const sum = (name: 'pis' | 'cofins') => {
            const texts = some.flatMap((line) => line[name]);
            return texts.length === 0 ? {} : { [name]: money(add(texts.map(cents))) };
          };
          const notes = new Set(some.map(({ note }) => note));
          return [cst, { count: String(notes.size), ...sum('pis'), ...sum('cofins') }];
        });
    },
  },
  {
    question: 'Que notas são desta DI?',
    calls: ({ nfe }) => [query({ document: 'nfe', di: firstText(standing(nfe), 'nDI'), limit: 5 })],
    told: keysOf,
    expected: ({ nfe }) => {
      const number = firstText(standing(nfe), 'nDI');
      return keysIn(standing(nfe).filter(({ xml }) => textsOf(xml, 'nDI').includes(number)));
    },
  },
  {
    question: 'total de notas desde 2024',
    calls: () => [
      {
        tool: 'query_documents',
        args: { document: 'nfe', from: '2024-01-01', to: '2026-11-20', measures: ['count'] },
      },
    ],
    told: (answer) => [answer.known_from, answer.complete, firstMeasures(answer)],
    expected: ({ everyNfe }) => {
      const [first] = everyNfe.map(({ day }) => day).sort();
      return [first, true, { count: count(standing(everyNfe)) }];
    },
  },
  {
    question: 'quanto recebemos em outubro de 2026?',
    calls: () => [
      {
        tool: 'query_documents',
        args: { document: 'nfe', from: '2026-10', direction: 'inbound', measures: ['count', 'total'] },
      },
    ],
    told: (answer) => [answer.from, answer.to, firstMeasures(answer)],
    expected: (world) => {
      const found = received({ ...world, nfe: world.monthNfe });
      return ['2026-10-01', '2026-10-31', { count: count(found), total: total(found) }];
    },
  },
  {
    question: 'Faturamento por mês contra o trimestre anterior',
    calls: one({
      ...{ document: 'nfe', direction: 'outbound', nature: 'sale', group_by: ['month'] },
      ...{ measures: ['total'], compare: 'previous_period' },
    }),
    told: (answer) =>
      rowsOf(answer).map(({ group, measures, previous, change }) => [
        ...[group.month, measures.total, previous?.total, change?.total],
      ]),
    expected: (world) => {
      const [now, before] = [sold(world), sold({ ...world, nfe: world.springNfe })];
      return [
        ['2026-07', '2026-04'],
        ['2026-08', '2026-05'],
        ['2026-09', '2026-06'],
      ].map(([month_ = '', earlier = '']) => {
        const [some, others] = [
          now.filter((one) => month(one) === month_),
          before.filter((one) => month(one) === earlier),
        ];
        return [month_, total(some), total(others), percent(sumOf(some) - sumOf(others), sumOf(others))];
      });
    },
  },
  {
    question: 'Que clientes compraram no trimestre passado e não compraram neste?',
    calls: one({
      ...{ document: 'nfe', direction: 'outbound', nature: 'sale', group_by: ['counterparty'] },
      ...{ measures: ['total'], compare: 'previous_period', limit: 100 },
    }),
    told: (answer) =>
      rowsOf(answer)
        .filter(({ measures }) => measures.total === '0.00')
        .map(({ group, previous, change }) => [group.counterparty, previous, change])
        .sort(),
    expected: (world) => {
      const now = new Set(sold(world).map(({ recipient }) => recipient.id));
      return [...customersBefore(world)]
        .filter(([id]) => !now.has(id))
        .map(([id, notes]) => [id, { total: total(notes) }, { total: '-100.00' }])
        .sort();
    },
  },
  {
    question: 'O que temos para pagar com vencimento em outubro?',
    calls: one({
      ...{ document: 'nfe', direction: 'inbound', due_from: '2026-10-01', due_to: '2026-10-31' },
      measures: ['count', 'due'],
    }),
    told: firstMeasures,
    expected: (world) => dueMeasures(duesOf(received(world)).filter(({ day }) => day.startsWith('2026-10'))),
  },
  {
    question: 'vencimentos das compras por mês',
    calls: one({ document: 'nfe', direction: 'inbound', group_by: ['due_month'] }),
    told: (answer) => groupsAnd(answer).rows,
    expected: (world) =>
      [...byKey(duesOf(received(world)), ({ day }) => day.slice(0, 7))]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([month_, dues]) => [month_, dueMeasures(dues)]),
  },
  {
    question: 'Que duplicatas vencem na primeira semana de outubro, nota a nota?',
    calls: one({
      ...{ document: 'nfe', direction: 'inbound', due_from: '2026-10-01', due_to: '2026-10-07' },
      ...{ columns: ['due_dates', 'due'], order_by: 'due_dates' },
    }),
    told: (answer) =>
      listedOf(answer)
        .map(({ key, columns }) => [key, columns])
        .sort(),
    expected: (world) => {
      const asked = duesOf(received(world)).filter(({ day }) => day >= '2026-10-01' && day <= '2026-10-07');
      return [...byKey(asked, ({ note }) => note.key ?? '')]
        .map(([key, dues]) => {
          const due_dates = [...new Set(dues.map(({ day }) => day))].sort().join('; ');
          return [key, { due_dates, due: dueMeasures(dues).due }];
        })
        .sort();
    },
  },
  {
    question: 'Quais notas tiveram carta de correção, e o que corrigiram?',
    calls: one({ document: 'nfe', event: 'correction_letter', limit: 12 }),
    told: (answer) =>
      listedOf(answer)
        .map(({ key, events }) => [key, events.flatMap(({ text }) => text ?? [])])
        .sort(),
    expected: ({ nfe }) =>
      standing(nfe)
        .filter((note) => eventsIn(note).includes('110110'))
        .map(({ key, xml }) => [key, [...textsOf(xml, 'xCorrecao'), ...textsOf(xml, 'xJust')]])
        .sort(),
  },
  {
    question: 'Já demos ciência dessa nota?',
    calls: ({ nfe }) => [
      {
        tool: 'get_nfe_event_status',
        args: { key: nfe.find((note) => eventsIn(note).includes('210210'))?.key, event: 'ciencia' },
      },
    ],
    told: (answer) => [answer.key, answer.status_code],
    // 135: registered. Source: docs/fiscal/events.md.
    expected: ({ nfe }) => [nfe.find((note) => eventsIn(note).includes('210210'))?.key, '135'],
  },
  {
    question: 'Notas de fornecedor sem manifestação nenhuma',
    calls: one({ document: 'nfe', direction: 'inbound', event: 'none', measures: ['count', 'total'] }),
    told: firstMeasures,
    expected: (world) => {
      const codes = ['210200', '210210', '210220', '210240'];
      const found = received(world).filter((note) => !eventsIn(note).some((code) => codes.includes(code)));
      return { count: count(found), total: total(found) };
    },
  },
  {
    question: 'Alguma nota foi cancelada depois de 24 horas?',
    calls: one({ document: 'nfe', status: 'cancelled', columns: ['authorized_at', 'cancelled_at'] }),
    told: (answer) =>
      listedOf(answer)
        .filter(({ columns: { authorized_at = '', cancelled_at = '' } }) => {
          return Date.parse(cancelled_at) - Date.parse(authorized_at) > DAY;
        })
        .map(({ key }) => key)
        .sort(),
    expected: ({ nfe }) =>
      keysIn(
        nfe.filter((note) => {
          const [cancelled] = eventTimes(note, '110111');
          const authorized = Date.parse(textOf(part(note.xml, 'protNFe'), 'dhRecbto'));
          return cancelled !== undefined && Date.parse(cancelled) - authorized > DAY;
        }),
      ),
  },
  {
    question: 'E a nota tal, cadê? (foi cancelada)',
    calls: ({ nfe }) => [query({ document: 'nfe', number: nfe.find((note) => !stands(note))?.number })],
    told: (answer) => listedOf(answer).map(({ number, status }) => [number, status]),
    expected: ({ nfe }) => {
      const number = nfe.find((note) => !stands(note))?.number;
      return nfe.filter((note) => note.number === number).map((note) => [note.number, note.status]);
    },
  },
  {
    question: 'O que é dessa devolução: qual a nota original?',
    calls: one({ document: 'nfe', purpose: '4', columns: ['references', 'counterparty'] }),
    told: (answer) =>
      listedOf(answer)
        .map(({ key, columns }) => [key, columns.references, columns.counterparty])
        .sort(),
    expected: (world) =>
      standing(world.nfe)
        .filter(({ xml }) => textOf(xml, 'finNFe') === '4')
        .map((note) => [note.key, textsOf(note.xml, 'refNFe').join('; '), otherParty(world)(note).id])
        .sort(),
  },
  {
    question: 'Repete para esse fornecedor, mês a mês',
    calls: (world) => [
      query({ document: 'nfe', direction: 'inbound', state: 'EX', group_by: ['counterparty'] }),
      query({
        ...{ document: 'nfe', direction: 'inbound', group_by: ['month'] },
        counterparty: otherParty(world)(imports(world)[0] as PlainDocument).id,
      }),
    ],
    told: groupsAnd,
    expected: (world) => grouped(imports(world), month, { count, total }),
  },
  {
    question: 'Prestadores por regime tributário',
    calls: one({
      document: 'nfse',
      direction: 'inbound',
      group_by: ['regime'],
      measures: ['count', 'services'],
    }),
    told: groupsAnd,
    expected: (world) => {
      // The national layout: 1 no, 2 MEI, 3 micro or small company. ABRASF: 1 yes, 2 no, special regime 5 the MEI.
      const national: Readonly<Record<string, string>> = { 1: '3', 2: '4', 3: '1' };
      const regime = ({ xml }: PlainDocument) => {
        const option = textOf(xml, 'opSimpNac');
        if (option !== '') return national[option] ?? '';
        if (textOf(xml, 'RegimeEspecialTributacao') === '5') return '4';
        return { 1: '1', 2: '3' }[textOf(xml, 'OptanteSimplesNacional')] ?? '';
      };
      return grouped(servicesTaken(world), regime, {
        count,
        services: (notes) =>
          amount(notes, ({ xml }) => cents(textOf(xml, 'vServ') || textOf(xml, 'ValorServicos'))),
      });
    },
  },
];
