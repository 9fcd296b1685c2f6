import type { DocumentSummary } from '../../../../src/documents/summary/summary.ts';
import { item, note, noteOf, service } from '../hand-made.ts';
import type { Row, Rows } from './rows.ts';

type Remark = DocumentSummary['warnings'][number]['code'];
const remarked = (code: Remark, found: string, expected: string) =>
  note({ warnings: [{ code, values: { found, expected } }] });
const tried = note({ warnings: [{ code: 'test_environment', values: {} }] });

const items = [item({}, { icms: '18.00', icms_base: '100.00' }), item({ number: '2' }, { icms: '7.20' })];
const summed = (totals: DocumentSummary['totals'], more: Partial<DocumentSummary> = {}) =>
  note({ items, totals, ...more });
const withRelieved = (cst: string, layout: string, icms: string) => {
  const taxed = item({ cst: '00' }, { icms: '18.00' });
  return note({ layout, items: [taxed, item({ number: '2', cst }, { icms: '18.00' })], totals: { icms } });
};
const ofReform = [
  item({}, { ibs: '0.10', cbs: '0.90' }),
  item({ number: '2' }, { ibs: '0.05', cbs: '0.45' }),
];
const one = (cbs: string) => noteOf({}, { ibs: '0.10', cbs: '0.90' }, { totals: { ibs: '0.10', cbs } });
const net = (found: string, expected: string) =>
  service({ warnings: [{ code: 'net_against_parts', values: { found, expected } }] });

/** Sums against totals. A cent is what rounding makes. */
export const totals: Rows = {
  items_against_products: [
    [remarked('items_against_products', '100.02', '100.00'), '100.02 / 100.00'],
    [remarked('items_against_products', '100.01', '100.00')],
    [tried],
  ],
  parts_against_total: [
    [remarked('parts_against_total', '100.02', '100.00'), '100.02 / 100.00'],
    [remarked('parts_against_total', '100.01', '100.00')],
    [tried],
  ],
  item_taxes_against_totals: [
    [
      summed({ icms: '25.22', icms_base: '100.00' }),
      { found: '25.20', expected: '25.22', values: { field: 'vICMS' } },
    ],
    [summed({ icms: '25.18' }), '25.20 / 25.18'],
    [summed({ icms: '25.19' })],
    [summed({ icms: '25.21' })],
    [summed({ icms: '25.2', ipi: '0.00' })],
    [summed({})],
    // A tax that no item has.
    [summed({ ipi: '5.00' }), '0.00 / 5.00'],
    // Items that are not all there.
    [summed({ icms: '99.00' }, { item_count: 3 })],
    // Relieved ICMS is in the total or not; under any other code it is.
    ...['40', '41', '50'].flatMap((cst) =>
      ['nfe 2.00', 'nfe 3.10', 'nfe 4.00'].flatMap((layout): Row[] => [
        [withRelieved(cst, layout, '18.00')],
        [withRelieved(cst, layout, '36.00')],
        [withRelieved(cst, layout, '17.98'), layout === 'nfe 2.00' ? '18.00 / 17.98' : '36.00 / 17.98'],
      ]),
    ),
    [withRelieved('20', 'nfe 2.00', '18.00'), '36.00 / 18.00'],
  ],
  pis_cofins_items_against_totals: [
    [remarked('items_against_pis', '1.65', '1.67'), '1.65 / 1.67'],
    [remarked('items_against_pis', '1.65', '1.66')],
  ],
  net_against_parts: [[net('95.00', '90.00'), '95.00 / 90.00'], [net('95.00', '95.01')], [service()]],
  ibs_cbs_items_against_totals: [
    [note({ items: ofReform, totals: { ibs: '0.13', cbs: '1.37' } }), '0.15 / 0.13', '1.35 / 1.37'],
    [note({ items: ofReform, totals: { ibs: '0.15', cbs: '1.35' } })],
    [one('0.92'), '0.90 / 0.92'],
    [one('0.91')],
  ],
};
