import { type Day, isoDate, startOf } from '../calendar.ts';
import type { Slot } from '../day-plan.ts';
import { freeZoneCustomer, fuelSellers, isOfAccount, largeCompany, type Party } from '../parties.ts';
import type { Random } from '../random.ts';

/** `reduced`: machines with less ICMS in their price; `freeZone`: sold without it, which is taken off the price. */
export type Rarity = 'fuel' | 'reduced' | 'freeZone' | 'import';

/** What a trade has other than usual. */
export interface RareTrade {
  readonly rarity: Rarity;
  readonly issuer?: Party;
  readonly recipient?: Party;
  readonly freight?: '0' | '9';
}

/** Goods from abroad arrive from March to September, before the season they are sold in. */
function isImportSeason(day: Day): boolean {
  const month = Number(isoDate(startOf(day)).slice(5, 7));
  return month >= 3 && month <= 9;
}

interface UsualTrade {
  readonly issuer: Party;
  readonly recipient: Party;
  /** Of goods that go back nothing is rare. */
  readonly returned: object | undefined;
}

/**
 * What a few notes are of, for what no other has: relieved and single-phase ICMS, import duty. `random` is a source of
 * its own, so that all other notes are what they would be without.
 */
export function rareTradeOf(
  { flow, index, day }: Slot,
  { issuer, recipient, returned }: UsualTrade,
  random: Random,
): RareTrade | undefined {
  const { company, direction } = flow;
  if (company === largeCompany || returned || isOfAccount(issuer) === isOfAccount(recipient))
    return undefined;
  if (direction === 'inbound') {
    // The first one of a day is what a later return may go back to.
    if (index === 0) return undefined;
    if (random.chance(20)) return { rarity: 'fuel', issuer: random.pick(fuelSellers), freight: '9' };
    const sellsMachines = issuer.regime === '3' && issuer.sells.includes('tools');
    return sellsMachines && random.chance(50) ? { rarity: 'reduced' } : undefined;
  }
  const { importsFrom } = company;
  if (importsFrom && random.chance(4) && isImportSeason(day))
    return { rarity: 'import', recipient: importsFrom, freight: '9' };
  const sellsThere = company.regime === '3' && !company.manufacturer;
  return sellsThere && random.chance(4)
    ? { rarity: 'freeZone', recipient: freeZoneCustomer, freight: '0' }
    : undefined;
}
