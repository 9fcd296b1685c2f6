import { sql } from 'kysely';
import type { Db } from '../schema/schema.ts';
import { allOf, isOneOf } from '../schema/sql.ts';
import type { Rollup, Sums } from '../sums/sums.ts';
import { across, type Basis, type Owned, within } from './conditions.ts';
import type { LeftOut, LeftOutReason, Selection } from './question.ts';
import { planCount } from './source.ts';

interface Tally {
  readonly status: string;
  readonly exclusion: string;
  readonly documents: number;
  readonly lined: number;
}

/** How many documents an answer rests on, and how many it leaves out by reason. */
export interface Census {
  readonly documents: number;
  readonly left_out: readonly LeftOut[];
}

/** Why documents of this status are left out of an answer; undefined where they aren't. */
function reasonFor(
  { status, exclusion }: Tally,
  { filters: { status: asked, withTest = false } = {} }: Selection,
  basis: Basis,
): LeftOutReason | undefined {
  if (exclusion === 'test' && !withTest) return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined) return undefined;
  return status === 'cancelled' || status === 'denied' ? status : undefined;
}

/** How the documents of a selection are counted, and by which roll-ups, which must be current. */
export function planCensus(selection: Owned<Selection>, basis: Basis, sums: Sums | undefined) {
  const counted = planCount(selection, basis, sums, within);
  const undated = selection.by === 'issue' ? undefined : planCount(selection, basis, sums, across);
  const rollups = [counted.rollup, undated?.rollup].filter(
    (rollup): rollup is Rollup => rollup !== undefined,
  );

  async function take(db: Db): Promise<Census> {
    const counts = new Map<LeftOutReason, number>();
    const leaveOut = (reason: LeftOutReason, count: number) => {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    };
    const asked = allOf(isOneOf(counted.status, selection.filters?.status));
    const { rows } = await sql<Tally>`
      select ${counted.status} as status, ${counted.exclusion} as exclusion,
        cast(${counted.documents} as bigint) as documents, cast(${counted.lined} as bigint) as lined
      from ${counted.from} and ${asked} group by 1, 2`.execute(db);
    let documents = 0;
    for (const tally of rows) {
      const reason = reasonFor(tally, selection, basis);
      if (reason !== undefined) {
        leaveOut(reason, tally.documents);
        continue;
      }
      documents += basis === 'items' ? tally.lined : tally.documents;
      if (basis === 'items') leaveOut('no_items', tally.documents - tally.lined);
    }
    if (undated !== undefined) {
      const all = await sql<{ documents: number | null }>`
        select cast(${undated.documents} as bigint) as documents from ${undated.from}`.execute(db);
      leaveOut('undated', Number(all.rows[0]?.documents ?? 0));
    }
    return { documents, left_out: [...counts].map(([reason, count]) => ({ reason, count })) };
  }

  return { rollups, take };
}
