import * as z from 'zod';
import type { DocumentChange, Unreadable } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { OtherDocument } from '../../documents/layouts/other-models.ts';
import { asWord } from '../../documents/untrusted.ts';

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

const otherKindShape = () =>
  z.object({
    kind: z.string(),
    key: z.string().optional(),
    issuer: z.string().optional(),
    date: z.string().optional(),
    total: z.string().optional(),
  });

/** What an answer from the memory says of its age; part of output schemas. */
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

/** Age of an answer's data, and what a refresh brought. */
export interface MemoryState extends RefreshState {
  readonly as_of: string | undefined;
  readonly unreadable: readonly Unreadable[];
}

/** A list, or undefined where it is empty: an answer leaves it out then. */
export function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}

/** The memory of several parts of an answer as one. */
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
/** Changes and documents that a text names one by one. */
const MOST_NAMED = 5;
/** Documents of other models that a text names one by one. */
const MOST_OTHERS = 10;

/** The first names of a list that has so many, with an ellipsis for the rest. */
export function namedOf(names: readonly string[], count = names.length, most = MOST_NAMED): string {
  return [...names.slice(0, most), ...(count > most ? ['…'] : [])].join('; ');
}

function unreadableInWords({ place, root, family, reason }: Unreadable, { translator }: CallContext) {
  const words = translator.say(`memory.reason.${reason}`);
  return { place, root, reason: family === undefined ? words : `${words}: ${family}` };
}

/** What could not be read, without the documents of other models, which are named. */
export function unknownDocuments(unreadable: readonly Unreadable[]): Unreadable[] {
  return unreadable.filter(({ outline }) => outline === undefined);
}

function otherKinds(unreadable: readonly Unreadable[]): OtherDocument[] {
  return unreadable.flatMap(({ outline }) => outline ?? []);
}

/** Documents of other models as the structured answer has them; undefined for none. */
export function otherKindsOutput(others: readonly OtherDocument[]) {
  return unlessEmpty(others.slice(0, MOST_UNREADABLE).map(({ issuer_name: _, ...one }) => one));
}

/** Documents of other models, named. */
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

/** A refresh as the structured answer has it. */
export function refreshOutput({ isRefreshed, changes, changes_total }: RefreshState) {
  return {
    refreshed: isRefreshed || undefined,
    changes: unlessEmpty(changes.slice(0, MOST_CHANGES).map((one) => ({ ...one }))),
    changes_total: changes_total || undefined,
  };
}

/** The memory as the structured answer has it. */
export function memoryOutput(state: MemoryState, context: CallContext) {
  const unreadable = unknownDocuments(state.unreadable).slice(0, MOST_UNREADABLE);
  return {
    as_of: state.as_of,
    ...refreshOutput(state),
    unreadable: unlessEmpty(unreadable.map((one) => unreadableInWords(one, context))),
    other_kinds: otherKindsOutput(otherKinds(state.unreadable)),
  };
}

/** What changed since the data was last fetched. */
export function refreshSentences(
  { changes, changes_total: count }: RefreshState,
  { translator: { say } }: CallContext,
): string[] {
  if (count === 0) return [];
  const words = changes.map(({ key, what }) => `${asWord(key)} ${say(`memory.change.${what}`)}`);
  return [say('memory.changes', { count, changes: namedOf(words, count) })];
}

/** Data of this age was fetched for the answer. */
const JUST_FETCHED_MS = 60_000;

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** How long fetched data counts as fresh, where it was not fetched just now. */
function graceSentence(as_of: string, { company, isDue, translator: { say } }: CallContext): string[] {
  if (company.now() - Date.parse(as_of) < JUST_FETCHED_MS || !isDue('memory.grace')) return [];
  const graces = company.settings.archiveRefresh.map(({ days, olderThanMs }) => {
    const [unit, length] = UNITS.find(([, one]) => olderThanMs % one === 0) ?? ['minutes', 60_000];
    const time = say(`memory.${unit}`, { count: Math.round(olderThanMs / length) });
    return say('memory.grace_of_days', { days, time });
  });
  return [say('memory.grace', { days: graces.join('; ') })];
}

/** Age, changes and unreadable documents of an answer from the memory. */
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
