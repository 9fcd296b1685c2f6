import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Listed, RememberedList } from '../archive/memory/listings.ts';
import { resourceUri } from '../archive/references.ts';
import type { DocumentRoute } from '../clients/tax-documents/listings.ts';
import { operationLabel } from '../clients/tax-documents/operations.ts';
import type { ReplyWarning } from '../clients/tax-documents/replies/results.ts';
import type { Direction } from '../clients/tax-documents/wire-formats.ts';
import { oneLine } from '../documents/untrusted.ts';
import { linesThatFit } from '../mcp/answer-result.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  replyWarnings,
} from '../mcp/coverage.ts';
import { readTool } from '../mcp/definition.ts';
import { cursorTo, type Place, readPlace } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { periodOf, writeMoment } from '../mcp/period.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments, Unfulfilled } from '../services/failures.ts';
import { companyAsked, filesSentences } from '../services/files-basis.ts';
import { type MemoryState, memoryOutput, memorySentences } from '../services/memory-output.ts';
import {
  answerHoldings,
  type FilesPage,
  holdingShape,
  isFromFilesAlone,
  leftOutSentences,
  listFromFiles,
} from './files-listings.ts';
import {
  isOwn,
  type ListedDocument,
  lineShape,
  listed,
  listedOutput,
  OWN,
  writeListed,
} from './listed-line.ts';
import { documentRouteFor } from './routes.ts';

/** What is asked for of a list. */
interface Wanted {
  readonly route: DocumentRoute;
  readonly direction: Direction | undefined;
  readonly asked: Listed;
  readonly place: Place;
  readonly size: number;
  readonly refresh: boolean | undefined;
}

/** A page of a list, and what is known of the whole. */
interface ListPage extends Divided, MemoryState {
  readonly total: number;
  readonly remarks: readonly ReplyWarning[];
  /** What it rests on of the user's files. */
  readonly files?: FilesPage | undefined;
}

/** How long a call waits for a list; what is not there by then is gone on with. Source: docs/hosts.md, F2. */
const LONGEST_WAIT_MS = 38_000;

/** More lines than a list can have. */
const ALL = 1_000_000;

function stateOf(lists: readonly RememberedList[], isRefreshed: boolean): MemoryState {
  return {
    as_of: lists.map(({ as_of }) => as_of).sort()[0],
    isRefreshed,
    changes: lists.flatMap(({ changes }) => changes),
    changes_total: lists.reduce((sum, { changes_total }) => sum + changes_total, 0),
    unreadable: lists.flatMap(({ unreadable }) => unreadable),
  };
}

/**
 * A page of what a route's operations answer. Where that is one list, the page is cut by the memory; where lists are
 * merged or divided, here.
 * @throws Unfulfilled where the list is not the one that the page before was of
 */
async function pageOfService(wanted: Wanted, context: CallContext): Promise<ListPage> {
  const { route, asked, place, size, refresh = false } = wanted;
  const { memory } = context.services;
  const { offset, asOf } = place;
  const isOne = route.directions.length === 1 && route.divideBy === undefined;
  const page = isOne ? { limit: size, offset } : { limit: ALL, offset: 0 };
  const goesOn = asOf !== undefined;
  const { caller: signal } = context;
  const patience = AbortSignal.timeout(LONGEST_WAIT_MS);
  const onArrival = (arrived: number): void => {
    // Progress is a courtesy: the answer does not wait for it. How many are to come nobody knows.
    void context.progress(arrived, arrived, context.translator.say('cover.arrived', { arrived }));
  };
  const recall = { signal, patience, refresh: refresh && !goesOn, goesOn, onArrival, ...page };
  const lists: RememberedList[] = [];
  for (const direction of route.directions) {
    lists.push(await memory.list(asked, route.operation, direction, recall));
  }
  const state = stateOf(lists, refresh);
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  if (goesOn && (state.as_of !== asOf || (place.total ?? total) > total)) {
    throw new Unfulfilled('failure.list_changed');
  }
  const remarks = lists.flatMap(({ warnings }) => warnings);
  const lines = lists.flatMap((list) => list.lines);
  const all = lines.map((line, index) => listed(line, index, asked.company, context));
  const unique = isOne ? all : [...new Map(all.map((one) => [one.identity, one])).values()];
  const repeated = lists.reduce((sum, list) => sum + list.repeated, all.length - unique.length);
  const remark = repeated > 0 ? [context.translator.say('assumption.repeated', { repeated })] : [];
  if (isOne) return { ...state, remarks, total, documents: all, assumptions: remark, warnings: [] };
  const divided =
    route.divideBy === undefined
      ? { documents: unique, assumptions: [], warnings: [] }
      : divide(unique, route.divideBy, asked.company, context);
  const assumptions = [...remark, ...divided.assumptions];
  const documents = divided.documents.slice(offset, offset + size);
  return { ...state, ...divided, remarks, total: divided.documents.length, documents, assumptions };
}

/** The page of a list that rests on the user's files alone. */
function pageFrom(files: FilesPage, { asked, refresh = false }: Wanted, context: CallContext): ListPage {
  const { documents, total, leftOut } = files;
  return {
    as_of: undefined,
    isRefreshed: refresh,
    changes: [],
    changes_total: 0,
    unreadable: [],
    remarks: [],
    total,
    documents: documents.map((one, index) => listed(one, index, asked.company, context)),
    assumptions: leftOutSentences(leftOut, context),
    warnings: [],
    files,
  };
}

/** A page of what the service lists, followed by what only the user's files have. */
async function pageOf(wanted: Wanted, context: CallContext): Promise<ListPage> {
  const { asked, direction, place, size, refresh } = wanted;
  const question = { asked, direction, refresh } as const;
  if (await isFromFilesAlone(context, asked.by)) {
    const page = { besideService: false, limit: size, offset: place.offset };
    const files = await listFromFiles({ ...question, ...page }, context);
    if (files === undefined) throw new Error('files were configured and are not');
    if ((place.total ?? 0) > files.total) throw new Unfulfilled('failure.list_changed');
    return pageFrom(files, wanted, context);
  }
  const page = await pageOfService(wanted, context);
  if (asked.by !== 'issue' || context.services.settings.files === undefined) return page;
  const offset = Math.max(0, place.offset - page.total);
  const limit = Math.max(1, size - page.documents.length);
  const files = await listFromFiles({ ...question, besideService: true, limit, offset }, context);
  if (files === undefined) return page;
  const room = size - page.documents.length;
  const further = files.documents
    .slice(0, room)
    .map((one, index) => listed(one, page.total + index, asked.company, context));
  return { ...page, total: page.total + files.total, documents: [...page.documents, ...further], files };
}

interface Divided {
  readonly documents: readonly ListedDocument[];
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
}

/** Picks one direction of NFS-e out of a list that has both: the company as provider, or as service recipient. */
function divide(
  documents: readonly ListedDocument[],
  direction: Direction,
  company: string,
  { translator }: CallContext,
): Divided {
  const isOf = (side: 'issuer' | 'recipient') => (one: ListedDocument) => one.summary[side]?.id === company;
  const [wanted, other] =
    direction === 'outbound' ? (['issuer', 'recipient'] as const) : (['recipient', 'issuer'] as const);
  const kept = documents.filter((one) => isOf(wanted)(one) || !isOf(other)(one));
  const unclear = kept.filter((one) => !isOf(wanted)(one)).length;
  return {
    documents: kept,
    assumptions: [
      translator.say('assumption.nfse_direction', {
        company,
        role: translator.say(`role.${wanted}`),
        left_out: documents.length - kept.length,
      }),
    ],
    warnings: unclear === 0 ? [] : [translator.say('warning.neither_party', { count: unclear })],
  };
}

function linkTo({ reference, summary }: ListedDocument): ContentBlock[] {
  if (reference === undefined) return [];
  return [
    {
      type: 'resource_link',
      uri: resourceUri(reference, 'summary'),
      name: oneLine(`${kindName(summary.kind)} ${summary.number ?? summary.key ?? ''}`),
      mimeType: 'application/json',
    },
  ];
}

/** Links that an answer carries at most: every one is as long as a line, and the keys are all there. */
const MOST_LINKS = 10;

export const listDocuments = readTool({
  name: 'list_documents',
  group: 'documents',
  description:
    'List the documents of a period with number, date, issuer, recipient, total and status. Without dates: what is there.',
  input: () =>
    z.strictObject({
      document: shared.document().optional(),
      cnpj: shared.cnpj(),
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
      documents: z.array(lineShape()),
      holdings: z.array(holdingShape()).optional(),
    }),
  async run({ limit: size, cursor, refresh, ...given }, context) {
    const { translator, services } = context;
    const { document, from } = given;
    if (from === undefined && given.to === undefined) return answerHoldings(given, context);
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
    const lines = linesThatFit(
      [],
      page.documents.map((one) => writeListed(one, company)),
    );
    const shown = page.documents.slice(0, lines.length);
    for (const { reference } of shown) if (reference) services.memory.seen.note(reference);
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
      warnings: [...replyWarnings(page.remarks, translator), ...page.warnings],
    };
    const opening = [
      ...describeCoverage(coverage, kindName(args.document), translator),
      ...filesSentences(page.files?.basis, company, total, context),
      ...memorySentences(page, context),
    ];
    const header = 'kind,number,date,issuer_id,issuer,recipient_id,recipient,total,status,key';
    const hasOwn = shown.some(
      ({ summary }) => isOwn(summary.issuer, company) || isOwn(summary.recipient, company),
    );
    const own = hasOwn ? [translator.say('cover.own', { mark: OWN, company })] : [];
    return {
      structured: {
        ...coverageOutput(coverage),
        ...memoryOutput(page, context),
        complete: page.unreadable.length === 0 && !isAlone && !isReading,
        documents: shown.map((one, place) =>
          listedOutput(one, {
            company,
            isLinked: place < MOST_LINKS,
            hasSources: services.settings.files !== undefined,
          }),
        ),
      },
      text: lines.length === 0 ? opening : [...opening, ...own, header, ...lines],
      attachments: shown.slice(0, MOST_LINKS).flatMap(linkTo),
    };
  },
});
