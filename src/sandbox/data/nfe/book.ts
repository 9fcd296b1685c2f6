import { type Day, daysOfKeyMonth, type Moment, SECONDS_IN_DAY, SECONDS_IN_HOUR } from '../calendar.ts';
import type { DayPlan, Direction, Slot } from '../day-plan.ts';
import { accessKeyOf, companyOfSeries, type Issuance, issue, positionOf } from '../issuance.ts';
import {
  consumers,
  customers,
  fuelSellers,
  isOfAccount,
  isPerson,
  type Party,
  partners,
  type SandboxCompany,
  suppliers,
  tradingCompanies,
} from '../parties.ts';
import type { Random } from '../random.ts';
import { type Rarity, rareTradeOf } from './rare-trades.ts';

/** `modFrete`: 0 the issuer pays the carrier, 1 the recipient does, 9 without freight. */
export type FreightMode = '0' | '1' | '9';

/** A manifestation of the recipient that belongs to the data, made before anyone asked for one. */
export interface PastManifestation {
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
  /**
   * Notes of a company issued on a day: inbound are those it receives and its own notes of entry. A note between two
   * companies of the account is in both books.
   */
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

/**
 * What became of them: some conclude when most of the ninety days are over, and some correct themselves. `random` is a
 * source of its own, so that nothing else about a note depends on it.
 */
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
    const { series, number, issuedAt, authorizedAt, enteredAt, protocol } = issuance;
    const cancelledAt = cancelled ? authorizedAt + random.integer(1, 20) * SECONDS_IN_HOUR : undefined;
    const correctedAt = corrected ? authorizedAt + random.integer(1, 9) * SECONDS_IN_DAY : undefined;
    const manifestations = cancelled ? [] : usualManifestations(recipient, enteredAt, random);
    const later = plan.randomOf(slot, 'nfe later');
    const lateCancellation = authorizedAt + later.integer(14, 40) * SECONDS_IN_DAY;
    const isCancelledLate = !cancelled && later.chance(2);
    const isBoughtFromPerson = outbound && !returned && isPerson(recipient) && later.chance(20);
    return {
      slot,
      issuer,
      series,
      number,
      issuedAt,
      authorizedAt,
      enteredAt,
      protocol,
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
      const issuerId = key.slice(6, 20);
      const series = Number(key.slice(22, 25));
      const own = held.find((company) => company.id === issuerId);
      const issuer = own ?? [...partners, ...fuelSellers].find(({ id }) => id === issuerId);
      const company = own ?? companyOfSeries(held, series);
      if (!issuer || !company) return undefined;
      const flow = { company, kind: 'nfe', direction: own ? 'outbound' : 'inbound' } as const;
      const position = positionOf(plan, issuer, series, Number(key.slice(25, 34)));
      const slot = plan.slotAt(flow, position, daysOfKeyMonth(key.slice(2, 6)));
      const note = slot && noteOf(slot);
      return note?.key === key ? note : undefined;
    },
  };
}
