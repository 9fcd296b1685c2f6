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
import { rolledAcross, rolledDocumentsOf } from './kept-sums.ts';
import type { Filters, LeftOut, LeftOutReason, Selection } from './question.ts';
import type { Reach } from './source.ts';
import { type Asked, wordsInDocument } from './words.ts';

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

/** What every filter but that of the status asks of a document. */
export function matching(selection: Owned<Selection>, basis: Basis): Asked {
  const { filters = {} } = selection;
  const hasCodes = asksItems(filters);
  const document = documentConditions(filters);
  const hasWords = filters.text !== undefined && /\S\s+\S/.test(filters.text);
  // The words of a text may stand in several items of a document, and then in none of those that are summed up.
  if (basis === 'items' && (hasCodes || hasWords)) {
    return together([{ placed: [], document }, hasItem(selection, filters.text !== undefined)]);
  }
  const items = hasCodes ? [hasItem(selection, false)] : [];
  return together([{ placed: [], document }, ...items, wordsInDocument(selection)]);
}

function together(asked: readonly Asked[]): Asked {
  return {
    placed: asked.flatMap(({ placed }) => placed),
    document: asked.flatMap(({ document }) => document),
  };
}

/**
 * Documents `x` that are unlike most: there is an index of them. With a literal for each value, by which the engines see
 * that the index serves.
 */
const isApart = sql<boolean>`(x.status <> 'authorized' or x.exclusion <> '' or x.has_lines = 0)`;

/** The same tallies where nothing is asked of the documents themselves: only those unlike most are looked at. */
async function talliesOfPlacements(db: Db, selection: Owned<Selection>, placed: Condition): Promise<Tally[]> {
  const { rows } = await sql<Tally & { isAll: number }>`
    with f as materialized (select p.document_id from placements p where ${placed})
    select 1 as "isAll", 'authorized' as status, '' as exclusion, count(*) as documents, cast(0 as bigint) as lined from f
    union all select 0, x.status, x.exclusion, count(*), cast(sum(x.has_lines) as bigint) from documents x
      where x.tenant = ${selection.tenant} and ${isApart} and x.id in (select f.document_id from f) group by 2, 3`.execute(
    db,
  );
  const apart = rows.filter(({ isAll }) => isAll === 0);
  const others = apart.reduce((sum, { documents }) => sum + Number(documents), 0);
  return rows.map(({ isAll, ...tally }) => {
    if (isAll === 0) return tally;
    const documents = Number(tally.documents) - others;
    return { ...tally, documents, lined: documents };
  });
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
  const { placed, document } = matching(selection, basis);
  if (document.length === 0 && filters.status === undefined) {
    return talliesOfPlacements(db, selection, allOf([placedWithin(selection), ...placed]));
  }
  const conditions = [
    placedWithin(selection),
    ...placed,
    ...document,
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
  const { placed, document } = matching(selection, basis);
  const conditions = [placedAcross(selection), ...placed, ...document];
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
