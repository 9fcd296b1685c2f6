import {
  type DocumentRoute,
  documentRoute,
  type KeyListing,
  keyOperation,
  type ListingQuestion,
} from '../clients/documents/listings.ts';
import { Unfulfilled } from '../company/failures.ts';

const listings = {
  list_document_keys: (question: ListingQuestion) => keyOperation(question) !== undefined,
  list_documents: (question: ListingQuestion) => documentRoute(question) !== undefined,
  query_documents: (question: ListingQuestion) => documentRoute(question) !== undefined,
} as const;

type Listing = keyof typeof listings;

/** A question as arguments, for error messages. */
function asArguments(tool: Listing, { document, by, direction, approvedOnly }: ListingQuestion): string {
  const parts = [
    `document=${document}`,
    `by=${by}`,
    ...(direction ? [`direction=${direction}`] : []),
    ...(approvedOnly ? ['approved_only=true'] : []),
  ];
  return `${tool} ${parts.join(' ')}`;
}

/** Reachable variants of a question, nearest first: with a direction, without approval, whole documents, by issue. */
function* alternatives(tool: Listing, question: ListingQuestion): Generator<[Listing, ListingQuestion]> {
  for (const by of [question.by, 'issue'] as const) {
    const asked = { ...question, by };
    const directed = { ...asked, direction: asked.direction ?? 'inbound' };
    const any = { approvedOnly: undefined };
    yield [tool, asked];
    yield [tool, directed];
    yield [tool, { ...asked, ...any }];
    yield [tool, { ...directed, ...any }];
    yield ['list_documents', { ...asked, ...any }];
  }
}

function noOperation(tool: Listing, question: ListingQuestion): Unfulfilled {
  for (const [other, alternative] of alternatives(tool, question)) {
    if (!listings[other](alternative)) continue;
    return new Unfulfilled('failure.no_operation', {
      what: asArguments(tool, question),
      nearest: asArguments(other, alternative),
    });
  }
  throw new Error(`no listing is near ${asArguments(tool, question)}`);
}

/** @throws Unfulfilled naming the nearest available question */
export function keyOperationFor(question: ListingQuestion): KeyListing {
  const name = keyOperation(question);
  if (name === undefined) throw noOperation('list_document_keys', question);
  return name;
}

/** The operation for whole documents. @throws Unfulfilled naming the nearest available question */
export function documentRouteFor(
  question: ListingQuestion,
  tool: 'list_documents' | 'query_documents' = 'list_documents',
): DocumentRoute {
  const route = documentRoute(question);
  if (route === undefined) throw noOperation(tool, question);
  return route;
}

/** @throws Unfulfilled if the service has no listing for one of the kinds */
export function checkRoutes({
  document: areas,
  by,
}: {
  readonly document: readonly ListingQuestion['document'][];
  readonly by: ListingQuestion['by'];
}): void {
  for (const document of areas) documentRouteFor({ document, by }, 'query_documents');
}
