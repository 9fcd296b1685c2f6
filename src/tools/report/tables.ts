import { kindName } from '../../documents/summary/summary.ts';
import type { Column, Table } from '../../page/page.ts';
import type { Block, Section } from '../../report/model.ts';
import { groupTable, kindsOf } from '../pages/groups.ts';
import { type Services, type Sums, sumOf, type Taxes, type Trade, taxes } from './questions.ts';
import type { ReportVoice } from './words.ts';

const isZero = (amount: unknown): boolean => amount === undefined || /^0(?:\.0+)?$/.test(String(amount));

/** The groups of an answer as views have them, without amounts that are zero everywhere. */
function sumsTable(
  sums: Sums,
  caption: string,
  voice: ReportVoice,
  { without = [], headings = {} }: { without?: readonly string[]; headings?: Record<string, string> } = {},
): Block[] {
  const question = { ...sums.question, voice };
  return kindsOf(sums, question).map((kind) => {
    const table = groupTable(kind, sums, question);
    const hasValue = ({ name, kind: form, place }: Column) =>
      form !== 'money' || place === 'value' || !isZero(table.total?.cells[name]);
    const columns = table.columns
      .filter((column) => !without.includes(column.name) && hasValue(column))
      .map((column) => ({ ...column, heading: headings[column.name] ?? column.heading }));
    // On narrow screens there is room for the first amount and the last.
    const amounts = columns.filter(({ kind: form }) => form === 'money').slice(1, -1);
    const placed = columns.map((one) => (amounts.includes(one) ? { ...one, place: 'wide' as const } : one));
    return { ...table, caption, hasHeading: true, columns: placed };
  });
}

/** What was bought and what was sold, by the other party and by CFOP. */
export function tradeSections(trade: Trade, voice: ReportVoice): readonly Section[] {
  const { suppliers, supplierCodes, customers, customerCodes } = trade;
  const { report } = voice;
  const section = (id: 'purchases' | 'sales', parties: Sums, codes: Sums, captions: [string, string]) => ({
    id,
    title: report(`section.${id}`),
    blocks:
      parties.documents === 0
        ? [report(`${id}.none`)]
        : [...sumsTable(parties, captions[0], voice), ...sumsTable(codes, captions[1], voice)],
  });
  return [
    section('purchases', suppliers, supplierCodes, [
      report('table.by_supplier'),
      report('table.by_issuer_cfop'),
    ]),
    section('sales', customers, customerCodes, [report('table.by_customer'), report('table.by_cfop')]),
  ];
}

function nfseBlocks({ providers, given }: NonNullable<Services['nfse']>, voice: ReportVoice): Block[] {
  const { report, money, page } = voice;
  const beside = Object.values(providers.beside ?? {}).filter((amount) => !isZero(amount));
  const { services = '0', iss = '0', iss_withheld: withheld = '0' } = sumOf(given);
  const rendered = {
    count: given.documents,
    gross: money(services),
    iss: money(iss),
    withheld: money(withheld),
  };
  // The many withholdings need the room.
  const headings = {
    counterparty: report('heading.provider'),
    count: report('heading.notes'),
    total: page('column.reais', { name: report('heading.net') }),
  };
  const shape = { without: ['counterparty_id', 'share'], headings };
  return [
    ...(providers.documents === 0
      ? [report('services.none')]
      : sumsTable(providers, report('table.services'), voice, shape)),
    ...beside.map((amount) => report('services.beside', { amount: money(amount) })),
    ...(given.documents === 0 ? [] : [report('services.given', rendered)]),
  ];
}

function cteBlocks({ carriers, all, given }: NonNullable<Services['cte']>, voice: ReportVoice): Block[] {
  const { report, money } = voice;
  const headings = { issuer: report('heading.carrier'), count: kindName('cte') };
  const counted = (sums: Sums) => ({ count: sums.documents, amount: money(sumOf(sums).total ?? '0') });
  return [
    ...(carriers.documents === 0
      ? [report('freight.none')]
      : sumsTable(carriers, report('table.freight'), voice, { headings })),
    ...(all.documents > carriers.documents ? [report('freight.all', counted(all))] : []),
    ...(given.documents > 0 ? [report('freight.given', counted(given))] : []),
  ];
}

/** Services and freight, as far as their kinds were asked for. */
export function servicesSection({ nfse, cte }: Services, voice: ReportVoice): Section | undefined {
  if (nfse === undefined && cte === undefined) return undefined;
  return {
    id: 'services',
    title: voice.report('section.services'),
    blocks: [
      ...(nfse === undefined ? [] : nfseBlocks(nfse, voice)),
      ...(cte === undefined ? [] : cteBlocks(cte, voice)),
      voice.report('never_added'),
    ],
  };
}

/** The taxes that documents show, a row for each kind of document. */
export function taxesSection(answers: Taxes, { report, page, name: named }: ReportVoice): Section {
  const rows = taxes.flatMap((name) =>
    answers.flatMap(({ area, inbound, outbound }) => {
      const [bought, sold] = [sumOf(inbound)[name], sumOf(outbound)[name]];
      if (isZero(bought) && isZero(sold)) return [];
      return [{ cells: { tax: named('column', name), kind: kindName(area), sold, bought } }];
    }),
  );
  const reais = (name: string) => page('column.reais', { name });
  const table: Table = {
    layout: 'rows',
    caption: report('table.taxes'),
    hasHeading: true,
    columns: [
      { name: 'tax', heading: report('heading.tax'), kind: 'text', place: 'name' },
      { name: 'kind', heading: report('heading.kind'), kind: 'code', place: 'below' },
      { name: 'sold', heading: reais(report('heading.outbound')), kind: 'money', place: 'value' },
      { name: 'bought', heading: reais(report('heading.inbound')), kind: 'money', place: 'below' },
    ],
    rows,
  };
  const hasFreight = answers.some(({ area, inbound }) => area === 'cte' && inbound.documents > 0);
  return {
    id: 'taxes',
    title: report('section.taxes'),
    intro: report('taxes.intro'),
    blocks: [
      rows.length === 0 ? report('taxes.none') : table,
      ...(hasFreight ? [report('taxes.cte_paid')] : []),
    ],
  };
}
