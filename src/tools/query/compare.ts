import type { AnswerRow, Grouping, LeftOut, Measure, Order } from '../../archive/ask/question.ts';
import { isItemOnlyMeasure } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import {
  addDays,
  addMonths,
  isDay,
  lastDay,
  monthOf,
  type Period,
  periodBefore,
  type Shift,
} from '../../documents/days.ts';
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
import type { Basis, Part } from '../shared/fetching.ts';
import { todayOf } from '../shared/period.ts';
import { percentChange } from './rows.ts';

export const comparisons = ['previous_period', 'previous_year'] as const;

export type Comparison = (typeof comparisons)[number];

/** The earlier period, and how far before the later one it is. */
type Earlier = ReturnType<typeof periodBefore>;

/** The same day of the year before; the last day of a month stays the last. */
function yearBefore(day: string): string {
  const month = addMonths(monthOf(day), -12);
  const same = month + day.slice(7);
  return day === lastDay(monthOf(day)) || !isDay(same) ? lastDay(month) : same;
}

/** The period to compare with: the one before, or the same one of the previous year. */
export function earlierPeriod(period: Period, comparison: Comparison): Earlier {
  if (comparison === 'previous_period') return periodBefore(period);
  return { from: yearBefore(period.from), to: yearBefore(period.to), shift: { months: 12 } };
}

const units: Readonly<Record<string, 'month' | 'week' | 'day'>> = {
  ...{ month: 'month', competence: 'month', due_month: 'month' },
  ...{ week: 'week', due_week: 'week', day: 'day', due_day: 'day' },
};

/** Time groupings whose groups differ between the two periods. */
export function unalignedGroupings(groupBy: readonly Grouping[], shift: Shift): Grouping[] {
  return groupBy.filter((one) => {
    if (units[one] === 'month') return 'days' in shift;
    return units[one] === 'week' && ('months' in shift || shift.days % 7 !== 0);
  });
}

/** Maps a group of the earlier period to the later one; a day missing in its month stays. */
function laterGroup(group: AnswerRow['group'], shift: Shift): AnswerRow['group'] {
  const later = (unit: string | undefined, value: string) => {
    if (unit === undefined) return value;
    if ('days' in shift) return isDay(value) ? addDays(value, shift.days) : value;
    const moved = addMonths(monthOf(value), shift.months) + value.slice(7);
    return unit === 'month' || isDay(moved) ? moved : value;
  };
  return Object.fromEntries(Object.entries(group).map(([name, value]) => [name, later(units[name], value)]));
}

/** Measures of an absent group: zero, without prices. */
export function measuresOfNothing(measures: readonly Measure[]): AnswerRow['measures'] {
  const summed = measures.filter((name) => !isItemOnlyMeasure(name));
  return Object.fromEntries(
    summed.map((name) => [name, name === 'count' || name === 'items' ? '0' : '0.00']),
  );
}

interface ComparedRow extends AnswerRow {
  readonly earlier: AnswerRow;
}

/** Pairs groups with those of the earlier period; groups of the earlier period alone follow in their own order. */
export function besideEarlier(
  rows: readonly AnswerRow[],
  earlier: readonly AnswerRow[],
  { groupBy, measures }: { readonly groupBy: readonly Grouping[]; readonly measures: readonly Measure[] },
  shift: Shift,
): ComparedRow[] {
  const nameOf = (group: AnswerRow['group']) => JSON.stringify(groupBy.map((one) => group[one] ?? null));
  const none = { group: {}, names: {}, measures: measuresOfNothing(measures) };
  const alone = new Map(
    earlier.map((row) => {
      const group = laterGroup(row.group, shift);
      return [nameOf(group), { ...none, group, names: row.names, earlier: { ...row, group } }];
    }),
  );
  const beside = rows.map((row) => {
    const name = nameOf(row.group);
    const before = alone.get(name)?.earlier ?? none;
    alone.delete(name);
    return { ...row, earlier: before };
  });
  return [...beside, ...alone.values()];
}

/** Sorts compared groups by an earlier measure (`total_previous`) or a change; those without the value come last. */
export function inComparedOrder(
  rows: readonly ComparedRow[],
  { by, descending = false }: Order<string>,
): readonly ComparedRow[] {
  const [, name, what] = /^(.*)_(previous|change)$/.exec(by) ?? [];
  if (name === undefined) return rows;
  const measure = name as Measure;
  const sign = descending ? -1 : 1;
  const sortedBy = (row: ComparedRow) => {
    const values = what === 'previous' ? row.earlier.measures : changesOf(row, [measure], true);
    return sign * Number(values[measure] ?? sign * Number.POSITIVE_INFINITY);
  };
  const keyed = rows.map((row) => ({ row, value: sortedBy(row) }));
  return keyed.sort((one, other) => one.value - other.value).map(({ row }) => row);
}

/** Change by measure in percent; null if incomputable, or if units differ. */
export function changesOf(
  { earlier, ...row }: ComparedRow,
  measures: readonly Measure[],
  isSaid: boolean,
): Record<string, string | null> {
  const isOfOneUnit = row.unit === earlier.unit;
  return Object.fromEntries(
    measures.map((name) => {
      const isComparable = isSaid && (isOfOneUnit || !isItemOnlyMeasure(name));
      return [name, isComparable ? percentChange(row.measures[name], earlier.measures[name]) : null];
    }),
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

/** The basis of the sums of the earlier period. */
interface EarlierCounts {
  readonly documents: number;
  readonly leftOut: readonly LeftOut[];
  /** Whether some kind's change is shown. */
  readonly tellsChange: boolean;
}

/** A change needs two complete periods that are over. */
export function areComparable({ selection, basis }: Part, before: Part, context: CallContext): boolean {
  return selection.to < todayOf(context) && isComplete(basis) && isComplete(before.basis);
}

/** The earlier period in the structured answer. */
export function earlierOutput({ from, to, basis }: EarlierParts, { documents, leftOut }: EarlierCounts) {
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
  { documents, leftOut, tellsChange }: EarlierCounts,
  context: CallContext,
): string[] {
  const { say, period } = context.translator;
  const compared = say('analysis.compared', { period: period({ from, to }), documents });
  return sentences(
    [compared, ...leftOutSentences(leftOut, context)].join(' '),
    knownFromSentences(basis, documents, context),
    missingSentences(basis.missing, parts.length > 1, context.translator),
    !tellsChange && `⚠ ${say('analysis.no_change')}`,
  );
}
