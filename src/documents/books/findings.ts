import { addDecimals, compareDecimals, negateDecimal } from '../decimals.ts';
import type { Book, Entry, KnownDocument } from './book.ts';

/** Everything that can be found; what each means stands in docs/fiscal/reconcile.md. */
export const bookFindings = [
  'cancelled_but_listed',
  'listed_as_cancelled',
  'missing_in_file',
  'missing_in_documents',
  'value_differs',
  'credit_above_document',
  'not_extinguished',
  'credit_suspended',
  'duplicated_in_file',
  'invalid_key',
  'key_mismatch',
  'test_document',
  'not_a_party',
  'other_period',
] as const;

export type BookFindingName = (typeof bookFindings)[number];

/** `judgement`: a fact that is right or wrong by what the company has decided, which no file says. */
export const certainties = ['certain', 'probable', 'judgement'] as const;

export type Certainty = (typeof certainties)[number];

/** Something that a file and the documents don't agree on. `ours` is the documents' side, `theirs` the file's. */
export interface BookFinding {
  readonly finding: BookFindingName;
  readonly certainty: Certainty;
  /** Which words say it, where the finding has several. */
  readonly variant?: string | undefined;
  /** Place of the file in the list of files. */
  readonly file: number;
  readonly line?: number | undefined;
  readonly key?: string | undefined;
  readonly number?: string | undefined;
  readonly issuer?: string | undefined;
  readonly issuer_name?: string | undefined;
  readonly field?: string | undefined;
  readonly ours?: string | undefined;
  readonly theirs?: string | undefined;
  readonly difference?: string | undefined;
  readonly amount?: string | undefined;
}

/** Where a finding stands: file and line, document and issuer. */
export type FindingPlace = Pick<BookFinding, 'file' | 'line' | 'key' | 'number' | 'issuer' | 'issuer_name'>;

/** A finding without its place. */
export type Found = Omit<BookFinding, keyof FindingPlace>;

/** A file that is compared, with its place in the list of files. */
export interface ComparedBook {
  readonly file: number;
  readonly book: Book;
}

/** Both sides of a comparison. */
export interface Sides {
  readonly books: readonly ComparedBook[];
  readonly documents: readonly KnownDocument[];
  /** Whether every document of a kind that a company has of a day is known. */
  readonly isComplete: (company: string, kind: 'nfe' | 'cte', day: string) => boolean;
  /** Keys of documents that their recipient has declared unknown or not carried out. */
  readonly refused: ReadonlySet<string>;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly toleranceTotal: string;
  readonly toleranceTax: string;
  /** Of an assessment, which is compared to the cent unless the call says otherwise. */
  readonly toleranceCbs: string;
}

/** The difference without its sign. */
export function distance(first: string, second: string): string {
  const difference = addDecimals([first, negateDecimal(second)]) ?? '0.00';
  return difference.startsWith('-') ? difference.slice(1) : difference;
}

/** Whether two amounts are further apart than is tolerated. */
export function differ(first: string, second: string, tolerance: string): boolean {
  return first !== second && compareDecimals(distance(first, second), tolerance) > 0;
}

/** The sign-bearing difference of the file's amount from the documents'. */
export function differenceOf(ours: string, theirs: string): string | undefined {
  return addDecimals([theirs, negateDecimal(ours)]);
}

/** What a finding says of the entry it is about, and of its document where that is known. */
export function aboutEntry(file: number, entry: Entry, document?: KnownDocument): FindingPlace {
  return {
    file,
    line: entry.line,
    key: entry.key ?? (document?.key || undefined),
    number: entry.number ?? document?.number,
    issuer: entry.issuer ?? document?.issuer,
    issuer_name: document?.issuer_name || entry.issuer_name,
  };
}

/** What a finding says of a document that no file has. */
export function aboutDocument(file: number, document: KnownDocument): FindingPlace {
  const { key, number, issuer, issuer_name } = document;
  return { file, key: key || undefined, number, issuer, issuer_name: issuer_name || undefined };
}

/** A document that has no effect. */
export function isVoid({ status }: Pick<KnownDocument, 'status'>): boolean {
  return status === 'cancelled' || status === 'denied';
}

/** Finds documents by key, and by number and issuer where an entry has no key. */
export function indexOf(documents: readonly KnownDocument[]) {
  const byKey = new Map<string, KnownDocument>();
  for (const document of documents) if (document.key !== '') byKey.set(document.key, document);
  let byNumber: Map<string, KnownDocument[]> | undefined;
  const numbered = (issuer: string, number: string): readonly KnownDocument[] => {
    if (byNumber === undefined) {
      byNumber = new Map();
      for (const document of documents) {
        const name = `${document.issuer}|${document.number.replace(/^0+(?=.)/, '')}`;
        const others = byNumber.get(name);
        if (others === undefined) byNumber.set(name, [document]);
        else others.push(document);
      }
    }
    return byNumber.get(`${issuer}|${number}`) ?? [];
  };
  return { byKey, numbered };
}

export type DocumentIndex = ReturnType<typeof indexOf>;
