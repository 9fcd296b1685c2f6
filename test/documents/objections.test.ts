import { describe, expect, it } from 'vitest';
import {
  conclusionsAmong,
  deadlineOn,
  type NoteToManifest,
  objectionsTo,
} from '../../src/documents/events/objections.ts';

const zone = 'America/Sao_Paulo';
const now = new Date('2026-11-20T12:00:00-03:00');
const at = (day: string) => `${day}T10:00:00-03:00`;

const codes = {
  ciencia: '210210',
  confirmacao: '210200',
  desconhecimento: '210220',
  nao_realizada: '210240',
} as const;
type Name = keyof typeof codes;

const happened = (name: Name, day?: string) => ({
  code: codes[name],
  ...(day === undefined ? {} : { at: at(day) }),
});

function note(authorized: string, more: Partial<NoteToManifest> = {}): NoteToManifest {
  return { status: 'authorized', authorizedAt: at(authorized), events: [], ...more };
}

const objections = (name: Name, to: NoteToManifest) => objectionsTo(name, to, now, zone);
const codesOf = (name: Name, to: NoteToManifest) => objections(name, to).map(({ code }) => code);

describe('nothing speaks against', () => {
  it('an event in time on an authorised note without events, nor one after Ciência', () => {
    for (const name of Object.keys(codes) as Name[]) expect(objections(name, note('2026-11-15'))).toEqual([]);
    expect(
      objections('confirmacao', note('2026-10-01', { events: [happened('ciencia', '2026-10-05')] })),
    ).toEqual([]);
  });

  it('an event of which nothing is known, or because of events that are no manifestation', () => {
    expect(objections('confirmacao', { status: 'unknown', events: [] })).toEqual([]);
    const corrected = note('2026-11-01', { events: [{ code: '110110', at: at('2026-11-02') }] });
    expect(objections('confirmacao', corrected)).toEqual([]);
  });

  it('the last day itself', () => {
    expect(objections('ciencia', note('2026-11-10'))).toEqual([]);
    expect(objections('confirmacao', note('2026-08-22'))).toEqual([]);
  });
});

describe('what speaks against an event', () => {
  it('is a cancellation, told by the status or by the event, and a denial', () => {
    const events = [{ code: '110111', at: at('2026-11-16') }];
    expect(objections('ciencia', note('2026-11-15', { status: 'cancelled' }))).toEqual([
      { code: 'cancelled', at: undefined },
    ]);
    expect(objections('ciencia', note('2026-11-15', { events }))).toEqual([
      { code: 'cancelled', at: at('2026-11-16') },
    ]);
    expect(codesOf('ciencia', note('2026-11-15', { status: 'denied' }))).toEqual(['denied']);
  });

  it('is the end of its term: ten days, or ninety and with them tacit confirmation', () => {
    expect(objections('ciencia', note('2026-11-09'))).toEqual([
      { code: 'past_deadline', lastDay: '2026-11-19', days: 10 },
    ]);
    expect(objections('desconhecimento', note('2026-08-21'))).toEqual([
      { code: 'tacitly_confirmed', lastDay: '2026-11-19' },
      { code: 'past_deadline', lastDay: '2026-11-19', days: 90 },
    ]);
    expect(objections('ciencia', note('2026-08-21'))).toEqual([
      { code: 'tacitly_confirmed', lastDay: '2026-11-19' },
      { code: 'past_deadline', lastDay: '2026-08-31', days: 10 },
    ]);
  });

  it('is uncertain for a note of before June 2026 until the longer term is over too', () => {
    // Ninety days after 25 May is 23 August, and the longer term ends on 21 November.
    expect(objections('confirmacao', note('2026-05-25'))).toEqual([
      { code: 'perhaps_confirmed', lastDay: '2026-08-23', laterPerhaps: '2026-11-21' },
    ]);
    expect(codesOf('ciencia', note('2026-05-25'))).toEqual(['perhaps_confirmed', 'past_deadline']);
    expect(objections('confirmacao', note('2026-05-23'))).toEqual([
      { code: 'tacitly_confirmed', lastDay: '2026-11-19' },
      { code: 'past_deadline', lastDay: '2026-11-19', days: 90 },
    ]);
  });

  it('is the same event, where it is the one that holds', () => {
    const confirmed = note('2026-11-01', { events: [happened('confirmacao', '2026-11-10')] });
    expect(objections('confirmacao', confirmed)).toEqual([
      { code: 'already_registered', at: at('2026-11-10') },
    ]);
    const known = note('2026-11-15', { events: [happened('ciencia', '2026-11-16')] });
    expect(objections('ciencia', known)).toEqual([{ code: 'already_registered', at: at('2026-11-16') }]);
  });

  it('is a conclusive event of another kind, which would be corrected within thirty days of the first', () => {
    const events = [happened('confirmacao', '2026-11-10')];
    expect(objections('desconhecimento', note('2026-11-01', { events }))).toEqual([
      { code: 'replaces', event: 'confirmacao', at: at('2026-11-10'), until: '2026-12-10' },
    ]);
    expect(objections('ciencia', note('2026-11-12', { events }))).toEqual([
      { code: 'after_conclusion', event: 'confirmacao', at: at('2026-11-10') },
    ]);
  });

  it('is that it would be the second and last time, in whatever order the events came', () => {
    const events = [happened('desconhecimento', '2026-11-12'), happened('confirmacao', '2026-11-10')];
    expect(objections('confirmacao', note('2026-11-01', { events }))).toEqual([
      { code: 'replaces', event: 'desconhecimento', at: at('2026-11-12'), until: '2026-12-10' },
      { code: 'last_time' },
    ]);
  });

  it('is that it was registered twice already', () => {
    const events = [
      happened('confirmacao', '2026-11-10'),
      happened('desconhecimento', '2026-11-12'),
      happened('confirmacao', '2026-11-14'),
    ];
    expect(codesOf('confirmacao', note('2026-11-01', { events }))).toEqual(['used_up']);
    expect(codesOf('desconhecimento', note('2026-11-01', { events }))).toEqual(['replaces', 'last_time']);
  });

  it('is that the time for a correction is over, and not the deadline of the first event', () => {
    const events = [happened('confirmacao', '2026-10-10')];
    expect(objections('nao_realizada', note('2026-08-01', { events }))).toEqual([
      { code: 'correction_over', lastDay: '2026-11-09' },
      { code: 'replaces', event: 'confirmacao', at: at('2026-10-10'), until: '2026-11-09' },
    ]);
  });

  it('is not time where the day of the first conclusive event is not known', () => {
    const undated = note('2026-08-01', { events: [happened('confirmacao')] });
    expect(objections('nao_realizada', undated)).toEqual([
      { code: 'replaces', event: 'confirmacao', at: undefined, until: undefined },
    ]);
    expect(deadlineOn('nao_realizada', undated, now, zone)).toBeUndefined();
  });

  it('comes with the gravest first', () => {
    const events = [happened('ciencia', '2026-08-02'), { code: '110111', at: at('2026-08-03') }];
    expect(codesOf('ciencia', note('2026-08-01', { events }))).toEqual([
      'cancelled',
      'tacitly_confirmed',
      'past_deadline',
      'already_registered',
    ]);
  });
});

it('conclusive events are given in the order of time, with the day until which they can be corrected', () => {
  const events = [
    happened('desconhecimento', '2026-11-12'),
    happened('ciencia', '2026-11-02'),
    happened('confirmacao', '2026-11-10'),
  ];
  const given = conclusionsAmong(events, now, zone).map(({ event, correctableUntil }) => [
    event.name,
    correctableUntil,
  ]);
  expect(given).toEqual([
    ['confirmacao', '2026-12-10'],
    ['desconhecimento', '2026-12-10'],
  ]);
});
