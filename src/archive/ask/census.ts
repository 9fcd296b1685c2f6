import { sql } from 'kysely';
import type { Db } from '../schema/schema.ts';
import { allOf, isOneOf } from '../schema/sql.ts';
import {
  type Basis,
  matching,
  type Owned,
  placedAcross,
  placedDocuments,
  placedWithin,
} from './conditions.ts';
import { summedAcross, summedDocuments } from './kept-sums.ts';
import type { Filters, LeftOut, LeftOutReason, Selection } from './question.ts';
import type { Sums } from './source.ts';

/** How many documents an answer rests on and how many it leaves out. */
export interface Census {
  readonly documents: number;
  readonly left_out: readonly LeftOut[];
}

interface Tally {
  readonly status: string;
  readonly exclusion: string;
  readonly documents: number;
  /** Of these, those with lines. */
  readonly lined: number;
}

async function tallies(
  db: Db,
  selection: Owned<Selection>,
  basis: Basis,
  sums: Sums | undefined,
): Promise<Tally[]> {
  const filters = selection.filters ?? {};
  const summed = summedDocuments(selection, sums);
  if (summed !== undefined) {
    const { rows } = await sql<Tally>`
      select r.status, r.exclusion, cast(sum(r.documents) as bigint) as documents, cast(sum(r.lined) as bigint) as lined
      from ${summed.rows} and ${allOf(isOneOf(sql`r.status`, filters.status))} group by 1, 2`.execute(db);
    return rows;
  }
  const conditions = [
    placedWithin(selection),
    ...matching(selection, basis),
    ...isOneOf(sql`d.status`, filters.status),
  ];
  const { rows } = await sql<Tally>`
    select d.status, d.exclusion, count(*) as documents, cast(sum(d.has_lines) as bigint) as lined
    from ${placedDocuments} where ${allOf(conditions)} group by 1, 2`.execute(db);
  return rows;
}

async function undated(
  db: Db,
  selection: Owned<Selection>,
  basis: Basis,
  sums: Sums | undefined,
): Promise<number> {
  if (selection.by === 'issue') return 0;
  const summed = summedAcross(selection, sums);
  if (summed !== undefined) {
    const { rows } = await sql<{ documents: number | null }>`
      select cast(sum(r.documents) as bigint) as documents from ${summed}`.execute(db);
    return Number(rows[0]?.documents ?? 0);
  }
  const conditions = [placedAcross(selection), ...matching(selection, basis)];
  const { rows } = await sql<{ documents: number }>`
    select count(*) as documents from ${placedDocuments}
    where ${allOf(conditions)}`.execute(db);
  return rows[0]?.documents ?? 0;
}

/** Why documents of this status are left out of an answer; undefined where they aren't. */
function reasonFor(
  { status, exclusion }: Pick<Tally, 'status' | 'exclusion'>,
  { status: asked, withTest = false }: Filters,
  basis: Basis,
): LeftOutReason | undefined {
  if (exclusion === 'test' && !withTest) return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined) return undefined;
  return status === 'cancelled' || status === 'denied' ? status : undefined;
}

/** Counts the documents of a selection: those an answer rests on, and those left out by reason. */
export async function takeCensus(
  db: Db,
  selection: Owned<Selection>,
  basis: Basis,
  sums: Sums | undefined,
): Promise<Census> {
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count: number) => {
    if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  let documents = 0;
  for (const tally of await tallies(db, selection, basis, sums)) {
    const reason = reasonFor(tally, selection.filters ?? {}, basis);
    if (reason !== undefined) {
      leaveOut(reason, tally.documents);
      continue;
    }
    documents += basis === 'items' ? tally.lined : tally.documents;
    if (basis === 'items') leaveOut('no_items', tally.documents - tally.lined);
  }
  leaveOut('undated', await undated(db, selection, basis, sums));
  return { documents, left_out: [...counts].map(([reason, count]) => ({ reason, count })) };
}
