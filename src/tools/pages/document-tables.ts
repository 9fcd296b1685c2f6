import { referenceOfKey } from '../../archive/references.ts';
import { withoutEndingZeros } from '../../documents/decimals.ts';
import {
  type DocumentSummary,
  type Item,
  kindName,
  type TaxName,
  type TotalName,
} from '../../documents/summary/summary.ts';
import type { Column, Row, Table, Text } from '../../views/page.ts';
import type { Speak } from './voice.ts';

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

const isGiven = (amount: string | undefined): amount is string =>
  amount !== undefined && Number(amount) !== 0;

/** The rate that every item has; undefined where they differ. */
function commonRate(items: readonly Item[], rate: TaxName | undefined): string | undefined {
  if (rate === undefined) return undefined;
  const rates = new Set(items.flatMap(({ taxes: of }) => of[rate] ?? []).map(withoutEndingZeros));
  return rates.size === 1 ? [...rates][0] : undefined;
}

const plain = { layout: 'plain', hasHeading: true, groups: [] } as const;

function valuesTable({ totals, item_count: count }: DocumentSummary, speak: Speak): Table {
  const names = components.filter((name) => isGiven(totals[name]));
  const label = (name: TotalName): Text =>
    name === 'products'
      ? speak(({ page }) => page('document.products', { count }))
      : speak((voice) => voice.name('column', name));
  return {
    ...plain,
    caption: speak(({ page }) => page('document.values')),
    columns: [
      { name: 'name', heading: '', kind: 'text', place: 'name' },
      {
        name: 'amount',
        heading: speak(({ page }) => page('column.currency')),
        kind: 'money',
        place: 'value',
      },
    ],
    rows: names.map((name): Row => ({ cells: { name: label(name), amount: totals[name] } })),
    total: { cells: { name: speak(({ page }) => page('document.total')), amount: totals.total } },
  };
}

function taxesTable({ totals, items, service }: DocumentSummary, speak: Speak): Table | undefined {
  const rows = taxes.flatMap(([name, base, rate]): Row[] => {
    const amount = totals[name];
    if (!isGiven(amount)) return [];
    const common = name === 'iss' ? service?.rate : commonRate(items, rate);
    return [
      {
        cells: {
          name: speak((voice) => voice.name('column', name)),
          base: base && totals[base],
          rate:
            common && speak(({ language }) => `${language === 'en' ? common : common.replace('.', ',')}%`),
          amount,
        },
      },
    ];
  });
  if (rows.length === 0) return undefined;
  return {
    ...plain,
    caption: speak(({ page }) => page('document.taxes')),
    columns: [
      { name: 'name', heading: '', kind: 'text', place: 'name' },
      { name: 'base', heading: speak(({ page }) => page('document.base')), kind: 'money', place: 'below' },
      { name: 'rate', heading: speak(({ page }) => page('document.rate')), kind: 'rate', place: 'below' },
      {
        name: 'amount',
        heading: speak(({ page }) => page('column.currency')),
        kind: 'money',
        place: 'value',
      },
    ],
    rows,
  };
}

/** Taxes that have a column of their own where an item has them. */
const ofItems = ['icms', 'icms_st', 'ipi', 'iss', 'cbs', 'ibs'] as const satisfies readonly TaxName[];

/** Items, or the service in their place. */
function linesOf({ items, service, totals }: DocumentSummary): readonly Item[] {
  if (items.length > 0 || service === undefined) return items;
  const { description, code, national_code } = service;
  return [
    { description, code: code ?? national_code, total: totals.services ?? totals.total, taxes: {} } as Item,
  ];
}

function itemsTable(summary: DocumentSummary, speak: Speak): Table | undefined {
  const items = linesOf(summary);
  if (items.length === 0) return undefined;
  const own = ofItems.filter((name) => items.some(({ taxes: of }) => isGiven(of[name])));
  const heading = (name: 'description' | 'codes' | 'quantity' | 'unit_value' | 'total') =>
    speak(({ page }) => page(`item.${name}`));
  const columns: Column[] = [
    { name: 'description', heading: heading('description'), kind: 'text', place: 'name' },
    { name: 'codes', heading: heading('codes'), kind: 'id', place: 'below' },
    { name: 'quantity', heading: heading('quantity'), kind: 'number', place: 'below' },
    {
      name: 'unit_value',
      heading: heading('unit_value'),
      kind: 'money',
      place: 'below',
      label: '× {value}',
    },
    {
      name: 'total',
      heading: speak((voice) => voice.page('column.reais', { name: voice.page('item.total') })),
      kind: 'money',
      place: 'value',
    },
    ...own.map(
      (name): Column => ({
        name,
        heading: speak((voice) => voice.name('column', name)),
        kind: 'money',
        place: 'wide',
      }),
    ),
  ];
  return {
    layout: 'rows',
    hasHeading: true,
    caption: speak(({ page }) => page('document.items')),
    columns,
    groups: [],
    rows: items.map(({ description, code, ncm, cfop, quantity, unit, unit_value, total, taxes: of }): Row => {
      return {
        cells: {
          description: description ?? code,
          codes: [code, ncm && `NCM ${ncm}`, cfop && `CFOP ${cfop}`].filter(Boolean).join(' · '),
          quantity: quantity && [withoutEndingZeros(quantity), unit].filter(Boolean).join(' '),
          unit_value: unit_value && withoutEndingZeros(unit_value),
          total,
          ...Object.fromEntries(own.map((name) => [name, of[name]])),
        },
      };
    }),
  };
}

/** Documents that this one speaks of or carries. */
function relatedTable(
  { references, linked_keys: linked, key: own }: DocumentSummary,
  speak: Speak,
): Table | undefined {
  const keys = [...references.flatMap(({ key }) => key ?? []), ...linked];
  const rows = [...new Set(keys)].flatMap((key): Row[] => {
    const reference = key === own ? undefined : referenceOfKey(key);
    if (reference === undefined) return [];
    const name = `${kindName(reference.document)} ${Number(key.slice(25, 34))}`;
    return [{ cells: { name, key }, opens: { tool: 'get_document', args: { ...reference } } }];
  });
  if (rows.length === 0) return undefined;
  return {
    ...plain,
    caption: speak(({ page }) => page('document.related')),
    columns: [
      {
        name: 'name',
        heading: speak((voice) => voice.name('column', 'document')),
        kind: 'text',
        place: 'name',
      },
      { name: 'key', heading: speak((voice) => voice.name('column', 'key')), kind: 'key', place: 'value' },
    ],
    rows,
  };
}

/** How a document's total is made up, its taxes, its items or service, and the documents it belongs to. */
export function documentTables(summary: DocumentSummary, speak: Speak): Table[] {
  const parts = [valuesTable, taxesTable, itemsTable, relatedTable];
  return parts.map((part) => part(summary, speak)).filter((table) => table !== undefined);
}
