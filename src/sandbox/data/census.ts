import { type Book, type Books, select } from './books.ts';
import { firstDayHeld, isoDate, type Moment, startOf } from './calendar.ts';
import type { Direction, DocumentKind } from './day-plan.ts';
import type { Issuance } from './issuance.ts';
import type { SandboxCompany } from './parties.ts';

/** By month, `YYYY-MM`; months without documents are not there. */
export type CountsByMonth = Readonly<Record<string, number>>;

/** How many documents of each kind and direction a company has, by the month of issue. */
export type Census = Readonly<Record<DocumentKind, Readonly<Record<Direction, CountsByMonth>>>>;

function countsOf<T extends Issuance>(
  book: Book<T>,
  company: SandboxCompany,
  direction: Direction,
  now: Moment,
): CountsByMonth {
  const counts: Record<string, number> = {};
  for (const { issuedAt } of select(book, {
    companies: [company],
    directions: [direction],
    by: 'issue',
    from: startOf(firstDayHeld(now)),
    to: now,
    now,
  })) {
    const month = isoDate(issuedAt).slice(0, 7);
    counts[month] = (counts[month] ?? 0) + 1;
  }
  return counts;
}

/** Counts what lists by issue date hold at a moment; nothing is written for it. */
export function censusOf(books: Books, company: SandboxCompany, now: Moment): Census {
  const both = <T extends Issuance>(book: Book<T>) => ({
    inbound: countsOf(book, company, 'inbound', now),
    outbound: countsOf(book, company, 'outbound', now),
  });
  return { nfe: both(books.nfe), nfse: both(books.nfse), cte: both(books.cte) };
}
