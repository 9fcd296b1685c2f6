import { addDays } from '../days.ts';
import type { KnownDocument } from './book.ts';
import { groupOf, isAsked, kindOfEntry } from './compare-books.ts';
import { type Comparison, leaveOut } from './comparison.ts';
import { aboutDocument, type BookFinding, type ComparedBook, isVoid, type Sides } from './findings.ts';

type Met = ReadonlyMap<string, ReadonlySet<KnownDocument>>;

const dayOf = ({ issued_at }: KnownDocument) => issued_at.slice(0, 10);

/** Notes of credit and debit are about IBS and CBS alone, which no SPED file has. */
const reformPurposes = ['5', '6'];

/** Files of the same company and kind, in the order of their periods. */
function groupsOf(books: readonly ComparedBook[]): Map<string, ComparedBook[]> {
  const groups = new Map<string, ComparedBook[]>();
  for (const one of books) {
    const { kind, establishment, company } = one.book;
    const holder = establishment ?? company;
    if (kind === 'cbs_assessment' || holder === undefined) continue;
    const name = groupOf(kind, holder);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return groups;
}

function isBetween(day: string, { book: { from, to } }: ComparedBook): boolean {
  return from !== undefined && to !== undefined && day >= from && day <= to;
}

/** Why a document of a file's month need not stand in a SPED file; undefined where it should. */
function reasonNotToBook(document: KnownDocument, holder: string, { refused }: Sides) {
  const isOwn = document.issuer === holder;
  if (document.isTest) return 'silent';
  if (isVoid(document)) return isOwn ? 'cancelled_not_listed' : 'silent';
  if (reformPurposes.includes(document.purpose)) return 'reform_note';
  const isCarriage = document.kind === 'cte' || document.kind === 'cteos';
  if (!isOwn && isCarriage && document.payer !== holder) return 'not_payer';
  if (!isOwn && !isCarriage && document.recipient !== holder) return 'silent';
  if (!isOwn && refused.has(document.key)) return 'refused_by_recipient';
  return undefined;
}

function ofEfd(
  holder: string,
  books: readonly ComparedBook[],
  met: Met,
  sides: Sides,
  result: Comparison,
): void {
  const seen = met.get(groupOf('efd_icms_ipi', holder)) ?? new Set();
  for (const document of sides.documents) {
    const day = dayOf(document);
    if (document.direction === undefined || document.kind === 'nfse' || seen.has(document)) continue;
    const isOf = [document.issuer, document.recipient, document.payer].includes(holder);
    const month = books.find((one) => isBetween(day, one));
    if (!isOf || month === undefined || !isAsked(sides, day)) continue;
    const reason = reasonNotToBook(document, holder, sides);
    if (reason === 'silent') continue;
    if (reason !== undefined) leaveOut(result, reason);
    else if (!month.book.isWhole) leaveOut(result, 'file_not_whole');
    else {
      const isOwn = document.issuer === holder;
      const next = addDays(month.book.to ?? '', 1);
      const hasNext = books.some(({ book }) => book.isWhole && book.from === next);
      const found: Pick<BookFinding, 'certainty' | 'variant'> = isOwn
        ? { certainty: 'certain', variant: 'own' }
        : { certainty: hasNext ? 'probable' : 'judgement', variant: hasNext ? 'entry' : 'entry_alone' };
      const amounts = { ours: document.total, amount: document.total };
      result.findings.add({ finding: 'missing_in_file', ...found, ...amounts }, () =>
        aboutDocument(month.file, document),
      );
    }
  }
}

/** A list is compared with the documents of its kinds and directions between its first and last day. */
function ofList(
  holder: string,
  { file, book }: ComparedBook,
  met: Met,
  sides: Sides,
  result: Comparison,
): void {
  const seen = met.get(groupOf('list', holder)) ?? new Set();
  const kinds = new Set(book.entries.map(kindOfEntry));
  const directions = new Set(book.entries.map(({ direction }) => direction));
  for (const document of sides.documents) {
    const day = dayOf(document);
    const isOwn = document.issuer === holder;
    const isOther = document.recipient === holder || document.payer === holder;
    if (document.direction === undefined || seen.has(document) || !kinds.has(document.kind)) continue;
    if (!(isOwn ? directions.has('outbound') : isOther && directions.has('inbound'))) continue;
    if (!isBetween(day, { file, book }) || !isAsked(sides, day) || isVoid(document) || document.isTest)
      continue;
    if (!book.isWhole) leaveOut(result, 'file_not_whole');
    else {
      const found = { finding: 'missing_in_file', certainty: 'probable', variant: 'list' } as const;
      const amounts = { ours: document.total, amount: document.total };
      result.findings.add({ ...found, ...amounts }, () => aboutDocument(file, document));
    }
  }
}

/** The last month of PIS and COFINS. */
const CONTRIBUTIONS_UNTIL = '2027-01-01';

/** Finds the documents that should stand in a file and don't. That one is absent from contributions says nothing. */
export function findMissingInFiles(sides: Sides, met: Met, result: Comparison): void {
  for (const [name, books] of groupsOf(sides.books)) {
    const [kind = '', holder = ''] = name.split('|');
    const [first] = books;
    if (kind === 'efd_icms_ipi') ofEfd(holder, books, met, sides, result);
    else if (kind === 'list') for (const one of books) ofList(holder, one, met, sides, result);
    else if (first !== undefined) {
      const root = holder.slice(0, 8);
      const seen = new Set(
        [...met].flatMap(([group, all]) => (group.startsWith(`${kind}|${root}`) ? [...all] : [])),
      );
      for (const document of sides.documents) {
        const day = dayOf(document);
        const isOf = [document.issuer, document.recipient, document.payer].some((id) => id.startsWith(root));
        if (!isOf || day >= CONTRIBUTIONS_UNTIL || !isAsked(sides, day) || seen.has(document)) continue;
        if (books.some((one) => isBetween(day, one)) && !isVoid(document))
          leaveOut(result, 'not_in_contribuicoes');
      }
    }
  }
}
