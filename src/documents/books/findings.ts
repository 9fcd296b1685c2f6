import { addDecimals, compareDecimals, distance, negateDecimal } from '../decimals.ts';
import { withoutLeadingZeros } from '../identity/keys.ts';
import type { Facts } from '../problems.ts';
import { grouped } from '../rules/facts.ts';
import { type Book, count, type Entry, type KnownDocument, type NotCompared } from './book.ts';

/** Everything that can be found; what each means stands in docs/fiscal/reconcile.md. */
export const bookFindings = [
  ...(['cancelled_but_listed', 'listed_as_cancelled', 'missing_in_file', 'missing_in_documents'] as const),
  ...(['value_differs', 'credit_above_document', 'not_extinguished', 'credit_suspended'] as const),
  ...(['duplicated_in_file', 'invalid_key', 'key_mismatch', 'test_document', 'not_a_party'] as const),
  'other_period',
] as const;

/** `judgement`: a fact that is right or wrong by what the company has decided, which no file says. */
export const certainties = ['certain', 'probable', 'judgement'] as const;

export type Certainty = (typeof certainties)[number];

/**
 * Something that a file and the documents don't agree on. `ours` is the documents' side, `theirs` the file's; `variant`
 * is that of its words, for findings with several.
 */
export interface Found extends Facts<'variant field ours theirs difference amount'> {
  readonly finding: (typeof bookFindings)[number];
  readonly certainty: Certainty;
}

export type BookFinding = Found & Readonly<ReturnType<typeof placeOf>>;

/** A file that is compared, with its place in the list of files. */
export interface ComparedBook {
  readonly file: number;
  readonly book: Book;
}

/**
 * What is compared.
 * - `isComplete`: whether every document of a kind that a company has of a day is known
 * - `refused`: keys of documents that their recipient has declared unknown or not carried out
 * - `tolerance_tax`: by default two cents, and none in an assessment
 */
export interface Sides extends Facts<'from to tolerance_total tolerance_tax'> {
  readonly books: readonly ComparedBook[];
  readonly documents: readonly KnownDocument[];
  readonly isComplete: (company: string, kind: 'nfe' | 'cte', day: string) => boolean;
  readonly refused: ReadonlySet<string>;
}

/** Whether a day is in the part of a period that the call asks for; what has no day is. */
export function isAsked({ from, to }: Sides, day: string | undefined): boolean {
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to));
}

/** Whether two amounts are further apart than is tolerated. */
export function differ(first: string, second: string, tolerance: string): boolean {
  return first !== second && compareDecimals(distance(first, second), tolerance) > 0;
}

/** A finding of two amounts that differ: by how much, with the sign of the file's side, is at stake. */
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

/** Fields of a finding about an entry and its document, of which one may be missing. */
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

/** Finds documents by key, and by number and issuer where an entry has no key. */
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

/** Findings of one kind and certainty that are kept; those beyond are counted and added up. */
const MOST_KEPT = 20_000;

/** Findings of one kind and certainty: how many, and the sum of what is at stake. */
export interface FindingGroup extends Pick<Found, 'finding' | 'certainty'> {
  count: number;
  amount: string;
}

/** A supplier whose debits are open, with the credits at risk. */
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

/** Collects the findings that are wanted: all are counted and added up, and of each kind the first ones kept. */
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
    /** The kept ones, what is certain first. */
    sorted: (): readonly BookFinding[] =>
      ranked().flatMap(({ kept }) =>
        kept.sort((one, other) => one.file - other.file || (one.line ?? 0) - (other.line ?? 0)),
      ),
    groups: (): readonly FindingGroup[] => ranked().map(({ kept: _, ...group }) => group),
    /** Suppliers of credits that are not extinguished, the largest amount first. */
    suppliers: (): readonly OpenSupplier[] =>
      [...suppliers.values()].sort((one, other) => compareDecimals(other.amount, one.amount)),
  };
}

/** A comparison of nothing yet, of whose findings only the wanted ones are kept. */
export function emptyComparison(isWanted: (found: Found) => boolean = () => true) {
  const counts = { entries: 0, byKey: 0, byNumber: 0, agree: 0 };
  return { findings: collectFindings(isWanted), notCompared: new Map<NotCompared, number>(), ...counts };
}

export type Comparison = ReturnType<typeof emptyComparison>;

/** Notes that something was not compared. */
export function leaveOut({ notCompared }: Comparison, reason: NotCompared): void {
  count(notCompared, reason);
}
