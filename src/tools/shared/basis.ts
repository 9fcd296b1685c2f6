import * as z from 'zod';
import type { Archive, Listing } from '../../archive/archive.ts';
import type { LeftOut } from '../../archive/ask/question.ts';
import type { MissingDays } from '../../archive/fetch/collect.ts';
import { type CoverRequest, cover } from '../../archive/fetch/cover.ts';
import type { FilesState } from '../../archive/files/user-files.ts';
import type { Direction, DocumentArea } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure, Unfulfilled, unseenWords } from '../../company/failures.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { type FirstKnown, knownFrom, knownFromSentences, knownFromShape } from './known-from.ts';
import { added, leftOutSentences } from './left-out.ts';
import { passedOver } from './left-out-files.ts';
import {
  jointMemory,
  type MemoryState,
  memoryOutput,
  memorySentences,
  memoryShape,
  namedOf,
  unknownDocuments,
  unlessEmpty,
} from './memory-output.ts';
import { daysToComeSentences } from './period.ts';

/** Output schema of days that could not be fetched. */
export const missingShape = () =>
  z
    .array(z.object({ document: z.string(), from: z.string(), to: z.string(), reason: z.string() }))
    .optional()
    .describe('Days that could not be fetched');

/** Output schema of an answer's basis. */
export const basisShape = () => ({
  company: z.string(),
  from: z.string(),
  to: z.string(),
  documents: z.int().describe('How many documents the answer rests on'),
  complete: z.boolean().describe('False: days are missing or not fetched yet'),
  missing: missingShape(),
  not_fetched_yet: z.array(z.object({ document: z.string(), from: z.string(), to: z.string() })).optional(),
  left_out: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
  next_cursor: z.string().optional(),
  known_from: knownFromShape(),
  source: z.enum(['service', 'files', 'both']).optional().describe('files: completeness unknown'),
  ...memoryShape(),
});

/** The part of a basis from the user's files. */
export interface FilesBasis {
  readonly state: FilesState;
  /** Without a service, completeness of a period is unknown. */
  readonly isAlone: boolean;
  /** The company was inferred from the files, not configured. */
  readonly isChosen: boolean;
}

interface Days {
  readonly document: DocumentArea;
  readonly from: string;
  readonly to: string;
}

/** Days without data, and the reason. */
export type Missing = Days & { readonly reason: string };

export interface Basis extends MemoryState, FirstKnown {
  readonly archive: Archive;
  /** Last day asked about. */
  readonly to?: string;
  readonly missing: readonly Missing[];
  readonly pending: readonly Days[];
  /** Documents fetched by this call. */
  readonly fetched: number;
  /** Documents listed under other days than they bear. */
  readonly datedElsewhere: number;
  readonly files?: FilesBasis | undefined;
}

/** How missing data is fetched. */
export interface Fetching {
  /** Data fetched before this moment is stale. */
  readonly since?: Date | undefined;
  /** Milliseconds since 1970; default: the call's deadline. */
  readonly deadline?: number;
}

/** Basis of an answer that fetched nothing. */
export const nothingAsked = {
  as_of: undefined,
  isRefreshed: false,
  changes: [],
  changes_total: 0,
  unreadable: [],
  missing: [],
  pending: [],
  fetched: 0,
  datedElsewhere: 0,
} satisfies Partial<Basis>;

function sumOf<T>(parts: readonly T[], count: (part: T) => number): number {
  return parts.reduce((sum, part) => sum + count(part), 0);
}

/** Whether the service is asked: it is configured, and the CNPJ is valid (invalid ones exist in files only). */
export function asksService(company: string | undefined, context: CallContext): boolean {
  return context.company.hasService && (company === undefined || checkCnpj(company).ok);
}

/** Reads the user's files and assigns the company's documents; undefined without files. */
export async function readUserFiles(
  company: string | undefined,
  context: CallContext,
  {
    refresh = false,
    until = context.deadline.fetchBy,
  }: { readonly refresh?: boolean; readonly until?: number } = {},
): Promise<FilesBasis | undefined> {
  const { signal, translator } = context;
  const files = await context.company.files();
  if (files === undefined) return undefined;
  const state = await files.ready({
    deadline: until,
    signal,
    refresh,
    onProgress({ files: found, read, documents }) {
      void context.progress(read, found, translator.say('files.reading_progress', { read, documents }));
    },
  });
  if (company !== undefined) await files.adopt(company);
  const isChosen =
    company !== undefined &&
    context.company.settings.cnpj === undefined &&
    (await files.whose()).company === company;
  return { state, isAlone: !asksService(company, context), isChosen };
}

/** Describes unreadable and empty folders. */
function unseenFolders({ state }: FilesBasis, translator: Translator): string[] {
  return (state.result?.unseen ?? []).map((one) => unseenWords(one, translator));
}

/** The period as missing, once for each unreadable or empty folder. */
export function unseenDays(
  files: FilesBasis | undefined,
  days: Days,
  { translator }: CallContext,
): readonly Missing[] {
  return files === undefined ? [] : unseenFolders(files, translator).map((reason) => ({ ...days, reason }));
}

/** Describes the files' part of a basis. */
export function filesSentences(
  basis: FilesBasis | undefined,
  company: string | undefined,
  documents: number,
  context: CallContext,
): string[] {
  if (basis === undefined) return [];
  const { translator } = context;
  const { state, isAlone, isChosen } = basis;
  const at = translator.moment(state.looked_at ?? new Date().toISOString());
  return [
    isAlone ? translator.say('files.alone', { at, documents }) : translator.say('files.beside', { at }),
    ...(isChosen && company !== undefined ? [translator.say('files.chosen', { company })] : []),
    ...(state.isReading ? [`⚠ ${translator.say('files.reading', { read: state.progress.read })}`] : []),
    ...unseenFolders(basis, translator).map((words) => `⚠ ${words}.`),
    ...passedOver(basis.state, documents, context),
  ];
}

/** Converts missing days, with the reason in words. */
export function missingOutput(
  document: DocumentArea,
  missing: readonly MissingDays[],
  translator: Translator,
): Missing[] {
  return missing.map(({ from, to, error }) => {
    return { document, from, to, reason: explainFailure(error, translator) ?? error.name };
  });
}

/** Converts a service's failure to missing days. @throws any other error */
export function gapFor(
  error: unknown,
  { area, from, to }: Pick<CoverRequest, 'area' | 'from' | 'to'>,
  { translator }: CallContext,
): Missing {
  if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
  return { document: area, from, to, reason: explainFailure(error, translator) ?? error.name };
}

async function fetchFromService(
  request: CoverRequest,
  context: CallContext,
  since: Date | undefined,
  deadline: number,
) {
  const { translator, signal } = context;
  const { settings, now } = context.company;
  const [archive, client] = await Promise.all([context.company.archive(), context.company.documents()]);
  const {
    missing,
    pending,
    documents: fetched,
    ...covered
  } = await cover(request, {
    archive,
    client,
    concurrency: settings.concurrency,
    hasTimes: settings.timeFormat !== 'none',
    freshness: {
      now: since ?? new Date(now()),
      rules: settings.archiveRefresh,
      refresh: since !== undefined,
    },
    now,
    deadline,
    signal,
    onProgress({ daysDone, days, documents }) {
      const words = translator.say('analysis.progress', { done: daysDone, days, documents });
      void context.progress(daysDone, days, words);
    },
  });
  const unreadable = await archive.unreadable(request);
  return {
    ...covered,
    fetched,
    unreadable: unreadable.map(({ from, to, ...one }) => {
      return { ...one, place: `${from === to ? from : `${from}…${to}`}, ${one.place}` };
    }),
    missing: missingOutput(request.area, missing, translator),
    pending: pending.map(({ from, to }) => ({ document: request.area, from, to })),
  };
}

/**
 * Whether the user's files answer alone: the service is not asked, and the question is by day of issue.
 * @throws Unfulfilled when neither can answer
 */
export async function areFilesAlone(
  { company, by }: Pick<CoverRequest, 'company' | 'by'>,
  context: CallContext,
): Promise<boolean> {
  if (asksService(company, context)) return false;
  const isAlone = by === 'issue' && (await context.company.files()) !== undefined;
  if (!isAlone && !checkCnpj(company).ok) throw new Unfulfilled('failure.company_of_files', { company });
  return isAlone;
}

/** Reads the user's files and fetches missing days, until the deadline. */
export async function ensureFetched(
  { company, area, by, from, to }: CoverRequest,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching = {},
): Promise<Basis> {
  const request = { company, area, by, from, to };
  // Documents in files have only a day of issue.
  const hasFiles = by === 'issue' && context.company.settings.files !== undefined;
  const areFilesEnough = await areFilesAlone({ company, by }, context);
  const [fetched, files] = await Promise.all([
    areFilesEnough
      ? undefined
      : fetchFromService(request, context, since, deadline).catch((error: unknown) => {
          if (!hasFiles) throw error;
          return { ...nothingAsked, missing: [gapFor(error, request, context)] };
        }),
    readUserFiles(company, context, { refresh: since !== undefined, until: deadline }),
  ]);
  const gaps = fetched ?? { ...nothingAsked, as_of: files?.state.looked_at };
  const days = { document: area, from, to };
  const archive = await context.company.archive();
  return {
    ...gaps,
    archive,
    from,
    to,
    firstDay: await archive.firstDay(request),
    isRefreshed: since !== undefined,
    missing: [...gaps.missing, ...unseenDays(files, days, context)],
    pending: files?.state.isReading ? [days] : gaps.pending,
    company,
    files,
  };
}

/** Merges the bases of an answer's parts. */
export function jointBasis(all: readonly [Basis, ...Basis[]]): Basis {
  const [firstDay] = all.flatMap((basis) => basis.firstDay ?? []).sort();
  return {
    ...all[0],
    ...jointMemory(all, all[0].isRefreshed),
    firstDay,
    missing: all.flatMap(({ missing }) => missing),
    pending: all.flatMap(({ pending }) => pending),
    datedElsewhere: sumOf(all, (basis) => basis.datedElsewhere),
  };
}

/** Whether every day was fetched and read; unknown with files alone. */
export function isComplete({ missing, pending, unreadable, files }: Basis): boolean {
  return missing.length + pending.length + unknownDocuments(unreadable).length === 0 && !files?.isAlone;
}

/** The basis in the structured answer. */
export function basisOutput(basis: Basis, leftOut: readonly LeftOut[], context: CallContext) {
  const { missing, pending, files } = basis;
  const isAlone = files?.isAlone === true;
  return {
    ...memoryOutput(basis, context),
    ...(files !== undefined && { source: isAlone ? ('files' as const) : ('both' as const) }),
    complete: isComplete(basis),
    known_from: knownFrom(basis),
    missing: unlessEmpty(missing),
    not_fetched_yet: unlessEmpty(pending),
    left_out: unlessEmpty(added(leftOut)),
  };
}

/** First line of an answer: kinds, company and period. */
export function subjectLine(
  areas: readonly DocumentArea[],
  company: string,
  {
    direction,
    ...days
  }: { readonly from: string; readonly to: string; readonly direction?: Direction | undefined },
  { say, period }: Translator,
): string {
  const kinds = areas.map(kindName).join(', ');
  const only = direction === undefined ? '' : `, ${say(`cover.${direction}`)}`;
  return `${kinds}, ${say('cover.company', { company })}, ${period(days)}${only}.`;
}

/** Ranges named in a sentence; the data has all. */
const MOST_RANGES_NAMED = 6;

function nameRanges(ranges: readonly Days[], withKind: boolean, { day, period }: Translator): string {
  const named = ranges.map(({ document, from, to }) => {
    const days = from === to ? day(from) : period({ from, to });
    return withKind ? `${kindName(document)} ${days}` : days;
  });
  return namedOf(named, named.length, MOST_RANGES_NAMED);
}

/** Reasons named in a sentence. */
const MOST_REASONS_NAMED = 3;

/** Sentences on days that could not be fetched. */
export function missingSentences(
  missing: readonly Missing[],
  withKind: boolean,
  translator: Translator,
): string[] {
  if (missing.length === 0) return [];
  const days = nameRanges(missing, withKind, translator);
  const reasons = [...new Set(missing.map((one) => one.reason))];
  const reason = namedOf(reasons.slice(0, MOST_REASONS_NAMED), reasons.length, MOST_REASONS_NAMED);
  return [`⚠ ${translator.say('analysis.missing', { days, reason })}`];
}

/** Sentences on the basis that precede any sum. */
export function basisSentences(
  basis: Basis,
  documents: number,
  leftOut: readonly LeftOut[],
  context: CallContext,
): string[] {
  const { missing, pending, datedElsewhere, files, company } = basis;
  const { translator } = context;
  const isOfSeveral = new Set([...missing, ...pending].map(({ document }) => document)).size > 1;
  const days = nameRanges(pending, isOfSeveral, translator);
  return [
    ...(files?.isAlone ? [] : [translator.say('analysis.rests_on', { documents })]),
    ...filesSentences(files, company ?? '', documents, context),
    ...memorySentences(files?.isAlone ? { ...basis, as_of: undefined } : basis, context),
    ...knownFromSentences(basis, documents, context),
    ...daysToComeSentences(basis, context),
    ...leftOutSentences(leftOut, context),
    ...(datedElsewhere > 0
      ? [`⚠ ${translator.say('analysis.dated_elsewhere', { count: datedElsewhere })}`]
      : []),
    ...missingSentences(missing, isOfSeveral, translator),
    ...(days !== '' && !files?.state.isReading ? [`⚠ ${translator.say('analysis.partial', { days })}`] : []),
  ];
}

/** Count and total of a kind's valid documents. */
export function listTotal(
  area: DocumentArea,
  { total: count, sum }: Pick<Listing, 'total' | 'sum'>,
  translator: Translator,
): string {
  const total = sum === undefined ? '–' : translator.money(sum);
  return translator.say('analysis.list_total', { kind: kindName(area), count, total });
}
