import type { DocumentArea } from '../../documents/days.ts';
import type { Direction, OperationOf } from './operations.ts';

/** Which date a listing goes by; `period` is the service's own listing without a suffix. */
export type DateField = 'issue' | 'entry' | 'period';

/** What decides which operation answers a listing. */
export interface ListingQuestion {
  readonly document: DocumentArea;
  readonly by: DateField;
  readonly direction?: Direction | undefined;
  readonly approvedOnly?: boolean | undefined;
}

/** `nfse entry direction approved` and the like: the question in words, as the tables below are keyed. */
function questionKey({ document, by, direction, approvedOnly }: ListingQuestion): string {
  return [document, by, ...(direction ? ['direction'] : []), ...(approvedOnly ? ['approved'] : [])].join(' ');
}

/** An operation that lists keys. */
export type KeyListing = OperationOf<'access_keys' | 'service_keys'>;

/** Listings of keys. Source: docs/tools.md. */
const keyOperations: Readonly<Record<string, KeyListing>> = {
  'nfe issue': 'nfeKeysByIssue',
  'nfe entry': 'nfeKeysByEntry',
  'nfe period': 'nfeKeys',
  'nfse issue direction': 'nfseKeysByIssue',
  'nfse entry direction': 'nfseKeysByEntry',
  'nfse issue direction approved': 'nfseApprovedKeysByIssue',
  'nfse entry direction approved': 'nfseApprovedKeysByEntry',
  'cte issue direction': 'cteKeysByDirection',
};

/** Listings of whole documents. */
const documentOperations: Readonly<Record<string, OperationOf<'documents'>>> = {
  'nfe issue': 'nfeListByIssue',
  'nfe period': 'nfeList',
  'nfe issue direction': 'nfeListByIssueAndDirection',
  'nfe entry direction': 'nfeListByEntryAndDirection',
  'nfse issue': 'nfseListByIssue',
  'nfse entry': 'nfseListByEntry',
  'cte issue': 'cteListByIssue',
  'cte entry': 'cteListByEntry',
  'cte issue direction': 'cteListByIssueAndDirection',
  'cte entry direction': 'cteListByEntryAndDirection',
};

/** The route of a listing: one operation, both directions merged, or divided here afterwards. */
export interface DocumentRoute {
  readonly operation: OperationOf<'documents'>;
  /** The directions asked one after the other; `undefined` for an operation that takes none. */
  readonly directions: readonly (Direction | undefined)[];
  /** The direction that is picked out of the reply, because the operation takes none. */
  readonly divideBy: Direction | undefined;
}

/** The route of a listing; undefined where the service has no operation for it. */
export function documentRoute(question: ListingQuestion): DocumentRoute | undefined {
  const { document, by, direction } = question;
  const isMerged = document === 'nfe' && by === 'entry' && direction === undefined;
  const divideBy = document === 'nfse' ? direction : undefined;
  const directions = isMerged ? (['inbound', 'outbound'] as const) : [divideBy ? undefined : direction];
  const operation = documentOperations[questionKey({ ...question, direction: directions[0] })];
  return operation && { operation, directions, divideBy };
}

/** The operation that lists keys so, or undefined where the service has none. */
export function keyOperation(question: ListingQuestion): KeyListing | undefined {
  return keyOperations[questionKey(question)];
}
