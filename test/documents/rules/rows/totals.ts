import type { DocumentSummary, Item, Party } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { item, note, noteOf, service, supplier } from '../hand-made.ts';

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
/** A note of one item with all compared fields. */
const whole = (parts: Partial<Item>, more: Partial<DocumentSummary> = {}) =>
  noteOf(parts, {}, { totals: { products: '1.00', total: '1.00', pis: '0.10', cofins: '0.20' }, ...more });
const one = (cbs: string) => noteOf({}, { ibs: '0.10', cbs: '0.90' }, { totals: { ibs: '0.10', cbs } });
const net = (found: string, expected: string) =>
  service({ warnings: [{ code: 'net_against_parts', values: { found, expected } }] });

/** Sums against totals. Rounding may differ by a cent. */
export const totals: Rows = {
  items_against_products: [
    [remarked('items_against_products', '100.02', '100.00'), '100.02 / 100.00'],
    [remarked('items_against_products', '100.01', '100.00')],
    [tried],
    [noteOf({}), 0],
  ],
  parts_against_total: [
    [remarked('parts_against_total', '100.02', '100.00'), '100.02 / 100.00'],
    [remarked('parts_against_total', '100.01', '100.00')],
    [tried],
    // A complementary note, a vehicle invoiced to the consumer.
    [whole({}), 1],
    [whole({}, { purpose: '2' }), 0],
    [whole({ vehicle_operation: '1' }), 1],
    [whole({ vehicle_operation: '2' }), 0],
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
    [summed({}), 0],
    // A tax missing in all items.
    [summed({ ipi: '5.00' }), '0.00 / 5.00'],
    // An incomplete list of items.
    [summed({ icms: '99.00' }, { item_count: 3 }), 0],
    // Relieved ICMS may be in the total; under any other code it must be.
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
    // An item outside the total, contributions by substitution.
    [whole({}), 1],
    [whole({ in_total: '0' }), 0],
    [whole({ pis_st: '1.00' }), 0],
    [whole({ cofins_st: '0.00' }), 0],
  ],
  net_against_parts: [
    [net('95.00', '90.00'), '95.00 / 90.00'],
    [net('95.00', '95.01')],
    [service({ totals: { services: '1.00', total: '1.00' } }), 0],
  ],
  ibs_cbs_items_against_totals: [
    [note({ items: ofReform, totals: { ibs: '0.13', cbs: '1.37' } }), '0.15 / 0.13', '1.35 / 1.37'],
    [note({ items: ofReform, totals: { ibs: '0.15', cbs: '1.35' } })],
    [one('0.92'), '0.90 / 0.92'],
    [one('0.91')],
  ],
};

const withheld = (totals: DocumentSummary['totals'] = {}, issuer: Partial<Party> = {}) =>
  service({ iss_withheld: true, totals, issuer: { id: supplier, id_type: 'cnpj', ...issuer } });
const kept = (iss_withheld: boolean, totals: DocumentSummary['totals']) => service({ iss_withheld, totals });
const apart = { iss: '0.00', iss_withheld: '25.00', withheld: '25.00' };
const ofHundred = { services: '100.00', iss: '5.00' };
const municipal = (provider: Partial<Party>, more: Partial<DocumentSummary> = {}) =>
  service({
    layout: 'nfse abrasf 2.02',
    issued_at: '2026-11-10T10:00:00-03:00',
    issuer: { id: supplier, id_type: 'cnpj', ...provider },
    ...more,
  });
const simples = { is_under_simples: true };

/** Service invoices. */
export const services: Rows = {
  iss_withheld_without_iss: [
    [withheld(), '- / > 0'],
    [withheld({ iss: '0.00' }), '0.00 / > 0'],
    [withheld({ iss: '5.00' })],
    [withheld(apart)],
    [service({ iss_withheld: false }), 0],
    // A provider under the Simples need not state its ISS.
    [withheld({}, { is_under_simples: false }), '- / > 0'],
    [withheld({}, simples)],
  ],
  iss_above_withheld: [
    [withheld({ iss: '5.00', withheld: '4.98' }), '4.98 / >= 5.00'],
    [withheld({ iss: '5.00' }), '- / >= 5.00'],
    [withheld({ iss: '5.00', withheld: '4.99' })],
    [withheld({ iss: '5.00', withheld: '5.00' })],
    [withheld({ iss: '5.00', withheld: '11.15' })],
    [withheld(apart)],
    [withheld({ iss: '0.00' }), 0],
    [service({ totals: { iss: '5.00', withheld: '1.00' } })],
  ],
  iss_deducted_not_withheld: [
    [kept(false, { ...ofHundred, total: '95.00' }), '95.00 / 100.00'],
    [kept(false, { ...ofHundred, total: '100.00' })],
    [kept(true, { ...ofHundred, total: '95.00' })],
    [kept(false, { ...ofHundred, discount: '5.00', total: '95.00' })],
  ],
  municipal_nfse_of_simples: [
    [municipal(simples), 'abrasf 2.02 / nfse national'],
    [municipal(simples, { issued_at: '2026-11-01' }), 'abrasf 2.02 / nfse national'],
    [municipal(simples, { competence: '2026-11-01' }), 'abrasf 2.02 / nfse national'],
    [municipal(simples, { issued_at: '2026-10-31' })],
    [municipal(simples, { competence: '2026-10-01' })],
    [municipal(simples, { layout: 'nfse national 1.01' })],
    [municipal({ is_under_simples: true, is_mei: true })],
    [municipal({ is_under_simples: false })],
    [municipal({}), 0],
  ],
};
