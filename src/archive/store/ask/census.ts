import { sql } from 'kysely';
import type { Db } from '../schema/schema.ts';
import { allOf, type Condition, isOneOf } from '../schema/sql.ts';
import {
  asksItems,
  documentConditions,
  hasItem,
  type Owned,
  placedAcross,
  placedDocuments,
  placedWithin,
} from './conditions.ts';
import { type Reach, rolledAcross, rolledDocumentsOf } from './plan.ts';
import type { Filters, LeftOut, LeftOutReason, Selection } from './question.ts';
import { wordsInDocument } from './words.ts';

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

/** What is counted: documents summed up, their items, or documents as they are listed. */
export type Basis = 'documents' | 'items' | 'list';

/** Documents `d` that meet every filter but that of the status. */
export function matching(selection: Owned<Selection>, basis: Basis): Condition[] {
  const { filters = {} } = selection;
  const hasCodes = asksItems(filters);
  const hasWords = filters.text !== undefined && /\S\s+\S/.test(filters.text);
  // The words of a text may stand in several items of a document, and then in none of those that are summed up.
  if (basis === 'items' && (hasCodes || hasWords)) {
    return [...documentConditions(filters), hasItem(selection, filters.text !== undefined)];
  }
  const items = hasCodes ? [hasItem(selection, false)] : [];
  return [...documentConditions(filters), ...items, ...wordsInDocument(selection)];
}

async function tallies(db: Db, selection: Owned<Selection>, basis: Basis, reach: Reach): Promise<Tally[]> {
  const filters = selection.filters ?? {};
  const rolledUp = rolledDocumentsOf(selection, reach);
  if (rolledUp !== undefined) {
    const { rows } = await sql<Tally>`
      select r.status, r.exclusion, cast(sum(r.documents) as bigint) as documents, cast(sum(r.lined) as bigint) as lined
      from ${rolledUp} and ${allOf(isOneOf(sql`r.status`, filters.status))} group by 1, 2`.execute(db);
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

async function undated(db: Db, selection: Owned<Selection>, basis: Basis, reach: Reach): Promise<number> {
  if (selection.by === 'issue') return 0;
  const rolledUp = rolledAcross(selection, reach);
  if (rolledUp !== undefined) {
    const { rows } = await sql<{ documents: number | null }>`
      select cast(sum(r.documents) as bigint) as documents from ${rolledUp}`.execute(db);
    return Number(rows[0]?.documents ?? 0);
  }
  const conditions = [placedAcross(selection), ...matching(selection, basis)];
  const { rows } = await sql<{ documents: number }>`
    select count(*) as documents from ${placedDocuments}
    where ${allOf(conditions)}`.execute(db);
  return rows[0]?.documents ?? 0;
}

/** Why documents of this status are left out of an answer; undefined where they aren't. */
export function reasonFor(
  { status, exclusion }: Pick<Tally, 'status' | 'exclusion'>,
  { status: asked }: Filters,
  basis: Basis,
): LeftOutReason | undefined {
  if (exclusion === 'test' || exclusion === 'outdated') return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined) return undefined;
  return status === 'cancelled' || status === 'denied' ? status : undefined;
}

/** Counts the documents of a selection: those an answer rests on, and those left out by reason. */
export async function takeCensus(
  db: Db,
  selection: Owned<Selection>,
  basis: Basis,
  reach: Reach,
): Promise<Census> {
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count: number) => {
    if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  let documents = 0;
  for (const tally of await tallies(db, selection, basis, reach)) {
    const reason = reasonFor(tally, selection.filters ?? {}, basis);
    if (reason !== undefined) {
      leaveOut(reason, tally.documents);
      continue;
    }
    documents += basis === 'items' ? tally.lined : tally.documents;
    if (basis === 'items') leaveOut('no_items', tally.documents - tally.lined);
  }
  leaveOut('undated', await undated(db, selection, basis, reach));
  return { documents, left_out: [...counts].map(([reason, count]) => ({ reason, count })) };
}
