import { type Book, type Books, select } from './books.ts';
import { DAYS_IN_YEAR, isoDate, type Moment, startOf } from './calendar.ts';
import type { Direction, DocumentKind } from './day-plan.ts';
import type { Issuance } from './issuance.ts';
import type { SandboxCompany } from './parties/companies.ts';

/** Twelve counts, January first. */
export type CountsByMonth = readonly number[];

/** How many documents of each kind and direction a company has, by the month of issue. */
export type Census = Readonly<Record<DocumentKind, Readonly<Record<Direction, CountsByMonth>>>>;

function countsOf<T extends Issuance>(
  book: Book<T>,
  company: SandboxCompany,
  direction: Direction,
  now: Moment,
): CountsByMonth {
  const counts = new Array<number>(12).fill(0);
  const year = { from: startOf(0), to: startOf(DAYS_IN_YEAR) - 1 };
  for (const { issuedAt } of select(book, {
    companies: [company],
    directions: [direction],
    by: 'issue',
    ...year,
    now,
  })) {
    const month = Number(isoDate(issuedAt).slice(5, 7)) - 1;
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
