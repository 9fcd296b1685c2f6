import * as z from 'zod';
import type { Archive, Listing } from '../../archive/archive.ts';
import type { LeftOut } from '../../archive/ask/question.ts';
import type { MissingDays } from '../../archive/fetch/collect.ts';
import { type CoverRequest, cover } from '../../archive/fetch/cover.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure } from '../../company/failures.ts';
import { type FilesBasis, filesSentences, readUserFiles, unseenFolders } from '../../company/files-basis.ts';
import { type MemoryState, memoryOutput, memorySentences, memoryShape } from '../../company/memory-output.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';

/** Days that an answer lacks, or has from before, because they could not be fetched; part of output schemas. */
export const missingShape = () =>
  z
    .array(z.object({ document: z.string(), from: z.string(), to: z.string(), reason: z.string() }))
    .optional()
    .describe('Days that could not be fetched');

/** What every analysis says about what it rests on; part of the output schemas. */
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
  source: z.enum(['service', 'files', 'both']).optional().describe('files: completeness unknown'),
  ...memoryShape(),
});

export interface Basis extends MemoryState {
  readonly archive: Archive;
  readonly missing: { document: DocumentArea; from: string; to: string; reason: string }[];
  readonly pending: { document: DocumentArea; from: string; to: string }[];
  /** Fetched by this call. */
  readonly fetched: number;
  /** Of these, documents listed for days that are not those they bear. */
  readonly datedElsewhere: number;
  readonly company?: string | undefined;
  /** The user's own files, where they are configured. */
  readonly files?: FilesBasis | undefined;
}

/** How a question fetches what it lacks. */
export interface Fetching {
  /** Nothing that was asked for before this moment counts. */
  readonly since?: Date | undefined;
  /** Milliseconds since 1970; the call's own unless given. */
  readonly deadline?: number;
}

/** Days that could not be fetched, with the reason in words. */
export function missingOutput(
  document: DocumentArea,
  missing: readonly MissingDays[],
  translator: Translator,
): Basis['missing'] {
  return missing.map(({ from, to, error }) => ({
    document,
    from,
    to,
    reason: explainFailure(error, translator) ?? error.name,
  }));
}

/** What the service gives for a question. */
async function fetchFromService(
  { from, to, company, area, by }: CoverRequest,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching,
) {
  const { translator, signal } = context;
  const { settings } = context.company;
  const [archive, client] = await Promise.all([context.company.archive(), context.company.documents()]);
  const result = await cover(
    { from, to, company, area, by },
    {
      archive,
      client,
      concurrency: settings.concurrency,
      hasTimes: settings.timeFormat !== 'none',
      keepXml: settings.archiveXml,
      freshness: {
        now: since ?? new Date(context.company.now()),
        rules: settings.archiveRefresh,
        refresh: since !== undefined,
      },
      now: context.company.now,
      deadline,
      signal,
      onProgress({ daysDone, days, documents }) {
        const words = translator.say('analysis.progress', { done: daysDone, days, documents });
        // Progress is a courtesy: the answer does not wait for it.
        void context.progress(daysDone, days, words);
      },
    },
  );
  const unreadable = await archive.unreadable({ from, to, company, area, by });
  return {
    as_of: result.as_of,
    changes: result.changes,
    changes_total: result.changes_total,
    unreadable: unreadable.map(({ from: first, to: last, ...one }) => ({
      ...one,
      place: `${first === last ? first : `${first}…${last}`}, ${one.place}`,
    })),
    missing: missingOutput(area, result.missing, translator),
    pending: result.pending.map(({ from, to }) => ({ document: area, from, to })),
    fetched: result.documents,
    datedElsewhere: result.datedElsewhere,
  };
}

/** A list as a structured answer carries it: not at all where it is empty. */
export function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Reasons of several parts of an answer, each once. */
export function added(leftOut: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<LeftOut['reason'], number>();
  for (const { reason, count } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }));
}

/** What an answer rests on that nothing was asked for. */
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

/** How old several parts of an answer are together, and what became of them. */
export function jointMemory(
  parts: readonly Omit<MemoryState, 'isRefreshed'>[],
  isRefreshed: boolean,
): MemoryState {
  return {
    as_of: parts
      .flatMap(({ as_of }) => as_of ?? [])
      .sort()
      .at(0),
    isRefreshed,
    changes: parts.flatMap(({ changes }) => changes),
    changes_total: parts.reduce((sum, { changes_total }) => sum + changes_total, 0),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
  };
}

/** What several parts of an answer rest on, as one. */
export function jointBasis([first, ...others]: readonly [Basis, ...Basis[]]): Basis {
  const all = [first, ...others];
  return {
    ...first,
    ...jointMemory(all, first.isRefreshed),
    missing: all.flatMap(({ missing }) => missing),
    pending: all.flatMap(({ pending }) => pending),
    fetched: all.reduce((sum, { fetched }) => sum + fetched, 0),
    datedElsewhere: all.reduce((sum, { datedElsewhere }) => sum + datedElsewhere, 0),
  };
}

/** What the service refuses is missing from an answer, with the reason in words. @throws any other error */
export function gapFor(
  error: unknown,
  { area, from, to }: Pick<CoverRequest, 'area' | 'from' | 'to'>,
  { translator }: CallContext,
): Basis['missing'][number] {
  if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
  return { document: area, from, to, reason: explainFailure(error, translator) ?? error.name };
}

/**
 * Opens the archive, reads the user's files and fetches what the question lacks from the service, for as long as a
 * host waits.
 */
export async function ensureFetched(
  request: CoverRequest,
  context: CallContext,
  fetching: Fetching = {},
): Promise<Basis> {
  const { from, to, company, area, by } = request;
  const { since, deadline = context.deadline.fetchBy } = fetching;
  // What stands in files is known by its day of issue alone.
  const areFilesEnough =
    !context.company.hasService && by === 'issue' && (await context.company.files()) !== undefined;
  const [fetched, files] = await Promise.all([
    areFilesEnough
      ? undefined
      : fetchFromService(request, context, { since, deadline }).catch((error: unknown) => {
          // An error where there are no files that may have something of it.
          if (context.company.settings.files === undefined || by !== 'issue') throw error;
          return { ...nothingAsked, missing: [gapFor(error, request, context)] };
        }),
    readUserFiles(company, { deadline, refresh: since !== undefined }, context),
  ]);
  const gaps = fetched ?? { ...nothingAsked, as_of: files?.state.looked_at };
  const unseen = files === undefined ? [] : unseenFolders(files, context);
  return {
    ...gaps,
    archive: await context.company.archive(),
    isRefreshed: since !== undefined,
    missing: [...gaps.missing, ...unseen.map((reason) => ({ document: area, from, to, reason }))],
    pending: files?.state.isReading ? [{ document: area, from, to }] : gaps.pending,
    company,
    files,
  };
}

/** The basis as the structured answer carries it. */
export function basisOutput(basis: Basis, leftOut: readonly LeftOut[], context: CallContext) {
  const { missing, pending, unreadable, files } = basis;
  const isAlone = files?.isAlone === true;
  return {
    ...memoryOutput(basis, context),
    ...(files === undefined ? {} : { source: isAlone ? ('files' as const) : ('both' as const) }),
    complete: missing.length === 0 && pending.length === 0 && unreadable.length === 0 && !isAlone,
    missing: unlessEmpty(missing),
    not_fetched_yet: unlessEmpty(pending),
    left_out: unlessEmpty(added(leftOut)),
  };
}

/** What a question is about, as its answer begins. */
export function subjectLine(
  areas: readonly DocumentArea[],
  company: string,
  days: { readonly from: string; readonly to: string },
  translator: Translator,
): string {
  const about = translator.say('cover.company', { company });
  return `${areas.map(kindName).join(', ')}, ${about}, ${translator.period(days)}.`;
}

/** Days named in a sentence; a long list is cut, and the structured answer has all. */
const MOST_RANGES_NAMED = 6;

type Range = Basis['pending'][number];

function nameRanges(ranges: readonly Range[], withKind: boolean, translator: Translator): string {
  const named = ranges.slice(0, MOST_RANGES_NAMED).map(({ document, from, to }) => {
    const days = from === to ? translator.day(from) : translator.period({ from, to });
    return withKind ? `${kindName(document)} ${days}` : days;
  });
  return [...named, ...(ranges.length > MOST_RANGES_NAMED ? ['…'] : [])].join('; ');
}

/** Names the days that could not be fetched, with the first reason. */
export function missingSentences(
  missing: Basis['missing'],
  withKind: boolean,
  translator: Translator,
): string[] {
  const [first] = missing;
  if (first === undefined) return [];
  const days = nameRanges(missing, withKind, translator);
  return [`⚠ ${translator.say('analysis.missing', { days, reason: first.reason })}`];
}

/** What a reader must know of the basis before believing a sum. */
export function basisSentences(
  basis: Basis,
  documents: number,
  leftOut: readonly LeftOut[],
  context: CallContext,
): string[] {
  const { missing, pending, datedElsewhere, files, company } = basis;
  const { translator } = context;
  const kinds = new Set([...missing, ...pending].map(({ document }) => document));
  const isOfSeveral = kinds.size > 1;
  const words = added(leftOut).map(({ reason, count }) => translator.say(`left_out.${reason}`, { count }));
  return [
    ...(files?.isAlone ? [] : [translator.say('analysis.rests_on', { documents })]),
    ...filesSentences(files, company ?? '', documents, context),
    ...memorySentences(files?.isAlone ? { ...basis, as_of: undefined } : basis, context),
    ...(words.length > 0 ? [translator.say('analysis.left_out', { words: words.join(', ') })] : []),
    ...(datedElsewhere > 0
      ? [`⚠ ${translator.say('analysis.dated_elsewhere', { count: datedElsewhere })}`]
      : []),
    ...missingSentences(missing, isOfSeveral, translator),
    ...(pending.length > 0 && !files?.state.isReading
      ? [`⚠ ${translator.say('analysis.partial', { days: nameRanges(pending, isOfSeveral, translator) })}`]
      : []),
  ];
}

/** What the documents of a kind that count add up to. */
export function listTotal(
  area: DocumentArea,
  { total: count, sum }: Pick<Listing, 'total' | 'sum'>,
  translator: Translator,
): string {
  const total = sum === undefined ? '–' : translator.money(sum);
  return translator.say('analysis.list_total', { kind: kindName(area), count, total });
}
