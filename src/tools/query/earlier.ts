import type { Grouping, LeftOut } from '../../archive/ask/question.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { type Basis, type Fetching, isComplete, jointBasis, missingSentences } from '../shared/basis.ts';
import { knownFrom, knownFromSentences } from '../shared/known-from.ts';
import { added, leftOutSentences } from '../shared/left-out.ts';
import { unlessEmpty } from '../shared/memory-output.ts';
import { todayOf } from '../shared/period.ts';
import { type Asked, fetchWhatComes, type Part } from '../shared/question.ts';
import type { ComparedWith } from './answers.ts';
import { type Comparison, type Earlier, earlierPeriod, unalignedGroupings } from './compare.ts';

interface Compared {
  readonly compare?: Comparison | undefined;
  readonly group_by: readonly Grouping[];
}

/** Filters tied to one period, which the earlier one would never match. */
const ofOnePeriod = ['due_from', 'due_to', 'competence'] as const;

/** The earlier period; undefined if none is asked for. @throws BadArguments if it can't be compared */
export function earlierAsked(
  args: Compared & { readonly [Name in (typeof ofOnePeriod)[number]]?: unknown },
  days: { readonly from: string; readonly to: string },
  { translator: { say } }: CallContext,
): Earlier | undefined {
  if (args.compare === undefined) return undefined;
  const refuse = (words: string) =>
    new BadArguments([say('argument.problem', { argument: 'compare', words })]);
  const fixed = ofOnePeriod.filter((name) => args[name] !== undefined);
  if (fixed.length > 0)
    throw refuse(say('argument.compare_fixed', { count: fixed.length, filters: fixed.join(', ') }));
  const earlier = earlierPeriod(days, args.compare);
  const unaligned = unalignedGroupings(args.group_by, earlier.shift);
  if (unaligned.length > 0)
    throw refuse(say('argument.compare_groups', { count: unaligned.length, groups: unaligned.join(', ') }));
  return earlier;
}

/** The earlier period's parts and basis. */
export interface EarlierParts {
  readonly period: Earlier;
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
  const { parts } = await fetchWhatComes({ ...asked, from, to }, context, fetching);
  const [first, ...others] = parts;
  return { period, parts, basis: jointBasis([first.basis, ...others.map(({ basis }) => basis)]) };
}

/** The comparison of these parts. A change needs two complete periods that are over. */
export function comparedWith(
  { period, parts }: EarlierParts,
  now: readonly Part[],
  context: CallContext,
): ComparedWith {
  const isOver = (now[0]?.selection.to ?? '') < todayOf(context);
  return {
    shift: period.shift,
    parts: now.map((part, index) => {
      const earlier = parts[index] ?? part;
      const isWhole = isOver && isComplete(part.basis) && isComplete(earlier.basis);
      return {
        earlier: { ...earlier, selection: { ...part.selection, from: period.from, to: period.to } },
        isWhole,
      };
    }),
  };
}

/** Basis of the earlier period's sums. */
type Rested = readonly { readonly documents: number; readonly left_out: readonly LeftOut[] }[];

const documentsIn = (rested: Rested) => rested.reduce((sum, { documents }) => sum + documents, 0);

/** The earlier period in the structured answer. */
export function earlierOutput({ period, basis }: EarlierParts, rested: Rested) {
  return {
    from: period.from,
    to: period.to,
    complete: isComplete(basis),
    known_from: knownFrom(basis),
    documents: documentsIn(rested),
    left_out: unlessEmpty(added(rested.flatMap(({ left_out }) => left_out))),
    missing: unlessEmpty(basis.missing),
    not_fetched_yet: unlessEmpty(basis.pending),
  };
}

/** The earlier period in words, with the reason if no change is shown. */
export function earlierSentences(
  { period, parts, basis }: EarlierParts,
  rested: Rested,
  tellsChange: boolean,
  context: CallContext,
): string[] {
  const { say, period: days } = context.translator;
  const leftOut = leftOutSentences(
    rested.flatMap(({ left_out }) => left_out),
    context,
  );
  return [
    [say('analysis.compared', { period: days(period), documents: documentsIn(rested) }), ...leftOut].join(
      ' ',
    ),
    ...knownFromSentences(basis, documentsIn(rested), context),
    ...missingSentences(basis.missing, parts.length > 1, context.translator),
    ...(tellsChange ? [] : [`⚠ ${say('analysis.no_change')}`]),
  ];
}
