import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../src/documents/events/objections.ts';

const noon = new Date('2026-11-20T12:00:00-03:00');
/** Noon of a day in São Paulo. */
const noonOf = (day: string) => new Date(`${day}T12:00:00-03:00`);

describe('the deadline of an event', () => {
  it('counts calendar days from the day after the authorisation', () => {
    expect(deadlineOf('ciencia', { authorizedAt: '2026-11-12T10:00:00-03:00' }, noon)).toMatchObject({
      basis: 'authorisation',
      from: '2026-11-12',
      days: 10,
      lastDay: '2026-11-22',
      daysLeft: 2,
    });
    expect(deadlineOf('ciencia', { authorizedAt: '2026-11-10T23:59:59-03:00' }, noon)).toMatchObject({
      lastDay: '2026-11-20',
      daysLeft: 0,
    });
    expect(deadlineOf('ciencia', { authorizedAt: '2026-11-09' }, noon)).toMatchObject({
      lastDay: '2026-11-19',
      daysLeft: -1,
    });
  });

  it('is ninety days for each conclusive event', () => {
    // Of September 29 days are left after the first, October has 31, and the thirtieth of November makes ninety.
    for (const event of ['confirmacao', 'desconhecimento', 'nao_realizada'] as const) {
      expect(deadlineOf(event, { authorizedAt: '2026-09-01T08:00:00-03:00' }, noon)).toEqual({
        basis: 'authorisation',
        from: '2026-09-01',
        days: 90,
        lastDay: '2026-11-30',
        daysLeft: 10,
        tacit: 'no',
      });
    }
  });

  it('passes the end of February and of the year', () => {
    expect(deadlineOf('ciencia', { authorizedAt: '2028-02-25' }, noon)?.lastDay).toBe('2028-03-06');
    expect(deadlineOf('confirmacao', { authorizedAt: '2026-12-25' }, noon)?.lastDay).toBe('2027-03-25');
  });

  it('takes days at the offset of the date, and in São Paulo where it has none or is UTC', () => {
    const left = (authorizedAt: string, now: Date) => deadlineOf('ciencia', { authorizedAt }, now)?.daysLeft;
    const lateAtNight = new Date('2026-11-21T02:30:00Z');
    expect(left('2026-11-20T23:10:00-03:00', lateAtNight)).toBe(10);
    expect(left('2026-11-21T02:10:00Z', lateAtNight)).toBe(10);
    expect(left('2026-11-20T23:10:00', lateAtNight)).toBe(10);
    const atMidnightInSaoPaulo = new Date('2026-11-21T03:30:00Z');
    expect(left('2026-11-20T23:10:00-04:00', atMidnightInSaoPaulo)).toBe(10);
    expect(left('2026-11-20T23:10:00-03:00', atMidnightInSaoPaulo)).toBe(9);
  });

  it('is not known for what is no date', () => {
    for (const authorizedAt of [
      '',
      '20/11/2026',
      '2026-02-30',
      '2026-11-20T25:00:00-03:00',
      '2026-13-01',
      'agora',
    ]) {
      expect(deadlineOf('ciencia', { authorizedAt }, noon), authorizedAt).toBeUndefined();
    }
  });
});

describe('tacit confirmation', () => {
  const tacit = (authorizedAt: string, today: string, firstConclusiveAt?: string) =>
    deadlineOf('confirmacao', { authorizedAt, firstConclusiveAt }, noonOf(today))?.tacit;

  it('comes when the ninetieth day has passed without a conclusive event', () => {
    expect(tacit('2026-06-01T08:00:00-03:00', '2026-08-30')).toBe('no');
    expect(tacit('2026-06-01T08:00:00-03:00', '2026-08-31')).toBe('yes');
    expect(tacit('2026-06-01T08:00:00-03:00', '2026-08-31', '2026-08-30T10:00:00-03:00')).toBe('no');
  });

  it('is told with the deadline of Ciência, too, which does not stop it', () => {
    const late = deadlineOf('ciencia', { authorizedAt: '2026-06-01' }, noonOf('2026-09-15'));
    expect(late).toMatchObject({ lastDay: '2026-06-11', tacit: 'yes' });
    expect(late).not.toHaveProperty('laterPerhaps');
  });
});

describe('a note authorised before 2026-06-01', () => {
  const note = { authorizedAt: '2026-05-31T09:00:00-03:00' };

  it('has the stricter day, and the later one that may hold', () => {
    // June, July and 29 days of August make ninety, and 90 more go to 27 November.
    expect(deadlineOf('confirmacao', note, noonOf('2026-08-01'))).toMatchObject({
      lastDay: '2026-08-29',
      laterPerhaps: '2026-11-27',
      tacit: 'no',
    });
    expect(deadlineOf('ciencia', note, noonOf('2026-06-01'))).not.toHaveProperty('laterPerhaps');
  });

  it('may or may not be confirmed between the two days, and is after both', () => {
    const tacit = (today: string) => deadlineOf('confirmacao', note, noonOf(today))?.tacit;
    expect(tacit('2026-08-29')).toBe('no');
    expect(tacit('2026-08-30')).toBe('unclear');
    expect(tacit('2026-11-27')).toBe('unclear');
    expect(tacit('2026-11-28')).toBe('yes');
  });
});

describe('a correction', () => {
  it('has thirty days from the first conclusive event, also where those go beyond the ninety', () => {
    const note = {
      authorizedAt: '2026-08-01T08:00:00-03:00',
      firstConclusiveAt: '2026-10-25T18:00:00-03:00',
    };
    expect(deadlineOf('desconhecimento', note, noon)).toEqual({
      basis: 'first_conclusive',
      from: '2026-10-25',
      days: 30,
      lastDay: '2026-11-24',
      daysLeft: 4,
      tacit: 'no',
    });
  });

  it('is no matter of Ciência', () => {
    const note = { authorizedAt: '2026-11-15', firstConclusiveAt: '2026-11-16' };
    expect(deadlineOf('ciencia', note, noon)).toMatchObject({ basis: 'authorisation', days: 10 });
  });
});
