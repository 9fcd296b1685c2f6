import { describe, expect, it } from 'vitest';
import type { RuleCode, RuleContext } from '../../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { carriage, company, cteKey, event, findingsOf, nfeKey, note, supplier } from './hand-made.ts';

const authorized = (at: string) => ({ protocol: { number: '1', code: '100', at } });

function at(day: string): RuleContext {
  return { company, now: new Date(`${day}T15:00:00Z`), timeZone: 'America/Sao_Paulo' };
}

function terms(rule: RuleCode, day: string, ...documents: readonly DocumentSummary[]): string[] {
  return findingsOf(rule, documents, at(day)).map(({ expected, values }) => `${expected}: ${values?.days}`);
}

describe('tacit_confirmation_near', () => {
  // Authorised on 20 August, the ninetieth day after is 18 November.
  const received = note(authorized('2026-08-20T09:00:00-03:00'));

  it('from fifteen days before the last one on, until it', () => {
    const on = (day: string) => terms('tacit_confirmation_near', day, received);
    expect(on('2026-11-02')).toEqual([]);
    expect(on('2026-11-03')).toEqual(['2026-11-18: 15']);
    expect(on('2026-11-18')).toEqual(['2026-11-18: 0']);
    expect(on('2026-11-19')).toEqual([]);
  });

  it.each(['210200', '210220', '210240'])(
    'not after the conclusive event %s, whichever came first',
    (code) => {
      const done = event(nfeKey(1), code, '2026-09-01T09:00:00-03:00');
      expect(terms('tacit_confirmation_near', '2026-11-10', received, done)).toEqual([]);
      expect(terms('tacit_confirmation_near', '2026-11-10', done, received)).toEqual([]);
      const refused = { ...done, status: 'unknown' as const };
      expect(terms('tacit_confirmation_near', '2026-11-10', received, refused)).toHaveLength(1);
    },
  );

  it('Ciência settles nothing', () => {
    const aware = event(nfeKey(1), '210210', '2026-08-21T09:00:00-03:00');
    expect(terms('tacit_confirmation_near', '2026-11-10', received, aware)).toHaveLength(1);
  });

  it('not of notes of the company’s own, to others, cancelled, without a protocol, or without a clock', () => {
    const own = { ...received, issuer: { id: company } };
    const others = { ...received, recipient: { id: supplier } };
    const cancelled = { ...received, status: 'cancelled' as const };
    const bare = { ...received, protocol: undefined };
    expect(terms('tacit_confirmation_near', '2026-11-10', own, others, cancelled, bare)).toEqual([]);
    expect(findingsOf('tacit_confirmation_near', [received], { company })).toEqual([]);
  });
});

describe('cte_disagreement_deadline', () => {
  // Authorised on 1 October, the forty-fifth day after is 15 November.
  const paid = carriage({ payer: { id: company }, ...authorized('2026-10-01T09:00:00-03:00') });

  it('from ten days before the last one on, until it', () => {
    const on = (day: string) => terms('cte_disagreement_deadline', day, paid);
    expect(on('2026-11-04')).toEqual([]);
    expect(on('2026-11-05')).toEqual(['2026-11-15: 10']);
    expect(on('2026-11-15')).toEqual(['2026-11-15: 0']);
    expect(on('2026-11-16')).toEqual([]);
  });

  it('not once it is registered, and not where another pays', () => {
    const registered = event(cteKey(1), '610110', '2026-10-20T09:00:00-03:00');
    expect(terms('cte_disagreement_deadline', '2026-11-10', paid, registered)).toEqual([]);
    expect(terms('cte_disagreement_deadline', '2026-11-10', { ...paid, payer: { id: supplier } })).toEqual(
      [],
    );
  });
});
