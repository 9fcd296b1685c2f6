import type { DocumentArea } from '../../archive/references.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Column, Row, Table } from '../../page/page.ts';
import type { Block, Section } from '../../report/model.ts';
import { groupTable, kindsOf } from '../pages/groups.ts';
import { column, present } from '../pages/voice.ts';
import { type Asking, paidBy, type ReportVoice, type Sums, sumOf } from './asking.ts';

/** Rows of a table; the others follow as one row. */
const table = { share: true, limit: 25, order_by: '-total' };

const isZero = (amount: unknown): boolean => amount === undefined || /^0(?:\.0+)?$/.test(String(amount));

/** The groups of an answer as in views, without columns of zeros; the text `none` for an empty answer. */
function sumsTable(
  sums: Sums,
  caption: string,
  none: string,
  voice: ReportVoice,
  { without = [], headings = {} }: { without?: readonly string[]; headings?: Record<string, string> } = {},
): Block {
  const question = { ...sums.question, voice };
  const [kind] = kindsOf(sums, question);
  if (sums.documents === 0 || kind === undefined) return none;
  const drawn = groupTable(kind);
  const hasValue = ({ name, kind: form, place }: Column) =>
    form !== 'money' || place === 'value' || !isZero(drawn.total?.cells[name]);
  const columns = drawn.columns
    .filter((one) => !without.includes(one.name) && hasValue(one))
    .map((one) => ({ ...one, heading: headings[one.name] ?? one.heading }));
  // On narrow screens there is room for the first amount and the last.
  const amounts = columns.filter(({ kind: form }) => form === 'money').slice(1, -1);
  const placed = columns.map((one) => (amounts.includes(one) ? { ...one, place: 'wide' as const } : one));
  return { ...drawn, caption, hasHeading: true, columns: placed };
}

const trade = [
  ['purchases', 'inbound', 'table.by_supplier', 'table.by_issuer_cfop'],
  ['sales', 'outbound', 'table.by_customer', 'table.by_cfop'],
] as const;

/** Purchases and sales, by counterparty and by CFOP. */
export async function tradeSections({ asked, sums }: Asking, voice: ReportVoice): Promise<Section[]> {
  const { report } = voice;
  const sections: Section[] = [];
  for (const [id, direction, byParty, byCfop] of asked.areas.includes('nfe') ? trade : []) {
    const measures = ['count', 'total', 'icms'];
    const parties = await sums('nfe', direction, { ...table, group_by: ['counterparty'], measures });
    const codes = await sums('nfe', direction, { ...table, group_by: ['cfop'], measures: ['total'] });
    const none = report(`${id}.none`);
    const blocks = [
      sumsTable(parties, report(byParty), none, voice),
      ...(parties.documents === 0 ? [] : [sumsTable(codes, report(byCfop), none, voice)]),
    ];
    sections.push({ id, title: report(`section.${id}`), blocks });
  }
  return sections;
}

const withheld = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];

async function nfseBlocks({ sums }: Asking, voice: ReportVoice): Promise<Block[]> {
  const { report, money, page } = voice;
  const providers = await sums('nfse', 'inbound', {
    ...table,
    group_by: ['counterparty'],
    measures: ['count', 'services', ...withheld, 'total'],
    order_by: '-services',
  });
  const measures = ['count', 'services', 'iss', 'iss_withheld'];
  const given = await sums('nfse', 'outbound', { measures });
  const { services = '0', iss = '0', iss_withheld: kept = '0' } = sumOf(given);
  const headings = {
    counterparty: report('heading.provider'),
    count: report('heading.notes'),
    total: page('column.reais', { name: report('heading.net') }),
  };
  // The columns of withholdings need the room.
  const shape = { without: ['counterparty_id', 'share'], headings };
  const beside = Object.values(providers.beside ?? {}).filter((amount) => !isZero(amount));
  const rendered = {
    ...{ count: given.documents, gross: money(services) },
    ...{ iss: money(iss), withheld: money(kept) },
  };
  return present<Block>(
    sumsTable(providers, report('table.services'), report('services.none'), voice, shape),
    ...beside.map((amount) => report('services.beside', { amount: money(amount) })),
    given.documents > 0 && report('services.given', rendered),
  );
}

async function cteBlocks({ asked, sums }: Asking, voice: ReportVoice): Promise<Block[]> {
  const { report, money } = voice;
  const measures = ['count', 'total'];
  const paid = paidBy(asked.company);
  const byCarrier = { ...table, group_by: ['issuer'], measures: [...measures, 'icms'], ...paid };
  const carriers = await sums('cte', 'inbound', byCarrier);
  const all = await sums('cte', 'inbound', { measures });
  const given = await sums('cte', 'outbound', { measures });
  const headings = { issuer: report('heading.carrier'), count: kindName('cte') };
  const counted = (some: Sums) => ({ count: some.documents, amount: money(sumOf(some).total ?? '0') });
  return present<Block>(
    sumsTable(carriers, report('table.freight'), report('freight.none'), voice, { headings }),
    all.documents > carriers.documents && report('freight.all', counted(all)),
    given.documents > 0 && report('freight.given', counted(given)),
  );
}

/** Services and freight, for the kinds requested. */
export async function servicesSection(asking: Asking, voice: ReportVoice): Promise<Section | undefined> {
  const { areas } = asking.asked;
  const blocks = [
    ...(areas.includes('nfse') ? await nfseBlocks(asking, voice) : []),
    ...(areas.includes('cte') ? await cteBlocks(asking, voice) : []),
  ];
  if (blocks.length === 0) return undefined;
  const title = voice.report('section.services');
  return { id: 'services', title, blocks: [...blocks, voice.report('never_added')] };
}

/** In the order of the report. */
const taxes =
  'icms icms_credit icms_st icms_mono fcp fcp_st difal ipi import_duty pis cofins iss cbs ibs is'.split(' ');

/** Taxes shown in documents, a row for each kind of document. */
export async function taxesSection({ asked, sums }: Asking, voice: ReportVoice): Promise<Section> {
  const { report, page, name: named } = voice;
  const kinds: { area: DocumentArea; inbound: Sums; outbound: Sums }[] = [];
  for (const area of asked.areas) {
    const paid = area === 'cte' ? paidBy(asked.company) : {};
    const inbound = await sums(area, 'inbound', { measures: taxes, ...paid });
    kinds.push({ area, inbound, outbound: await sums(area, 'outbound', { measures: taxes }) });
  }
  const rows = taxes.flatMap((name) =>
    kinds.flatMap(({ area, inbound, outbound }): Row[] => {
      const [bought, sold] = [sumOf(inbound)[name], sumOf(outbound)[name]];
      if (isZero(bought) && isZero(sold)) return [];
      return [{ cells: { tax: named('column', name), kind: kindName(area), sold, bought } }];
    }),
  );
  const reais = (name: string) => page('column.reais', { name });
  const drawn: Table = {
    layout: 'rows',
    caption: report('table.taxes'),
    hasHeading: true,
    columns: [
      column('tax', report('heading.tax'), 'text', 'name'),
      column('kind', report('heading.kind'), 'code', 'below'),
      column('sold', reais(report('heading.outbound')), 'money', 'value'),
      column('bought', reais(report('heading.inbound')), 'money', 'below'),
    ],
    rows,
  };
  const hasFreight = kinds.some(({ area, inbound }) => area === 'cte' && inbound.documents > 0);
  return {
    id: 'taxes',
    title: report('section.taxes'),
    intro: report('taxes.intro'),
    blocks: present<Block>(
      rows.length === 0 ? report('taxes.none') : drawn,
      hasFreight && report('taxes.cte_paid'),
    ),
  };
}
