import { daysOf, type Period } from '../days.ts';
import { anyDirection, type CoverageRow } from '../schema/schema.ts';
import type { Direction, Scope } from '../scope.ts';
import type { WasKnown } from './documents.ts';

const directions: readonly Direction[] = ['inbound', 'outbound'];

/**
 * Of which days a listing's documents were known before: a listing of both directions only where both were asked for.
 * Of other dates than that of issue only the window tells.
 * @param fetched what was fetched of the same company and kind by the same date; windows beside its own say nothing
 */
export function daysKnownBy(
  fetched: readonly Pick<CoverageRow, 'from_day' | 'to_day' | 'direction'>[],
  { by, direction, from, to }: Scope & Period,
): WasKnown {
  const asked = direction === undefined ? directions : [direction];
  const touching = fetched.filter(({ from_day, to_day }) => from_day <= to && to_day >= from);
  const isKnown: WasKnown = (day) =>
    asked.every((one) =>
      touching.some(
        (window) =>
          window.from_day <= day &&
          window.to_day >= day &&
          (window.direction === one || window.direction === anyDirection),
      ),
    );
  if (by === 'issue') return isKnown;
  const isWhole = daysOf({ from, to }).every(isKnown);
  return () => isWhole;
}
