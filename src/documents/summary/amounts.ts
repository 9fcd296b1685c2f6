import type { DocumentArea } from '../days.ts';

interface Amount {
  /** Families with this amount. Source: docs/fiscal/layouts.md. */
  readonly of: readonly DocumentArea[];
  /**
   * `sums`: in documents and items, with cached sums; `lines`: likewise, without them; `documents`: in documents only.
   */
  readonly kept: 'sums' | 'lines' | 'documents';
  /**
   * `parts`: each item has its share, the rest belongs to no item; `sum`: a document without the amount gets the sum of
   * its items.
   */
  readonly items?: 'parts' | 'sum';
}

const all = ['nfe', 'cte', 'nfse'] as const;
const goods = ['nfe'] as const;
const goodsAndCarriage = ['nfe', 'cte'] as const;
const goodsAndServices = ['nfe', 'nfse'] as const;

const ofItems = { of: goods, kept: 'lines', items: 'sum' } as const;
const withheld = { of: goodsAndServices, kept: 'documents' } as const;

/**
 * Amounts available to queries, in reais except the weight, which is in kilograms. Their texts are in the catalogue.
 */
export const amounts = {
  total: { of: all, kept: 'sums', items: 'parts' },
  products: { of: goods, kept: 'sums', items: 'parts' },
  icms: { of: goodsAndCarriage, kept: 'sums' },
  icms_base: { of: goodsAndCarriage, kept: 'sums' },
  icms_st: { of: goods, kept: 'sums' },
  icms_credit: { of: goods, kept: 'sums', items: 'sum' },
  ipi: { of: goods, kept: 'sums' },
  pis: { of: all, kept: 'sums' },
  cofins: { of: all, kept: 'sums' },
  iss: { of: goodsAndServices, kept: 'sums' },
  iss_withheld: { of: goodsAndServices, kept: 'sums' },
  ibs: { of: all, kept: 'sums' },
  cbs: { of: all, kept: 'sums' },
  is: { of: goods, kept: 'sums' },
  freight: { of: goods, kept: 'sums', items: 'parts' },
  discount: { of: goodsAndServices, kept: 'sums', items: 'parts' },
  products_net: { of: goods, kept: 'lines', items: 'parts' },
  services: { of: goodsAndServices, kept: 'lines', items: 'parts' },
  insurance: { of: goods, kept: 'lines', items: 'parts' },
  other: { of: goods, kept: 'lines', items: 'parts' },
  ...{ icms_relieved: ofItems, icms_mono: ofItems, fcp: ofItems, fcp_st: ofItems },
  ...{ difal: ofItems, import_duty: ofItems },
  ...{ irrf: withheld, csll: withheld, inss: withheld, pis_withheld: withheld, cofins_withheld: withheld },
  weight: { of: goodsAndCarriage, kept: 'documents' },
} as const satisfies Readonly<Record<string, Amount>>;

type Table = typeof amounts;

export type AmountName = keyof Table;

/** Names of the amounts with this value in a table column. */
export type AmountWith<Column extends 'kept' | 'items', Value> = {
  [Name in AmountName]: Table[Name] extends { readonly [C in Column]: Value } ? Name : never;
}[AmountName];

/** Amounts with this value in a table column, in table order. */
export function amountsWith<Column extends 'kept' | 'items', Value extends NonNullable<Amount[Column]>>(
  column: Column,
  value: Value,
): readonly AmountWith<Column, Value>[] {
  const rows: readonly (readonly [string, Amount])[] = Object.entries(amounts);
  const names = rows.filter(([, amount]) => amount[column] === value).map(([name]) => name);
  return names as unknown as readonly AmountWith<Column, Value>[];
}
