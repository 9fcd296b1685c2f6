import type { AnswerRow, Grouping, LeftOut, Measure, Order } from '../../archive/ask/question.ts';
import {
  addDays,
  addMonths,
  firstDay,
  isDay,
  lastDay,
  monthOf,
  type Period,
  periodBefore,
  type Shift,
} from '../../archive/days.ts';
import { isItemOnlyMeasure } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { unfit } from '../shared/arguments.ts';
import {
  added,
  isComplete,
  knownFrom,
  knownFromSentences,
  leftOutSentences,
  missingSentences,
  unlessEmpty,
} from '../shared/basis.ts';
import { sentences } from '../shared/definition.ts';
import {
  type Asked,
  type Basis,
  type Fetching,
  fetchParts,
  jointBasis,
  type Part,
} from '../shared/fetching.ts';
import { todayOf } from '../shared/period.ts';
import { type NamedRow, percentChange } from './rows.ts';

export const comparisons = ['previous_period', 'previous_year'] as const;

export type Comparison = (typeof comparisons)[number];

/** The earlier period. */
export interface Earlier extends Period {
  readonly shift: Shift;
}

/** Shifts a day by months; the last day of a month stays the last. */
function dayInMonths(day: string, months: number): string {
  const month = addMonths(monthOf(day), months);
  const last = lastDay(month);
  const same = month + day.slice(7);
  return day === lastDay(monthOf(day)) || same > last ? last : same;
}

/** The period to compare with: the one before, or the same one of the previous year. */
export function earlierPeriod(period: Period, comparison: Comparison): Earlier {
  if (comparison === 'previous_period') return periodBefore(period);
  const { from, to } = period;
  const isFirst = from === firstDay(monthOf(from));
  const begin = isFirst ? firstDay(addMonths(monthOf(from), -12)) : dayInMonths(from, -12);
  return { from: begin, to: dayInMonths(to, -12), shift: { months: 12 } };
}

const ofMonths: readonly Grouping[] = ['month', 'competence', 'due_month'];
const ofWeeks: readonly Grouping[] = ['week', 'due_week'];
const ofDays: readonly Grouping[] = ['day', 'due_day'];

/** Time groupings whose groups differ between the two periods. */
export function unalignedGroupings(groupBy: readonly Grouping[], shift: Shift): Grouping[] {
  const isOfMonths = 'months' in shift;
  return groupBy.filter((one) =>
    ofMonths.includes(one) ? !isOfMonths : ofWeeks.includes(one) && (isOfMonths || shift.days % 7 !== 0),
  );
}

/** Maps a group of the earlier period to the later one; a day missing in its month stays. */
function laterGroup(group: AnswerRow['group'], shift: Shift): AnswerRow['group'] {
  const later = ([name, value]: [string, string]) => {
    const isIn = (groupings: readonly string[]) => groupings.includes(name);
    if (!isIn([...ofMonths, ...ofWeeks, ...ofDays])) return [name, value];
    if ('days' in shift) return [name, isDay(value) ? addDays(value, shift.days) : value];
    if (isIn(ofMonths)) return [name, addMonths(value, shift.months)];
    const day = addMonths(monthOf(value), shift.months) + value.slice(7);
    return [name, isDay(day) ? day : value];
  };
  return Object.fromEntries(Object.entries(group).map(later));
}

/** Measures of an absent group: zero, without prices. */
export function measuresOfNothing(measures: readonly Measure[]): AnswerRow['measures'] {
  const zero = (name: Measure) => (name === 'count' || name === 'items' ? '0' : '0.00');
  const summed = measures.filter((name) => !isItemOnlyMeasure(name));
  return Object.fromEntries(summed.map((name) => [name, zero(name)]));
}

/** A group beside its earlier counterpart. */
export interface ComparedRow extends NamedRow {
  readonly earlier: NamedRow;
}

/** Pairs groups with those of the earlier period; groups of the earlier period alone follow in their own order. */
export function besideEarlier(
  rows: readonly NamedRow[],
  earlier: readonly NamedRow[],
  { groupBy, measures }: { readonly groupBy: readonly Grouping[]; readonly measures: readonly Measure[] },
  shift: Shift,
): ComparedRow[] {
  const nameOf = ({ group }: NamedRow) => JSON.stringify(groupBy.map((one) => group[one] ?? null));
  const moved = earlier.map((row) => ({ ...row, group: laterGroup(row.group, shift) }));
  const byName = new Map(moved.map((row) => [nameOf(row), row]));
  const none = { group: {}, names: {}, measures: measuresOfNothing(measures) };
  const known = new Set(rows.map(nameOf));
  const gone = moved.filter((row) => !known.has(nameOf(row)));
  return [
    ...rows.map((row) => ({ ...row, earlier: byName.get(nameOf(row)) ?? none })),
    ...gone.map((row) => ({ ...none, group: row.group, names: row.names, earlier: row })),
  ];
}

/** Additional orders of compared groups: the earlier measure, and its change. */
export type ComparedOrder = `${Measure}_previous` | `${Measure}_change`;

/** Names of `ComparedOrder` for these measures. */
export function comparedOrders(measures: readonly Measure[]): ComparedOrder[] {
  return measures.flatMap((name) => [`${name}_previous`, `${name}_change`] as const);
}

/** Sorts compared groups; those without the value come last. */
export function inComparedOrder(
  rows: readonly ComparedRow[],
  { by, descending = false }: Order<string>,
): readonly ComparedRow[] {
  const [, name, what] = /^(.*)_(previous|change)$/.exec(by) ?? [];
  if (name === undefined) return rows;
  const measure = name as Measure;
  const textOf = (row: ComparedRow) =>
    what === 'previous' ? row.earlier.measures[measure] : changesOf(row, [measure], true)[measure];
  const numbered = rows.map((row) => ({ row, text: textOf(row) ?? undefined }));
  const way = descending ? -1 : 1;
  return numbered
    .toSorted((one, other) => {
      if (one.text === undefined || other.text === undefined)
        return Number(one.text === undefined) - Number(other.text === undefined);
      return way * (Number(one.text) - Number(other.text));
    })
    .map(({ row }) => row);
}

/** Change by measure in percent; null if incomputable, or if units differ. */
export function changesOf(
  { earlier, ...row }: ComparedRow,
  measures: readonly Measure[],
  isSaid: boolean,
): Record<string, string | null> {
  const isOfOneUnit = row.unit === earlier.unit;
  return Object.fromEntries(
    measures.map((name) => [
      name,
      isSaid && (isOfOneUnit || !isItemOnlyMeasure(name))
        ? percentChange(row.measures[name] ?? undefined, earlier.measures[name] ?? undefined)
        : null,
    ]),
  );
}

/** Filters tied to one period, which the earlier one would never match. */
const ofOnePeriod = ['due_from', 'due_to', 'competence'] as const;

/** The earlier period; undefined if none is asked for. @throws BadArguments if it can't be compared */
export function earlierAsked(
  args: { readonly compare?: Comparison | undefined; readonly group_by: readonly Grouping[] } & {
    readonly [Name in (typeof ofOnePeriod)[number]]?: unknown;
  },
  days: Period,
  context: CallContext,
): Earlier | undefined {
  if (args.compare === undefined) return undefined;
  const { say } = context.translator;
  const refuse = (words: string) => unfit('compare', words, context);
  const fixed = ofOnePeriod.filter((name) => args[name] !== undefined);
  if (fixed.length > 0)
    throw refuse(say('argument.compare_fixed', { count: fixed.length, filters: fixed.join(', ') }));
  const earlier = earlierPeriod(days, args.compare);
  const unaligned = unalignedGroupings(args.group_by, earlier.shift);
  if (unaligned.length > 0)
    throw refuse(say('argument.compare_groups', { count: unaligned.length, groups: unaligned.join(', ') }));
  return earlier;
}

/** The earlier period with its documents. */
export interface EarlierParts extends Earlier {
  readonly parts: readonly Part[];
  readonly basis: Basis;
}

/** Fetches the earlier period's documents. */
export async function fetchEarlier(
  period: Earlier,
  asked: Asked,
  context: CallContext,
  fetching: Fetching,
): Promise<EarlierParts> {
  const { from, to } = period;
  const parts = await fetchParts({ ...asked, from, to }, context, { ...fetching, mayBeEmpty: true });
  return { ...period, parts, basis: jointBasis(parts) };
}

/** The comparison period. */
export interface ComparedWith {
  readonly shift: Shift;
  /** Earlier period of each part; `isWhole`: both periods are complete, so a change can be computed. */
  readonly parts: readonly { readonly earlier: Part; readonly isWhole: boolean }[];
}

/** The comparison of these parts. A change needs two complete periods that are over. */
export function comparedWith(
  { from, to, shift, parts }: EarlierParts,
  now: readonly Part[],
  context: CallContext,
): ComparedWith {
  const isOver = (now[0]?.selection.to ?? '') < todayOf(context);
  const compared = now.map((part, index) => {
    const { basis } = parts[index] ?? part;
    const isWhole = isOver && isComplete(part.basis) && isComplete(basis);
    return { earlier: { basis, selection: { ...part.selection, from, to } }, isWhole };
  });
  return { shift, parts: compared };
}

/** Counts behind the earlier period's sums. */
type Rested = readonly { readonly documents: number; readonly left_out: readonly LeftOut[] }[];

function restedOn(rested: Rested) {
  const documents = rested.reduce((sum, one) => sum + one.documents, 0);
  return { documents, leftOut: rested.flatMap(({ left_out }) => left_out) };
}

/** The earlier period in the structured answer. */
export function earlierOutput({ from, to, basis }: EarlierParts, rested: Rested) {
  const { documents, leftOut } = restedOn(rested);
  return {
    from,
    to,
    complete: isComplete(basis),
    known_from: knownFrom(basis),
    documents,
    left_out: unlessEmpty(added(leftOut)),
    missing: unlessEmpty(basis.missing),
    not_fetched_yet: unlessEmpty(basis.pending),
  };
}

/** The earlier period in words, with the reason if no change is shown. */
export function earlierSentences(
  { from, to, parts, basis }: EarlierParts,
  rested: Rested,
  tellsChange: boolean,
  context: CallContext,
): string[] {
  const { say, period } = context.translator;
  const { documents, leftOut } = restedOn(rested);
  const compared = say('analysis.compared', { period: period({ from, to }), documents });
  return sentences(
    [compared, ...leftOutSentences(leftOut, context)].join(' '),
    knownFromSentences(basis, documents, context),
    missingSentences(basis.missing, parts.length > 1, context.translator),
    !tellsChange && `⚠ ${say('analysis.no_change')}`,
  );
}
