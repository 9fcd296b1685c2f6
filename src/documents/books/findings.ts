import { addDecimals, compareDecimals, distance, negateDecimal } from '../decimals.ts';
import { grouped } from '../grouped.ts';
import { withoutLeadingZeros } from '../identity/keys.ts';
import type { Facts } from '../problems.ts';
import { type Book, count, type Entry, type KnownDocument, type NotCompared } from './book.ts';

/** All kinds of finding; docs/fiscal/reconcile.md explains each. */
export const bookFindings = [
  ...(['cancelled_but_listed', 'listed_as_cancelled', 'missing_in_file', 'missing_in_documents'] as const),
  ...(['value_differs', 'credit_above_document', 'not_extinguished', 'credit_suspended'] as const),
  ...(['duplicated_in_file', 'invalid_key', 'key_mismatch', 'test_document', 'not_a_party'] as const),
  'other_period',
] as const;

/** `judgement`: right or wrong depending on the company's decisions, which no file shows. */
export const certainties = ['certain', 'probable', 'judgement'] as const;

export type Certainty = (typeof certainties)[number];

/**
 * A difference between a file and the documents. `ours` is the documents' side, `theirs` the file's; `variant` selects
 * the text of findings that have several.
 */
export interface Found extends Facts<'variant field ours theirs difference amount'> {
  readonly finding: (typeof bookFindings)[number];
  readonly certainty: Certainty;
}

export type BookFinding = Found & Readonly<ReturnType<typeof placeOf>>;

/** A file to compare, with its position in the list of files. */
export interface ComparedBook {
  readonly file: number;
  readonly book: Book;
}

/**
 * Both sides of a comparison.
 * - `isComplete`: true if all of a company's documents of a kind and day are known
 * - `refused`: keys of documents that their recipient declared unknown or not carried out
 * - `tolerance_tax`: two cents by default, none in an assessment
 */
export interface Sides extends Facts<'from to tolerance_total tolerance_tax'> {
  readonly books: readonly ComparedBook[];
  readonly documents: readonly KnownDocument[];
  readonly isComplete: (company: string, kind: 'nfe' | 'cte', day: string) => boolean;
  readonly refused: ReadonlySet<string>;
}

/** True for days inside the requested period, and for undated entries. */
export function isAsked({ from, to }: Sides, day: string | undefined): boolean {
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to));
}

/** True if two amounts differ by more than the tolerance. */
export function differ(first: string, second: string, tolerance: string): boolean {
  return first !== second && compareDecimals(distance(first, second), tolerance) > 0;
}

/** Finding for two different amounts: the signed difference (file minus documents) and its absolute value at stake. */
export function valueDiffers(
  field: string,
  ours: string,
  theirs: string,
  certainty: Certainty,
  variant?: string,
): Found {
  const difference = addDecimals([theirs, negateDecimal(ours)]);
  const amount = distance(ours, theirs);
  return { finding: 'value_differs', certainty, variant, field, ours, theirs, difference, amount };
}

export const testDocument: Found = { finding: 'test_document', certainty: 'certain', ours: 'tpAmb 2' };

/** Location of a finding about an entry, its document, or both. */
export function placeOf(file: number, entry?: Entry, document?: KnownDocument) {
  return {
    file,
    line: entry?.line,
    key: entry?.key ?? (document?.key || undefined),
    number: entry?.number ?? document?.number,
    issuer: entry?.issuer ?? document?.issuer,
    issuer_name: document?.issuer_name || entry?.issuer_name,
  };
}

export function isCarriage({ kind }: KnownDocument): boolean {
  return kind === 'cte' || kind === 'cteos';
}

/** Indexes documents by key, and by number and issuer for entries without a key. */
export function indexOf(documents: readonly KnownDocument[]) {
  const byKey = new Map<string | undefined, KnownDocument>();
  for (const document of documents) if (document.key !== '') byKey.set(document.key, document);
  let byNumber: Map<string, KnownDocument[]> | undefined;
  const numbered = (issuer: string, number: string): readonly KnownDocument[] => {
    byNumber ??= grouped(documents, (one) => `${one.issuer}|${withoutLeadingZeros(one.number)}`);
    return byNumber.get(`${issuer}|${number}`) ?? [];
  };
  return { byKey, numbered };
}

export type DocumentIndex = ReturnType<typeof indexOf>;

/** Findings kept per kind and certainty; further ones are only counted and summed. */
const MOST_KEPT = 20_000;

/** Number of findings of one kind and certainty, and the sum at stake. */
export interface FindingGroup extends Pick<Found, 'finding' | 'certainty'> {
  count: number;
  amount: string;
}

/** A supplier with open debits, and the sum of the credits at risk. */
export interface OpenSupplier extends Partial<Pick<BookFinding, 'issuer' | 'issuer_name'>> {
  count: number;
  amount: string;
}

const rankOf = ({ certainty, finding }: FindingGroup) =>
  certainties.indexOf(certainty) * bookFindings.length + bookFindings.indexOf(finding);

function addTo(sums: { count: number; amount: string }, amount: string | undefined): void {
  sums.count++;
  sums.amount = addDecimals([sums.amount, amount]) ?? sums.amount;
}

/** Collects the wanted findings: counts and sums all, keeps the first of each kind. */
function collectFindings(isWanted: (found: Found) => boolean) {
  const groups = new Map<string, FindingGroup & { readonly kept: BookFinding[] }>();
  const suppliers = new Map<string, OpenSupplier>();
  const ranked = () => [...groups.values()].sort((one, other) => rankOf(one) - rankOf(other));
  return {
    add(found: BookFinding): void {
      if (!isWanted(found)) return;
      const { finding, certainty, amount, issuer, issuer_name } = found;
      const name = `${certainty}|${finding}`;
      const group = groups.get(name) ?? { finding, certainty, count: 0, amount: '0.00', kept: [] };
      groups.set(name, group);
      addTo(group, amount);
      if (group.kept.length < MOST_KEPT) group.kept.push(found);
      if (finding !== 'not_extinguished') return;
      const before = suppliers.get(issuer ?? '') ?? { issuer, count: 0, amount: '0.00' };
      const supplier = { ...before, issuer_name: before.issuer_name ?? issuer_name };
      suppliers.set(issuer ?? '', supplier);
      addTo(supplier, amount);
    },
    get total() {
      return ranked().reduce((sum, { count }) => sum + count, 0);
    },
    /** Findings that were kept, certain ones first. */
    sorted: (): readonly BookFinding[] =>
      ranked().flatMap(({ kept }) =>
        kept.sort((one, other) => one.file - other.file || (one.line ?? 0) - (other.line ?? 0)),
      ),
    groups: (): readonly FindingGroup[] => ranked().map(({ kept: _, ...group }) => group),
    /** Suppliers of credits that are not extinguished, largest amount first. */
    suppliers: (): readonly OpenSupplier[] =>
      [...suppliers.values()].sort((one, other) => compareDecimals(other.amount, one.amount)),
  };
}

/** An empty comparison that keeps only wanted findings. */
export function emptyComparison(isWanted: (found: Found) => boolean = () => true) {
  const counts = { entries: 0, byKey: 0, byNumber: 0, agree: 0 };
  return { findings: collectFindings(isWanted), notCompared: new Map<NotCompared, number>(), ...counts };
}

export type Comparison = ReturnType<typeof emptyComparison>;

/** Counts an entry or document that is not compared. */
export function leaveOut({ notCompared }: Comparison, reason: NotCompared): void {
  count(notCompared, reason);
}
