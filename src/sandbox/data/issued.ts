import type { Day } from './calendar.ts';
import type { DayPlan, Direction, DocumentKind, Issuance, Slot } from './day-plan.ts';
import { circleOf, type Party, type SandboxCompany } from './parties.ts';

/** A document as its companies see it. */
export interface Issued extends Issuance {
  /** Whose inbound document it is: recipient, and the payer of a carriage. */
  readonly receivers: readonly Party[];
  /** The issuer's own note of what it receives. */
  readonly isEntry: boolean;
}

/** Documents of one kind by day of issue. */
export interface Book<T> {
  /** All those of a company and of the companies it trades with. */
  around(company: SandboxCompany, day: Day): readonly T[];
  /** Those of these companies and directions; one between two companies is outbound for one, inbound for the other. */
  issuedOn(companies: readonly SandboxCompany[], directions: readonly Direction[], day: Day): T[];
}

/** Lists of one day look for documents of many others. */
const DAYS_KEPT = 64;
const DIRECTIONS = ['inbound', 'outbound'] as const;

function directionOf({ issuer, receivers, isEntry }: Issued, company: SandboxCompany): Direction | undefined {
  if (issuer === company) return isEntry ? 'inbound' : 'outbound';
  return receivers.includes(company) ? 'inbound' : undefined;
}

/** A book whose documents `make` makes, a day at a time, when they are asked for. */
export function createBook<T extends Issued>(
  plan: DayPlan,
  kind: DocumentKind,
  make: (slot: Slot) => T | undefined,
): Book<T> {
  const made = new Map<string, readonly T[]>();

  function around(company: SandboxCompany, day: Day): readonly T[] {
    const circle = circleOf(company);
    const name = `${circle[0]?.id} ${day}`;
    const known = made.get(name);
    if (known) return known;
    if (made.size >= DAYS_KEPT) made.clear();
    const flows = DIRECTIONS.flatMap((direction) => circle.map((company) => ({ company, kind, direction })));
    const slots = flows.flatMap((flow) => plan.slotsOn(flow, day));
    const documents = slots.map(make).filter((document) => document !== undefined);
    made.set(name, documents);
    return documents;
  }

  return {
    around,
    issuedOn(companies, directions, day) {
      const documents = new Set(companies.flatMap((company) => around(company, day)));
      return [...documents].filter((document) =>
        companies.some((company) => directions.some((one) => one === directionOf(document, company))),
      );
    },
  };
}
