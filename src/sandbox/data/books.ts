import { dayOf, dayOfDate, type Moment, startOf } from './calendar.ts';
import { createCteBook, cteXml } from './cte.ts';
import { createNfeBook, type Nfe, type NoteEvent } from './nfe.ts';
import { nfeXml } from './nfe-xml.ts';
import { createNfseBook, nfseXml } from './nfse.ts';
import { companies, largeCompany, type Party } from './parties.ts';
import { type Book, createDayPlan, DIRECTIONS, type Direction, type Issued } from './plan.ts';

/** Selection of documents; by default of all companies, in both directions, by day of issue. */
export interface Selection {
  readonly companies?: readonly Party[];
  readonly directions?: readonly Direction[];
  readonly by?: 'issue' | 'entry';
  readonly from: Moment;
  readonly to: Moment;
}

/** Documents of one kind that the service holds now: those of the year that ends today that have entered. */
export interface HeldBook<T extends Issued> {
  /** Documents of a period in order of issue, generated day by day while they are read. */
  select(selection: Selection): Iterable<T>;
  find(key: string): T | undefined;
  /** A document as it is now, with XML declaration. */
  xml(document: T): string;
}

const DAYS_HELD = 365;
const LONGEST_LAG_IN_DAYS = 4;

/** All documents, of which a year's are held; each is generated on demand. */
export type Books = ReturnType<typeof createBooks>;

/** `large` adds the large company. */
export function createBooks(seed: string, large: boolean, now: () => Moment) {
  const all = large ? [...companies, largeCompany] : companies;

  function* held<T extends Issued>(book: Book<T>, selection: Selection): Generator<T> {
    const { companies = all, directions = DIRECTIONS, by = 'issue', from, to } = selection;
    const until = now();
    const firstAsked = dayOf(from) - (by === 'entry' ? LONGEST_LAG_IN_DAYS : 0);
    const firstDay = Math.max(firstAsked, dayOf(until) - DAYS_HELD + 1);
    for (let day = firstDay; day <= dayOf(Math.min(to, until)); day++) {
      const documents = book.issuedOn(companies, directions, day).filter((document) => {
        const moment = by === 'issue' ? document.issuedAt : document.enteredAt;
        return moment >= from && moment <= to && document.enteredAt <= until;
      });
      yield* documents.sort((a, b) => a.issuedAt - b.issuedAt || a.number - b.number);
    }
  }

  const heldBook = <T extends Issued>(book: Book<T>, xml: (document: T) => string): HeldBook<T> => ({
    select: (selection) => ({ [Symbol.iterator]: () => held(book, selection) }),
    // Searches the documents issued in the key's month.
    find(key) {
      const [year, month] = [2000 + Number(key.slice(2, 4)), Number(key.slice(4, 6))];
      const [from, next] = [dayOfDate(year, month, 1), dayOfDate(year, month + 1, 1)].map(startOf);
      for (const document of held(book, { from: from ?? 0, to: (next ?? 0) - 1 }))
        if (document.key === key) return document;
      return undefined;
    },
    xml,
  });

  const slotsOn = createDayPlan(seed);
  const notes = createNfeBook(slotsOn);
  const carriages = createCteBook(slotsOn, notes);
  /** Events that were registered since the sandbox started, by the note's key. */
  const registered = new Map<string, readonly NoteEvent[]>();
  /** All events of a note that had happened by now, in the order they happened. */
  const eventsOf = ({ key, events }: Nfe): NoteEvent[] => [
    ...events.filter(({ at }) => at <= now()),
    ...(registered.get(key) ?? []),
  ];

  return {
    ...{ seed, companies: all, now, registered, eventsOf },
    nfe: heldBook(notes, (note) => nfeXml(note, eventsOf(note), carriages.carries(note))),
    cte: heldBook(carriages, (carriage) => cteXml(carriage, now())),
    nfse: heldBook(
      createNfseBook(slotsOn),
      (note) => `<?xml version="1.0" encoding="UTF-8"?>${nfseXml(note, now())}`,
    ),
  };
}
