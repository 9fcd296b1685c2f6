import cteTemplate from '../templates/cte.xml';
import cancellationXml from '../templates/cte-cancellation.xml';
import freightsXml from '../templates/freights.xml';
import { type Day, isoMoment, type Moment, SECONDS_IN_HOUR, yearDigits } from './calendar.ts';
import {
  accessKeyOf,
  type DayPlan,
  type Direction,
  type Issuance,
  issue,
  type Slot,
  slotOfKey,
} from './day-plan.ts';
import type { Nfe, NfeBook } from './nfe/book.ts';
import { editionOf, icmsRate, nfeContent } from './nfe/content.ts';
import {
  carriers,
  type Party,
  partyValues,
  type SandboxCompany,
  stateCode,
  tradingCompanies,
} from './parties.ts';
import { createRandom, type Random } from './random.ts';
import { casesOf, compileTemplate, formatCents, variantOf } from './text.ts';

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
   * Outbound are those it issued as a carrier, inbound those whose freight it pays or whose goods it gets.
   */
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): Cte[];
  find(key: string): Cte | undefined;
  /** Whether a CT-e carries the note, now or later. */
  carries(note: Nfe): boolean;
}

const LOOK_BACK_IN_DAYS = 12;
/** Days of one direction of one shipper whose notes are kept: transports of one day look for notes on the same days. */
const DAYS_KEPT = 64;

export function createCteBook(plan: DayPlan, nfeBook: NfeBook, held: readonly SandboxCompany[]): CteBook {
  const carriedByDay = new Map<string, readonly Nfe[]>();
  const keysByDay = new Map<Day, ReadonlySet<string>>();

  function carriedOn(shipper: SandboxCompany, direction: Direction, day: Day): readonly Nfe[] {
    const name = `${shipper.id} ${direction} ${day}`;
    const known = carriedByDay.get(name);
    if (known) return known;
    if (carriedByDay.size >= DAYS_KEPT) carriedByDay.clear();
    const carried = nfeBook
      .issuedOn(shipper, direction, day)
      .filter(
        ({ freight, cancelledAt, isCancelledLate }) => freight !== '9' && (!cancelledAt || isCancelledLate),
      );
    carriedByDay.set(name, carried);
    return carried;
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
    const { authorizedAt } = issuance;
    return {
      ...issuance,
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

  function keysCarriedOn(day: Day): ReadonlySet<string> {
    const known = keysByDay.get(day);
    if (known) return known;
    const transports = held.flatMap((company) => [
      ...ownTransports(company, 'inbound', day),
      ...ownTransports(company, 'outbound', day),
    ]);
    const keys = new Set(transports.map(({ note }) => note.key));
    keysByDay.set(day, keys);
    return keys;
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
      const slot = slotOfKey(plan, held, carriers, 'cte', key);
      const cte = slot && transportOf(slot);
      return cte?.key === key ? cte : undefined;
    },

    carries({ key, slot }) {
      const days = Array.from({ length: LOOK_BACK_IN_DAYS }, (_, i) => slot.day + i + 1);
      return days.some((day) => keysCarriedOn(day).has(key));
    },
  };
}

const WITHIN_THE_STATE = '5353';
const INTERSTATE = '6353';
/** Amounts of the templates are exact to the cent for up to so many times. */
const MOST_TIMES = 12;

const freights = casesOf(freightsXml, 'freight');
const writeCte = compileTemplate(variantOf(cteTemplate, 'plain'));
const writeCancellation = compileTemplate(variantOf(cancellationXml, 'plain'));

/** `vPrest` and `imp`: freights of a rate, so many times a fixed one. */
function freightXml(cte: Cte, factor: number): string {
  const { issuer, sender, recipient } = cte;
  const rate = icmsRate(sender.city.state, recipient.city.state);
  const text = freights.get(issuer.regime === '1' ? 'simples' : rate);
  if (text === undefined) throw new RangeError(`no freight at ${rate} %`);
  return variantOf(text, editionOf(issuer.regime, cte.issuedAt), factor);
}

function cancellationOf(cte: Cte, now: Moment): string {
  const { cancelledAt, issuer, key } = cte;
  if (cancelledAt === undefined || cancelledAt > now) return '';
  const digits = createRandom(key, 'cancellation').digits(10);
  return writeCancellation({
    ...partyValues(issuer),
    key,
    at: isoMoment(cancelledAt),
    protocol: cte.protocol,
    own_protocol: `1${stateCode(issuer)}${yearDigits(cancelledAt)}${digits}`,
  });
}

/** `cteProc` 4.00 with its protocol and, where it was cancelled by then, the event beside it. */
export function cteXml(cte: Cte, now: Moment, seed: string): string {
  const { issuer, sender, recipient, note, key } = cte;
  const random = createRandom(seed, 'content', key);
  const xml = writeCte({
    ...partyValues(issuer),
    ...partyValues(sender, 'from'),
    ...partyValues(recipient, 'to'),
    key,
    code: cte.code,
    cfop: sender.city.state === recipient.city.state ? WITHIN_THE_STATE : INTERSTATE,
    series: String(cte.series),
    number: String(cte.number),
    issued_at: isoMoment(cte.issuedAt),
    digit: key.slice(43),
    payer: cte.payer,
    freight: freightXml(cte, random.integer(1, MOST_TIMES)),
    cargo: formatCents(nfeContent(note, seed).total),
    weight: `${random.integer(12, 2_400)}.${random.digits(3)}0`,
    note: note.key,
    protocol: cte.protocol,
    authorized_at: isoMoment(cte.authorizedAt),
    digest: Buffer.from(createRandom('digest', key).digits(20)).toString('base64'),
    cancellation: cancellationOf(cte, now),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}
