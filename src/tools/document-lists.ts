import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Selection, StoredDocument } from '../archive/archive.ts';
import { firstOfEachDay } from '../archive/fetch/cover.ts';
import { everyStatus, mimeTypes, referenceOf } from '../archive/references.ts';
import { listKnown, type RememberedList } from '../archive/remember/listings.ts';
import type { DocumentRoute } from '../clients/documents/listings.ts';
import { type Direction, operationLabel } from '../clients/documents/operations.ts';
import type { CallContext } from '../company/call-context.ts';
import { Unfulfilled } from '../company/failures.ts';
import { daysWith } from '../documents/days.ts';
import { kindName } from '../documents/summary/summary.ts';
import { oneLine } from '../documents/untrusted.ts';
import { answerHoldings, holdingShape } from './holdings.ts';
import { missing } from './shared/arguments.ts';
import {
  basisShape,
  isComplete,
  knownFrom,
  leftOutSentences,
  memoryOutput,
  stateSentences,
  unlessEmpty,
} from './shared/basis.ts';
import { readTool, sentences } from './shared/definition.ts';
import {
  areFilesAlone,
  basisOf,
  type Fetched,
  jointMemory,
  missingOutput,
  nothingFetched,
  readUserFiles,
  unseenDays,
} from './shared/fetching.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  lineShape,
  linked,
  listHeading,
  listLine,
  noteListed,
  periodAsked,
  replyWarnings,
  severalContents,
  writeListLine,
} from './shared/listing.ts';
import { cursorAfter, linesThatFit, type Place, readPlace } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { turnOfYearSentences } from './shared/period.ts';
import { listingFor } from './shared/question.ts';

interface Wanted {
  /** In moments. */
  readonly asked: Selection;
  readonly route: DocumentRoute;
  readonly place: Place;
  readonly size: number;
  readonly refresh: boolean;
}

/** A page of a list, and the state of the whole list. Days that could not be fetched show stored documents. */
interface ListPage extends Pick<Coverage, 'total' | 'assumptions' | 'warnings'> {
  readonly state: Fetched;
  readonly documents: readonly StoredDocument[];
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
  const { asked, route, place, size, refresh } = wanted;
  const { operation } = route;
  const { caller: signal, company, translator, deadline } = context;
  const { offset, asOf } = place;
  // Merging or dividing needs whole lists.
  const isWhole = route.directions.length > 1 || route.divideBy !== undefined;
  const goesOn = asOf !== undefined;
  const recall = {
    ...{ signal, goesOn, refresh: refresh && !goesOn },
    patience: AbortSignal.timeout(Math.max(1, deadline.fetchBy - Date.now())),
    onArrival(arrived: number) {
      void context.progress(arrived, arrived, translator.say('cover.arrived', { arrived }));
    },
    ...(isWhole ? { limit: ALL, offset: 0 } : { limit: size, offset }),
  };
  const lists: RememberedList[] = [];
  for (const direction of route.directions)
    lists.push(await company.memory.list({ ...asked, operation, direction }, recall));
  const memory = jointMemory(lists);
  const listed = lists.reduce((sum, list) => sum + list.total, 0);
  if (goesOn && memory.as_of !== asOf) throw new Unfulfilled('failure.list_changed');
  const all = lists.flatMap(({ lines }) => lines);
  const unique = isWhole ? [...new Map(all.map((one, at) => [identityOf(one, at), one])).values()] : all;
  const repeated = lists.reduce((sum, list) => sum + list.repeated, all.length - unique.length);
  const { documents, assumption, warning } = divide(unique, route.divideBy, asked.company, context);
  const lacking = lists.flatMap((list) => list.missing);
  const leftOut = lists.flatMap((list) => list.leftOut);
  // The list's state names unreadable documents, also of earlier replies.
  const warned = lists.flatMap(({ warnings }) => warnings).filter(({ code }) => code !== 'unreadable');
  return {
    state: {
      ...nothingFetched,
      ...memory,
      isRefreshed: refresh && lacking.length === 0,
      missing: missingOutput(asked.area, firstOfEachDay(lacking), context),
    },
    documents: isWhole ? documents.slice(offset, offset + size) : documents,
    total: isWhole ? documents.length : listed,
    assumptions: sentences(
      repeated > 0 && translator.say('assumption.repeated', { repeated }),
      leftOutSentences(leftOut, context),
      assumption,
    ),
    warnings: sentences(replyWarnings(warned, translator), warning),
  };
}

/** A page of the service's list, followed by documents found only in the user's files, which are read first. */
async function pageOf(wanted: Wanted, isAlone: boolean, context: CallContext): Promise<ListPage> {
  const { asked, place, size, refresh } = wanted;
  const { company, area, by } = asked;
  const { fetchBy } = context.deadline;
  const until = isAlone ? fetchBy : (Date.now() + fetchBy) / 2;
  const files = by === 'issue' ? await readUserFiles(company, context, { refresh, until }) : undefined;
  const page: ListPage = isAlone
    ? {
        state: { ...nothingFetched, isRefreshed: refresh },
        ...{ documents: [], total: 0, assumptions: [], warnings: [] },
      }
    : await pageOfService(wanted, context);
  if (files === undefined) return page;
  const room = size - page.documents.length;
  const found = await listKnown(
    await context.company.archive(),
    { ...asked, filters: { status: everyStatus, ...(!isAlone && { source: ['files'] }) } },
    { limit: Math.max(1, room), offset: Math.max(0, place.offset - page.total) },
  );
  const days = { document: area, ...daysWith(asked) };
  return {
    ...page,
    state: {
      ...page.state,
      files,
      missing: [...page.state.missing, ...unseenDays(files, days, context)],
      pending: files.state.isReading ? [days] : [],
    },
    documents: [...page.documents, ...found.documents.slice(0, room)],
    total: page.total + found.total,
    assumptions: [...page.assumptions, ...(isAlone ? leftOutSentences(found.left_out, context) : [])],
  };
}

/** Selects a direction of NFS-e from a list with both: the company as provider, or as service recipient. */
function divide(
  documents: readonly StoredDocument[],
  direction: Direction | undefined,
  company: string,
  { translator: { say } }: CallContext,
) {
  if (direction === undefined) return { documents };
  const isOf = (side: 'issuer' | 'recipient') => (one: StoredDocument) => one.summary[side]?.id === company;
  const wanted = direction === 'outbound' ? 'issuer' : 'recipient';
  const other = direction === 'outbound' ? 'recipient' : 'issuer';
  const kept = documents.filter((one) => isOf(wanted)(one) || !isOf(other)(one));
  const unclear = kept.filter((one) => !isOf(wanted)(one)).length;
  const left_out = documents.length - kept.length;
  return {
    documents: kept,
    assumption: say('assumption.nfse_direction', { company, role: say(`role.${wanted}`), left_out }),
    warning: unclear > 0 && say('warning.neither_party', { count: unclear }),
  };
}

const shownColumns = [
  ...(['kind', 'number', 'date', 'issuer_id,issuer', 'recipient_id,recipient'] as const),
  ...(['total', 'status', 'key'] as const),
];

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
  output() {
    const { missing: lacking, known_from } = basisShape();
    return z.object({
      ...coverageShape(),
      complete: z.boolean(),
      missing: lacking,
      known_from,
      documents: z.array(lineShape()),
      holdings: z.array(holdingShape()).optional(),
    });
  },
  async run(given, context) {
    const { translator } = context;
    const { limit: size, cursor, refresh = false, ...named } = given;
    const { document, from, by, direction } = named;
    if (from === undefined && named.to === undefined) return answerHoldings(given, context);
    if (document === undefined) throw missing('document', context);
    if (from === undefined) throw missing('from', context);
    const args = { ...named, document, from };
    const route = listingFor('list_documents', args);
    const about = await periodAsked({ ...args, refresh }, context);
    const { company } = about;
    const query = { tool: 'list_documents', ...args, company };
    const place = await readPlace(cursor, query, context);
    const asked = { ...about, area: document, by, direction };
    const isAlone = await areFilesAlone(asked, context);
    const page = await pageOf({ asked, route, place, size, refresh }, isAlone, context);
    const { total, documents } = page;
    const days = daysWith(about);
    const basis = await basisOf({ ...asked, ...days }, page.state, context);
    const all = documents.map((one, at) => {
      // Only the service has the whole document of a summary (resNFe).
      const isWhole = one.summary.kind !== 'summary' || context.company.hasService;
      return linked(listLine(one, company, context), isWhole ? referenceOf(one.summary) : undefined, at);
    });
    const written = all.map((one) => writeListLine(one, shownColumns, company));
    const lines = linesThatFit([], written);
    const shown = all.slice(0, lines.length);
    for (const one of documents.slice(0, lines.length)) noteListed(one, context);
    const { as_of } = basis;
    const since = as_of === undefined ? undefined : new Date(as_of);
    const cut = { place, shown: shown.length, total, isPartial: basis.pending.length > 0, since };
    const coverage: Coverage = {
      operation: isAlone ? FILES : operationLabel(route.operation),
      ...about,
      total,
      shown: shown.length,
      next_cursor: await cursorAfter(cut, query),
      assumptions: sentences(
        !isAlone && dateAssumption(context),
        route.directions.length > 1 && !isAlone && translator.say('assumption.both_directions'),
        page.assumptions,
      ),
      warnings: [...page.warnings, ...severalContents(documents, translator)],
    };
    const isWhole = !isAlone && basis.missing.length + basis.unreadable.length === 0;
    return {
      structured: {
        ...coverageOutput(coverage),
        ...memoryOutput(basis, context),
        complete: isComplete(basis),
        missing: unlessEmpty(basis.missing),
        known_from: knownFrom(basis),
        documents: shown,
      },
      text: sentences(
        describeCoverage(coverage, kindName(document), translator, isWhole),
        stateSentences(basis, total, [], context),
        total > 0 && turnOfYearSentences({ area: document, ...days }, context),
        lines.length > 0 && [...listHeading(shown, shownColumns, company, context), ...lines],
      ),
      attachments: shown.flatMap(({ kind, number, key, uri }): ContentBlock[] => {
        if (uri === undefined) return [];
        const name = oneLine(`${kindName(kind)} ${number ?? key ?? ''}`);
        return [{ type: 'resource_link', uri, name, mimeType: mimeTypes.summary }];
      }),
    };
  },
});
