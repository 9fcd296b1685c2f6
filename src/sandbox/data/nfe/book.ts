import { type Day, isoDate, type Moment, SECONDS_IN_DAY, SECONDS_IN_HOUR, startOf } from '../calendar.ts';
import { accessKeyOf, type DayPlan, issue, randomOf, type Slot } from '../day-plan.ts';
import { type Book, createBook, type Issued } from '../issued.ts';
import {
  circleOf,
  consumers,
  customers,
  freeZoneCustomer,
  fuelSellers,
  isOfAccount,
  isPerson,
  largeCompany,
  type Party,
  partners,
} from '../parties.ts';
import type { Random } from '../random.ts';

/** A manifestation of the recipient that belongs to the data, made before anyone asked for one. */
interface PastManifestation {
  readonly code: '210200' | '210210' | '210240';
  readonly at: Moment;
}

/** Who trades with whom, and what is special about it. */
interface Trade {
  readonly issuer: Party;
  readonly recipient: Party;
  /** Who pays for the carriage: 0 the issuer, 1 the recipient, 9 nobody. */
  readonly freight: '0' | '1' | '9';
  /** The note whose goods go back with this one (`finNFe` 4). */
  readonly returned?: Nfe | undefined;
  /** `reduced`: machines with less ICMS in their price; `freeZone`: sold without it, which is taken off the price. */
  readonly rarity?: 'fuel' | 'reduced' | 'freeZone' | 'import';
}

/** What is known of an NF-e without making its items. */
export interface Nfe extends Issued, Trade {
  /** 44 positions. */
  readonly key: string;
  /** `cNF`, the key's random code. */
  readonly code: string;
  readonly cancelledAt: Moment | undefined;
  /** Cancelled after the usual 24 hours, when the goods had long been on their way: weeks later. */
  readonly isCancelledLate: boolean;
  /** When a correction letter (CC-e) was registered. */
  readonly correctedAt: Moment | undefined;
  readonly manifestations: readonly PastManifestation[];
}

/** All NF-e there are, each made when it is asked for. */
export interface NfeBook extends Book<Nfe> {
  find(key: string): Nfe | undefined;
}

/** Goods from abroad arrive from March to September, before the season they are sold in. */
function isImportSeason(day: Day): boolean {
  const month = Number(isoDate(startOf(day)).slice(5, 7));
  return month >= 3 && month <= 9;
}

/** The few notes with relieved or single-phase ICMS or import duty; `random` is their own source. */
function rareTradeOf({ company, direction, index, day }: Slot, usual: Trade, random: Random): Trade {
  const { issuer, recipient } = usual;
  if (company === largeCompany || usual.returned || isOfAccount(issuer) === isOfAccount(recipient))
    return usual;
  if (direction === 'inbound') {
    // The first one of a day is what a later return may go back to.
    if (index === 0) return usual;
    if (random.chance(20))
      return { ...usual, rarity: 'fuel', issuer: random.pick(fuelSellers), freight: '9' };
    const sellsMachines = issuer.regime === '3' && issuer.sells.includes('tools');
    return sellsMachines && random.chance(50) ? { ...usual, rarity: 'reduced' } : usual;
  }
  const { importsFrom } = company;
  if (importsFrom && random.chance(4) && isImportSeason(day))
    return { ...usual, rarity: 'import', recipient: importsFrom, freight: '9' };
  const sellsThere = company.regime === '3' && !company.manufacturer;
  return sellsThere && random.chance(4)
    ? { ...usual, rarity: 'freeZone', recipient: freeZoneCustomer, freight: '0' }
    : usual;
}

function recipientOf({ company }: Slot, random: Random): Party {
  const companies = circleOf(company).filter((other) => other !== company);
  if (companies.length > 0 && random.chance(8)) return random.pick(companies);
  const nearby = consumers.filter(({ state }) => state === company.state);
  if (!company.manufacturer && nearby.length > 0 && random.chance(20)) return random.pick(nearby);
  return random.pick(customers);
}

/** Most recipients know of a note within days and confirm within weeks, some late, some take the confirmation back. */
function manifestationsOf(note: Issued, later: Random, random: Random): PastManifestation[] {
  if (!note.receivers.every(isOfAccount) || !random.chance(75)) return [];
  const after = (from: Moment, days: number) => from + days * SECONDS_IN_DAY;
  const awareness = { code: '210210', at: after(note.enteredAt, random.integer(2, 6)) } as const;
  const confirmed = after(note.enteredAt, random.integer(20, 40));
  if (!random.chance(80)) return [awareness];
  const confirmation = (at: Moment) => ({ code: '210200', at }) as const;
  if (later.chance(15)) return [awareness, confirmation(after(note.authorizedAt, later.integer(60, 88)))];
  const usual = [awareness, confirmation(confirmed)];
  if (!later.chance(5)) return usual;
  return [...usual, { code: '210240', at: after(confirmed, later.integer(3, 25)) }];
}

const LOOK_BACK_IN_DAYS = { from: 4, to: 18 };

export function createNfeBook(plan: DayPlan): NfeBook {
  function returnedBy(slot: Slot, random: Random): Nfe | undefined {
    if (!random.chance(5)) return undefined;
    const flow = { company: slot.company, kind: 'nfe', direction: 'inbound' } as const;
    for (let back = LOOK_BACK_IN_DAYS.from; back <= LOOK_BACK_IN_DAYS.to; back++) {
      const [first] = plan.slotsOn(flow, slot.day - back);
      const earlier = first && noteOf(first);
      if (earlier && (!earlier.cancelledAt || earlier.isCancelledLate)) return earlier;
    }
    return undefined;
  }

  function tradeOf(slot: Slot, random: Random): Trade {
    const { company, direction } = slot;
    if (direction === 'inbound') {
      const suppliers = partners.filter(({ sells }) => sells.some((family) => company.buys.includes(family)));
      return {
        issuer: random.pick(suppliers),
        recipient: company,
        freight: random.chance(55) ? '1' : '0',
      };
    }
    const returned = returnedBy(slot, random);
    const recipient = recipientOf(slot, random);
    const freight = isPerson(recipient) ? '9' : '0';
    return { issuer: company, recipient: returned?.issuer ?? recipient, freight, returned };
  }

  function noteOf(slot: Slot): Nfe {
    const random = randomOf(slot, 'nfe');
    const trade = rareTradeOf(slot, tradeOf(slot, random), randomOf(slot, 'nfe rare'));
    const issuance = issue(slot, trade.issuer, random);
    const code = random.digits(8);
    const isCancelled = random.chance(4);
    const isCorrected = !isCancelled && random.chance(4);
    const after = (hours: number) => issuance.authorizedAt + hours * SECONDS_IN_HOUR;
    const soonCancelledAt = isCancelled ? after(random.integer(1, 20)) : undefined;
    const correctedAt = isCorrected ? after(24 * random.integer(1, 9)) : undefined;
    const later = randomOf(slot, 'nfe later');
    const lateCancelledAt = after(24 * later.integer(14, 40));
    const isCancelledLate = !isCancelled && later.chance(2);
    const isSale = slot.direction === 'outbound' && !trade.returned;
    const isBoughtFromPerson = isSale && isPerson(trade.recipient) && later.chance(20);
    const issued = {
      ...{ ...issuance, ...trade, receivers: [trade.recipient] },
      isEntry: isBoughtFromPerson || trade.rarity === 'import',
    };
    const manifestations = isCancelled ? [] : manifestationsOf(issued, later, random);
    return {
      ...issued,
      key: accessKeyOf(issuance, '55', code),
      code,
      cancelledAt: isCancelledLate ? lateCancelledAt : soonCancelledAt,
      isCancelledLate,
      correctedAt,
      // Nobody can take back what the recipient has confirmed.
      manifestations: isCancelledLate ? manifestations.slice(0, 1) : manifestations,
    };
  }

  return {
    ...createBook(plan, 'nfe', noteOf),
    find(key) {
      const slot = plan.slotOfKey('nfe', key, [...partners, ...fuelSellers]);
      const note = slot && noteOf(slot);
      return note?.key === key ? note : undefined;
    },
  };
}
