import { referenceOfKey } from '../../archive/references.ts';
import { withoutEndingZeros } from '../../documents/decimals.ts';
import {
  type DocumentSummary,
  type Item,
  kindName,
  type TaxName,
  type TotalName,
} from '../../documents/summary/summary.ts';
import type { Column, Row, Table } from '../../page/page.ts';
import { column, present, type Voice } from './voice.ts';

/** Amounts that make up a document's total, in the forms' order. */
const components: readonly TotalName[] = [
  'products',
  'services',
  'freight',
  'insurance',
  'other',
  'discount',
  'deductions',
  'icms_st',
  'fcp_st',
  'ipi',
  'import_duty',
  'withheld',
  'receivable',
  'cargo',
];

/** Taxes by the names of their total, base and rate. */
const taxes: readonly (readonly [name: TotalName, base?: TotalName, rate?: TaxName])[] = [
  ['icms', 'icms_base', 'icms_rate'],
  ['icms_relieved'],
  ['icms_mono'],
  ['fcp'],
  ['difal'],
  ['iss', 'iss_base', 'iss_rate'],
  ['pis'],
  ['cofins'],
  ['cbs', 'ibs_cbs_base', 'cbs_rate'],
  ['ibs', 'ibs_cbs_base'],
  ['is'],
  ['irrf'],
  ['csll'],
  ['inss'],
  ['iss_withheld'],
];

/** Taxes that have a column of their own where an item has them. */
const ofItems = ['icms', 'icms_st', 'ipi', 'iss', 'cbs', 'ibs'] as const satisfies readonly TaxName[];

const isGiven = (amount: string | undefined): amount is string =>
  amount !== undefined && Number(amount) !== 0;

/** A table with a heading; nothing without rows. */
function tableOf(caption: string, columns: readonly Column[], rows: readonly Row[]): Table | undefined {
  return rows.length === 0 ? undefined : { layout: 'plain', hasHeading: true, caption, columns, rows };
}

function valuesTable({ totals, item_count: count }: DocumentSummary, { page, name: named }: Voice): Table {
  const label = (name: TotalName) =>
    name === 'products' ? page('document.products', { count }) : named('column', name);
  return {
    layout: 'plain',
    hasHeading: true,
    caption: page('document.values'),
    columns: [
      column('name', '', 'text', 'name'),
      column('amount', page('column.currency'), 'money', 'value'),
    ],
    rows: components
      .filter((name) => isGiven(totals[name]))
      .map((name) => ({ cells: { name: label(name), amount: totals[name] } })),
    total: { cells: { name: page('document.total'), amount: totals.total } },
  };
}

/** The rate that every item has; undefined where they differ. */
function commonRate(items: readonly Item[], rate: TaxName | undefined): string | undefined {
  if (rate === undefined) return undefined;
  const rates = new Set(items.flatMap(({ taxes: of }) => of[rate] ?? []).map(withoutEndingZeros));
  return rates.size === 1 ? [...rates][0] : undefined;
}

function taxesTable({ totals, items, service }: DocumentSummary, voice: Voice): Table | undefined {
  const { page } = voice;
  const rows = taxes
    .filter(([name]) => isGiven(totals[name]))
    .map(([name, base, rate]): Row => {
      const common = name === 'iss' ? service?.rate : commonRate(items, rate);
      const written = voice.language === 'en' ? common : common?.replace('.', ',');
      return {
        cells: {
          name: voice.name('column', name),
          base: base && totals[base],
          rate: written && `${written}%`,
          amount: totals[name],
        },
      };
    });
  const columns = [
    column('name', '', 'text', 'name'),
    column('base', page('document.base'), 'money', 'below'),
    column('rate', page('document.rate'), 'rate', 'below'),
    column('amount', page('column.currency'), 'money', 'value'),
  ];
  return tableOf(page('document.taxes'), columns, rows);
}

/** Items, or the service in their place. */
function linesOf({ items, service, totals }: DocumentSummary): readonly Item[] {
  if (items.length > 0 || service === undefined) return items;
  const { description, code, national_code } = service;
  return [
    { description, code: code ?? national_code, total: totals.services ?? totals.total, taxes: {} } as Item,
  ];
}

function itemsTable(summary: DocumentSummary, { page, name: named }: Voice): Table | undefined {
  const items = linesOf(summary);
  const own = ofItems.filter((name) => items.some(({ taxes: of }) => isGiven(of[name])));
  const columns = [
    column('description', page('item.description'), 'text', 'name'),
    column('codes', page('item.codes'), 'id', 'below'),
    column('quantity', page('item.quantity'), 'number', 'below'),
    column('unit_value', page('item.unit_value'), 'money', 'below', '× {value}'),
    column('total', page('column.reais', { name: named('column', 'total') }), 'money', 'value'),
    ...own.map((name) => column(name, named('column', name), 'money', 'wide')),
  ];
  const rows = items.map(
    ({ description, code, ncm, cfop, quantity, unit, unit_value, total, taxes: of }) => ({
      cells: {
        description: description ?? code,
        codes: present(code, ncm && `NCM ${ncm}`, cfop && `CFOP ${cfop}`).join(' · '),
        quantity: quantity && present(withoutEndingZeros(quantity), unit).join(' '),
        unit_value: unit_value && withoutEndingZeros(unit_value),
        total,
        ...Object.fromEntries(own.map((name) => [name, of[name]])),
      },
    }),
  );
  const table = tableOf(named('column', 'items'), columns, rows);
  return table && { ...table, layout: 'rows' };
}

/** Documents that this one speaks of or carries. */
function relatedTable(summary: DocumentSummary, { page, name: named }: Voice): Table | undefined {
  const { references, linked_keys: linked, key: own } = summary;
  const keys = new Set([...references.flatMap(({ key }) => key ?? []), ...linked]);
  const rows = [...keys].flatMap((key): Row[] => {
    const reference = key === own ? undefined : referenceOfKey(key);
    if (reference === undefined) return [];
    const name = `${kindName(reference.document)} ${Number(key.slice(25, 34))}`;
    return [{ cells: { name, key }, opens: { tool: 'get_document', args: { ...reference } } }];
  });
  const columns = [
    column('name', named('column', 'document'), 'text', 'name'),
    column('key', named('column', 'key'), 'key', 'value'),
  ];
  return tableOf(page('document.related'), columns, rows);
}

/** How a document's total is made up, its taxes, its items or service, and the documents it belongs to. */
export function documentTables(summary: DocumentSummary, voice: Voice): Table[] {
  const parts = [valuesTable, taxesTable, itemsTable, relatedTable];
  return present(...parts.map((part) => part(summary, voice)));
}
