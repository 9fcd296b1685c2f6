import { describe, expect, it } from 'vitest';
import { createDayPlan, issueMoment } from '../../src/sandbox/data/day-plan.ts';
import { companies, type SandboxCompany } from '../../src/sandbox/data/parties.ts';

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

  it('counts positions without a gap over the turns of years, and finds a day again by position', () => {
    for (const [first, last] of [
      [-30, 30],
      [350, 380],
    ] as const) {
      let position = plan.slotsOn(flow, first)[0]?.position;
      for (let day = first; day <= last; day++) {
        for (const slot of plan.slotsOn(flow, day)) {
          expect(slot.position).toBe(position);
          position = (position ?? 0) + 1;
        }
      }
    }
    expect(plan.slotsOn(flow, 0)[0]?.position).toBe(0);
    for (const day of [-200, 200]) {
      const slot = plan.slotsOn(flow, day).at(-1);
      expect(slot && plan.slotAt(flow, slot.position, [day - 1, day, day + 1])).toEqual(slot);
      expect(slot && plan.slotAt(flow, slot.position, [day - 1, day + 1])).toBeUndefined();
    }
  });

  it('gives a day the same places in whatever order days are asked for', () => {
    const other = createDayPlan('docfiscal');
    const forward = [-3, 0, 4, 400].map((day) => plan.slotsOn(flow, day));
    const backward = [400, 4, 0, -3].map((day) => other.slotsOn(flow, day)).reverse();
    expect(backward).toEqual(forward);
  });

  it('issues a day in order, and within the day', () => {
    const moments = plan.slotsOn(flow, 200).map((slot) => issueMoment(slot, plan.randomOf(slot, 'nfe')));
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    for (const moment of moments) expect(Math.floor(moment / 86_400)).toBe(200);
  });

  it('has nothing where nobody asks in earnest, and ends', () => {
    expect(plan.slotsOn(flow, 3_000_000)).toEqual([]);
    expect(plan.slotsOn(flow, -3_000_000)).toEqual([]);
    expect(plan.slotAt(flow, 10_000_000, [0, 1, 2])).toBeUndefined();
    expect(plan.slotAt(flow, 0, [])).toBeUndefined();
  });
});
