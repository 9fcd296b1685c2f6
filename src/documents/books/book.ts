import { checkAccessKey } from '../identity/keys.ts';
import type { Facts, NamesIn } from '../problems.ts';
import type { DocumentKind } from '../summary/summary.ts';

/** What a list of documents is: a SPED file, the tax authority's assessment of CBS, or any table. */
export const bookKinds = ['efd_icms_ipi', 'efd_contribuicoes', 'cbs_assessment', 'list'] as const;

export type BookKind = (typeof bookKinds)[number];

/** Why a file can't be read. */
export type BookProblem =
  | NamesIn<'empty not_a_book ecd_or_ecf efd_without_opening status_answer page spreadsheet_too_old'>
  | NamesIn<'signed_or_packed encoding json_broken both_shapes too_large no_columns zip_damaged'>
  | NamesIn<'not_found unreadable'>;

/** A file that can't be read as what it was taken for. The message holds nothing of the file. */
export class BookError extends Error {
  override readonly name = 'BookError';
  readonly problem: BookProblem;

  constructor(problem: BookProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** What a reader must know of a file before believing an answer that rests on it; the words are in the catalogue. */
export interface BookNote {
  readonly code:
    | NamesIn<'truncated lines_differ signed unread_lines unknown_layout no_real_file partly_verified'>
    | NamesIn<'no_records unread_periods unknown_fields unknown_origins one_window payments columns'>
    | NamesIn<'ruined_keys dropped_rows unread_values consolidated too_many_entries'>;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The notes whose condition holds. */
export function notesThatApply(
  ...notes: readonly (readonly [code: BookNote['code'], applies: boolean, values?: BookNote['values']])[]
): BookNote[] {
  return notes.flatMap(([code, applies, values]) => (applies ? { code, values } : []));
}

const MOST_LINES = 5;

/** How many lines or values could not be read, with the first lines. */
export function unreadIn(lines: readonly number[]): BookNote['values'] {
  return { count: lines.length, lines: [...new Set(lines)].slice(0, MOST_LINES).join(', ') };
}

export const entryAmounts = ['total', 'icms_base', 'icms', 'icms_st', 'ipi', 'pis', 'cofins', 'cbs'] as const;

export type EntryAmount = (typeof entryAmounts)[number];

/**
 * One document as a file lists it. Amounts are decimal text, days `YYYY-MM-DD`; what the file does not say is absent.
 * - `line`: of the file, or the place of the record in it, from 1
 * - `record`: of a SPED file (`C100`), list of an assessment (`debitos`), `row` of a table
 * - `holder`: whose entry it is: CNPJ, or root in an assessment
 * - `situation`: COD_SIT of a SPED file; `02` where a list says that the document is cancelled, `00` that it is not
 * - `month` (`YYYY-MM`), `origin`, `documento`, `changed`: of an assessment, where the record counts, its kind and when it
 *   last changed
 */
export interface Entry
  extends Facts<'model situation series number key issuer issuer_name state day moved'>,
    Facts<'month origin documento changed'>,
    Facts<(typeof entryAmounts)[number]> {
  readonly line: number;
  readonly record: string;
  readonly holder: string;
  readonly direction?: 'inbound' | 'outbound';
  readonly isOwn?: boolean;
  /** CFOP and amount by turns. */
  readonly cfops?: string[];
  readonly credit?: CreditState;
  readonly isCancelled?: boolean;
}

/** What an assessment says of a credit besides its amount; `open`: to be appropriated, as the supplier's debit is open. */
export interface CreditState extends Facts<'open suspended unusable expired'> {
  readonly isKnown: boolean;
}

export type NotCompared =
  | NamesIn<'other_model unread_line unread_value without_key adjustment payment cancelled_without_document'>
  | NamesIn<'cancelled_not_listed keys_only not_in_contribuicoes file_not_whole outside_window'>
  | NamesIn<'outside_period refused_by_recipient not_payer reform_note adjusting_note without_cbs'>
  | NamesIn<'state_unknown not_allowed unread_period'>;

/**
 * A file as it was read.
 * - `company`: CNPJ, or root in an assessment, as the file names it; undefined where it names none
 * - `isWhole`: it ends where it says it ends: only then something can be missing in it
 * - `isReplacement`: it says that it takes the place of another one
 * - `documents`: in all, also those of other parts; undefined where the entries are all
 * - `columns`: of a table, its heading by the field that it was read as
 */
export interface Book extends Facts<'company establishment from to generatedAt'> {
  readonly kind: BookKind;
  readonly layout: string;
  readonly isWhole: boolean;
  readonly isReplacement: boolean;
  readonly notes: readonly BookNote[];
  readonly entries: readonly Entry[];
  readonly documents?: number;
  readonly notCompared: ReadonlyMap<NotCompared, number>;
  readonly columns?: Readonly<Record<string, string>>;
}

/** Takes the bytes of a file, in pieces cut anywhere. */
export interface BookReader {
  write(bytes: Uint8Array): void;
  end(): Book;
}

/**
 * A document as the archive knows it, without its content. Amounts are decimal text.
 * - `cfops`: CFOP and amount of its items by turns; an empty CFOP has what of the total is no item's
 * - `direction`: as the company sees it; undefined for a document found by its key alone
 */
export interface KnownDocument
  extends Facts<EntryAmount | 'fcp' | 'fcp_st' | 'services' | 'direction'>,
    Required<Facts<'key number issuer issuer_name recipient payer issued_at status purpose'>> {
  readonly kind: DocumentKind;
  readonly isTest: boolean;
  readonly cfops?: readonly string[];
}

/** Documents by the last digits of their numbers: a file too large to be held is compared part by part. */
export interface Part {
  readonly at: number;
  readonly of: number;
}

export const wholeFile: Part = { at: 0, of: 1 };

/** Whether a document is in a part: by the number in its key where that is valid, as it is looked for, else by its own. */
export function isInPart({ at, of }: Part, key: string | undefined, number: string | undefined): boolean {
  if (of === 1) return true;
  const isKnownByKey = key?.length === 44 && checkAccessKey(key).ok;
  const digits = isKnownByKey ? key.slice(31, 34) : (number ?? '').replace(/\D/g, '').slice(-3);
  return Number(digits) % of === at;
}

/** Adds to a count by reason. */
export function count<Reason>(counts: Map<Reason, number>, reason: Reason, more = 1): void {
  if (more > 0) counts.set(reason, (counts.get(reason) ?? 0) + more);
}
