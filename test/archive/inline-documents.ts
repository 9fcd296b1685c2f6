import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { summaryOf } from '../support/summaries.ts';

export const buyer = '11222333000181';
export const seller = '58716523000119';

/** The key of `note(number)`. */
export const keyOf = (number: number): string => `3526${String(number).padStart(40, '0')}`;

/** A note of one item from the seller to the buyer, of 100 reais. */
export function note(number: number, more: Partial<DocumentSummary> = {}): DocumentSummary {
  return summaryOf({
    key: keyOf(number),
    number: String(number),
    issued_at: '2026-11-05T10:00:00-03:00',
    issuer: { id: seller, id_type: 'cnpj', name: 'Vendedora', state: 'MG' },
    recipient: { id: buyer, id_type: 'cnpj', name: 'Compradora', state: 'SP' },
    totals: { total: '100.00', icms: '18.00' },
    items: [
      { description: 'Parafuso', cfop: '6102', ncm: '73181500', total: '100.00', taxes: { icms: '18.00' } },
    ],
    ...more,
  });
}

/** An event of a note, registered by default. */
export function eventOf(number: number, code: string, more: Partial<DocumentSummary> = {}): DocumentSummary {
  return note(number, {
    kind: 'event',
    layout: 'nfe event 1.00',
    status: 'authorized',
    issuer: undefined,
    recipient: undefined,
    totals: {},
    items: [],
    event: { code, sequence: '1', at: '2026-11-06T09:00:00-03:00' },
    ...more,
  });
}
