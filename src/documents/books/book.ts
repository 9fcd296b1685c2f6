import { checkAccessKey } from '../identity/keys.ts';
import type { Facts, NamesIn } from '../problems.ts';
import type { DocumentKind } from '../summary/summary.ts';

/** Kinds of document list: a SPED file, the tax authority's assessment of CBS, or any table. */
export const bookKinds = ['efd_icms_ipi', 'efd_contribuicoes', 'cbs_assessment', 'list'] as const;

export type BookKind = (typeof bookKinds)[number];

/** Reasons a file can't be read. */
export type BookProblem =
  | NamesIn<'empty not_a_book ecd_or_ecf efd_without_opening status_answer page spreadsheet_too_old'>
  | NamesIn<'signed_or_packed encoding json_broken both_shapes too_large no_columns zip_damaged'>
  | NamesIn<'not_found unreadable'>;

/** The file is not of the expected format. The message contains nothing from the file. */
export class BookError extends Error {
  override readonly name = 'BookError';
  readonly problem: BookProblem;

  constructor(problem: BookProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** A caveat about a file that qualifies answers based on it; its text is in the catalogue. */
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

/** The number of unreadable lines or values, with the first lines. */
export function unreadIn(lines: readonly number[]): BookNote['values'] {
  return { count: lines.length, lines: [...new Set(lines)].slice(0, MOST_LINES).join(', ') };
}

export const entryAmounts = ['total', 'icms_base', 'icms', 'icms_st', 'ipi', 'pis', 'cofins', 'cbs'] as const;

export type EntryAmount = (typeof entryAmounts)[number];

/**
 * One document as listed in a file. Amounts are decimal text, days `YYYY-MM-DD`; fields missing in the file are absent.
 * - `line`: line number in the file, or position of the record, from 1
 * - `record`: record type of a SPED file (`C100`), list of an assessment (`debitos`), `row` of a table
 * - `holder`: owner of the entry: CNPJ, or CNPJ root in an assessment
 * - `situation`: COD_SIT of a SPED file; in a list, `02` for cancelled and `00` for not cancelled
 * - `month` (`YYYY-MM`), `origin`, `documento`, `changed`: in an assessment, the record's period, kind and last change
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
  /** CFOP and amount, alternating. */
  readonly cfops?: string[];
  readonly credit?: CreditState;
  readonly isCancelled?: boolean;
}

/** State of a credit in an assessment; `open`: not yet appropriable, because the supplier's debit is open. */
export interface CreditState extends Facts<'open suspended unusable expired'> {
  readonly isKnown: boolean;
}

export type NotCompared =
  | NamesIn<'other_model unread_line unread_value without_key adjustment payment cancelled_without_document'>
  | NamesIn<'cancelled_not_listed keys_only not_in_contribuicoes file_not_whole outside_window'>
  | NamesIn<'outside_period refused_by_recipient not_payer reform_note adjusting_note without_cbs'>
  | NamesIn<'state_unknown not_allowed unread_period'>;

/**
 * A parsed file.
 * - `company`: CNPJ, or CNPJ root in an assessment, as given in the file; undefined if it gives none
 * - `isWhole`: the file is complete; only then can a document be missing in it
 * - `isReplacement`: the file declares that it replaces an earlier one
 * - `documents`: total including other parts; undefined if the entries are all
 * - `columns`: of a table, each field with the heading it was read from
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

/** Parses a file from chunks split at any byte. */
export interface BookReader {
  write(bytes: Uint8Array): void;
  end(): Book;
}

/**
 * A document in the archive, without its content. Amounts are decimal text.
 * - `cfops`: CFOP and amount of its items, alternating; an empty CFOP has the part of the total outside the items
 * - `direction`: from the company's point of view; undefined for a document found by its key alone
 */
export interface KnownDocument
  extends Facts<EntryAmount | 'fcp' | 'fcp_st' | 'services' | 'direction'>,
    Required<Facts<'key number issuer issuer_name recipient payer issued_at status purpose'>> {
  readonly kind: DocumentKind;
  readonly isTest: boolean;
  readonly cfops?: readonly string[];
}

/** Partition of documents by the last digits of their numbers: files too large for memory are compared part by part. */
export interface Part {
  readonly at: number;
  readonly of: number;
}

export const wholeFile: Part = { at: 0, of: 1 };

/** True if a document belongs to the part. The number in a valid key takes precedence over `number`, as in lookups. */
export function isInPart({ at, of }: Part, key: string | undefined, number: string | undefined): boolean {
  if (of === 1) return true;
  const isKnownByKey = key?.length === 44 && checkAccessKey(key).ok;
  const digits = isKnownByKey ? key.slice(31, 34) : (number ?? '').replace(/\D/g, '').slice(-3);
  return Number(digits) % of === at;
}

/** Increases the count of a reason. */
export function count<Reason>(counts: Map<Reason, number>, reason: Reason, more = 1): void {
  if (more > 0) counts.set(reason, (counts.get(reason) ?? 0) + more);
}
