import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Selection, StoredDocument } from '../archive/archive.ts';
import { firstOfEachDay } from '../archive/fetch/cover.ts';
import type { UserFiles } from '../archive/files/user-files.ts';
import { everyStatus, mimeTypes, referenceOf } from '../archive/references.ts';
import { listKnown, type RememberedList } from '../archive/remember/listings.ts';
import type { DocumentRoute } from '../clients/documents/listings.ts';
import { type Direction, operationLabel } from '../clients/documents/operations.ts';
import type { CallContext } from '../company/call-context.ts';
import { Unfulfilled } from '../company/failures.ts';
import { daysWith } from '../documents/days.ts';
import { kindName } from '../documents/summary/summary.ts';
import { oneLine, quoted } from '../documents/untrusted.ts';
import { missing } from './shared/arguments.ts';
import {
  basisShape,
  filesSentences,
  isComplete,
  knownFrom,
  knownGroups,
  leftOutLine,
  leftOutSentences,
  memoryOutput,
  otherKindsOutput,
  otherKindsSentences,
  stateSentences,
  unlessEmpty,
} from './shared/basis.ts';
import { readTool, sentences, texts } from './shared/definition.ts';
import {
  areFilesAlone,
  type Basis,
  jointMemory,
  missingOutput,
  nothingAsked,
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
import { cursorTo, linesThatFit, type Place, readPlace } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { turnOfYearSentences } from './shared/period.ts';
import { listingFor } from './shared/question.ts';

const holdingShape = () =>
  z.object({
    company: z.string(),
    name: z.string().optional(),
    document: z.enum(['nfe', 'nfse', 'cte']),
    ...texts('from', 'to'),
    documents: z.int(),
  });

type HoldingOutput = z.output<ReturnType<typeof holdingShape>>;

const input = () =>
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
  });

type Arguments = z.output<ReturnType<typeof input>>;

const placeOf = ({ company, document }: HoldingOutput) => `${company} ${document}`;

/** Holdings asked about, largest first, including those of parties known from files alone. */
async function allHoldings(files: UserFiles | undefined, asked: Arguments, { company }: CallContext) {
  const { allows } = company;
  const { document, cnpj } = asked;
  const archive = await company.archive();
  const owners = new Set((await archive.info()).held.map((one) => one.company));
  for (const owner of owners) if (owner !== '' && allows(owner)) await files?.adopt(owner);
  const { held } = await archive.info();
  const kept: HoldingOutput[] = held.map(({ area, first: from, last: to, ...one }) => {
    return { ...one, document: area, from, to };
  });
  const known = new Set(kept.map(placeOf));
  const filed = files === undefined ? [] : await archive.files.holdings();
  const others = filed.map(({ area, ...one }) => ({ ...one, document: area }));
  return [...kept, ...others.filter((one) => !known.has(placeOf(one)))]
    .filter((one) => one.company !== '' && allows(one.company))
    .filter((one) => (document ?? one.document) === one.document && (cnpj ?? one.company) === one.company)
    .sort((one, other) => other.documents - one.documents || (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** Holdings by company and kind with first and last day of issue, largest first. */
async function answerHoldings(asked: Arguments, context: CallContext) {
  const { document, cnpj, limit: size, cursor, refresh } = asked;
  const { translator, signal } = context;
  const { allows, hasService, settings } = context.company;
  const { say } = translator;
  const query = { tool: 'holdings', document, cnpj };
  const { offset } = await readPlace(cursor, query, context);
  const files = await context.company.files();
  await files?.ready({ deadline: context.deadline.fetchBy, signal, refresh });
  const { company: likeliest, candidates = [] } = (await files?.whose()) ?? {};
  const company = cnpj ?? settings.cnpj ?? likeliest;
  const basis = await readUserFiles(company, context);
  const all = await allHoldings(files, asked, context);
  const archive = await context.company.archive();
  const { documents, left_out, files: count, other_kinds: otherModels } = await archive.files.info();
  const likely = candidates.filter((one) => allows(one.company));
  const companies = likely.map((one) => `${one.company} (${one.documents})`).join(', ');
  const question = { document: document ?? 'nfe', cnpj: company ?? '…', from: 'last_month' };
  const opening = sentences(
    hasService && say('holdings.basis'),
    filesSentences(basis, company, documents, context),
    files !== undefined && say('holdings.files', { count }),
    knownGroups(left_out).map((group) => leftOutLine(group, translator)),
    company === undefined && likely.length > 0 && say('files.company_unclear', { companies }),
    otherKindsSentences(otherModels, translator),
    say(all.length === 0 ? 'holdings.none' : 'holdings.some'),
    all.length === 0 &&
      hasService &&
      say(company === undefined ? 'holdings.ask_whose' : 'holdings.ask', {
        question: `list_documents ${JSON.stringify(question)}`,
      }),
  );
  const some = all.slice(offset, offset + size);
  const names = await archive.partyNames(some.map((one) => one.company));
  const page = some.map((one) => ({ ...one, name: names.get(one.company) || undefined }));
  const lines = linesThatFit(
    opening,
    page.map(({ company: owner, name, document: area, documents: held, from = '?', to = '?' }) =>
      say('doctor.files_hold', {
        company: name === undefined ? owner : `${owner} ${quoted(name)}`,
        kind: kindName(area),
        documents: held,
        period: translator.period({ from, to }),
      }),
    ),
  );
  const counts = { total: all.length, shown: lines.length };
  const next = offset + lines.length;
  const next_cursor = next < all.length ? await cursorTo({ offset: next }, query) : undefined;
  return {
    structured: {
      operation: 'holdings',
      ...counts,
      next_cursor,
      complete: false,
      documents: [],
      holdings: page.slice(0, lines.length),
      other_kinds: otherKindsOutput(otherModels),
    },
    text: sentences(
      opening,
      next_cursor !== undefined &&
        `${say('cover.count', counts)}; ${say('cover.next', { cursor: next_cursor })}.`,
      lines,
    ),
  };
}

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
  readonly state: Omit<Basis, 'archive'>;
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
  if (goesOn && (memory.as_of !== asOf || (place.total ?? listed) > listed))
    throw new Unfulfilled('failure.list_changed');
  const all = lists.flatMap(({ lines }) => lines);
  const unique = isWhole ? [...new Map(all.map((one, at) => [identityOf(one, at), one])).values()] : all;
  const repeated = lists.reduce((sum, list) => sum + list.repeated, all.length - unique.length);
  const { documents, assumption, warning } = divide(unique, route.divideBy, asked.company, context);
  const lacking = lists.flatMap((list) => list.missing);
  const leftOut = lists.flatMap((list) => list.leftOut);
  return {
    state: {
      ...nothingAsked,
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
    warnings: sentences(
      lists.flatMap(({ warnings }) => replyWarnings(warnings, translator)),
      warning,
    ),
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
        state: { ...nothingAsked, isRefreshed: refresh },
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
  if (isAlone && (place.total ?? 0) > found.total) throw new Unfulfilled('failure.list_changed');
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
  input,
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
    const archive = await context.company.archive();
    const firstDay = await archive.firstDay(asked);
    const basis: Basis = { ...page.state, archive, company, ...days, firstDay };
    const all = documents.map((one, at) => {
      // Only the service has the whole document of a summary (resNFe).
      const isWhole = one.summary.kind !== 'summary' || context.company.hasService;
      return linked(listLine(one, company, context), isWhole ? referenceOf(one.summary) : undefined, at);
    });
    const written = all.map((one) => writeListLine(one, shownColumns, company));
    const lines = linesThatFit([], written);
    const shown = all.slice(0, lines.length);
    for (const one of documents.slice(0, lines.length)) noteListed(one, context);
    const next = place.offset + shown.length;
    const goesOn = { offset: next, total: basis.files === undefined ? total : undefined, asOf: basis.as_of };
    const hasMore = next < total || basis.pending.length > 0;
    const coverage: Coverage = {
      operation: isAlone ? FILES : operationLabel(route.operation),
      ...about,
      total,
      shown: shown.length,
      next_cursor: hasMore ? await cursorTo(goesOn, query) : undefined,
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
