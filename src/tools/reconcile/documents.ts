import { addDays, earlier, later } from '../../archive/days.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { KnownDocument } from '../../documents/books/book.ts';
import type { ComparedBook, Sides } from '../../documents/books/findings.ts';
import { dayInZone } from '../../documents/days.ts';
import { type Basis, coveredDays, fetchParts, jointBasis, openDay } from '../shared/fetching.ts';

/** Days between a document's issue and its booking. */
const LONGEST_WAY = 92;
/** Establishments fetched in one call. */
const MOST_COMPANIES = 20;

const areaOfModel = new Map<string, DocumentArea>([
  ['55', 'nfe'],
  ['65', 'nfe'],
  ['57', 'cte'],
  ['67', 'cte'],
  ['nfse', 'nfse'],
]);

/** Kinds of documents a book may list; for an ERP list, the kinds it has. */
function areasOf({ kind, entries }: ComparedBook['book']): DocumentArea[] {
  const listed = new Set(entries.map(({ model = '55' }) => areaOfModel.get(model)));
  return (['nfe', 'cte', 'nfse'] as const).filter((area) =>
    kind === 'list' ? listed.has(area) : kind !== 'efd_icms_ipi' || area !== 'nfse',
  );
}

/** The documents of a comparison. */
export interface DocumentsSide {
  readonly companies: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly basis: Basis | undefined;
  readonly documents: readonly KnownDocument[];
  readonly isComplete: Sides['isComplete'];
  readonly refused: ReadonlySet<string>;
}

/** Establishments named by the files; of an assessment the issuers of its debits, and the company asked about. */
function companiesOf(
  books: readonly ComparedBook[],
  asked: string | undefined,
  context: CallContext,
): string[] {
  const companies = new Set<string>();
  for (const { book } of books) {
    const { company = '', kind } = book;
    if (company.length === 14) companies.add(company);
    if (kind === 'efd_icms_ipi' || kind === 'list') continue;
    if (asked?.startsWith(company.slice(0, 8))) companies.add(asked);
    for (const { holder, key, isOwn } of book.entries) {
      const own = kind === 'cbs_assessment' && isOwn && key?.length === 44 ? key.slice(6, 20) : holder;
      if (own.length === 14 && own.startsWith(company.slice(0, 8))) companies.add(own);
    }
  }
  return [...companies].filter((one) => context.company.allows(one)).slice(0, MOST_COMPANIES);
}

/** Days of issue that entries may have; a book's entry may be some months older than the book. */
function daysOfBooks(books: readonly ComparedBook[], today: string, asked: Pick<Sides, 'from' | 'to'>) {
  let [from, to] = [today, ''];
  for (const { book } of books) {
    const isAssessment = book.kind === 'cbs_assessment';
    const months = isAssessment ? book.entries.flatMap(({ month }) => month ?? []).sort() : [];
    const first = isAssessment
      ? `${months.at(-1) ?? today.slice(0, 7)}-01`
      : (book.from ?? asked.from ?? addDays(today, -LONGEST_WAY));
    const last = book.to ?? today;
    const bound = addDays(later(first, asked.from ?? first), -LONGEST_WAY);
    let start = first;
    for (const { day, month } of book.entries) {
      const own = day ?? (month === undefined ? undefined : `${month}-01`);
      if (own !== undefined && own < start && own >= bound) start = own;
    }
    from = earlier(from, start);
    to = later(to, last);
  }
  const end = earlier(earlier(to === '' ? today : to, asked.to ?? today), today);
  return { from: earlier(from, end), to: end };
}

/** Fetches and reads the documents to compare: by company and days, and by key. */
export async function readDocumentsSide(
  books: readonly ComparedBook[],
  asked: Pick<Sides, 'from' | 'to'> & { readonly company: string | undefined },
  since: Date | undefined,
  context: CallContext,
): Promise<DocumentsSide> {
  const { settings, now } = context.company;
  const today = dayInZone(settings.timeZone, now());
  const companies = companiesOf(books, asked.company ?? settings.cnpj, context);
  const days = daysOfBooks(books, today, asked);
  const areas = [...new Set(books.flatMap(({ book }) => areasOf(book)))];
  const archive = await context.company.archive();
  const withItems = books.some(({ book }) => book.kind === 'efd_icms_ipi');
  const byKey = new Map<string, KnownDocument>();
  const bases: { basis: Basis }[] = [];
  const complete = new Set<string>();
  const openFrom = openDay(new Date(now()));
  for (const company of companies) {
    if (areas.length === 0) break;
    const parts = await fetchParts({ companies: [company], areas, ...days, by: 'issue' }, context, { since });
    for (const { selection, basis } of parts) {
      bases.push({ basis });
      const isSure = basis.unreadable.length === 0 && basis.files?.isAlone !== true;
      for (const { from, to } of isSure ? coveredDays(days, basis, openFrom) : [])
        for (let day = from; day <= to; day = addDays(day, 1))
          complete.add(`${company}|${selection.area}|${day}`);
      for (const document of await archive.known.of(selection, withItems && selection.area === 'nfe')) {
        const name = document.key || `${document.issuer}|${document.number}|${document.issued_at}`;
        // A document between two of the companies counts from its issuer's side.
        if (!byKey.has(name) || document.issuer === company) byKey.set(name, document);
      }
    }
  }
  const keys = new Set(books.flatMap(({ book }) => book.entries.map(({ key }) => key ?? '')));
  const unknown = [...keys].filter((key) => key !== '' && !byKey.has(key));
  const elsewhere = unknown.length === 0 ? [] : await archive.known.byKeys(unknown);
  const isAllowed = ({ issuer, recipient, payer }: KnownDocument) =>
    [issuer, recipient, payer].some((id) => id.length === 14 && context.company.allows(id));
  return {
    companies,
    ...days,
    basis: bases.length > 0 ? jointBasis(bases) : undefined,
    documents: [...byKey.values(), ...elsewhere.filter(isAllowed)],
    isComplete: (company, kind, day) => complete.has(`${company}|${kind}|${day}`),
    refused: await archive.known.refused(),
  };
}
