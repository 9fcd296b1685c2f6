import type { DocumentArea } from '../archive/references.ts';
import type { OperationOf } from '../clients/tax-documents/operations.ts';
import type { Direction } from '../clients/tax-documents/wire-formats.ts';
import { Unfulfilled } from './failure.ts';

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

/** Listings of keys. Source: DESIGN section 3, the tool table. */
const keyOperations: Readonly<Record<string, OperationOf<'keys'>>> = {
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

/** How the question reads as arguments, for an error that points at what works. */
function asArguments(tool: string, { document, by, direction, approvedOnly }: ListingQuestion): string {
  const parts = [
    `document=${document}`,
    `by=${by}`,
    ...(direction ? [`direction=${direction}`] : []),
    ...(approvedOnly ? ['approved_only=true'] : []),
  ];
  return `${tool} ${parts.join(' ')}`;
}

/** The question changed as little as possible, in the order in which a person would rather give things up. */
function* alternatives(question: ListingQuestion): Generator<ListingQuestion> {
  const without = { ...question, approvedOnly: undefined };
  yield { ...question, direction: question.direction ?? 'inbound' };
  yield without;
  yield { ...question, by: 'issue' };
  yield { ...question, by: 'issue', direction: question.direction ?? 'inbound' };
  yield { ...without, by: 'issue' };
  yield { ...without, direction: undefined };
  yield { ...without, by: 'issue', direction: 'inbound' };
}

function nearest(
  tool: string,
  table: Readonly<Record<string, unknown>>,
  question: ListingQuestion,
): string | undefined {
  for (const alternative of alternatives(question)) {
    if (questionKey(alternative) in table) return asArguments(tool, alternative);
  }
  return undefined;
}

function noOperation(tool: string, question: ListingQuestion): Unfulfilled {
  const other = { ...question, approvedOnly: undefined };
  const isInOther = tool === 'list_document_keys' && questionKey(other) in documentOperations;
  const tables = { list_document_keys: keyOperations, list_documents: documentOperations };
  const own = nearest(tool, tables[tool as keyof typeof tables], question);
  return new Unfulfilled('failure.no_operation', {
    what: asArguments(tool, question),
    nearest: isInOther
      ? asArguments('list_documents', other)
      : (own ?? asArguments(tool, { ...other, by: 'issue' })),
  });
}

/** @throws Unfulfilled naming the nearest question that has an operation */
export function keyOperationFor(question: ListingQuestion): OperationOf<'keys'> {
  const name = keyOperations[questionKey(question)];
  if (name === undefined) throw noOperation('list_document_keys', question);
  return name;
}

/** How a listing of documents is asked: one operation, both directions merged, or divided here afterwards. */
export interface DocumentRoute {
  readonly operation: OperationOf<'documents'>;
  /** The directions asked one after the other; `undefined` for an operation that takes none. */
  readonly directions: readonly (Direction | undefined)[];
  /** The direction that is picked out of the reply, because the operation takes none. */
  readonly divideBy: Direction | undefined;
}

/** @throws Unfulfilled naming the nearest question that has an operation */
export function documentRouteFor(question: ListingQuestion): DocumentRoute {
  const { document, by, direction } = question;
  if (document === 'nfse' && direction !== undefined) {
    return { ...documentRouteFor({ ...question, direction: undefined }), divideBy: direction };
  }
  if (document === 'nfe' && by === 'entry' && direction === undefined) {
    return {
      operation: 'nfeListByEntryAndDirection',
      directions: ['inbound', 'outbound'],
      divideBy: undefined,
    };
  }
  const operation = documentOperations[questionKey(question)];
  if (operation === undefined) throw noOperation('list_documents', question);
  return { operation, directions: [direction], divideBy: undefined };
}
