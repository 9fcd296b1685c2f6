import type { DocumentSummary } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { carriage, company, cteKey, event, nfeKey, note, supplier } from '../hand-made.ts';

const authorized = (day: string) => ({ protocol: { number: '1', code: '100', at: `${day}T09:00:00-03:00` } });
const on = (day: string, ...documents: readonly DocumentSummary[]) => ({
  documents,
  context: { company, now: new Date(`${day}T15:00:00Z`), timeZone: 'America/Sao_Paulo' },
});
const until = (expected: string, days: string) => ({ expected, values: { days } });

/** The ninetieth day after it is 18 November. */
const received = note(authorized('2026-08-20'));
const manifested = (code: string, more: Partial<DocumentSummary> = {}) =>
  event(nfeKey(1), code, '2026-09-01T09:00:00-03:00', more);
const open = until('2026-11-18', '8');

/** The forty-fifth day after it is 15 November. */
const paid = carriage({ payer: { id: company }, ...authorized('2026-10-01') });

/** Current terms. */
export const deadlines: Rows = {
  tacit_confirmation_near: [
    [on('2026-11-02', received)],
    [on('2026-11-03', received), until('2026-11-18', '15')],
    [on('2026-11-18', received), until('2026-11-18', '0')],
    [on('2026-11-19', received)],
    // A conclusive event settles it, whatever the order; a refused one and Ciência do not.
    ...['210200', '210220', '210240'].flatMap((code): Row[] => [
      [on('2026-11-10', received, manifested(code))],
      [on('2026-11-10', manifested(code), received)],
      [on('2026-11-10', received, manifested(code, { status: 'unknown' })), open],
    ]),
    [on('2026-11-10', received, manifested('210210')), open],
    // The company's own note, one to others, a cancelled one, one without a protocol, and no current time.
    [on('2026-11-10', { ...received, issuer: { id: company } })],
    [on('2026-11-10', { ...received, recipient: { id: supplier } })],
    [on('2026-11-10', { ...received, status: 'cancelled' })],
    [on('2026-11-10', { ...received, protocol: undefined }), 0],
    [received],
  ],
  cte_disagreement_deadline: [
    [on('2026-11-04', paid)],
    [on('2026-11-05', paid), until('2026-11-15', '10')],
    [on('2026-11-15', paid), until('2026-11-15', '0')],
    [on('2026-11-16', paid)],
    [on('2026-11-10', paid, event(cteKey(1), '610110', '2026-10-20T09:00:00-03:00'))],
    [on('2026-11-10', { ...paid, payer: { id: supplier } }), 0],
  ],
  reform_event_due: [
    [note({ purpose: '5' }), {}],
    [note({ purpose: '5', events: [{ code: '211128' }] })],
    [note(), 0],
  ],
};
