import { type RawBuilder, sql } from 'kysely';
import { firstDay, lastDay, monthOf } from '../../days.ts';
import { itemColumn, otherCity, otherState } from '../rollups/rollups.ts';
import { isItemAmount, isItemOnlyMeasure, unsplit } from '../schema/measures.ts';
import { allOf } from '../schema/sql.ts';
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
import { rollupSource } from './kept-sums.ts';
import type { Grouping, Question, Selection } from './question.ts';
import { basisOf, type ItemGrouping, isItemGrouping, type Reach, type Source } from './source.ts';
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
  const words = wordsInDocument(question);
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...words.placed,
    ...words.document,
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

/**
 * Decides where an answer's sums come from. A roll-up serves where its grain is that of the question, one by months
 * only where no document of them lies outside of the period. All ways give the same sums.
 */
export function planSource(question: Owned<Question>, reach: Reach): Source {
  const rolledUp = rollupSource(question, reach);
  return rolledUp ?? (basisOf(question) === 'items' ? itemSource(question) : documentSource(question));
}

/**
 * A document placed in the months of the selection but not surely in its period, or in no month: as long as there is
 * one, months can't stand for the period.
 */
export function outsideOfPeriod({
  tenant,
  company,
  area,
  by,
  from,
  to,
}: Owned<Selection>): RawBuilder<{ found: number }> {
  const placed = sql`p.tenant = ${tenant} and p.company = ${company} and p.area = ${area} and p.date_field = ${by}`;
  return sql<{ found: number }>`
    select case when exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
      or exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(to))}
          and p.from_day <= ${lastDay(monthOf(to))} and p.to_day > ${to})
      or exists (
        select 1 from document_rollup r
        where r.tenant = ${tenant} and r.company = ${company} and r.area = ${area} and r.date_field = ${by} and r.month = '')
      then 1 else 0 end as found`;
}
