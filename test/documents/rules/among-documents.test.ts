import { describe, expect, it } from 'vitest';
import {
  carriage,
  company,
  coveredFrom,
  cteKey,
  event,
  findingsOf,
  nfeKey,
  note,
  pairs,
  service,
  supplier,
} from './hand-made.ts';

const own = (number: number, parts = {}) =>
  note({
    key: nfeKey(number, '2611', company),
    number: String(number),
    issuer: { id: company, id_type: 'cnpj' },
    recipient: { id: supplier, id_type: 'cnpj' },
    ...parts,
  });

describe('duplicate_document', () => {
  it('the same key, told once with how often', () => {
    expect(pairs('duplicate_document', note(), note({ key: nfeKey(2) }), note(), note())).toEqual(['3 / 1']);
  });

  it('a municipal note without a key: issuer, number, day and verification code', () => {
    const municipal = (verification_code: string) => service({ layout: 'nfse prodam', verification_code });
    expect(pairs('duplicate_document', municipal('A1B2'), municipal('A1B2'))).toEqual(['2 / 1']);
    expect(pairs('duplicate_document', municipal('A1B2'), municipal('C3D4'))).toEqual([]);
  });

  it('neither events nor the abridged note of a document are the document', () => {
    const abridged = note({ kind: 'summary' });
    const events = [event(nfeKey(1), '210210', '2026-11-06'), event(nfeKey(1), '210200', '2026-11-07')];
    expect(pairs('duplicate_document', note(), abridged, ...events)).toEqual([]);
  });
});

describe('duplicate_invoice', () => {
  it('same issuer, number and value under another key, naming the first', () => {
    const other = note({ key: nfeKey(9), series: '2', totals: { total: '100.0' } });
    expect(findingsOf('duplicate_invoice', [note(), other])).toMatchObject([
      { key: nfeKey(9), found: nfeKey(9), expected: nfeKey(1), values: { number: '1', total: '100.00' } },
    ]);
  });

  it('another value, number or issuer, the very same document, a cancelled one', () => {
    const others = [
      note(),
      note({ key: nfeKey(2), totals: { total: '100.01' } }),
      note({ key: nfeKey(3), number: '3' }),
      note({ key: nfeKey(4), issuer: { id: company } }),
      note({ key: nfeKey(5), status: 'cancelled' }),
      note({ key: nfeKey(6), kind: 'cte' }),
    ];
    expect(findingsOf('duplicate_invoice', others)).toEqual([]);
  });
});

describe('freight_billed_twice', () => {
  const keys = [nfeKey(1), nfeKey(2)];
  const first = carriage({ linked_keys: keys, number: '10' });

  it('one carrier, one value, the same notes', () => {
    const again = carriage({ key: cteKey(2), number: '11', linked_keys: keys.toReversed() });
    expect(pairs('freight_billed_twice', first, again)).toEqual([`${cteKey(2)} / ${cteKey(1)}`]);
  });

  it('other notes, another value, another carrier, a complement', () => {
    const others = [
      carriage({ key: cteKey(3), linked_keys: [nfeKey(1)] }),
      carriage({ key: cteKey(4), linked_keys: keys, totals: { total: '99.00' } }),
      carriage({ key: cteKey(5), linked_keys: keys, issuer: { id: company } }),
      carriage({ key: cteKey(6), linked_keys: keys, purpose: '1' }),
    ];
    expect(pairs('freight_billed_twice', first, ...others)).toEqual([]);
  });
});

describe('number_gap', () => {
  it('ranges between the lowest and the highest number, in any order', () => {
    const found = findingsOf('number_gap', [own(15), own(10), own(11), own(14)]);
    expect(found).toMatchObject([
      { found: '14', expected: '12', values: { missing: '2', range: '12-13', series: '1' } },
    ]);
    expect(found[0]?.document).toMatchObject({ number: '11', issuer: company });
  });

  it('one number', () => {
    expect(findingsOf('number_gap', [own(10), own(12)])[0]?.values).toMatchObject({
      missing: '1',
      range: '11',
    });
  });

  it('no gap: cancelled numbers are used, other series and models count for themselves, leading zeros do not', () => {
    const documents = [
      own(10),
      own(11, { status: 'cancelled' }),
      own(12, { status: 'denied' }),
      own(13, { number: '000000013', series: '001' }),
      own(90, { series: '2' }),
      own(500, { kind: 'nfce', model: '65' }),
    ];
    expect(pairs('number_gap', ...documents)).toEqual([]);
  });

  it('runs through its own notes of entry, and tells of a gap beside a note of the direction asked for', () => {
    const entry = (number: number) => own(number, { flow: '0' });
    const both = [own(1), entry(2), own(3), entry(5), entry(7)];
    const told = (direction: 'inbound' | 'outbound') =>
      findingsOf('number_gap', both, { company, direction }).map(({ values }) => values?.range);
    expect(told('outbound')).toEqual(['4']);
    expect(told('inbound')).toEqual(['4', '6']);
  });

  it('is not told where days between its numbers were not looked at', () => {
    const numbers = [own(10), own(12, { issued_at: '2026-11-09T10:00:00-03:00' })];
    const context = coveredFrom('2026-11-01', '2026-11-30');
    expect(findingsOf('number_gap', numbers, context)).toHaveLength(1);
    expect(findingsOf('number_gap', numbers, coveredFrom('2026-11-05', '2026-11-08'))).toEqual([]);
    const nfe = [
      { from: '2026-11-01', to: '2026-11-06' },
      { from: '2026-11-08', to: '2026-11-30' },
    ];
    const covered = { days: { nfe, cte: [], nfse: [] }, openFrom: '2026-12-01' };
    expect(findingsOf('number_gap', numbers, { company, covered })).toEqual([]);
  });

  it('only the company’s own', () => {
    const others = [note({ number: '1' }), note({ number: '9', key: nfeKey(9) })];
    expect(pairs('number_gap', ...others)).toEqual([]);
    expect(findingsOf('number_gap', [own(1), own(9)], {})).toEqual([]);
  });
});

describe('cancelled_after_entry', () => {
  const cancellation = event(nfeKey(1), '110111', '2026-11-09T09:00:00-03:00');

  it('by an event that comes before or after its document', () => {
    const expected = ['2026-11-09 / 2026-11-05'];
    expect(pairs('cancelled_after_entry', cancellation, note())).toEqual(expected);
    expect(pairs('cancelled_after_entry', note(), cancellation)).toEqual(expected);
  });

  it('by the document itself, and where nobody says when', () => {
    const cancelled = note({
      status: 'cancelled',
      event: { code: '110111', at: '2026-11-08T10:00:00-03:00' },
    });
    expect(pairs('cancelled_after_entry', cancelled)).toEqual(['2026-11-08 / 2026-11-05']);
    expect(pairs('cancelled_after_entry', service({ status: 'cancelled' }))).toEqual(['- / 2026-11-05']);
    expect(pairs('cancelled_after_entry', note({ status: 'cancelled' }))).toEqual(['- / 2026-11-05']);
  });

  it('against the day of entry where it is known', () => {
    const entered = { company, entryDay: () => '2026-11-10' };
    expect(findingsOf('cancelled_after_entry', [note(), cancellation], entered)).toEqual([]);
    const before = { company, entryDay: () => '2026-11-08' };
    expect(findingsOf('cancelled_after_entry', [note(), cancellation], before)).toMatchObject([
      { found: '2026-11-09', expected: '2026-11-08' },
    ]);
  });

  it('not on the same day, not of an own note, not a request that was not registered, not another event', () => {
    const sameDay = event(nfeKey(1), '110111', '2026-11-05T18:00:00-03:00');
    const unregistered = event(nfeKey(1), '110111', '2026-11-09', { status: 'no_protocol' });
    const confirmation = event(nfeKey(1), '210200', '2026-11-09');
    expect(pairs('cancelled_after_entry', note(), sameDay, unregistered, confirmation)).toEqual([]);
    const ownKey = own(1).key ?? '';
    expect(pairs('cancelled_after_entry', own(1), event(ownKey, '110111', '2026-11-09'))).toEqual([]);
    expect(pairs('cancelled_after_entry', cancellation)).toEqual([]);
  });
});

describe('corrected_after_entry', () => {
  it('by a registered correction letter of a later day; the last one counts', () => {
    const letters = ['2026-11-07', '2026-11-12', '2026-11-08'].map((day) => event(nfeKey(1), '110110', day));
    expect(pairs('corrected_after_entry', note(), ...letters)).toEqual(['2026-11-12 / 2026-11-05']);
  });

  it('not by a cancellation and not on the same day', () => {
    const events = [event(nfeKey(1), '110111', '2026-11-09'), event(nfeKey(1), '110110', '2026-11-05')];
    expect(pairs('corrected_after_entry', note({ status: 'cancelled' }), ...events)).toEqual([]);
  });
});

describe('cte_without_nfe', () => {
  // Of 2026-11-05.
  const carries = (...keys: string[]) => carriage({ linked_keys: keys });
  const autumn = coveredFrom('2026-10-01', '2026-11-30');
  const told = (documents: readonly ReturnType<typeof note>[], context = autumn) =>
    findingsOf('cte_without_nfe', documents, context).map(({ found, expected }) => `${found} / ${expected}`);

  it('names the first note that is missing', () => {
    expect(findingsOf('cte_without_nfe', [carries(nfeKey(1), nfeKey(2)), note()], autumn)).toMatchObject([
      { key: cteKey(1), found: '1', expected: '2', values: { nfe: nfeKey(2) } },
    ]);
  });

  it('also where not a single note is there', () => {
    expect(told([carries(nfeKey(2))])).toEqual(['0 / 1']);
    expect(told([carries(nfeKey(2, '2610'))])).toEqual(['0 / 1']);
    expect(told([carries(nfeKey(2)), note({ key: nfeKey(7, '2610') })])).toEqual(['0 / 1']);
  });

  it('nothing where all are there, be it abridged, or the CT-e has no effect', () => {
    expect(told([carries(nfeKey(1)), note()])).toEqual([]);
    expect(told([note({ kind: 'summary' }), carries(nfeKey(1))])).toEqual([]);
    expect(told([{ ...carries(nfeKey(2)), status: 'cancelled' }])).toEqual([]);
  });

  it('nothing of a month of which a day was not looked at', () => {
    const august = carries(nfeKey(2, '2608'));
    expect(told([august, note({ key: nfeKey(3, '2608') })], coveredFrom('2026-08-31', '2026-11-30'))).toEqual(
      [],
    );
    expect(told([august], coveredFrom('2026-08-02', '2026-11-30'))).toEqual([]);
    expect(told([august], coveredFrom('2026-08-01', '2026-08-30'))).toEqual([]);
    expect(told([august], coveredFrom('2026-08-01', '2026-08-31'))).toEqual(['0 / 1']);
    expect(told([carries(`352613${nfeKey(2).slice(6)}`)])).toEqual([]);
  });

  it('of the CT-e’s own month as far as its day: the note is there before its carriage', () => {
    expect(told([carries(nfeKey(2))], coveredFrom('2026-11-01', '2026-11-05'))).toEqual(['0 / 1']);
    expect(told([carries(nfeKey(2))], coveredFrom('2026-11-01', '2026-11-04'))).toEqual([]);
    const undated = carriage({ linked_keys: [nfeKey(2)], issued_at: undefined });
    expect(told([undated], coveredFrom('2026-11-01', '2026-11-05'))).toEqual([]);
    expect(told([undated])).toEqual(['0 / 1']);
  });

  it('counts a note that is there though its month was not looked at, and not one of which nothing is known', () => {
    const three = carries(nfeKey(1), nfeKey(2), nfeKey(3, '2609'), nfeKey(4, '2609'));
    expect(told([three, note({ key: nfeKey(3, '2609') })])).toEqual(['1 / 3']);
  });

  it('nothing by itself', () => {
    expect(told([carries(nfeKey(2)), note()], { company })).toEqual([]);
  });
});

describe('cte_without_nfe of goods that are not the company’s', () => {
  it('says nothing to the carrier or to another payer, but to the sender', () => {
    const others = { recipient: { id: '12ABC34501DE35' }, linked_keys: [nfeKey(2)] };
    const told = (parts: object) =>
      findingsOf(
        'cte_without_nfe',
        [carriage({ ...others, ...parts })],
        coveredFrom('2026-11-01', '2026-11-30'),
      );
    expect(told({ issuer: { id: company } })).toEqual([]);
    expect(told({ payer: { id: company } })).toEqual([]);
    expect(told({ sender: { id: company } })).toMatchObject([{ found: '0', expected: '1' }]);
  });
});

describe('nfe_without_cte', () => {
  const carrier = { id: '12ABC34501DE35', id_type: 'cnpj' } as const;
  // Of 2026-11-05; 31 days later is 2026-12-06, 15 days later 2026-11-20.
  const collected = note({ transport: { mode: '1', carrier } });
  const winter = coveredFrom('2026-11-01', '2026-12-31');
  const told = (documents: readonly ReturnType<typeof note>[], context = winter) =>
    findingsOf('nfe_without_cte', documents, context).map(({ found, expected }) => `${found} / ${expected}`);

  it('the company pays and no CT-e carries it, also where there is no CT-e at all', () => {
    const other = carriage({ linked_keys: [nfeKey(9)] });
    for (const documents of [[collected, other], [collected]]) {
      expect(findingsOf('nfe_without_cte', documents, winter)).toMatchObject([
        { key: nfeKey(1), found: '0', expected: '1', values: { mode: '1', carrier: carrier.id } },
      ]);
    }
    expect(told([own(1, { transport: { mode: '0', carrier } })])).toEqual(['0 / 1']);
  });

  it('a CT-e carries it, whichever comes first and however late', () => {
    const its = carriage({ linked_keys: [nfeKey(1)], issued_at: '2026-12-06' });
    expect(told([its, collected])).toEqual([]);
    expect(told([collected, its])).toEqual([]);
    expect(told([{ ...its, status: 'cancelled' }, collected])).toEqual(['0 / 1']);
  });

  it('nothing where a day on which the CT-e may be was not looked at', () => {
    expect(told([collected], coveredFrom('2026-11-06', '2026-12-31'))).toEqual([]);
    expect(told([collected], coveredFrom('2026-11-05', '2026-12-05'))).toEqual([]);
    expect(told([collected], coveredFrom('2026-11-05', '2026-12-06'))).toEqual(['0 / 1']);
    expect(told([collected], { company })).toEqual([]);
  });

  it('waits half a month for what is still to come', () => {
    expect(told([collected], coveredFrom('2026-11-01', '2026-11-19', '2026-11-20'))).toEqual([]);
    expect(told([collected], coveredFrom('2026-11-01', '2026-11-20', '2026-11-21'))).toEqual(['0 / 1']);
    expect(told([collected], coveredFrom('2026-11-01', '2026-11-19', '2026-11-21'))).toEqual([]);
  });

  it('others pay, an own vehicle or a person, within one city, a cancelled note', () => {
    const sameCity = { id: company, id_type: 'cnpj', state: 'SP', city: 'São Paulo' } as const;
    const inTown = { issuer: { id: supplier, state: 'SP', city: 'SÃO PAULO' }, recipient: sameCity };
    const documents = [
      note({ key: nfeKey(2), transport: { mode: '0', carrier } }),
      note({ key: nfeKey(3), transport: { mode: '4' } }),
      note({ key: nfeKey(4), transport: { mode: '1', carrier: { id: '52998224725' } } }),
      note({ key: nfeKey(5), transport: { mode: '1', carrier: { id: supplier } } }),
      note({ key: nfeKey(6), transport: { mode: '1', carrier }, ...inTown }),
      note({ key: nfeKey(8), transport: { mode: '1', carrier }, status: 'cancelled' }),
    ];
    expect(told(documents)).toEqual([]);
  });
});

describe('contents_differ', () => {
  it('more than one content under a key, as the archive counts them', () => {
    const found = findingsOf(
      'contents_differ',
      [note(), note({ key: nfeKey(2) })],
      { company },
      ({ key, status }) => ({ status, contents: key === nfeKey(1) ? 2 : 1 }),
    );
    expect(found).toMatchObject([{ key: nfeKey(1), found: '2', expected: '1' }]);
  });
});
