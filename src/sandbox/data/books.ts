import { type Day, dayOf, type Moment } from './calendar.ts';
import { type CteBook, createCteBook } from './cte/book.ts';
import { createDayPlan, type Direction } from './day-plan.ts';
import type { Issuance } from './issuance.ts';
import { createNfeBook, type NfeBook } from './nfe/book.ts';
import { createNfseBook, type NfseBook } from './nfse/book.ts';
import type { SandboxCompany } from './parties/companies.ts';

/** Every document of the sandbox's year; nothing is made before it is asked for. */
export interface Books {
  readonly seed: string;
  readonly nfe: NfeBook;
  readonly nfse: NfseBook;
  readonly cte: CteBook;
}

export interface Selection {
  readonly companies: readonly SandboxCompany[];
  readonly directions: readonly Direction[];
  readonly by: 'issue' | 'entry';
  /** Both ends included. */
  readonly from: Moment;
  readonly to: Moment;
  /** Documents that had not entered the service by then are not there. */
  readonly now: Moment;
}

interface Book<T> {
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): T[];
}

const LONGEST_LAG_IN_DAYS = 4;

export function createBooks(seed: string): Books {
  const plan = createDayPlan(seed);
  const nfe = createNfeBook(plan);
  return { seed, nfe, nfse: createNfseBook(plan), cte: createCteBook(plan, nfe) };
}

function identity(document: Issuance): string {
  return `${document.issuer.id} ${document.series} ${document.number}`;
}

/** The documents of a period in order of issue; one that concerns two of the companies comes once. */
export function select<T extends Issuance>(book: Book<T>, selection: Selection): T[] {
  const { by, from, to, now } = selection;
  const chosen = new Map<string, T>();
  const firstDay = Math.max(0, dayOf(from) - (by === 'entry' ? LONGEST_LAG_IN_DAYS : 0));
  const lastDay = dayOf(Math.min(to, now));
  for (let day = firstDay; day <= lastDay; day++) {
    for (const company of selection.companies) {
      for (const direction of selection.directions) {
        for (const document of book.issuedOn(company, direction, day)) {
          const moment = by === 'issue' ? document.issuedAt : document.enteredAt;
          if (moment >= from && moment <= to && document.enteredAt <= now)
            chosen.set(identity(document), document);
        }
      }
    }
  }
  return [...chosen.values()].sort((a, b) => a.issuedAt - b.issuedAt || a.number - b.number);
}
