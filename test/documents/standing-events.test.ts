import { describe, expect, it } from 'vitest';
import { standingEvents } from '../../src/documents/events/statuses.ts';
import type { EventSummary } from '../../src/documents/summary/summary.ts';

const letter = (sequence: string | undefined, at = '2026-11-06T10:00:00-03:00'): EventSummary => ({
  code: '110110',
  sequence,
  at,
});
const registered = (event: EventSummary) => ({ status: 'authorized', event }) as const;

describe('the events of a document that stand', () => {
  it('are those of its file and the registered ones from beside it', () => {
    const refused = { status: 'unknown', event: letter('2') } as const;
    const known = { status: 'unknown', protocol: { code: '573' }, event: letter('4') } as const;
    const found = standingEvents({ events: [letter('1')] }, [refused, registered(letter('3')), known]);
    expect(found.map(({ sequence }) => sequence)).toEqual(['1', '3', '4']);
  });

  it('are each there once, however their number is written', () => {
    const found = standingEvents({ events: [letter('1')] }, [
      registered(letter('01')),
      registered(letter('2')),
    ]);
    expect(found.map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  });

  it('are not taken for one another where they have no number', () => {
    const days = ['2026-11-06', '2026-11-07'].map((day) => letter(undefined, `${day}T10:00:00-03:00`));
    expect(standingEvents({ events: days }, [])).toEqual(days);
  });

  it('are none where there are none', () => {
    expect(standingEvents({}, [])).toEqual([]);
  });
});
