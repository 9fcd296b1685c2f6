import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/documents/events/manifestation.ts';
import {
  correctableUntil,
  deadlineOf,
  deadlineOn,
  type NoteToManifest,
  type Objection,
  objectionsTo,
} from '../../src/documents/events/objections.ts';

const zone = 'America/Sao_Paulo';
const now = new Date('2026-11-20T12:00:00-03:00');
const noonOf = (day: string) => new Date(`${day}T12:00:00-03:00`);
const at = (day: string) => `${day}T10:00:00-03:00`;

const codes = {
  ...{ ciencia: '210210', confirmacao: '210200' },
  ...{ desconhecimento: '210220', nao_realizada: '210240' },
} as const;

const happened = (name: EventName, day?: string) => ({ code: codes[name], at: day && at(day) });
const cancelled = (day: string) => ({ code: '110111', at: at(day) });

function note(authorized: string, ...events: NoteToManifest['events']): NoteToManifest {
  return { status: 'authorized', authorizedAt: at(authorized), events };
}

type Told = Objection | Objection['code'];
const past = (lastDay: string): Objection => ({ code: 'past_deadline', lastDay });
const tacitly = (lastDay: string): Objection => ({ code: 'tacitly_confirmed', lastDay });
const already = (day: string): Objection => ({ code: 'already_registered', at: at(day) });
const replaces = (event: EventName, day: string, until: string): Objection => {
  return { code: 'replaces', event, at: at(day), until };
};
const confirmedOn = (authorized: string, day: string) => note(authorized, happened('confirmacao', day));
const perhaps: Objection = {
  ...{ code: 'perhaps_confirmed', lastDay: '2026-08-23', laterPerhaps: '2026-11-21' },
};

/** Objections to an event on a note, most serious first; today is 2026-11-20. */
const rows: readonly (readonly [EventName, NoteToManifest, ...Told[]])[] = [
  ...(Object.keys(codes) as EventName[]).map((name) => [name, note('2026-11-15')] as const),
  ['confirmacao', note('2026-10-01', happened('ciencia', '2026-10-05'))],
  ['confirmacao', { status: 'unknown', events: [] }],
  ['confirmacao', note('2026-11-01', { code: '110110', at: at('2026-11-02') })],

  // A cancellation, shown by the status or the event, and a denial.
  ['ciencia', { ...note('2026-11-15'), status: 'cancelled' }, { code: 'cancelled', at: undefined }],
  ['ciencia', note('2026-11-15', cancelled('2026-11-16')), { code: 'cancelled', at: at('2026-11-16') }],
  ['ciencia', { ...note('2026-11-15'), status: 'denied' }, 'denied'],

  // The last day itself is in time; the terms of ten and ninety days end after it, the latter in tacit confirmation.
  ['ciencia', note('2026-11-10')],
  ['ciencia', note('2026-11-09'), past('2026-11-19')],
  ['confirmacao', note('2026-08-22')],
  ['desconhecimento', note('2026-08-21'), tacitly('2026-11-19'), past('2026-11-19')],
  ['ciencia', note('2026-08-21'), tacitly('2026-11-19'), past('2026-08-31')],
  // Before June 2026: ninety days after 25 May is 23 August, and the longer term ends on 21 November.
  ['confirmacao', note('2026-05-25'), perhaps],
  ['ciencia', note('2026-05-25'), 'perhaps_confirmed', 'past_deadline'],
  ['confirmacao', note('2026-05-23'), tacitly('2026-11-19'), past('2026-11-19')],

  // The same event, already in effect.
  ['confirmacao', confirmedOn('2026-11-01', '2026-11-10'), already('2026-11-10')],
  ['ciencia', note('2026-11-15', happened('ciencia', '2026-11-16')), already('2026-11-16')],
  // A different conclusive event within thirty days of the first is a correction.
  [
    'desconhecimento',
    confirmedOn('2026-11-01', '2026-11-10'),
    replaces('confirmacao', '2026-11-10', '2026-12-10'),
  ],
  [
    'ciencia',
    confirmedOn('2026-11-12', '2026-11-10'),
    { code: 'after_conclusion', event: 'confirmacao', at: at('2026-11-10') },
  ],
  [
    'nao_realizada',
    confirmedOn('2026-08-01', '2026-10-10'),
    { code: 'correction_over', lastDay: '2026-11-09' },
    replaces('confirmacao', '2026-10-10', '2026-11-09'),
  ],
  [
    'nao_realizada',
    note('2026-08-01', happened('confirmacao')),
    { code: 'replaces', event: 'confirmacao', at: undefined, until: undefined },
  ],
  // The second registration is the last, whatever the order of the events; a third is refused.
  [
    'confirmacao',
    note('2026-11-01', happened('desconhecimento', '2026-11-12'), happened('confirmacao', '2026-11-10')),
    replaces('desconhecimento', '2026-11-12', '2026-12-10'),
    'last_time',
  ],
  ...(
    [
      ['confirmacao', 'used_up'],
      ['desconhecimento', 'replaces', 'last_time'],
    ] as const
  ).map(([name, ...told]) => {
    const before = [happened('confirmacao', '2026-11-10'), happened('desconhecimento', '2026-11-12')];
    return [name, note('2026-11-01', ...before, happened('confirmacao', '2026-11-14')), ...told] as const;
  }),
  [
    'ciencia',
    note('2026-08-01', happened('ciencia', '2026-08-02'), cancelled('2026-08-03')),
    'cancelled',
    'tacitly_confirmed',
    'past_deadline',
    'already_registered',
  ],
];

it.each(rows.map(([name, to, ...told]) => ({ name, to, told })))('$name on $to', ({ name, to, told }) => {
  const found = objectionsTo(name, to, now, zone);
  const expected = told.map((one, i) => (typeof one === 'string' ? { ...found[i], code: one } : one));
  expect(found).toEqual(expected);
});

it('conclusive events can be corrected for thirty days from the first of them', () => {
  const events = [
    happened('desconhecimento', '2026-11-12'),
    happened('ciencia', '2026-11-02'),
    happened('confirmacao', '2026-11-10'),
  ];
  expect(correctableUntil(events, now, zone)).toBe('2026-12-10');
  expect(correctableUntil(events.slice(1, 2), now, zone)).toBeUndefined();
  const undated = note('2026-08-01', happened('confirmacao'));
  expect(deadlineOn('nao_realizada', undated, now, zone)).toBeUndefined();
});

describe('a deadline', () => {
  const [counted, corrected] = [{ basis: 'authorisation' }, { basis: 'first_conclusive' }];
  const first = '2026-10-25T18:00:00-03:00';

  // September has 29 days left after the first, October has 31, and the thirtieth of November is the ninetieth; June,
  // July and 29 days of August make ninety, and 90 more end on 27 November.
  it.each<
    [EventName, authorizedAt: string, today: string | Date, expected: object, firstConclusiveAt?: string]
  >([
    [
      'ciencia',
      at('2026-11-12'),
      '2026-11-20',
      { ...counted, from: '2026-11-12', days: 10, lastDay: '2026-11-22', daysLeft: 2 },
    ],
    ['ciencia', '2026-11-10T23:59:59-03:00', '2026-11-20', { lastDay: '2026-11-20', daysLeft: 0 }],
    ['ciencia', '2026-11-09', '2026-11-20', { lastDay: '2026-11-19', daysLeft: -1 }],
    ...(['confirmacao', 'desconhecimento', 'nao_realizada'] as const).map(
      (event): [EventName, string, string, object] => [
        event,
        at('2026-09-01'),
        '2026-11-20',
        { ...counted, from: '2026-09-01', days: 90, lastDay: '2026-11-30', daysLeft: 10, tacit: 'no' },
      ],
    ),
    ['ciencia', '2028-02-25', '2026-11-20', { lastDay: '2028-03-06' }],
    ['confirmacao', '2026-12-25', '2026-11-20', { lastDay: '2027-03-25' }],
    // Uses the date's own offset, or São Paulo if it has none or is UTC.
    ['ciencia', '2026-11-20T23:10:00-03:00', new Date('2026-11-21T02:30:00Z'), { daysLeft: 10 }],
    ['ciencia', '2026-11-21T02:10:00Z', new Date('2026-11-21T02:30:00Z'), { daysLeft: 10 }],
    ['ciencia', '2026-11-20T23:10:00', new Date('2026-11-21T02:30:00Z'), { daysLeft: 10 }],
    ['ciencia', '2026-11-20T23:10:00-04:00', new Date('2026-11-21T03:30:00Z'), { daysLeft: 10 }],
    ['ciencia', '2026-11-20T23:10:00-03:00', new Date('2026-11-21T03:30:00Z'), { daysLeft: 9 }],
    // Tacit confirmation follows ninety days without a conclusive event; Ciência does not prevent it.
    ['confirmacao', at('2026-06-01'), '2026-08-30', { tacit: 'no' }],
    ['confirmacao', at('2026-06-01'), '2026-08-31', { tacit: 'yes' }],
    ['confirmacao', at('2026-06-01'), '2026-08-31', { tacit: 'no' }, at('2026-08-30')],
    ['ciencia', '2026-06-01', '2026-09-15', { lastDay: '2026-06-11', tacit: 'yes', laterPerhaps: undefined }],
    // Before June 2026: the stricter day, and the later one that may apply.
    [
      'confirmacao',
      at('2026-05-31'),
      '2026-08-01',
      { lastDay: '2026-08-29', laterPerhaps: '2026-11-27', tacit: 'no' },
    ],
    ['ciencia', at('2026-05-31'), '2026-06-01', { laterPerhaps: undefined }],
    ['confirmacao', at('2026-05-31'), '2026-08-29', { tacit: 'no' }],
    ['confirmacao', at('2026-05-31'), '2026-08-30', { tacit: 'unclear' }],
    ['confirmacao', at('2026-05-31'), '2026-11-27', { tacit: 'unclear' }],
    ['confirmacao', at('2026-05-31'), '2026-11-28', { tacit: 'yes' }],
    // A correction has thirty days from the first conclusive event, even beyond the ninety; Ciência is not a
    // correction.
    [
      'desconhecimento',
      at('2026-08-01'),
      '2026-11-20',
      { ...corrected, from: '2026-10-25', days: 30, lastDay: '2026-11-24', daysLeft: 4, tacit: 'no' },
      first,
    ],
    ['ciencia', '2026-11-15', '2026-11-20', { ...counted, days: 10 }, '2026-11-16'],
  ])('of %s on a note of %s, asked on %s: %j', (event, authorizedAt, today, expected, firstConclusiveAt) => {
    const asked = typeof today === 'string' ? noonOf(today) : today;
    const found = deadlineOf(event, { authorizedAt, firstConclusiveAt }, asked);
    expect(found).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(found).not.toHaveProperty(name);
  });

  const undated = ['', '20/11/2026', '2026-02-30', '2026-11-20T25:00:00-03:00', '2026-13-01', 'agora'];
  it.each(undated)('is not known from %j, which is no date', (authorizedAt) => {
    expect(deadlineOf('ciencia', { authorizedAt }, now)).toBeUndefined();
  });
});
