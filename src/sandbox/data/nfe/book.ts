import { type Day, isoDate, type Moment, SECONDS_IN_DAY, SECONDS_IN_HOUR, startOf } from '../calendar.ts';
import {
  accessKeyOf,
  type DayPlan,
  type Direction,
  type Issuance,
  issue,
  type Slot,
  slotOfKey,
} from '../day-plan.ts';
import {
  consumers,
  customers,
  freeZoneCustomer,
  fuelSellers,
  isOfAccount,
  isPerson,
  largeCompany,
  type Party,
  partners,
  type SandboxCompany,
  suppliers,
  tradingCompanies,
} from '../parties.ts';
import type { Random } from '../random.ts';

/** `reduced`: machines with less ICMS in their price; `freeZone`: sold without it, which is taken off the price. */
type Rarity = 'fuel' | 'reduced' | 'freeZone' | 'import';

/** What a trade has other than usual. */
interface RareTrade {
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

/** The few notes with relieved or single-phase ICMS or import duty; `random` is their own source. */
function rareTradeOf(
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

/** Who pays for the carriage: 0 the issuer, 1 the recipient, 9 nobody. */
type FreightMode = '0' | '1' | '9';

/** A manifestation of the recipient that belongs to the data, made before anyone asked for one. */
interface PastManifestation {
  readonly code: '210200' | '210210' | '210240';
  readonly at: Moment;
}

/** What is known of an NF-e without making its items. */
export interface Nfe extends Issuance {
  readonly kind: 'nfe';
  /** 44 positions. */
  readonly key: string;
  /** `cNF`, the key's random code. */
  readonly code: string;
  readonly recipient: Party;
  readonly freight: FreightMode;
  /** The note whose goods go back with this one (`finNFe` 4). */
  readonly returned: Nfe | undefined;
  /** The issuer's own note of what it receives (`tpNF` 0), from somebody who issues no notes or from abroad. */
  readonly isEntry: boolean;
  readonly rarity: Rarity | undefined;
  readonly cancelledAt: Moment | undefined;
  /** Cancelled after the usual 24 hours, when the goods had long been on their way: weeks later. */
  readonly isCancelledLate: boolean;
  /** When a correction letter (CC-e) was registered. */
  readonly correctedAt: Moment | undefined;
  readonly manifestations: readonly PastManifestation[];
}

/** All NF-e there are, each made when it is asked for. */
export interface NfeBook {
  /** Inbound are notes it receives and its own notes of entry; one between two companies is in both books. */
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): Nfe[];
  find(key: string): Nfe | undefined;
}

/** Who trades with whom, and what comes back. */
type Trade = Pick<Nfe, 'issuer' | 'recipient' | 'freight' | 'returned'>;

const LOOK_BACK_IN_DAYS = { from: 4, to: 18 };

function sells(party: Party, company: SandboxCompany): boolean {
  return party.sells.some((family) => company.buys.includes(family));
}

function suppliersOf(company: SandboxCompany): readonly Party[] {
  return suppliers.filter((supplier) => sells(supplier, company));
}

function recipientOf(seller: SandboxCompany, random: Random): Party {
  const companies = tradingCompanies(seller);
  if (companies.length > 0 && random.chance(8)) return random.pick(companies);
  const nearby = consumers.filter((consumer) => consumer.city.state === seller.city.state);
  if (!seller.manufacturer && nearby.length > 0 && random.chance(20)) return random.pick(nearby);
  return random.pick(customers);
}

/** The manifestations of a note that nobody took back, and that nobody was late for. */
function usualManifestations(recipient: Party, enteredAt: Moment, random: Random): PastManifestation[] {
  if (!isOfAccount(recipient) || !random.chance(75)) return [];
  const awareness: PastManifestation = {
    code: '210210',
    at: enteredAt + random.integer(2, 6) * SECONDS_IN_DAY,
  };
  const conclusion: PastManifestation = {
    code: '210200',
    at: enteredAt + random.integer(20, 40) * SECONDS_IN_DAY,
  };
  return random.chance(80) ? [awareness, conclusion] : [awareness];
}

/** Some conclude late, some correct themselves; `random` is their own source. */
function manifestationsOf(
  usual: readonly PastManifestation[],
  authorizedAt: Moment,
  random: Random,
): readonly PastManifestation[] {
  const [awareness, conclusion] = usual;
  if (awareness === undefined || conclusion === undefined) return usual;
  if (random.chance(15)) {
    return [awareness, { ...conclusion, at: authorizedAt + random.integer(60, 88) * SECONDS_IN_DAY }];
  }
  if (!random.chance(5)) return usual;
  return [...usual, { code: '210240', at: conclusion.at + random.integer(3, 25) * SECONDS_IN_DAY }];
}

export function createNfeBook(plan: DayPlan, held: readonly SandboxCompany[]): NfeBook {
  const suppliersByCompany = new Map(held.map((company) => [company.id, suppliersOf(company)]));

  function received(slot: Slot, random: Random): Trade {
    const { company } = slot.flow;
    const issuer = random.pick(suppliersByCompany.get(company.id) ?? []);
    return { issuer, recipient: company, freight: random.chance(55) ? '1' : '0', returned: undefined };
  }

  function returnedBy(slot: Slot, random: Random): Nfe | undefined {
    if (!random.chance(5)) return undefined;
    const flow = { ...slot.flow, direction: 'inbound' } as const;
    for (let back = LOOK_BACK_IN_DAYS.from; back <= LOOK_BACK_IN_DAYS.to; back++) {
      const [first] = plan.slotsOn(flow, slot.day - back);
      const earlier = first && noteOf(first);
      if (earlier && (!earlier.cancelledAt || earlier.isCancelledLate)) return earlier;
    }
    return undefined;
  }

  function sent(slot: Slot, random: Random): Trade {
    const returned = returnedBy(slot, random);
    const recipient = recipientOf(slot.flow.company, random);
    const freight: FreightMode = recipient.id.length === 11 ? '9' : '0';
    return { issuer: slot.flow.company, recipient: returned?.issuer ?? recipient, freight, returned };
  }

  function noteOf(slot: Slot): Nfe {
    const random = plan.randomOf(slot, 'nfe');
    const outbound = slot.flow.direction === 'outbound';
    const usual = outbound ? sent(slot, random) : received(slot, random);
    const rare = rareTradeOf(slot, usual, plan.randomOf(slot, 'nfe rare'));
    const { issuer, recipient, freight, returned } = { ...usual, ...rare };
    const issuance = issue(plan, slot, issuer, random);
    const code = random.digits(8);
    const cancelled = random.chance(4);
    const corrected = !cancelled && random.chance(4);
    const { authorizedAt, enteredAt } = issuance;
    const cancelledAt = cancelled ? authorizedAt + random.integer(1, 20) * SECONDS_IN_HOUR : undefined;
    const correctedAt = corrected ? authorizedAt + random.integer(1, 9) * SECONDS_IN_DAY : undefined;
    const manifestations = cancelled ? [] : usualManifestations(recipient, enteredAt, random);
    const later = plan.randomOf(slot, 'nfe later');
    const lateCancellation = authorizedAt + later.integer(14, 40) * SECONDS_IN_DAY;
    const isCancelledLate = !cancelled && later.chance(2);
    const isBoughtFromPerson = outbound && !returned && isPerson(recipient) && later.chance(20);
    return {
      ...issuance,
      kind: 'nfe',
      key: accessKeyOf(issuance, '55', code),
      code,
      recipient,
      freight,
      returned,
      isEntry: isBoughtFromPerson || rare?.rarity === 'import',
      rarity: rare?.rarity,
      cancelledAt: isCancelledLate ? lateCancellation : cancelledAt,
      isCancelledLate,
      correctedAt,
      // Nobody can take back what the recipient has confirmed.
      manifestations: isCancelledLate
        ? manifestations.slice(0, 1)
        : manifestationsOf(manifestations, authorizedAt, later),
    };
  }

  function ownNotes(company: SandboxCompany, direction: Direction, day: Day): Nfe[] {
    return plan.slotsOn({ company, kind: 'nfe', direction }, day).map(noteOf);
  }

  return {
    issuedOn(company, direction, day) {
      const sent = ownNotes(company, 'outbound', day);
      if (direction === 'outbound') return sent.filter(({ isEntry }) => !isEntry);
      const fromCompanies = tradingCompanies(company).flatMap((seller) => ownNotes(seller, 'outbound', day));
      return [
        ...ownNotes(company, 'inbound', day),
        ...fromCompanies.filter((note) => note.recipient === company),
        ...sent.filter(({ isEntry }) => isEntry),
      ];
    },

    find(key) {
      const slot = slotOfKey(plan, held, [...partners, ...fuelSellers], 'nfe', key);
      const note = slot && noteOf(slot);
      return note?.key === key ? note : undefined;
    },
  };
}
