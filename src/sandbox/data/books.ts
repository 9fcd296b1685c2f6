import { type Day, dayOf, dayOfDate, type Moment, startOf } from './calendar.ts';
import { type Cte, carriageMaker, cteXml, LONGEST_TO_CARRIAGE } from './cte.ts';
import { type Nfe, type NoteEvent, noteMaker } from './nfe.ts';
import { nfeXml } from './nfe-xml.ts';
import { nfseOf, nfseXml } from './nfse.ts';
import { circleOf, companies, largeCompany, type Party } from './parties.ts';
import {
  createDayPlan,
  DIRECTIONS,
  type Direction,
  type DocumentKind,
  type Issued,
  type Slot,
} from './plan.ts';

/** Selection of documents; default all companies, both directions, by day of issue. */
export interface Selection {
  readonly companies?: readonly Party[];
  readonly directions?: readonly Direction[];
  readonly by?: 'issue' | 'entry';
  readonly from: Moment;
  readonly to: Moment;
}

/** Documents of one kind that have entered the service in the year that ends today. */
export interface HeldBook<T extends Issued> {
  /** Documents of a period in order of issue, generated lazily by day. */
  select(selection: Selection): Iterable<T>;
  find(key: string): T | undefined;
  /** A document's current XML, with declaration. */
  xml(document: T): string;
}

const DAYS_HELD = 365;
const LONGEST_LAG_IN_DAYS = 4;
/** Days cached; lists of one day refer to documents of many others. */
const DAYS_KEPT = 160;

function directionOf({ issuer, receivers, isEntry }: Issued, company: Party): Direction | undefined {
  if (issuer === company) return isEntry ? 'inbound' : 'outbound';
  return receivers.includes(company) ? 'inbound' : undefined;
}

/** All documents, generated on demand; the service holds a year's. */
export type Books = ReturnType<typeof createBooks>;

/** Creates the books; `large` adds the large company. */
export function createBooks(seed: string, large: boolean, now: () => Moment) {
  const all = large ? [...companies, largeCompany] : companies;
  const slotsOn = createDayPlan(seed);

  function createBook<T extends Issued>(
    kind: DocumentKind,
    make: (slot: Slot) => T | undefined,
    xml: (document: T) => string,
  ) {
    const made = new Map<string, readonly T[]>();

    /** Documents of a day, of a company and its trading partners. */
    function around(company: Party, day: Day): readonly T[] {
      const circle = circleOf(company);
      const name = `${circle[0]?.id} ${day}`;
      const known = made.get(name);
      if (known) return known;
      if (made.size >= DAYS_KEPT) made.clear();
      const flows = DIRECTIONS.flatMap((direction) =>
        circle.map((company) => ({ company, kind, direction })),
      );
      const slots = flows.flatMap((flow) => slotsOn(flow, day));
      const documents = slots.map(make).filter((document) => document !== undefined);
      made.set(name, documents);
      return documents;
    }

    /** Documents between two companies are outbound for one, inbound for the other. */
    function issuedOn(companies: readonly Party[], directions: readonly Direction[], day: Day): T[] {
      const documents = new Set(companies.flatMap((company) => around(company, day)));
      return [...documents].filter((document) =>
        companies.some((company) => directions.some((one) => one === directionOf(document, company))),
      );
    }

    function* select(selection: Selection): Generator<T> {
      const { companies = all, directions = DIRECTIONS, by = 'issue', from, to } = selection;
      const until = now();
      const firstAsked = dayOf(from) - (by === 'entry' ? LONGEST_LAG_IN_DAYS : 0);
      const firstDay = Math.max(firstAsked, dayOf(until) - DAYS_HELD + 1);
      for (let day = firstDay; day <= dayOf(Math.min(to, until)); day++) {
        const documents = issuedOn(companies, directions, day).filter(({ issuedAt, enteredAt }) => {
          const moment = by === 'issue' ? issuedAt : enteredAt;
          return moment >= from && moment <= to && enteredAt <= until;
        });
        yield* documents.sort((a, b) => a.issuedAt - b.issuedAt || a.number - b.number);
      }
    }

    /** Finds a document among those issued in the key's month. */
    function find(key: string): T | undefined {
      const [year, month] = [2000 + Number(key.slice(2, 4)), Number(key.slice(4, 6))];
      const [from, next] = [dayOfDate(year, month, 1), dayOfDate(year, month + 1, 1)].map(startOf);
      for (const document of select({ from: from ?? 0, to: (next ?? 0) - 1 }))
        if (document.key === key) return document;
      return undefined;
    }

    return { around, issuedOn, select, find, xml };
  }

  /** Events registered since the sandbox's start, by the note's key. */
  const registered = new Map<string, readonly NoteEvent[]>();
  /** All past events of a note, in chronological order. */
  const eventsOf = ({ key, events }: Nfe): NoteEvent[] => [
    ...events.filter(({ at }) => at <= now()),
    ...(registered.get(key) ?? []),
  ];
  /** True if a CT-e carries the note, now or later. */
  const isCarried = ({ key, slot: { company, day } }: Nfe): boolean => {
    const days = Array.from({ length: LONGEST_TO_CARRIAGE }, (_, i) => day + i + 1);
    return days.some((day) => cte.around(company, day).some(({ note }) => note.key === key));
  };
  const nfe = createBook('nfe', noteMaker(slotsOn), (note) => nfeXml(note, eventsOf(note), isCarried(note)));
  const cte = createBook<Cte>('cte', carriageMaker(nfe.issuedOn), (carriage) => cteXml(carriage, now()));
  const nfse = createBook(
    'nfse',
    nfseOf,
    (note) => `<?xml version="1.0" encoding="UTF-8"?>${nfseXml(note, now())}`,
  );
  return { seed, companies: all, now, registered, eventsOf, nfe, cte, nfse };
}
