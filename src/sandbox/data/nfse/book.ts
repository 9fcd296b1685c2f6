import { modulo11 } from '../../../documents/identity/tax-ids.ts';
import { type Day, keyMonth, type Moment, SECONDS_IN_DAY } from '../calendar.ts';
import type { DayPlan, Direction, Slot } from '../day-plan.ts';
import { type Issuance, issue } from '../issuance.ts';
import {
  customers,
  type Party,
  type SandboxCompany,
  serviceProviders,
  tradingCompanies,
} from '../parties.ts';
import type { Random } from '../random.ts';

/** What is known of an NFS-e without reckoning its amounts. The issuer is the provider, the recipient the taker. */
export interface Nfse extends Issuance {
  readonly kind: 'nfse';
  /** 50 positions, for notes in the national layout; the others have no key. */
  readonly key: string | undefined;
  readonly recipient: Party;
  /** Whether the account's own workflow has approved the note. */
  readonly approved: boolean;
  /** Only notes in the ABRASF layout say so themselves. */
  readonly cancelledAt: Moment | undefined;
}

export interface NfseBook {
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): Nfse[];
  find(number: string, day: Day, issuerId: string): Nfse | undefined;
}

/** Source: docs/fiscal/keys.md. */
function nationalKey({ issuer, number, issuedAt }: Issuance, random: Random): string {
  const generatedNationally = '2';
  const holdsCnpj = '2';
  const first49 = [
    issuer.city.code,
    generatedNationally,
    holdsCnpj,
    issuer.id,
    String(number).padStart(13, '0'),
    keyMonth(issuedAt),
    random.digits(9),
  ].join('');
  return first49 + modulo11(first49);
}

export function createNfseBook(plan: DayPlan, held: readonly SandboxCompany[]): NfseBook {
  function partiesOf(slot: Slot, random: Random): { issuer: Party; recipient: Party } {
    const { company, direction } = slot.flow;
    if (direction === 'inbound') return { issuer: random.pick(serviceProviders), recipient: company };
    const companies = tradingCompanies(company);
    const takers = companies.length > 0 && random.chance(12) ? companies : customers;
    return { issuer: company, recipient: random.pick(takers) };
  }

  function noteOf(slot: Slot): Nfse {
    const random = plan.randomOf(slot, 'nfse');
    const { issuer, recipient } = partiesOf(slot, random);
    const issuance = issue(plan, slot, issuer, random);
    const national = issuer.city.nfseLayout === 'national';
    const cancelled = !national && random.chance(6);
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
      kind: 'nfse',
      key: national ? nationalKey(issuance, random) : undefined,
      recipient,
      approved: !cancelled && random.chance(75),
      cancelledAt: cancelled ? authorizedAt + random.integer(1, 5) * SECONDS_IN_DAY : undefined,
    };
  }

  function ownNotes(company: SandboxCompany, direction: Direction, day: Day): Nfse[] {
    return plan.slotsOn({ company, kind: 'nfse', direction }, day).map(noteOf);
  }

  return {
    issuedOn(company, direction, day) {
      const notes = ownNotes(company, direction, day);
      if (direction === 'outbound') return notes;
      const fromCompanies = tradingCompanies(company).flatMap((provider) =>
        ownNotes(provider, 'outbound', day),
      );
      return [...notes, ...fromCompanies.filter((note) => note.recipient === company)];
    },

    find(number, day, issuerId) {
      const notes = held.flatMap((company) => [
        ...ownNotes(company, 'outbound', day),
        ...ownNotes(company, 'inbound', day),
      ]);
      return notes.find((note) => note.issuer.id === issuerId && String(note.number) === number);
    },
  };
}
