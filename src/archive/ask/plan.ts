import { type RawBuilder, sql } from 'kysely';
import { firstDay, lastDay, monthOf } from '../days.ts';
import { isItemAmount, isItemOnlyMeasure, unsplit } from '../schema/measures.ts';
import type { Db } from '../schema/schema.ts';
import { allOf } from '../schema/sql.ts';
import { itemColumn, otherCity, otherState } from '../sums/rollups.ts';
import {
  documentConditions,
  itemsFound,
  natureOfItem,
  type Owned,
  placedDocuments,
  placedWithin,
  rootOf,
  statusAsked,
} from './conditions.ts';
import { sumsSource } from './kept-sums.ts';
import type { Grouping, Question, Selection } from './question.ts';
import { basisOf, type ItemGrouping, isItemGrouping, type Source, type Sums } from './source.ts';
import { ofOneUnit } from './unit-measures.ts';
import { wordsInDocument } from './words.ts';

type DocumentGrouping = Exclude<Grouping, ItemGrouping>;

const rawGroups: Record<DocumentGrouping, RawBuilder<string>> = {
  issuer: sql`d.issuer`,
  recipient: sql`d.recipient`,
  state: otherState,
  month: sql`p.month`,
  week: sql`p.week`,
  day: sql`p.day`,
  kind: sql`d.kind`,
  status: sql`d.status`,
  payer: sql`d.payer`,
  issuer_root: rootOf(sql`d.issuer`),
  recipient_root: rootOf(sql`d.recipient`),
  purpose: sql`d.purpose`,
  city: otherCity,
  competence: sql`d.competence`,
  regime: sql`d.regime`,
};

/** The value of a grouping of an item `i` of a document `d` placed by `p`. */
function groupOfItem(grouping: Grouping, question: Question): RawBuilder<string> {
  if (!isItemGrouping(grouping)) return rawGroups[grouping];
  if (grouping === 'nature') return natureOfItem(question);
  return grouping === 'unit' ? sql<string>`i.unit` : itemColumn(grouping);
}

/** Of each document itself. */
function documentSource(question: Owned<Question>): Source {
  const filters = question.filters ?? {};
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...wordsInDocument(question.words),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return {
    name: 'documents',
    from: sql`${placedDocuments} where ${allOf(conditions)}`,
    group: (grouping) => groupOfItem(grouping, question),
    measure(measure) {
      if (measure === 'count') return sql`count(*)`;
      return measure === 'items' ? sql`sum(d.item_count)` : sql`sum(${sql.ref(`d.${measure}`)})`;
    },
    unsplit: sql`sum(${sql.ref(`d.${unsplit}`)})`,
  };
}

/** Of each item. */
function itemSource(question: Owned<Question>): Source {
  return {
    name: 'documents',
    from: itemsFound(question),
    group: (grouping) => groupOfItem(grouping, question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      if (measure === 'items') return sql`sum(case when i.line > 0 then 1 else 0 end)`;
      if (isItemOnlyMeasure(measure)) return ofOneUnit[measure];
      // What only a whole document has, the line that stands for one has.
      return isItemAmount(measure)
        ? sql`sum(${sql.ref(`i.${measure}`)})`
        : sql`sum(case when i.line = 0 then ${sql.ref(`d.${measure}`)} end)`;
    },
    unsplit: sql`sum(case when i.line = 0 then ${sql.ref(`d.${unsplit}`)} end)`,
  };
}

/** Where an answer's sums come from: the cache where its grain is that of the question. All ways give the same sums. */
export function planSource(question: Owned<Question>, sums: Sums | undefined): Source {
  const cached = sumsSource(question, sums);
  return cached ?? (basisOf(question) === 'items' ? itemSource(question) : documentSource(question));
}

/**
 * Whether a document placed in the months of the selection is not surely in its period, or in no month: as long as
 * there is one, sums of months can't stand for the period.
 */
export async function hasOutside(
  db: Db,
  { tenant, company, area, by, from, to }: Owned<Selection>,
): Promise<boolean> {
  const placed = sql`p.tenant = ${tenant} and p.company = ${company} and p.area = ${area} and p.date_field = ${by}`;
  const crossing =
    by === 'issue' ? sql`1 = 0` : sql`exists (select 1 from placements p where ${placed} and p.month = '')`;
  const { rows } = await sql<{ found: number }>`
    select case when exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
      or exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(to))}
          and p.from_day <= ${lastDay(monthOf(to))} and p.to_day > ${to})
      or ${crossing} then 1 else 0 end as found`.execute(db);
  return rows[0]?.found === 1;
}
