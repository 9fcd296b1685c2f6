import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { StoredDocument } from '../archive/archive.ts';
import { firstOfEachDay } from '../archive/fetch/cover.ts';
import { type DocumentReference, referenceOf } from '../archive/references.ts';
import type { Listed, RememberedList } from '../archive/remember/listings.ts';
import type { DocumentRoute } from '../clients/documents/listings.ts';
import type { Direction } from '../clients/documents/operations.ts';
import { operationLabel } from '../clients/documents/operations.ts';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments, Unfulfilled } from '../company/failures.ts';
import { kindName } from '../documents/summary/summary.ts';
import { oneLine } from '../documents/untrusted.ts';
import { answerHoldings, holdingShape } from './holdings.ts';
import {
  type ListLine,
  lineShape,
  linked,
  listHeading,
  listLine,
  noteListed,
  severalContents,
  writeListLine,
} from './list-line.ts';
import { documentRouteFor } from './routes.ts';
import {
  areFilesAlone,
  filesSentences,
  type Missing,
  missingOutput,
  missingSentences,
  missingShape,
  nothingAsked,
  readUserFiles,
  unseenDays,
} from './shared/basis.ts';
import { readTool } from './shared/definition.ts';
import { knownFrom, knownFromSentences, knownFromShape } from './shared/known-from.ts';
import { leftOutSentences } from './shared/left-out.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  type FilesPage,
  listFromFiles,
  replyWarnings,
} from './shared/listing.ts';
import {
  jointMemory,
  type MemoryState,
  memoryOutput,
  memorySentences,
  unknownDocuments,
  unlessEmpty,
} from './shared/memory-output.ts';
import { cursorTo, linesThatFit, type Place, readPlace } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { daysToComeSentences, periodOf, writeMoment } from './shared/period.ts';
import { companyAsked } from './shared/question.ts';
import { turnOfYearSentences } from './shared/turn-of-year.ts';

interface Wanted {
  readonly route: DocumentRoute;
  readonly direction: Direction | undefined;
  readonly asked: Listed;
  readonly place: Place;
  readonly size: number;
  readonly refresh: boolean | undefined;
}

/** A page of a list, and the state of the whole. */
interface ListPage extends MemoryState {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
  /** Days that could not be fetched now; the list has what was stored of them. */
  readonly missing: readonly Missing[];
  readonly files?: FilesPage | undefined;
}

/** More than any list has. */
const ALL = 1_000_000;

/** Identity of a document; unique for one with neither key nor number. */
function identityOf({ summary }: StoredDocument, place: number): string {
  const { kind, key, number, issued_at, issuer, event, verification_code } = summary;
  if (key === undefined && number === undefined) return `#${place}`;
  const parts = [kind, key, number, issued_at, issuer?.id, event?.code, event?.sequence, verification_code];
  return parts.join('|');
}

/** A page of the service's list. @throws Unfulfilled when the list has changed since the previous page */
async function pageOfService(wanted: Wanted, context: CallContext): Promise<ListPage> {
  const { route, asked, place, size, refresh = false } = wanted;
  const { caller: signal, company, translator } = context;
  const { offset, asOf } = place;
  const isOne = route.directions.length === 1 && route.divideBy === undefined;
  const page = isOne ? { limit: size, offset } : { limit: ALL, offset: 0 };
  const goesOn = asOf !== undefined;
  const patience = AbortSignal.timeout(Math.max(1, context.deadline.fetchBy - Date.now()));
  const onArrival = (arrived: number): void => {
    void context.progress(arrived, arrived, translator.say('cover.arrived', { arrived }));
  };
  const recall = { signal, patience, refresh: refresh && !goesOn, goesOn, onArrival, ...page };
  const lists: RememberedList[] = [];
  for (const direction of route.directions) {
    lists.push(await company.memory.list(asked, route.operation, direction, recall));
  }
  const isRefreshed = refresh && lists.every(({ missing }) => missing.length === 0);
  const state = jointMemory(lists, isRefreshed);
  const listed = lists.reduce((sum, list) => sum + list.total, 0);
  if (goesOn && (state.as_of !== asOf || (place.total ?? listed) > listed)) {
    throw new Unfulfilled('failure.list_changed');
  }
  const all = lists.flatMap(({ lines }) => lines);
  const unique = isOne ? all : [...new Map(all.map((one, at) => [identityOf(one, at), one])).values()];
  const repeated = lists.reduce((sum, list) => sum + list.repeated, all.length - unique.length);
  const divided = route.divideBy && divide(unique, route.divideBy, asked.company, context);
  const documents = divided?.documents ?? unique;
  const missing = firstOfEachDay(lists.flatMap((list) => list.missing));
  const leftOut = lists.flatMap((list) => list.leftOut);
  return {
    ...state,
    missing: missingOutput(asked.area, missing, translator),
    documents: isOne ? documents : documents.slice(offset, offset + size),
    total: isOne ? listed : documents.length,
    assumptions: [
      ...(repeated > 0 ? [translator.say('assumption.repeated', { repeated })] : []),
      ...leftOutSentences(leftOut, context),
      ...(divided?.assumptions ?? []),
    ],
    warnings: [
      ...lists.flatMap(({ warnings }) => replyWarnings(warnings, translator)),
      ...(divided?.warnings ?? []),
    ],
  };
}

/** A page of the service's list, followed by documents found only in the user's files, which are read first. */
async function pageOf(wanted: Wanted, context: CallContext): Promise<ListPage> {
  const { asked, direction, place, size, refresh = false } = wanted;
  const isAlone = await areFilesAlone(asked, context);
  const halfTime = (Date.now() + context.deadline.fetchBy) / 2;
  const until = isAlone ? context.deadline.fetchBy : halfTime;
  const basis =
    asked.by === 'issue' ? await readUserFiles(asked.company, context, { refresh, until }) : undefined;
  const page: ListPage = isAlone
    ? { ...nothingAsked, isRefreshed: refresh, documents: [], total: 0, assumptions: [], warnings: [] }
    : await pageOfService(wanted, context);
  if (basis === undefined) return page;
  const offset = Math.max(0, place.offset - page.total);
  const room = size - page.documents.length;
  const question = { asked, direction, besideService: !isAlone, limit: Math.max(1, room), offset };
  const files = await listFromFiles(question, basis, context);
  if (isAlone && (place.total ?? 0) > files.total) throw new Unfulfilled('failure.list_changed');
  const days = { document: asked.area, from: asked.from.date, to: asked.to.date };
  return {
    ...page,
    documents: [...page.documents, ...files.documents.slice(0, room)],
    total: page.total + files.total,
    missing: [...page.missing, ...unseenDays(files.basis, days, context)],
    assumptions: [...page.assumptions, ...(isAlone ? leftOutSentences(files.leftOut, context) : [])],
    files,
  };
}

/** Selects a direction of NFS-e from a list with both: the company as provider, or as service recipient. */
function divide(
  documents: readonly StoredDocument[],
  direction: Direction,
  company: string,
  { translator }: CallContext,
) {
  const isOf = (side: 'issuer' | 'recipient') => (one: StoredDocument) => one.summary[side]?.id === company;
  const [wanted, other] =
    direction === 'outbound' ? (['issuer', 'recipient'] as const) : (['recipient', 'issuer'] as const);
  const kept = documents.filter((one) => isOf(wanted)(one) || !isOf(other)(one));
  const unclear = kept.filter((one) => !isOf(wanted)(one)).length;
  const left_out = documents.length - kept.length;
  const role = translator.say(`role.${wanted}`);
  return {
    documents: kept,
    assumptions: [translator.say('assumption.nfse_direction', { company, role, left_out })],
    warnings: unclear === 0 ? [] : [translator.say('warning.neither_party', { count: unclear })],
  };
}

/** Reference of a document; for a summary (resNFe) in files only if the service has the whole. */
function wholeReferenceOf(
  { summary }: StoredDocument,
  { company }: CallContext,
): DocumentReference | undefined {
  return summary.kind === 'summary' && !company.hasService ? undefined : referenceOf(summary);
}

function linkTo({ kind, number, key, uri }: ListLine): ContentBlock[] {
  if (uri === undefined) return [];
  const name = oneLine(`${kindName(kind)} ${number ?? key ?? ''}`);
  return [{ type: 'resource_link', uri, name, mimeType: 'application/json' }];
}

const shownColumns = [
  'kind',
  'number',
  'date',
  'issuer_id,issuer',
  'recipient_id,recipient',
  'total',
  'status',
  'key',
] as const;

export const listDocuments = readTool({
  name: 'list_documents',
  group: 'documents',
  description:
    'List the documents of a period with number, date, issuer, recipient, total and status. Without dates: what is there.',
  input: () =>
    z.strictObject({
      document: shared.document().optional(),
      cnpj: shared.holder(),
      from: shared.from().optional(),
      to: shared.to(),
      by: shared.by(),
      direction: shared.direction().optional(),
      limit: limit(50, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: () =>
    z.object({
      ...coverageShape(),
      complete: z.boolean(),
      missing: missingShape(),
      known_from: knownFromShape(),
      documents: z.array(lineShape()),
      holdings: z.array(holdingShape()).optional(),
    }),
  async run({ limit: size, cursor, refresh, ...given }, context) {
    const { translator } = context;
    const { document, from } = given;
    if (from === undefined && given.to === undefined)
      return answerHoldings({ ...given, limit: size, cursor, refresh }, context);
    if (document === undefined || from === undefined) {
      const argument = document === undefined ? 'document' : 'from';
      throw new BadArguments([translator.say('argument.missing', { argument })]);
    }
    const args = { ...given, document, from };
    const route = documentRouteFor(args);
    const company = await companyAsked(args, context);
    const period = periodOf(args, context);
    const query = { tool: 'list_documents', ...args, company };
    const place = await readPlace(cursor, query, context);
    const asked = { company, area: args.document, by: args.by, ...period };
    const page = await pageOf({ route, direction: args.direction, asked, place, size, refresh }, context);
    const { total } = page;
    const days = { from: period.from.date, to: period.to.date };
    const firstDay = await context.company.openedArchive()?.firstDay(asked);
    const known = { company, from: days.from, firstDay };
    const all = page.documents.map((one, at) =>
      linked(listLine(one, company, context), wholeReferenceOf(one, context), at),
    );
    const lines = linesThatFit(
      [],
      all.map((one) => writeListLine(one, shownColumns, company)),
    );
    const shown = all.slice(0, lines.length);
    for (const one of page.documents.slice(0, lines.length)) noteListed(one, context);
    const next = place.offset + shown.length;
    const goesOn = { offset: next, total: page.files === undefined ? total : undefined, asOf: page.as_of };
    const isAlone = page.files?.basis.isAlone === true;
    const isReading = page.files?.basis.state.isReading === true;
    const coverage: Coverage = {
      operation: isAlone ? FILES : operationLabel(route.operation),
      company,
      from: writeMoment(period.from),
      to: writeMoment(period.to),
      total,
      shown: shown.length,
      next_cursor: next < total || isReading ? await cursorTo(goesOn, query) : undefined,
      assumptions: [
        ...(isAlone ? [] : [dateAssumption(context)]),
        ...(route.directions.length > 1 && !isAlone ? [translator.say('assumption.both_directions')] : []),
        ...page.assumptions,
      ],
      warnings: [...page.warnings, ...severalContents(page.documents, translator)],
    };
    const opening = [
      ...describeCoverage(
        coverage,
        kindName(args.document),
        translator,
        !isAlone && page.missing.length + page.unreadable.length === 0,
      ),
      ...filesSentences(page.files?.basis, company, total, context),
      ...memorySentences(page, context),
      ...knownFromSentences(known, total, context),
      ...daysToComeSentences(days, context),
      ...(total === 0 ? [] : turnOfYearSentences({ area: asked.area, ...days }, context)),
      ...missingSentences(page.missing, false, translator),
    ];
    const heading = listHeading(shown, shownColumns, company, context);
    return {
      structured: {
        ...coverageOutput(coverage),
        ...memoryOutput(page, context),
        complete:
          page.missing.length === 0 &&
          unknownDocuments(page.unreadable).length === 0 &&
          !isAlone &&
          !isReading,
        missing: unlessEmpty(page.missing),
        known_from: knownFrom(known),
        documents: shown,
      },
      text: lines.length === 0 ? opening : [...opening, ...heading, ...lines],
      attachments: shown.flatMap(linkTo),
    };
  },
});
