import type { DocumentSummary } from '../../../../src/documents/summary/summary.ts';
import type { Rows } from '../hand-made.ts';
import { carriage, company, coveredFrom, cteKey, event, nfeKey, note, own, service } from '../hand-made.ts';

const municipal = (verification_code: string) => service({ layout: 'nfse prodam', verification_code });
const keys = [nfeKey(1), nfeKey(2)];
const billed = carriage({ linked_keys: keys, number: '10' });
const entry = (number: number) => own(number, { flow: '0' });
const mixed = [own(1), entry(2), own(3), entry(5), entry(7)];
const apart = [own(10), own(12, { issued_at: '2026-11-09T10:00:00-03:00' })];
/** Issued on 5 November. */
const its = (code: string, at: string, parts: Partial<DocumentSummary> = {}) =>
  event(nfeKey(1), code, at, parts);
const cancellation = its('110111', '2026-11-09T09:00:00-03:00');
const entered = (day: string) => ({
  documents: [note(), cancellation],
  context: { company, entryDay: () => day },
});
const counted = (contents: number) => ({
  documents: [note()],
  known: { status: 'authorized' as const, contents },
});

/** Repeated, missing and altered documents. */
export const duplicates: Rows = {
  // Reported once with a count; events and abridged notes are not the document.
  duplicate_document: [
    [[note(), note({ key: nfeKey(2) }), note(), note()], '3 / 1'],
    [[note(), note()], '2 / 1'],
    [[municipal('A1B2'), municipal('A1B2')], '2 / 1'],
    [[municipal('A1B2'), municipal('C3D4')]],
    [[note(), note({ kind: 'summary' }), its('210210', '2026-11-06'), its('210200', '2026-11-07')]],
  ],
  contents_differ: [[counted(2), { key: nfeKey(1), found: '2', expected: '1' }], [counted(1)], [note(), 0]],
  // Not repeated: another value, number, issuer or kind, or a cancelled document.
  duplicate_invoice: [
    [
      [note(), note({ key: nfeKey(9), series: '2', totals: { total: '100.0' } })],
      { key: nfeKey(9), found: nfeKey(9), expected: nfeKey(1), values: { number: '1', total: '100.00' } },
    ],
    [
      [
        note(),
        note({ key: nfeKey(2), totals: { total: '100.01' } }),
        note({ key: nfeKey(3), number: '3' }),
        note({ key: nfeKey(4), issuer: { id: company } }),
        note({ key: nfeKey(5), status: 'cancelled' }),
        note({ key: nfeKey(6), kind: 'cte' }),
      ],
    ],
  ],
  // Same carrier, value and notes.
  freight_billed_twice: [
    [
      [billed, carriage({ key: cteKey(2), number: '11', linked_keys: keys.toReversed() })],
      `${cteKey(2)} / ${cteKey(1)}`,
    ],
    [
      [
        billed,
        carriage({ key: cteKey(3), linked_keys: [nfeKey(1)] }),
        carriage({ key: cteKey(4), linked_keys: keys, totals: { total: '99.00' } }),
        carriage({ key: cteKey(5), linked_keys: keys, issuer: { id: company } }),
        carriage({ key: cteKey(6), linked_keys: keys, purpose: '1' }),
      ],
    ],
    [carriage(), 0],
  ],
  number_gap: [
    [
      [own(15), own(10), own(11), own(14)],
      {
        found: '14',
        expected: '12',
        values: { missing: '2', range: '12-13', series: '1' },
        number: '11',
        issuer: company,
      },
    ],
    [[own(10), own(12)], { values: { missing: '1', range: '11' } }],
    // Cancelled and denied numbers are used; other series and models are separate; leading zeros are ignored.
    [
      [
        own(10),
        own(11, { status: 'cancelled' }),
        own(12, { status: 'denied' }),
        own(13, { number: '000000013', series: '001' }),
        own(90, { series: '2' }),
        own(500, { kind: 'nfce', model: '65' }),
      ],
    ],
    // Own entry notes share the numbering; a gap is reported next to a note of the selected direction.
    [{ documents: mixed, context: { company, direction: 'outbound' } }, { values: { range: '4' } }],
    [
      { documents: mixed, context: { company, direction: 'inbound' } },
      { values: { range: '4' } },
      { values: { range: '6' } },
    ],
    // Days between the numbers that were not checked.
    [{ documents: apart, context: coveredFrom('2026-11-01', '2026-11-30') }, {}],
    [{ documents: apart, context: coveredFrom('2026-11-05', '2026-11-08') }],
    [
      {
        documents: apart,
        context: {
          company,
          covered: {
            days: {
              nfe: [
                { from: '2026-11-01', to: '2026-11-06' },
                { from: '2026-11-08', to: '2026-11-30' },
              ],
              cte: [],
              nfse: [],
            },
            openFrom: '2026-12-01',
          },
        },
      },
    ],
    // Only the company's own.
    [[note({ number: '1' }), note({ number: '9', key: nfeKey(9) })], 0],
    [own(10), 0],
    [[own(10), own(11), own(12)], 2],
    [{ documents: [entry(10), own(11), entry(12), own(13)], context: { company, direction: 'outbound' } }, 1],
    [{ documents: [own(1), own(9)], context: {} }],
  ],
  cancelled_after_entry: [
    [[cancellation, note()], '2026-11-09 / 2026-11-05'],
    [[note(), cancellation], '2026-11-09 / 2026-11-05'],
    // By the document itself, and without a time.
    [
      note({ status: 'cancelled', event: { code: '110111', at: '2026-11-08T10:00:00-03:00' } }),
      '2026-11-08 / 2026-11-05',
    ],
    [service({ status: 'cancelled' }), '- / 2026-11-05'],
    // Each note without a key by itself.
    [
      [service({ status: 'cancelled' }), service({ status: 'cancelled', number: '8' })],
      '- / 2026-11-05',
      '- / 2026-11-05',
    ],
    [note({ status: 'cancelled' }), '- / 2026-11-05'],
    // Compared with the entry date if known.
    [entered('2026-11-10')],
    [entered('2026-11-08'), '2026-11-09 / 2026-11-08'],
    // On the same day, not registered, another event, of an own note, of an unknown note.
    [
      [
        note(),
        its('110111', '2026-11-05T18:00:00-03:00'),
        its('110111', '2026-11-09', { status: 'no_protocol' }),
        its('210200', '2026-11-09'),
      ],
    ],
    [[own(1), event(own(1).key ?? '', '110111', '2026-11-09')], 0],
    [cancellation],
  ],
  // The last letter counts.
  corrected_after_entry: [
    [
      [note(), ...['2026-11-07', '2026-11-12', '2026-11-08'].map((day) => its('110110', day))],
      '2026-11-12 / 2026-11-05',
    ],
    [[note(), own(10), its('110110', '2026-11-05T18:00:00-03:00')], 1],
    [[own(1), event(own(1).key ?? '', '110110', '2026-11-09')], 0],
    [[note({ status: 'cancelled' }), its('110111', '2026-11-09'), its('110110', '2026-11-05')]],
  ],
};
