import { type Day, dayOf, firstDayHeld, type Moment } from './calendar.ts';
import { type CteBook, createCteBook } from './cte.ts';
import { createDayPlan, type Direction, type Issuance } from './day-plan.ts';
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

/** Documents of one kind by company, direction and day. */
export interface Book<T> {
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): T[];
}

const LONGEST_LAG_IN_DAYS = 4;

/** `large` adds the large company. */
export function createBooks(seed: string, large: boolean): Books {
  const held = large ? [...companies, largeCompany] : companies;
  const plan = createDayPlan(seed);
  const nfe = createNfeBook(plan, held);
  const nfse = createNfseBook(plan, held);
  return { seed, companies: held, nfe, nfse, cte: createCteBook(plan, nfe, held) };
}

/** Whether the service has a document at a moment: it has entered, and is of the year that ends then. */
export function isHeld({ issuedAt, enteredAt }: Issuance, now: Moment): boolean {
  return enteredAt <= now && dayOf(issuedAt) >= firstDayHeld(now);
}

function identity(document: Issuance): string {
  return `${document.issuer.id} ${document.series} ${document.number}`;
}

function chosenOf<T extends Issuance>(book: Book<T>, selection: Selection, day: Day): T[] {
  const { by, from, to, now } = selection;
  const chosen = new Map<string, T>();
  for (const company of selection.companies) {
    for (const direction of selection.directions) {
      for (const document of book.issuedOn(company, direction, day)) {
        const moment = by === 'issue' ? document.issuedAt : document.enteredAt;
        if (moment >= from && moment <= to && isHeld(document, now)) chosen.set(identity(document), document);
      }
    }
  }
  return [...chosen.values()].sort((a, b) => a.issuedAt - b.issuedAt || a.number - b.number);
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
