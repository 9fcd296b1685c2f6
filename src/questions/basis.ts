import * as z from 'zod';
import { type CoverRequest, cover } from '../archive/fetch/cover.ts';
import type { DocumentArea } from '../archive/references.ts';
import type { Archive } from '../archive/store/archive.ts';
import type { LeftOut } from '../archive/store/ask/question.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure } from '../services/failures.ts';
import { type MemoryState, memoryOutput, memorySentences, memoryShape } from '../services/memory-output.ts';

/**
 * How long a question may fetch before it answers with what it has; hosts give a call 60 seconds.
 * Source: docs/hosts.md, F2.
 */
const LONGEST_FETCH_MS = 38_000;

/** The moment until which a call that begins now may fetch. */
export const fetchDeadline = (): number => Date.now() + LONGEST_FETCH_MS;

/** What every analysis says about what it rests on; part of the output schemas. */
export const basisShape = () => ({
  company: z.string(),
  from: z.string(),
  to: z.string(),
  documents: z.int().describe('How many documents the answer rests on'),
  complete: z.boolean().describe('False: days are missing or not fetched yet'),
  missing: z
    .array(z.object({ document: z.string(), from: z.string(), to: z.string(), reason: z.string() }))
    .optional()
    .describe('Days that could not be fetched'),
  not_fetched_yet: z.array(z.object({ document: z.string(), from: z.string(), to: z.string() })).optional(),
  left_out: z.array(z.object({ reason: z.string(), count: z.int() })).optional(),
  next_cursor: z.string().optional(),
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
}

/** How a question fetches what it lacks. */
export interface Fetching {
  /** Nothing that was asked for before this moment counts. */
  readonly since?: Date | undefined;
  /** Milliseconds since 1970. */
  readonly deadline?: number;
}

/** Opens the archive and fetches what the question lacks, for as long as a host waits. */
export async function ensureFetched(
  { from, to, company, area, by }: CoverRequest,
  context: CallContext,
  { since, deadline = fetchDeadline() }: Fetching = {},
): Promise<Basis> {
  const { services, translator, signal } = context;
  const { settings } = services;
  const [archive, client] = await Promise.all([services.archive(), services.documents()]);
  const result = await cover(
    { from, to, company, area, by },
    {
      archive,
      client,
      concurrency: settings.concurrency,
      hasTimes: settings.timeFormat !== 'none',
      keepXml: settings.archiveXml,
      freshness: {
        now: since ?? new Date(services.now()),
        rules: settings.archiveRefresh,
        refresh: since !== undefined,
      },
      now: services.now,
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
    archive,
    as_of: result.as_of,
    isRefreshed: since !== undefined,
    changes: result.changes,
    changes_total: result.changes_total,
    unreadable: unreadable.map(({ from: first, to: last, ...one }) => ({
      ...one,
      place: `${first === last ? first : `${first}…${last}`}, ${one.place}`,
    })),
    missing: result.missing.map(({ from, to, error }) => ({
      document: area,
      from,
      to,
      reason: explainFailure(error, translator) ?? error.name,
    })),
    pending: result.pending.map(({ from, to }) => ({ document: area, from, to })),
    fetched: result.documents,
    datedElsewhere: result.datedElsewhere,
  };
}

/** A list as a structured answer carries it: not at all where it is empty. */
function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Reasons of several parts of an answer, each once. */
function added(leftOut: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<LeftOut['reason'], number>();
  for (const { reason, count } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }));
}

/** The basis as the structured answer carries it. */
export function basisOutput(basis: Basis, leftOut: readonly LeftOut[], context: CallContext) {
  const { missing, pending, unreadable } = basis;
  return {
    ...memoryOutput(basis, context),
    complete: missing.length === 0 && pending.length === 0 && unreadable.length === 0,
    missing: unlessEmpty(missing),
    not_fetched_yet: unlessEmpty(pending),
    left_out: unlessEmpty(added(leftOut)),
  };
}

/** Days named in a sentence; a long list is cut, and the structured answer has all. */
const MOST_RANGES_NAMED = 6;

type Range = Basis['pending'][number];

function nameRanges(ranges: readonly Range[], withKind: boolean): string {
  const named = ranges.slice(0, MOST_RANGES_NAMED).map(({ document, from, to }) => {
    const days = from === to ? from : `${from}…${to}`;
    return withKind ? `${kindName(document)} ${days}` : days;
  });
  return [...named, ...(ranges.length > MOST_RANGES_NAMED ? ['…'] : [])].join(', ');
}

/** What a reader must know of the basis before believing a sum. */
export function basisSentences(
  basis: Basis,
  documents: number,
  leftOut: readonly LeftOut[],
  context: CallContext,
): string[] {
  const { missing, pending, datedElsewhere } = basis;
  const { translator } = context;
  const [first] = missing;
  const kinds = new Set([...missing, ...pending].map(({ document }) => document));
  const isOfSeveral = kinds.size > 1;
  const words = added(leftOut).map(({ reason, count }) => translator.say(`left_out.${reason}`, { count }));
  return [
    translator.say('analysis.rests_on', { documents }),
    ...memorySentences(basis, context),
    ...(words.length > 0 ? [translator.say('analysis.left_out', { words: words.join(', ') })] : []),
    ...(datedElsewhere > 0
      ? [`⚠ ${translator.say('analysis.dated_elsewhere', { count: datedElsewhere })}`]
      : []),
    ...(first === undefined
      ? []
      : [
          `⚠ ${translator.say('analysis.missing', { days: nameRanges(missing, isOfSeveral), reason: first.reason })}`,
        ]),
    ...(pending.length > 0
      ? [`⚠ ${translator.say('analysis.partial', { days: nameRanges(pending, isOfSeveral) })}`]
      : []),
  ];
}
