import type { RuleContext } from '../../../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { carriage, company, coveredFrom, cteKey, nfeKey, note, own, supplier } from '../hand-made.ts';

type Documents = readonly DocumentSummary[];
const within = (documents: Documents, context: RuleContext) => ({ documents, context });

/** Carriage on 5 November, and the days checked around it. */
const carries = (...keys: string[]) => carriage({ linked_keys: keys });
const autumn = (...documents: Documents) => within(documents, coveredFrom('2026-10-01', '2026-11-30'));
const ofAugust = carries(nfeKey(2, '2608'));
const undated = carriage({ linked_keys: [nfeKey(2)], issued_at: undefined });
const ofOthers = (parts: Partial<DocumentSummary>) =>
  within(
    [carriage({ recipient: { id: '12ABC34501DE35' }, linked_keys: [nfeKey(2)], ...parts })],
    coveredFrom('2026-11-01', '2026-11-30'),
  );

const carrier = { id: '12ABC34501DE35', id_type: 'cnpj' } as const;
/** Issued on 5 November; 31 days later is 6 December, 15 days later 20 November. */
const collected = note({ transport: { mode: '1', carrier } });
const winter = (...documents: Documents) => within(documents, coveredFrom('2026-11-01', '2026-12-31'));
const its = carriage({ linked_keys: [nfeKey(1)], issued_at: '2026-12-06' });
const missed = { key: nfeKey(1), found: '0', expected: '1', values: { mode: '1', carrier: carrier.id } };
const inTown = {
  issuer: { id: supplier, state: 'SP', city: 'SÃO PAULO' },
  recipient: { id: company, id_type: 'cnpj', state: 'SP', city: 'São Paulo' },
} as const;
const seen = (first: string, last: string, openFrom?: string): Row[0] =>
  within([collected], coveredFrom(first, last, openFrom));
/** Issued in September, without a carrier's name. */
const hired = (mode: string, more: Partial<DocumentSummary> = {}) =>
  note({ transport: { mode }, issued_at: '2026-09-01T10:00:00-03:00', key: nfeKey(1, '2609'), ...more });
const year = (...documents: Documents) => within(documents, coveredFrom('2026-01-01', '2026-12-31'));

const carrying = carriage({ linked_keys: [nfeKey(5)], recipient: { id: company } });

/** Notes and their freight. */
export const freight: Rows = {
  cte_without_nfe: [
    // Names the first missing note.
    [
      autumn(carries(nfeKey(1), nfeKey(2)), note()),
      { key: cteKey(1), found: '1', expected: '2', values: { nfe: nfeKey(2) } },
    ],
    [autumn(carries(nfeKey(2))), '0 / 1'],
    [autumn(carries(nfeKey(2, '2610'))), '0 / 1'],
    [autumn(carries(nfeKey(2)), note({ key: nfeKey(7, '2610') })), '0 / 1'],
    [autumn(carries(nfeKey(1)), note())],
    [autumn(note({ kind: 'summary' }), carries(nfeKey(1)))],
    [autumn({ ...carries(nfeKey(2)), status: 'cancelled' })],
    // A month with an unchecked day.
    [within([ofAugust, note({ key: nfeKey(3, '2608') })], coveredFrom('2026-08-31', '2026-11-30'))],
    [within([ofAugust], coveredFrom('2026-08-02', '2026-11-30')), 0],
    [within([ofAugust], coveredFrom('2026-08-01', '2026-08-30'))],
    [within([ofAugust], coveredFrom('2026-08-01', '2026-08-31')), '0 / 1'],
    [autumn(carries(`352613${nfeKey(2).slice(6)}`))],
    // The CT-e's own month up to its day: the note precedes its carriage.
    [within([carries(nfeKey(2))], coveredFrom('2026-11-01', '2026-11-05')), '0 / 1'],
    [within([carries(nfeKey(2))], coveredFrom('2026-11-01', '2026-11-04'))],
    [within([undated], coveredFrom('2026-11-01', '2026-11-05'))],
    [autumn(undated), '0 / 1'],
    // Counts a known note even if its month was not checked, but no unknown one.
    [
      autumn(
        carries(nfeKey(1), nfeKey(2), nfeKey(3, '2609'), nfeKey(4, '2609')),
        note({ key: nfeKey(3, '2609') }),
      ),
      '1 / 3',
    ],
    [[carries(nfeKey(2)), note()]],
    // Goods of others: expected by the sender, but not by the carrier or another payer.
    [ofOthers({ issuer: { id: company } })],
    [ofOthers({ payer: { id: company } })],
    [ofOthers({ sender: { id: company } }), '0 / 1'],
  ],
  freight_of_cancelled_note: [
    [[carrying, note({ key: nfeKey(5), status: 'cancelled' })], {}],
    [[carrying, note({ key: nfeKey(5) })], 1],
    [carrying, 0],
  ],
  nfe_without_cte: [
    [winter(collected, carriage({ linked_keys: [nfeKey(9)] })), missed],
    [winter(collected), missed],
    [winter(own(1, { transport: { mode: '0', carrier } })), '0 / 1'],
    // Whatever the order and delay.
    [winter(its, collected)],
    [winter(collected, its)],
    [winter({ ...its, status: 'cancelled' }, collected), '0 / 1'],
    // A day on which the CT-e may exist was not checked.
    [seen('2026-11-06', '2026-12-31')],
    [seen('2026-11-05', '2026-12-05')],
    [seen('2026-11-05', '2026-12-06'), '0 / 1'],
    [collected],
    // A CT-e may still arrive within half a month.
    [seen('2026-11-01', '2026-11-19', '2026-11-20')],
    [seen('2026-11-01', '2026-11-20', '2026-11-21'), '0 / 1'],
    [seen('2026-11-01', '2026-11-19', '2026-11-21')],
    // Paid by others, own vehicle, carried by an individual, within one city, a cancelled note.
    [
      winter(
        note({ key: nfeKey(2), transport: { mode: '0', carrier } }),
        note({ key: nfeKey(3), transport: { mode: '4' } }),
        note({ key: nfeKey(4), transport: { mode: '1', carrier: { id: '52998224725' } } }),
        note({ key: nfeKey(5), transport: { mode: '1', carrier: { id: supplier } } }),
        note({ key: nfeKey(6), transport: { mode: '1', carrier }, ...inTown }),
        note({ key: nfeKey(8), transport: { mode: '1', carrier }, status: 'cancelled' }),
      ),
    ],
    // Hired freight without a named carrier.
    [year(hired('1')), { values: { mode: '1', carrier: '-' } }],
    [year(hired('1'), carriage({ linked_keys: [nfeKey(1, '2609')] })), 1],
    [year(hired('0'))],
    // No freight, own vehicle, a layout whose code names only the payer, a missing town.
    [year(hired('9')), 0],
    [year(hired('4')), 0],
    [year(hired('1', { layout: 'nfe 3.10' })), 0],
    [year(hired('1', { issuer: { id: supplier, state: 'MG' } })), 0],
  ],
};
