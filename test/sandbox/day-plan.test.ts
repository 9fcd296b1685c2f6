import { describe, expect, it } from 'vitest';
import { createDayPlan, issueMoment } from '../../src/sandbox/data/day-plan.ts';
import { companies, type SandboxCompany } from '../../src/sandbox/data/parties/companies.ts';

const [first] = companies;
if (first === undefined) throw new Error('no company');
const busy: SandboxCompany = {
  ...first,
  volume: { ...first.volume, nfe: { inbound: 8_333, outbound: 8_333 } },
};
const flow = { company: busy, kind: 'nfe', direction: 'inbound' } as const;

describe('the plan of a company with 100,000 documents a year', () => {
  const plan = createDayPlan('docfiscal');

  it('has about as many', () => {
    let count = 0;
    for (let day = 0; day < 365; day++) count += plan.slotsOn(flow, day).length;
    expect(count).toBeGreaterThan(95_000);
    expect(count).toBeLessThan(110_000);
  });

  it('counts positions without a gap, and finds a day again by position', () => {
    let position = 0;
    for (let day = 0; day < 60; day++) {
      for (const slot of plan.slotsOn(flow, day)) {
        expect(slot.position).toBe(position);
        position += 1;
      }
    }
    const slot = plan.slotsOn(flow, 200).at(-1);
    expect(slot && plan.slotAt(flow, slot.position)).toEqual(slot);
  });

  it('issues a day in order, and within the day', () => {
    const moments = plan.slotsOn(flow, 200).map((slot) => issueMoment(slot, plan.randomOf(slot, 'nfe')));
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    for (const moment of moments) expect(Math.floor(moment / 86_400)).toBe(200);
  });

  it('has nothing before, after or beyond the year', () => {
    expect(plan.slotsOn(flow, -1)).toEqual([]);
    expect(plan.slotsOn(flow, 365)).toEqual([]);
    expect(plan.slotAt(flow, -1)).toBeUndefined();
    expect(plan.slotAt(flow, 10_000_000)).toBeUndefined();
  });
});
