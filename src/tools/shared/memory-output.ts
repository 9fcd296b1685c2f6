import * as z from 'zod';
import type { DocumentChange, Unreadable } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { OtherDocument } from '../../documents/layouts/other-models.ts';
import { asWord } from '../../documents/untrusted.ts';

/** Output schema of a refresh. */
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

const otherKindShape = () =>
  z.object({
    kind: z.string(),
    key: z.string().optional(),
    issuer: z.string().optional(),
    date: z.string().optional(),
    total: z.string().optional(),
  });

/** Output schema of an answer's data age. */
export const memoryShape = () => ({
  as_of: z.string().optional().describe('Oldest moment its data was fetched at, UTC'),
  ...refreshShape(),
  unreadable: z
    .array(z.object({ place: z.string(), root: z.string().optional(), reason: z.string() }))
    .optional()
    .describe('Documents that could not be read'),
  other_kinds: z.array(otherKindShape()).optional().describe('Of other models, in no sum'),
});

export interface RefreshState {
  readonly isRefreshed: boolean;
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

/** Age of the data, and the changes found by a refresh. */
export interface MemoryState extends RefreshState {
  readonly as_of: string | undefined;
  readonly unreadable: readonly Unreadable[];
}

/** A list, or undefined if empty. */
export function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** Merges the memory states of an answer's parts. */
export function jointMemory(
  parts: readonly Omit<MemoryState, 'isRefreshed'>[],
  isRefreshed: boolean,
): MemoryState {
  const [as_of] = parts.flatMap((part) => part.as_of ?? []).sort();
  return {
    as_of,
    isRefreshed,
    changes: parts.flatMap(({ changes }) => changes),
    changes_total: parts.reduce((sum, part) => sum + part.changes_total, 0),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
  };
}

const MOST_CHANGES = 20;
const MOST_UNREADABLE = 50;
/** Changes and documents named in a text. */
const MOST_NAMED = 5;
/** Documents of other models named in a text. */
const MOST_OTHERS = 10;

/** Joins the first names, with an ellipsis if there are more. */
export function namedOf(names: readonly string[], count = names.length, most = MOST_NAMED): string {
  return [...names.slice(0, most), ...(count > most ? ['…'] : [])].join('; ');
}

function unreadableInWords({ place, root, family, reason }: Unreadable, { translator }: CallContext) {
  const words = translator.say(`memory.reason.${reason}`);
  return { place, root, reason: family === undefined ? words : `${words}: ${family}` };
}

/** Unreadable documents, except those of other models. */
export function unknownDocuments(unreadable: readonly Unreadable[]): Unreadable[] {
  return unreadable.filter(({ outline }) => outline === undefined);
}

function otherKinds(unreadable: readonly Unreadable[]): OtherDocument[] {
  return unreadable.flatMap(({ outline }) => outline ?? []);
}

/** Documents of other models in the structured answer. */
export function otherKindsOutput(others: readonly OtherDocument[]) {
  return unlessEmpty(others.slice(0, MOST_UNREADABLE).map(({ issuer_name: _, ...one }) => one));
}

/** Documents of other models in words. */
export function otherKindsSentences(
  others: readonly OtherDocument[],
  { translator: { say } }: CallContext,
): string[] {
  if (others.length === 0) return [];
  const names = others.map(({ kind, key, issuer, date, total }) =>
    [kind, key, issuer, date, total].flatMap((one) => (one === undefined ? [] : asWord(one))).join(' '),
  );
  const named = namedOf(names, names.length, MOST_OTHERS);
  return [say('memory.other_kinds', { count: others.length, named })];
}

/** A refresh in the structured answer. */
export function refreshOutput({ isRefreshed, changes, changes_total }: RefreshState) {
  return {
    refreshed: isRefreshed || undefined,
    changes: unlessEmpty(changes.slice(0, MOST_CHANGES).map((one) => ({ ...one }))),
    changes_total: changes_total || undefined,
  };
}

/** The memory state in the structured answer. */
export function memoryOutput(state: MemoryState, context: CallContext) {
  const unreadable = unknownDocuments(state.unreadable).slice(0, MOST_UNREADABLE);
  return {
    as_of: state.as_of,
    ...refreshOutput(state),
    unreadable: unlessEmpty(unreadable.map((one) => unreadableInWords(one, context))),
    other_kinds: otherKindsOutput(otherKinds(state.unreadable)),
  };
}

/** Changes since the last fetch, in words. */
export function refreshSentences(
  { changes, changes_total: count }: RefreshState,
  { translator: { say } }: CallContext,
): string[] {
  if (count === 0) return [];
  const words = changes.map(({ key, what }) => `${asWord(key)} ${say(`memory.change.${what}`)}`);
  return [say('memory.changes', { count, changes: namedOf(words, count) })];
}

/** Data younger than this was fetched for the answer. */
const JUST_FETCHED_MS = 60_000;

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** How long data counts as fresh, unless it was just fetched. */
function graceSentence(as_of: string, { company, isDue, translator: { say } }: CallContext): string[] {
  if (company.now() - Date.parse(as_of) < JUST_FETCHED_MS || !isDue('memory.grace')) return [];
  const graces = company.settings.archiveRefresh.map(({ days, olderThanMs }) => {
    const [unit, length] = UNITS.find(([, one]) => olderThanMs % one === 0) ?? ['minutes', 60_000];
    const time = say(`memory.${unit}`, { count: Math.round(olderThanMs / length) });
    return say('memory.grace_of_days', { days, time });
  });
  return [say('memory.grace', { days: graces.join('; ') })];
}

/** Age, changes and unreadable documents in words. */
export function memorySentences(state: MemoryState, context: CallContext): string[] {
  const { say, moment } = context.translator;
  const { as_of } = state;
  const unreadable = unknownDocuments(state.unreadable);
  const named = unreadable.slice(0, MOST_NAMED).map((one) => {
    const { place, root, reason } = unreadableInWords(one, context);
    return `${asWord(place)}${root === undefined ? '' : ` <${asWord(root)}>`}: ${reason}`;
  });
  const count = unreadable.length;
  return [
    ...(as_of === undefined
      ? []
      : [say('memory.as_of', { at: moment(as_of) }), ...graceSentence(as_of, context)]),
    ...refreshSentences(state, context),
    ...(count > 0 ? [`⚠ ${say('memory.unreadable', { count, named: namedOf(named, count) })}`] : []),
    ...otherKindsSentences(otherKinds(state.unreadable), context),
  ];
}
