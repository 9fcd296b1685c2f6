import { addDays } from '../days.ts';
import { type Book, count, type KnownDocument, type NotCompared } from './book.ts';
import { compareAssessment } from './compare-assessment.ts';
import { compareBooks, groupOf, kindOfEntry, type Met } from './compare-books.ts';
import {
  aboutDocument,
  type ComparedBook,
  type Comparison,
  emptyComparison,
  type Found,
  indexOf,
  isAsked,
  isCarriage,
  isVoid,
  leaveOut,
  type Sides,
} from './findings.ts';

/** Notes of credit and debit are about IBS and CBS alone, which no SPED file has. */
const reformPurposes = ['5', '6'];
/** The last month of PIS and COFINS. */
const CONTRIBUTIONS_UNTIL = '2027-01-01';

function isBetween(day: string, { book: { from, to } }: ComparedBook): boolean {
  return from !== undefined && to !== undefined && day >= from && day <= to;
}

/** What it says that a document is absent: that it is missing, why it is not compared, or nothing. */
type Absence = Pick<Found, 'certainty' | 'variant'> | NotCompared | undefined;

/** What it says that a document of a file's month is absent from a company's EFD ICMS/IPI. */
function absenceFromEfd(
  document: KnownDocument,
  holder: string,
  { refused }: Sides,
  hasNextMonth: () => boolean,
): Absence {
  const { issuer, recipient, payer, kind, purpose, key, direction, isTest } = document;
  const isOwn = issuer === holder;
  if (direction === undefined || isTest || kind === 'nfse') return undefined;
  if (![issuer, recipient, payer].includes(holder)) return undefined;
  if (isVoid(document)) return isOwn ? 'cancelled_not_listed' : undefined;
  if (reformPurposes.includes(purpose)) return 'reform_note';
  if (isOwn) return { certainty: 'certain', variant: 'own' };
  if (isCarriage(document) && payer !== holder) return 'not_payer';
  if (!isCarriage(document) && recipient !== holder) return undefined;
  if (refused.has(key)) return 'refused_by_recipient';
  return hasNextMonth()
    ? { certainty: 'probable', variant: 'entry' }
    : { certainty: 'judgement', variant: 'entry_alone' };
}

/** A list is compared with the documents of its kinds and directions. */
function absenceFromList(holder: string, { book }: ComparedBook): (document: KnownDocument) => Absence {
  const kinds = new Set(book.entries.map(kindOfEntry));
  const directions = new Set(book.entries.map(({ direction }) => direction));
  return (document) => {
    const { issuer, recipient, payer, kind, isTest, direction } = document;
    const isOther = recipient === holder || payer === holder;
    const isListed = issuer === holder ? directions.has('outbound') : isOther && directions.has('inbound');
    if (!kinds.has(kind) || !isListed || isVoid(document) || isTest || direction === undefined)
      return undefined;
    return { certainty: 'probable', variant: 'list' };
  };
}

/** That a document is absent from contributions says nothing. */
function absenceFromContributions(document: KnownDocument, root: string): Absence {
  const isOf = [document.issuer, document.recipient, document.payer].some((id) => id.startsWith(root));
  const isDue = isOf && document.issued_at < CONTRIBUTIONS_UNTIL && !isVoid(document);
  return isDue ? 'not_in_contribuicoes' : undefined;
}

/** Files of one company and kind. */
interface Group {
  readonly kind: Book['kind'];
  readonly holder: string;
  readonly books: ComparedBook[];
}

function groupsOf(books: readonly ComparedBook[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const one of books) {
    const { kind, establishment, company } = one.book;
    const holder = establishment ?? company;
    if (kind === 'cbs_assessment' || holder === undefined) continue;
    const group = groups.get(groupOf(kind, holder)) ?? { kind, holder, books: [] };
    groups.set(groupOf(kind, holder), group);
    group.books.push(one);
  }
  return groups.values();
}

/** What the absence of a document says, by the file of its day. */
function absenceFrom({ kind, holder, books }: Group, sides: Sides) {
  if (kind === 'efd_contribuicoes')
    return (document: KnownDocument) => absenceFromContributions(document, holder.slice(0, 8));
  if (kind === 'list') {
    const ofLists = new Map(books.map((one) => [one, absenceFromList(holder, one)]));
    return (document: KnownDocument, list: ComparedBook) => ofLists.get(list)?.(document);
  }
  return (document: KnownDocument, { book: { to = '' } }: ComparedBook) =>
    absenceFromEfd(document, holder, sides, () =>
      books.some(({ book }) => book.isWhole && book.from === addDays(to, 1)),
    );
}

/** Finds the documents that should stand in a file and don't. */
function findMissingInFiles(sides: Sides, met: Met, result: Comparison): void {
  for (const group of groupsOf(sides.books)) {
    const { kind, holder, books } = group;
    const absenceOf = absenceFrom(group, sides);
    const whose = kind === 'efd_contribuicoes' ? `${kind}|${holder.slice(0, 8)}` : groupOf(kind, holder);
    const seen = [...met].flatMap(([name, documents]) => (name.startsWith(whose) ? [documents] : []));
    // Each list is compared by itself, the months of a book together.
    for (const files of kind === 'list' ? books.map((one) => [one]) : [books]) {
      for (const document of sides.documents) {
        const day = document.issued_at.slice(0, 10);
        const file = files.find((one) => isBetween(day, one));
        if (file === undefined || seen.some((those) => those.has(document)) || !isAsked(sides, day)) continue;
        const absence = absenceOf(document, file);
        if (typeof absence === 'string') leaveOut(result, absence);
        else if (absence !== undefined && !file.book.isWhole) leaveOut(result, 'file_not_whole');
        else if (absence !== undefined) {
          const amounts = { ours: document.total, amount: document.total };
          const place = aboutDocument(file.file, document);
          result.findings.add({ finding: 'missing_in_file', ...absence, ...amounts, ...place });
        }
      }
    }
  }
}

/**
 * Compares files with documents; findings that nobody wants are not kept.
 * @param result what the comparison of other parts has come to, which is added to
 */
export function compareSides(
  sides: Sides,
  isWanted?: (found: Found) => boolean,
  result: Comparison = emptyComparison(isWanted),
): Comparison {
  const index = indexOf(sides.documents);
  for (const { book } of sides.books)
    for (const [reason, many] of book.notCompared) count(result.notCompared, reason, many);
  const met = compareBooks(sides, index, result);
  compareAssessment(sides, index, result);
  findMissingInFiles(sides, met, result);
  return result;
}
