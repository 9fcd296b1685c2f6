import { cfopWords } from '../../documents/tables/cfop-words.ts';
import { oneLine } from '../../documents/untrusted.ts';
import { textIn } from '../../messages/message.ts';
import type { Block, Cell, Column, Section, Table } from '../../report/model.ts';
import type { Row, Sums, Trade } from './questions.ts';
import { cell, type Pen, sumOf } from './words.ts';

/** The length of a row's bar: its share by the largest one. */
export function barsOf(rows: readonly Row[], measure: string): (number | undefined)[] {
  const shares = rows.map(({ share, others }) => (others ? undefined : Number(share?.[measure])));
  const largest = Math.max(...shares.map((share) => (share !== undefined && share > 0 ? share : 0)));
  return shares.map((share) => (share !== undefined && share > 0 ? share / largest : undefined));
}

/** A row's share as text, with its bar. */
export function shareCell({ share }: Row, measure: string, bar: number | undefined, { percent }: Pen): Cell {
  const value = share?.[measure];
  return value === undefined ? cell('–') : { text: percent(value), bar };
}

/** How many groups the row of the others stands for. */
function othersCell({ rows, total_groups }: Sums, { say }: Pen): Cell {
  const shown = rows.filter(({ others }) => !others).length;
  return cell(say('others', { count: total_groups - shown }));
}

/** A party by name, or by id where it has none. */
export function partyCell(row: Row, party: string, sums: Sums, pen: Pen): Cell {
  if (row.others) return othersCell(sums, pen);
  const name = pen.name(row.group[`${party}_name`]);
  return cell(name ?? (pen.id(row.group[party]) || pen.say('unnamed')));
}

type Side = 'supplier' | 'customer';

function partyTable(sums: Sums, side: Side, pen: Pen): Table {
  const { say, amount, id } = pen;
  const hasIcms = sumOf(sums).icms !== undefined;
  const columns: Column[] = [
    { heading: say(`heading.${side}`), form: 'text' },
    { heading: say('heading.id'), form: 'id', isOptional: true },
    { heading: say('heading.notes'), form: 'number' },
    { heading: say('heading.amount'), form: 'number' },
    { heading: say('heading.share'), form: 'share' },
    ...(hasIcms ? [{ heading: say('heading.icms'), form: 'number' } as const] : []),
  ];
  const bars = barsOf(sums.rows, 'total');
  const rows = sums.rows.map((row, at) => [
    partyCell(row, 'counterparty', sums, pen),
    cell(id(row.group.counterparty)),
    cell(row.measures.count),
    cell(amount(row.measures.total)),
    shareCell(row, 'total', bars[at], pen),
    cell(amount(row.measures.icms)),
  ]);
  const total = sumOf(sums);
  return {
    kind: 'table',
    caption: say(`table.by_${side}`),
    remark: say('reais'),
    columns,
    rows,
    total: [
      cell(say('total')),
      cell(''),
      cell(total.count),
      cell(amount(total.total)),
      cell('100%'),
      cell(amount(total.icms)),
    ],
  };
}

function codeTable(sums: Sums, caption: string, pen: Pen): Table {
  const { say, amount, translator } = pen;
  const bars = barsOf(sums.rows, 'total');
  const codeCell = (row: Row): Cell => {
    if (row.others) return othersCell(sums, pen);
    const { cfop } = row.group;
    if (cfop === undefined || cfop === '') return cell(say('blank_cfop'));
    const words = cfopWords(cfop);
    return { text: oneLine(cfop), detail: words && textIn(words, translator.language) };
  };
  return {
    kind: 'table',
    caption,
    remark: say('reais_items'),
    columns: [
      { heading: say('heading.cfop'), form: 'text' },
      { heading: say('heading.amount'), form: 'number' },
      { heading: say('heading.share'), form: 'share' },
    ],
    rows: sums.rows.map((row, at) => [
      codeCell(row),
      cell(amount(row.measures.total)),
      shareCell(row, 'total', bars[at], pen),
    ]),
    total: [cell(say('total')), cell(amount(sumOf(sums).total)), cell('100%')],
  };
}

function tradeBlocks(sums: Sums, codes: Sums, side: Side, caption: string, pen: Pen): readonly Block[] {
  if (sums.documents === 0) {
    const none = side === 'supplier' ? 'purchases.none' : 'sales.none';
    return [{ kind: 'note', text: pen.say(none) }];
  }
  return [partyTable(sums, side, pen), codeTable(codes, caption, pen)];
}

/** What was bought and what was sold. */
export function tradeSections(trade: Trade, pen: Pen): readonly Section[] {
  const { suppliers, supplierCodes, customers, customerCodes } = trade;
  const { say } = pen;
  return [
    {
      id: 'purchases',
      title: say('section.purchases'),
      blocks: tradeBlocks(suppliers, supplierCodes, 'supplier', say('table.by_issuer_cfop'), pen),
    },
    {
      id: 'sales',
      title: say('section.sales'),
      blocks: tradeBlocks(customers, customerCodes, 'customer', say('table.by_cfop'), pen),
    },
  ];
}
