import type { PlainDocument } from './independent-documents.ts';
import {
  add,
  amount,
  bought,
  byKey,
  carriage,
  cents,
  cfopsOf,
  count,
  firstMeasures,
  given,
  grouped,
  groupsAnd,
  isOwn,
  itemsOf,
  measure,
  money,
  month,
  one,
  part,
  payerOf,
  query,
  received,
  root,
  rowsOf,
  sold,
  stands,
  summed,
  sumsOf,
  type TableQuestion,
  textOf,
  textsOf,
  total,
  vNF,
  type World,
} from './questions-and-figures.ts';

const ofServices = (world: World) => world.nfse.filter((note) => stands(note) && !isOwn(world)(note));
const grossOf = ({ xml }: PlainDocument): bigint =>
  cents(textOf(xml, 'vServ') || textOf(xml, 'ValorServicos'));

/** Twenty questions of fiscal analysts about the demo company. */
export const twentyQuestions: readonly TableQuestion[] = [
  {
    question: 'Quanto nós pagamos de frete no trimestre?',
    calls: ({ company }) => [query({ document: 'cte', payer: company, measures: ['count', 'total'] })],
    told: firstMeasures,
    expected: ({ cte, company }) => {
      const ours = cte.filter((one) => stands(one) && payerOf(one) === company);
      return { count: count(ours), total: carriage(ours) };
    },
  },
  {
    question: 'Qual foi o faturamento por mês, sem devoluções?',
    calls: one({ document: 'nfe', direction: 'outbound', nature: 'sale', group_by: ['month'] }),
    told: groupsAnd,
    expected: (world) => grouped(sold(world), month, { count, total }),
  },
  {
    question: 'Qual o ticket médio das vendas?',
    calls: one({ document: 'nfe', direction: 'outbound', nature: 'sale', measures: ['count', 'total'] }),
    told: firstMeasures,
    expected: (world) => ({ count: count(sold(world)), total: total(sold(world)) }),
  },
  {
    question: 'Quanto pagamos, em média, por unidade de cada item comprado? Os dez maiores.',
    calls: one({
      document: 'nfe',
      direction: 'inbound',
      group_by: ['item', 'unit'],
      measures: ['products', 'quantity', 'average_price'],
      order_by: '-products',
      limit: 10,
    }),
    told: (answer) => groupsAnd(answer).rows,
    expected: (world) => {
      const lines = received(world)
        .flatMap(itemsOf)
        .map((item) => ({
          name: textOf(item, 'xProd').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
          unit: textOf(item, 'uCom').toUpperCase(),
          products: cents(textOf(item, 'vProd')),
          quantity: BigInt(textOf(item, 'qCom').replace('.', '')),
        }));
      const groups = byKey(lines, ({ name, unit }) => JSON.stringify([name, unit]));
      return [...groups]
        .map(([key, members]) => ({
          key: JSON.parse(key) as [string, string],
          products: add(members.map(({ products }) => products)),
          quantity: add(members.map(({ quantity }) => quantity)),
        }))
        .sort((a, b) => (a.products > b.products ? -1 : 1))
        .slice(0, 10)
        .map(({ key, products, quantity }) => [
          ...key,
          {
            products: money(products),
            quantity: trimmed(quantity),
            average_price: price(products, quantity),
          },
        ]);
    },
  },
  {
    question: 'Qual o total por CFOP das notas emitidas?',
    calls: one({ document: 'nfe', direction: 'outbound', group_by: ['cfop'] }),
    told: groupsAnd,
    expected: (world) => {
      const notes = world.nfe.filter((note) => stands(note) && isOwn(world)(note) && !note.isEntry);
      const lines = notes.flatMap((note) => itemsOf(note).map((item) => ({ note, item })));
      const groups = byKey(lines, ({ item }) => textOf(item, 'CFOP'));
      const rows = [...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([cfop, members]) => [
          cfop,
          {
            count: String(new Set(members.map(({ note }) => note)).size),
            total: money(add(members.map(({ item }) => shareOf(item)))),
          },
        ]);
      // The groups add up to what the notes say.
      return { rows, sums: { count: count(notes), total: total(notes) } };
    },
  },
  {
    question: 'Quanto de crédito de ICMS temos por fornecedor? Os cinco maiores.',
    calls: one({
      document: 'nfe',
      direction: 'inbound',
      group_by: ['issuer'],
      measures: ['icms', 'icms_credit'],
      order_by: '-icms',
      limit: 5,
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        received(world),
        ({ issuer }) => issuer.id ?? '',
        { icms: given('vICMS'), icms_credit: summed('vCredICMSSN') },
        { order: 'icms', limit: 5 },
      ),
  },
  {
    question: 'Qual o crédito de ICMS dos fornecedores do Simples, mês a mês?',
    calls: one({
      document: 'nfe',
      direction: 'inbound',
      regime: '1',
      group_by: ['month'],
      measures: ['count', 'icms_credit'],
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        received(world).filter(({ xml }) => textOf(part(xml, 'emit'), 'CRT') === '1'),
        month,
        { count, icms_credit: summed('vCredICMSSN') },
      ),
  },
  {
    question: 'Que impostos foram retidos nos serviços que tomamos?',
    calls: one({
      document: 'nfse',
      direction: 'inbound',
      measures: ['count', 'iss_withheld', 'irrf', 'csll'],
    }),
    told: firstMeasures,
    expected: (world) => {
      const notes = ofServices(world);
      return measure(notes, {
        count,
        iss_withheld: (some) => amount(some, ({ amounts }) => amounts.iss_withheld ?? 0n),
        irrf: summed('vRetIRRF', 'ValorIr'),
        csll: summed('vRetCSLL', 'ValorCsll'),
      });
    },
  },
  {
    question: 'O que ainda falta manifestar?',
    calls: () => [{ tool: 'list_pending_manifestations', args: { limit: 5 } }],
    told: (answer) => answer.total,
    expected: (world) => pendingCount(world),
  },
  {
    question: 'Quais são os cinco maiores fornecedores?',
    calls: one({
      document: 'nfe',
      direction: 'inbound',
      nature: 'purchase',
      group_by: ['issuer'],
      order_by: '-total',
      limit: 5,
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        bought(world).filter((note) => !isOwn(world)(note) || note.isEntry),
        ({ issuer }) => issuer.id ?? '',
        { count, total },
        { order: 'total', limit: 5 },
      ),
  },
  {
    question: 'Quais notas foram canceladas no mês passado?',
    calls: () => [
      { tool: 'query_documents', args: { document: 'nfe', from: 'last_month', status: 'cancelled' } },
    ],
    told: (answer) => ({
      from: answer.from,
      to: answer.to,
      keys: (answer.listed as { key: string }[]).map(({ key }) => key).sort(),
    }),
    expected: ({ monthNfe }) => ({
      from: '2026-10-01',
      to: '2026-10-31',
      keys: monthNfe
        .filter(({ status }) => status === 'cancelled')
        .map(({ key }) => key)
        .sort(),
    }),
  },
  {
    question: 'Que notas trazem luminária de LED?',
    calls: one({ document: 'nfe', direction: 'inbound', text: 'LED luminaria', limit: 10 }),
    told: (answer) => ({ total: answer.total, sums: sumsOf(answer) }),
    expected: (world) => {
      const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      const found = received(world).filter((note) => {
        const said = plain([...note.words, ...itemsOf(note).map((item) => textOf(item, 'xProd'))].join(' '));
        return said.includes('led') && said.includes('luminaria');
      });
      return { total: found.length, sums: { count: count(found), total: total(found) } };
    },
  },
  {
    question: 'Para que cidades mais vendemos?',
    calls: one({
      document: 'nfe',
      direction: 'outbound',
      nature: 'sale',
      group_by: ['city'],
      order_by: '-total',
      limit: 5,
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        sold(world),
        ({ xml }) => textOf(part(xml, 'enderDest'), 'cMun'),
        { count, total },
        { order: 'total', limit: 5 },
      ),
  },
  {
    question: 'Quanto compramos de cada grupo, somando as filiais?',
    calls: one({
      document: 'nfe',
      direction: 'inbound',
      group_by: ['issuer_root'],
      order_by: '-total',
      limit: 8,
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        received(world),
        ({ issuer }) => root(issuer.id),
        { count, total },
        { order: 'total', limit: 8 },
      ),
  },
  {
    question: 'Quanto de IBS e CBS veio destacado nas compras, por mês?',
    calls: one({ document: 'nfe', direction: 'inbound', group_by: ['month'], measures: ['ibs', 'cbs'] }),
    told: groupsAnd,
    expected: (world) =>
      grouped(received(world), month, {
        ibs: given('vIBS', 'IBSCBSTot'),
        cbs: given('vCBS', 'IBSCBSTot'),
      }),
  },
  {
    question: 'Quanto devolvemos de compras, por mês?',
    calls: one({ document: 'nfe', direction: 'outbound', nature: 'return', group_by: ['month'] }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        world.nfe.filter(
          (note) =>
            stands(note) &&
            isOwn(world)(note) &&
            cfopsOf(note).every((cfop) => /^[567](?:20[12]|41[01])$/.test(cfop)),
        ),
        month,
        { count, total },
      ),
  },
  {
    question: 'Quem pagou os fretes dos CT-e?',
    calls: one({ document: 'cte', group_by: ['payer'], order_by: '-total', limit: 5 }),
    told: groupsAnd,
    expected: ({ cte }) =>
      grouped(cte.filter(stands), payerOf, { count, total: carriage }, { order: 'total', limit: 5 }),
  },
  {
    question: 'Quanto tomamos de serviços por competência?',
    calls: one({
      document: 'nfse',
      direction: 'inbound',
      group_by: ['competence'],
      measures: ['count', 'services'],
    }),
    told: groupsAnd,
    expected: (world) =>
      grouped(
        ofServices(world),
        ({ xml }) => (textOf(xml, 'dCompet') || textOf(xml, 'Competencia')).slice(0, 7),
        { count, services: (notes) => amount(notes, grossOf) },
      ),
  },
  {
    question: 'A maior nota que recebemos foi cancelada?',
    calls: ({ nfe, company }) => {
      const [largest] = nfe
        .filter((note) => note.issuer.id !== company)
        .sort((a, b) => (vNF(a) > vNF(b) ? -1 : 1));
      return [
        query({
          document: 'nfe',
          number: largest?.number,
          issuer: largest?.issuer.id,
          status: ['authorized', 'cancelled'],
        }),
        { tool: 'get_document', args: { document: 'nfe', key: largest?.key, include: 'status' } },
      ];
    },
    told: (answer) => {
      const { key, status } = answer.document as { key: string; status: string };
      return { key, status };
    },
    expected: ({ nfe, company }) => {
      const [largest] = nfe
        .filter((note) => note.issuer.id !== company)
        .sort((a, b) => (vNF(a) > vNF(b) ? -1 : 1));
      return { key: largest?.key, status: largest?.status };
    },
  },
  {
    question: 'Quanto compramos e quanto gastamos de frete e de serviços no trimestre?',
    calls: ({ company }) => [
      query({ document: ['nfe', 'nfse', 'cte'], recipient: company, measures: ['count', 'total'] }),
    ],
    told: (answer) => rowsOf(answer).map(({ document, measures }) => [document, measures]),
    expected: ({ nfe, nfse, cte, company }) => {
      const to = (documents: readonly PlainDocument[]) =>
        documents.filter((one) => stands(one) && one.recipient.id === company);
      return [
        ['nfe', { count: count(to(nfe)), total: total(to(nfe)) }],
        ['nfse', { count: count(to(nfse)), total: amount(to(nfse), ({ amounts }) => amounts.total ?? 0n) }],
        ['cte', { count: count(to(cte)), total: carriage(to(cte)) }],
      ];
    },
  },
];

/** What an item adds to `vNF`: goods − discount + freight + insurance + other + IPI + ST. Source: MOC NF-e 4.00, W16. */
function shareOf(item: string): bigint {
  const of = (name: string) => add(textsOf(item, name).map(cents));
  const relieved = item.includes('<indDeduzDeson>1<') ? of('vICMSDeson') : 0n;
  const added = ['vFrete', 'vSeg', 'vOutro', 'vII', 'vIPI', 'vICMSST', 'vICMSMonoReten'].map(of);
  return of('vProd') - of('vDesc') - relieved + add(added);
}

/** Ten-thousandths as a decimal text without needless zeros, two decimals at least. */
function trimmed(units: bigint): string {
  const digits = String(units).padStart(5, '0');
  const decimals = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${digits.slice(0, -4)}.${decimals}`;
}

/** Cents by ten-thousandths of a unit, with four decimals, a half upwards. */
function price(products: bigint, quantity: bigint): string {
  const scaled = (products * 1_000_000n * 2n + quantity) / (quantity * 2n);
  const digits = String(scaled).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** Notes of others without a conclusive event whose ninety days from the authorisation are not over. */
function pendingCount({ recentNfe, company }: World): number {
  const today = Date.parse('2026-11-20T00:00:00-03:00');
  const conclusive = ['210200', '210220', '210240'];
  return recentNfe.filter(({ xml, status, issuer, recipient }) => {
    const events = textsOf(xml, 'tpEvento');
    const authorized = Date.parse(`${textOf(xml, 'dhRecbto').slice(0, 10)}T00:00:00-03:00`);
    const isOpen = today - authorized <= 90 * 86_400_000;
    const isOurs = issuer.id !== company && recipient.id === company;
    return status === 'authorized' && isOurs && isOpen && !events.some((code) => conclusive.includes(code));
  }).length;
}
