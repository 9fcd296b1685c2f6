import { addDays } from '../days.ts';
import { isVoid } from '../summary/summary.ts';
import { type Book, count, type KnownDocument, type NotCompared } from './book.ts';
import { compareAssessment } from './compare-assessment.ts';
import { compareBooks, groupOf, kindOfEntry, type Met } from './compare-books.ts';
import {
  type ComparedBook,
  type Comparison,
  emptyComparison,
  type Found,
  indexOf,
  isAsked,
  isCarriage,
  leaveOut,
  placeOf,
  type Sides,
} from './findings.ts';

/** Credit and debit notes concern only IBS and CBS, which no SPED file has. */
const reformPurposes = ['5', '6'];
/** First day without PIS and COFINS. */
const CONTRIBUTIONS_UNTIL = '2027-01-01';

/** Files of one company and kind, whose months are compared together; each list is its own group. */
interface Group {
  readonly kind: Exclude<Book['kind'], 'cbs_assessment'>;
  readonly holder: string;
  readonly files: ComparedBook[];
  /** Kinds and directions of documents in a list. */
  readonly listed: ReadonlySet<string | undefined>;
}

function groupsOf(books: readonly ComparedBook[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const one of books) {
    const { kind, establishment, company, entries } = one.book;
    const holder = establishment ?? company;
    if (kind === 'cbs_assessment' || holder === undefined) continue;
    const isList = kind === 'list';
    const name = isList ? String(one.file) : groupOf(kind, holder);
    const listed = isList ? entries.flatMap((entry) => [kindOfEntry(entry), entry.direction]) : [];
    const group = groups.get(name) ?? { kind, holder, files: [], listed: new Set(listed) };
    groups.set(name, group);
    group.files.push(one);
  }
  return groups.values();
}

/** Result for a document found in no file: missing, the reason it is not compared, or undefined to ignore it. */
type Absence = Pick<Found, 'certainty' | 'variant'> | NotCompared | undefined;

/** Checks of an absent document by group kind; `file` is the one whose period includes its day. */
const absences: Readonly<
  Record<Group['kind'], (document: KnownDocument, group: Group, file: ComparedBook, sides: Sides) => Absence>
> = {
  efd_icms_ipi(document, { holder, files }, { book: { to = '' } }, { refused }) {
    const { issuer, recipient, payer, kind, purpose, key, direction, isTest } = document;
    const isOwn = issuer === holder;
    if (direction === undefined || isTest || kind === 'nfse') return undefined;
    if (![issuer, recipient, payer].includes(holder)) return undefined;
    if (isVoid(document.status)) return isOwn ? 'cancelled_not_listed' : undefined;
    if (reformPurposes.includes(purpose)) return 'reform_note';
    if (isOwn) return { certainty: 'certain', variant: 'own' };
    if (isCarriage(document) && payer !== holder) return 'not_payer';
    if (!isCarriage(document) && recipient !== holder) return undefined;
    if (refused.has(key)) return 'refused_by_recipient';
    const hasNextMonth = files.some(({ book }) => book.isWhole && book.from === addDays(to, 1));
    return hasNextMonth
      ? { certainty: 'probable', variant: 'entry' }
      : { certainty: 'judgement', variant: 'entry_alone' };
  },
  /** Only documents of the list's kinds and directions are expected in it. */
  list(document, { holder, listed }) {
    const { issuer, recipient, payer, kind, isTest, direction } = document;
    const isOther = recipient === holder || payer === holder;
    const isListed = issuer === holder ? listed.has('outbound') : isOther && listed.has('inbound');
    const isAbout = listed.has(kind) && isListed && !isVoid(document.status) && !isTest;
    return isAbout && direction !== undefined ? { certainty: 'probable', variant: 'list' } : undefined;
  },
  /** Absence from an EFD-Contribuições proves nothing. */
  efd_contribuicoes(document, { holder }) {
    const { issuer, recipient, payer, issued_at } = document;
    const isOf = [issuer, recipient, payer].some((id) => id.startsWith(rootOf(holder)));
    const isDue = isOf && issued_at < CONTRIBUTIONS_UNTIL && !isVoid(document.status);
    return isDue ? 'not_in_contribuicoes' : undefined;
  },
};

const rootOf = (cnpj: string) => cnpj.slice(0, 8);

function findMissingInFiles(sides: Sides, met: Met, result: Comparison): void {
  for (const group of groupsOf(sides.books)) {
    const { kind, holder, files } = group;
    const whose = kind === 'efd_contribuicoes' ? `${kind}|${rootOf(holder)}` : groupOf(kind, holder);
    const seen = [...met].flatMap(([name, documents]) => (name.startsWith(whose) ? [documents] : []));
    for (const document of sides.documents) {
      const day = document.issued_at.slice(0, 10);
      const file = files.find(({ book: { from, to } }) => from && to && day >= from && day <= to);
      if (file === undefined || seen.some((those) => those.has(document)) || !isAsked(sides, day)) continue;
      const absence = absences[kind](document, group, file, sides);
      if (typeof absence === 'string') leaveOut(result, absence);
      else if (absence !== undefined && !file.book.isWhole) leaveOut(result, 'file_not_whole');
      else if (absence !== undefined) {
        const amounts = { ours: document.total, amount: document.total };
        const place = placeOf(file.file, undefined, document);
        result.findings.add({ finding: 'missing_in_file', ...absence, ...amounts, ...place });
      }
    }
  }
}

/**
 * Compares files with documents; keeps only wanted findings.
 * @param result result of earlier parts, extended in place
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
