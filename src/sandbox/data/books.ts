import { type Day, dayOf, firstDayHeld, type Moment } from './calendar.ts';
import { type CteBook, createCteBook } from './cte.ts';
import { createDayPlan, type Direction, type Issuance } from './day-plan.ts';
import type { Book } from './issued.ts';
import { createNfeBook, type NfeBook } from './nfe/book.ts';
import { createNfseBook, type NfseBook } from './nfse.ts';
import { companies, largeCompany, type SandboxCompany } from './parties.ts';

/** Every document there ever is, of which a year's are held; nothing is made before it is asked for. */
export interface Books {
  readonly seed: string;
  /** The companies whose documents these are. */
  readonly companies: readonly SandboxCompany[];
  readonly nfe: NfeBook;
  readonly nfse: NfseBook;
  readonly cte: CteBook;
  now(): Moment;
}

/** `large` adds the large company. */
export function createBooks(seed: string, large: boolean, now: () => Moment): Books {
  const held = large ? [...companies, largeCompany] : companies;
  const plan = createDayPlan(seed, held);
  const nfe = createNfeBook(plan);
  return { seed, companies: held, nfe, nfse: createNfseBook(plan, held), cte: createCteBook(plan, nfe), now };
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

const LONGEST_LAG_IN_DAYS = 4;

/** Whether the service has a document at a moment: it has entered, and is of the year that ends then. */
export function isHeld({ issuedAt, enteredAt }: Issuance, now: Moment): boolean {
  return enteredAt <= now && dayOf(issuedAt) >= firstDayHeld(now);
}

function chosenOf<T extends Issuance>(book: Book<T>, selection: Selection, day: Day): T[] {
  const { by, from, to, now } = selection;
  return book
    .issuedOn(selection.companies, selection.directions, day)
    .filter((document) => {
      const moment = by === 'issue' ? document.issuedAt : document.enteredAt;
      return moment >= from && moment <= to && isHeld(document, now);
    })
    .sort((a, b) => a.issuedAt - b.issuedAt || a.number - b.number);
}

function* dayByDay<T extends Issuance>(book: Book<T>, selection: Selection): Generator<T> {
  const { by, from, to, now } = selection;
  const firstDay = Math.max(firstDayHeld(now), dayOf(from) - (by === 'entry' ? LONGEST_LAG_IN_DAYS : 0));
  const lastDay = dayOf(Math.min(to, now));
  for (let day = firstDay; day <= lastDay; day++) yield* chosenOf(book, selection, day);
}

/** The documents of a period in order of issue, each once, made day by day as they are read. */
export function select<T extends Issuance>(book: Book<T>, selection: Selection): Iterable<T> {
  return { [Symbol.iterator]: () => dayByDay(book, selection) };
}
