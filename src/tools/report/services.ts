import { kindName } from '../../documents/summary/summary.ts';
import type { Block, Column, Section, Table } from '../../report/model.ts';
import { type Services, type Sums, type Taxes, taxes } from './questions.ts';
import { barsOf, partyCell, shareCell } from './trade.ts';
import { cell, type Pen, sumOf } from './words.ts';

const withholdings = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'] as const;

const isZero = (amount: string | undefined): boolean => amount === undefined || /^0(?:\.0+)?$/.test(amount);

/** The withholdings of which there is any. */
function withheldIn(sums: Sums) {
  return withholdings.filter((name) => !isZero(sumOf(sums)[name]));
}

function providersTable(sums: Sums, pen: Pen): Table {
  const { say, amount } = pen;
  const withheld = withheldIn(sums);
  const number = (heading: string, isOptional = false): Column => ({ heading, form: 'number', isOptional });
  const total = sumOf(sums);
  const amounts = (measures: Readonly<Record<string, string>>) => [
    cell(measures.count),
    cell(amount(measures.services)),
    ...withheld.map((name) => cell(isZero(measures[name]) ? '–' : amount(measures[name]))),
    cell(amount(measures.total)),
  ];
  return {
    kind: 'table',
    caption: say('table.services'),
    remark: say('reais'),
    columns: [
      { heading: say('heading.provider'), form: 'text' },
      number(say('heading.notes')),
      number(say('heading.gross')),
      ...withheld.map((name) => number(say(`heading.${name}`), true)),
      number(say('heading.net')),
    ],
    rows: sums.rows.map((row) => [partyCell(row, 'counterparty', sums, pen), ...amounts(row.measures)]),
    total: [cell(say('total')), ...amounts(total)],
  };
}

function carriersTable(sums: Sums, pen: Pen): Table {
  const { say, amount } = pen;
  const bars = barsOf(sums.rows, 'total');
  const total = sumOf(sums);
  return {
    kind: 'table',
    caption: say('table.freight'),
    remark: say('reais'),
    columns: [
      { heading: say('heading.carrier'), form: 'text' },
      { heading: say('heading.documents'), form: 'number' },
      { heading: say('heading.amount'), form: 'number' },
      { heading: say('heading.share'), form: 'share' },
      { heading: say('heading.icms'), form: 'number' },
    ],
    rows: sums.rows.map((row, at) => [
      partyCell(row, 'issuer', sums, pen),
      cell(row.measures.count),
      cell(amount(row.measures.total)),
      shareCell(row, 'total', bars[at], pen),
      cell(amount(row.measures.icms)),
    ]),
    total: [
      cell(say('total')),
      cell(total.count),
      cell(amount(total.total)),
      cell('100%'),
      cell(amount(total.icms)),
    ],
  };
}

function nfseBlocks({ providers, given }: NonNullable<Services['nfse']>, pen: Pen): Block[] {
  const { say, money } = pen;
  const beside = Object.values(providers.beside ?? {}).filter((amount) => !isZero(amount));
  const rendered = sumOf(given);
  return [
    providers.documents === 0 ? { kind: 'note', text: say('services.none') } : providersTable(providers, pen),
    ...beside.map(
      (amount): Block => ({ kind: 'note', text: say('services.beside', { amount: money(amount) }) }),
    ),
    ...(given.documents === 0
      ? []
      : [
          {
            kind: 'note' as const,
            text: say('services.given', {
              count: given.documents,
              gross: money(rendered.services),
              iss: money(rendered.iss),
              withheld: money(rendered.iss_withheld),
            }),
          },
        ]),
  ];
}

function cteBlocks({ carriers, all, given }: NonNullable<Services['cte']>, pen: Pen): Block[] {
  const { say, money } = pen;
  const total = (sums: Sums) => money(sumOf(sums).total);
  const note = (text: string): Block => ({ kind: 'note', text });
  return [
    carriers.documents === 0 ? note(say('freight.none')) : carriersTable(carriers, pen),
    ...(all.documents > carriers.documents
      ? [note(say('freight.all', { count: all.documents, amount: total(all) }))]
      : []),
    ...(given.documents > 0
      ? [note(say('freight.given', { count: given.documents, amount: total(given) }))]
      : []),
  ];
}

/** Services and freight, as far as their kinds were asked for. */
export function servicesSection({ nfse, cte }: Services, pen: Pen): Section | undefined {
  if (nfse === undefined && cte === undefined) return undefined;
  return {
    id: 'services',
    title: pen.say('section.services'),
    blocks: [
      ...(nfse === undefined ? [] : nfseBlocks(nfse, pen)),
      ...(cte === undefined ? [] : cteBlocks(cte, pen)),
      { kind: 'note', text: pen.say('never_added') },
    ],
  };
}

/** The taxes that documents show, a row for each kind of document. */
export function taxesSection(answers: Taxes, { say, amount }: Pen): Section {
  const rows = taxes.flatMap((name) =>
    answers.flatMap(({ area, inbound, outbound }) => {
      const [bought, sold] = [sumOf(inbound)[name], sumOf(outbound)[name]];
      return isZero(bought) && isZero(sold)
        ? []
        : [[cell(say(`tax.${name}`)), cell(kindName(area)), cell(amount(sold)), cell(amount(bought))]];
    }),
  );
  const hasFreight = answers.some(({ area, inbound }) => area === 'cte' && inbound.documents > 0);
  return {
    id: 'taxes',
    title: say('section.taxes'),
    intro: say('taxes.intro'),
    blocks: [
      rows.length === 0
        ? { kind: 'note', text: say('taxes.none') }
        : {
            kind: 'table',
            caption: say('table.taxes'),
            remark: say('reais'),
            columns: [
              { heading: say('heading.tax'), form: 'text' },
              { heading: say('heading.kind'), form: 'text' },
              { heading: say('heading.outbound'), form: 'number' },
              { heading: say('heading.inbound'), form: 'number' },
            ],
            rows,
          },
      ...(hasFreight ? [{ kind: 'note' as const, text: say('taxes.cte_paid') }] : []),
    ],
  };
}
