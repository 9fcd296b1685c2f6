import type { DocumentSummary } from '../../src/documents/summary/summary.ts';

/** An authorised NF-e that says nothing but this. */
export function summaryOf(parts: Partial<DocumentSummary> = {}): DocumentSummary {
  const { items = [] } = parts;
  return {
    kind: 'nfe',
    layout: 'nfe 4.00',
    status: 'authorized',
    totals: {},
    items,
    item_count: items.length,
    payments: [],
    installments: [],
    references: [],
    linked_keys: [],
    warnings: [],
    ...parts,
  };
}
