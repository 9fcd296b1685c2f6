import type { DocumentSummary, Party } from '../../../../src/documents/summary/summary.ts';
import { service, supplier } from '../hand-made.ts';
import type { Rows } from './rows.ts';

const withheld = (totals: DocumentSummary['totals'] = {}, issuer: Partial<Party> = {}) =>
  service({ iss_withheld: true, totals, issuer: { id: supplier, id_type: 'cnpj', ...issuer } });
const kept = (iss_withheld: boolean, totals: DocumentSummary['totals']) => service({ iss_withheld, totals });
const apart = { iss: '0.00', iss_withheld: '25.00', withheld: '25.00' };
const net = { services: '100.00', iss: '5.00' };
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
    [service({ iss_withheld: false })],
    // A provider under the Simples need not show its ISS.
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
    [service({ totals: { iss: '5.00', withheld: '1.00' } })],
  ],
  iss_deducted_not_withheld: [
    [kept(false, { ...net, total: '95.00' }), '95.00 / 100.00'],
    [kept(false, { ...net, total: '100.00' })],
    [kept(true, { ...net, total: '95.00' })],
    [kept(false, { ...net, discount: '5.00', total: '95.00' })],
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
    [municipal({})],
  ],
};
