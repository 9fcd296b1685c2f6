import * as z from 'zod';
import type { DocumentChange, Unreadable } from '../archive/archive.ts';
import { asWord } from '../documents/untrusted.ts';
import type { CallContext } from './call-context.ts';

/** What an answer says of a refresh; part of output schemas. */
export const refreshShape = () => ({
  refreshed: z.boolean().optional().describe('Fetched now, by refresh'),
  changes: z
    .array(
      z.object({
        key: z.string(),
        what: z.enum(['new', 'cancelled', 'corrected', 'manifested']),
        at: z.string().optional(),
      }),
    )
    .optional()
    .describe('Against what was known before'),
  changes_total: z.int().optional(),
});

/** What every answer from the memory says of how old it is and of what a refresh brought; part of output schemas. */
export const memoryShape = () => ({
  as_of: z.string().optional().describe('Oldest moment its data was fetched at, UTC'),
  ...refreshShape(),
  unreadable: z
    .array(z.object({ place: z.string(), root: z.string().optional(), reason: z.string() }))
    .optional()
    .describe('Documents that could not be read'),
});

/** What became of an answer's data. */
export interface RefreshState {
  readonly isRefreshed: boolean;
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

/** How old an answer's data is, and what became of it. */
export interface MemoryState extends RefreshState {
  readonly as_of: string | undefined;
  readonly unreadable: readonly Unreadable[];
}

const MOST_CHANGES = 20;
const MOST_UNREADABLE = 50;

function inWords({ place, root, family, reason }: Unreadable, { translator }: CallContext) {
  const words = translator.say(`memory.reason.${reason}`);
  return { place, root, reason: family === undefined ? words : `${words}: ${family}` };
}

/** What a refresh brought, as a structured answer carries it; what is empty is absent. */
export function refreshOutput({ isRefreshed, changes, changes_total }: RefreshState) {
  return {
    refreshed: isRefreshed || undefined,
    changes: changes.length > 0 ? changes.slice(0, MOST_CHANGES).map((one) => ({ ...one })) : undefined,
    changes_total: changes_total > 0 ? changes_total : undefined,
  };
}

/** The state as a structured answer carries it; what is empty is absent. */
export function memoryOutput(state: MemoryState, context: CallContext) {
  const { as_of, unreadable } = state;
  const named = unreadable.slice(0, MOST_UNREADABLE).map((one) => inWords(one, context));
  return {
    as_of,
    ...refreshOutput(state),
    unreadable: named.length > 0 ? named : undefined,
  };
}

/** Changes and unreadable documents that a text names one by one. */
const MOST_NAMED = 5;

function namedChanges({ changes, changes_total }: RefreshState, { translator }: CallContext): string {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ key, what }) => `${asWord(key)} ${translator.say(`memory.change.${what}`)}`);
  return [...named, ...(changes_total > named.length ? ['…'] : [])].join('; ');
}

/** What has changed against what was known before. */
export function refreshSentences(state: RefreshState, context: CallContext): string[] {
  const { changes_total: count } = state;
  if (count === 0) return [];
  return [context.translator.say('memory.changes', { count, changes: namedChanges(state, context) })];
}

/** What was fetched within this was fetched for the answer. */
const JUST_FETCHED_MS = 60_000;

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

function duration(milliseconds: number, { translator }: CallContext): string {
  const [unit, length] = UNITS.find(([, one]) => milliseconds % one === 0) ?? ['minutes', 60_000];
  return translator.say(`memory.${unit}`, { count: Math.round(milliseconds / length) });
}

/** How long what is known holds, where the answer was not fetched just now. */
function graceSentence(as_of: string, context: CallContext): string[] {
  const { company, translator } = context;
  if (company.now() - Date.parse(as_of) < JUST_FETCHED_MS) return [];
  const rules = company.settings.archiveRefresh;
  const graces = rules.map(({ days, olderThanMs }) =>
    translator.say('memory.grace_of_days', { days, time: duration(olderThanMs, context) }),
  );
  return [translator.say('memory.grace', { days: graces.join('; ') })];
}

/** What a reader must know of the state: how old it is, what has changed, what is missing because it can't be read. */
export function memorySentences(state: MemoryState, context: CallContext): string[] {
  const { translator } = context;
  const { as_of, unreadable } = state;
  const named = unreadable
    .slice(0, MOST_NAMED)
    .map((one) => inWords(one, context))
    .map(
      ({ place, root, reason }) =>
        `${asWord(place)}${root === undefined ? '' : ` <${asWord(root)}>`}: ${reason}`,
    );
  return [
    ...(as_of === undefined
      ? []
      : [translator.say('memory.as_of', { at: translator.moment(as_of) }), ...graceSentence(as_of, context)]),
    ...refreshSentences(state, context),
    ...(unreadable.length > 0
      ? [
          `⚠ ${translator.say('memory.unreadable', {
            count: unreadable.length,
            named: [...named, ...(unreadable.length > named.length ? ['…'] : [])].join('; '),
          })}`,
        ]
      : []),
  ];
}
