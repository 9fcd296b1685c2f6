import { type Day, daysOfKeyMonth, type Moment, SECONDS_IN_HOUR } from '../calendar.ts';
import type { DayPlan, Direction, Slot } from '../day-plan.ts';
import { accessKeyOf, companyOfSeries, type Issuance, issue, positionOf } from '../issuance.ts';
import type { Nfe, NfeBook } from '../nfe/book.ts';
import { carriers, type Party, type SandboxCompany, tradingCompanies } from '../parties.ts';
import type { Random } from '../random.ts';
import { createRecent } from '../recent.ts';

/** What is known of a CT-e without reckoning its amounts. */
export interface Cte extends Issuance {
  readonly kind: 'cte';
  /** 44 positions. */
  readonly key: string;
  readonly code: string;
  /** The note whose goods are carried. */
  readonly note: Nfe;
  readonly sender: Party;
  readonly recipient: Party;
  /** `toma3/toma`: 0 the sender pays, 3 the recipient does. */
  readonly payer: '0' | '3';
  readonly cancelledAt: Moment | undefined;
}

export interface CteBook {
  /**
   * CT-e of a company issued on a day: outbound are those it issued as a carrier, inbound those where it pays the
   * freight or receives the goods.
   */
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): Cte[];
  find(key: string): Cte | undefined;
}

const LOOK_BACK_IN_DAYS = 12;
/** Days of one direction of one shipper whose notes are kept: transports of one day look for notes on the same days. */
const DAYS_KEPT = 32;

export function createCteBook(plan: DayPlan, nfeBook: NfeBook, held: readonly SandboxCompany[]): CteBook {
  const carriedByDay = createRecent<readonly Nfe[]>(DAYS_KEPT);

  function carriedOn(shipper: SandboxCompany, direction: Direction, day: Day): readonly Nfe[] {
    return carriedByDay.get(`${shipper.id} ${direction} ${day}`, () =>
      nfeBook
        .issuedOn(shipper, direction, day)
        .filter(
          ({ freight, cancelledAt, isCancelledLate }) => freight !== '9' && (!cancelledAt || isCancelledLate),
        ),
    );
  }

  /** A note of the last days for the carrier to take; a note between two companies of the account counts too. */
  function recentNote(shipper: SandboxCompany, direction: Direction, slot: Slot): Nfe | undefined {
    for (let back = 1; back <= LOOK_BACK_IN_DAYS; back++) {
      const carried = carriedOn(shipper, direction, slot.day - back);
      const note = carried[slot.index % Math.max(carried.length, 1)];
      if (note) return note;
    }
    return undefined;
  }

  function noteToCarry(slot: Slot, random: Random): Nfe | undefined {
    const { company } = slot.flow;
    const shippers = tradingCompanies(company).filter((other) => other.carrierRegistration === undefined);
    const shipper = slot.flow.direction === 'outbound' ? random.pick(shippers) : company;
    return recentNote(shipper, random.chance(50) ? 'inbound' : 'outbound', slot);
  }

  function transportOf(slot: Slot): Cte | undefined {
    const random = plan.randomOf(slot, 'cte');
    const note = noteToCarry(slot, random);
    if (!note) return undefined;
    const issuer = slot.flow.direction === 'outbound' ? slot.flow.company : random.pick(carriers);
    const issuance = issue(plan, slot, issuer, random);
    const code = random.digits(8);
    const { series, number, issuedAt, authorizedAt, enteredAt, protocol } = issuance;
    return {
      slot,
      issuer,
      series,
      number,
      issuedAt,
      authorizedAt,
      enteredAt,
      protocol,
      kind: 'cte',
      key: accessKeyOf(issuance, '57', code),
      code,
      note,
      sender: note.issuer,
      recipient: note.recipient,
      payer: note.freight === '0' ? '0' : '3',
      cancelledAt: random.chance(3) ? authorizedAt + random.integer(1, 20) * SECONDS_IN_HOUR : undefined,
    };
  }

  function ownTransports(company: SandboxCompany, direction: Direction, day: Day): Cte[] {
    const slots = plan.slotsOn({ company, kind: 'cte', direction }, day);
    return slots.map(transportOf).filter((cte) => cte !== undefined);
  }

  function concerns(cte: Cte, company: SandboxCompany): boolean {
    const payer = cte.payer === '0' ? cte.sender : cte.recipient;
    return payer === company || cte.recipient === company;
  }

  return {
    issuedOn(company, direction, day) {
      const transports = ownTransports(company, direction, day);
      if (direction === 'outbound') return transports;
      const ofOthers = tradingCompanies(company).flatMap((other) => [
        ...ownTransports(other, 'outbound', day),
        ...ownTransports(other, 'inbound', day),
      ]);
      return [...transports, ...ofOthers.filter((cte) => concerns(cte, company))];
    },

    find(key) {
      const issuerId = key.slice(6, 20);
      const series = Number(key.slice(22, 25));
      const own = held.find((company) => company.id === issuerId);
      const issuer = own ?? carriers.find((carrier) => carrier.id === issuerId);
      const company = own ?? companyOfSeries(held, series);
      if (!issuer || !company) return undefined;
      const flow = { company, kind: 'cte', direction: own ? 'outbound' : 'inbound' } as const;
      const position = positionOf(plan, issuer, series, Number(key.slice(25, 34)));
      const slot = plan.slotAt(flow, position, daysOfKeyMonth(key.slice(2, 6)));
      const cte = slot && transportOf(slot);
      return cte?.key === key ? cte : undefined;
    },
  };
}
