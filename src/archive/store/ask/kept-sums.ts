import { type RawBuilder, sql } from 'kysely';
import { monthOf, monthsBetween } from '../../days.ts';
import { type ItemRollup, itemColumn, itemRollups, type RolledGrouping } from '../rollups/rollups.ts';
import { givenName, isRolledMeasure } from '../schema/measures.ts';
import { allOf, type Condition, isOneOf } from '../schema/sql.ts';
import { beginsWithOneOf, isParty, itemsFound, type Owned, statusAsked } from './conditions.ts';
import type { Filters, Grouping, Measure, Question, Selection } from './question.ts';
import { basisOf, type Reach, type Source } from './source.ts';
import { describedWholly } from './words.ts';

/** Rows of a roll-up `r` of what is selected, whenever they are. */
function ofSelection({ tenant, company, area, by, direction }: Owned<Selection>): Condition[] {
  return [
    sql<boolean>`r.tenant = ${tenant}`,
    sql<boolean>`r.company = ${company}`,
    sql<boolean>`r.area = ${area}`,
    sql<boolean>`r.date_field = ${by}`,
    ...(direction === undefined ? [] : isOneOf(sql`r.direction`, [direction, 'both'])),
  ];
}

/** So many months are named one by one. */
const mostMonths = 36;

/**
 * Rows of a roll-up `r` by month, of a selection whose months are whole.
 * @param oneByOne where few rows of each month are meant, to which an index leads
 */
function inMonths(selection: Owned<Selection>, oneByOne = false): Condition[] {
  const { from, to } = selection;
  const months = oneByOne ? monthsBetween(from, to, mostMonths) : undefined;
  if (months !== undefined) return [...ofSelection(selection), ...isOneOf(sql`r.month`, months)];
  return [
    ...ofSelection(selection),
    sql<boolean>`r.month >= ${monthOf(from)}`,
    sql<boolean>`r.month <= ${monthOf(to)}`,
  ];
}

/** What is asked of a row of the documents' roll-ups, but for its status. */
function rollupConditions(filters: Filters): Condition[] {
  return [
    ...isParty(sql`r.issuer`, filters.issuer),
    ...isParty(sql`r.recipient`, filters.recipient),
    ...isOneOf(sql`r.state`, filters.state),
    ...isOneOf(sql`r.kind`, filters.kind),
  ];
}

function rollupMeasure(measure: Measure): RawBuilder<unknown> {
  if (!isRolledMeasure(measure)) return sql`sum(${sql.ref(measure === 'count' ? 'r.documents' : 'r.items')})`;
  const given = sql.ref(`r.${givenName(measure)}`);
  return sql`case when sum(${given}) > 0 then sum(${sql.ref(`r.${measure}`)}) end`;
}

/**
 * Rows of a roll-up over documents that are of a selection, with any status; undefined where none has all that is
 * filtered or grouped by.
 */
export function rolledDocumentsOf(
  selection: Owned<Selection>,
  reach: Reach,
  groupBy: readonly Grouping[] = [],
): RawBuilder<unknown> | undefined {
  const { filters = {}, from, to } = selection;
  const has = (groupings: ReadonlySet<Grouping>, known: ReadonlySet<string>) =>
    groupBy.every((grouping) => groupings.has(grouping)) &&
    filtersIn(filters).every((name) => known.has(name));
  if (reach !== undefined && has(dayGroupings, dayFilters)) {
    const days = [
      sql<boolean>`r.from_day >= ${from}`,
      sql<boolean>`r.from_day <= ${to}`,
      sql<boolean>`r.to_day <= ${to}`,
    ];
    return sql`day_rollup r where ${allOf([...ofSelection(selection), ...days, ...rollupConditions(filters)])}`;
  }
  if (reach !== 'months' || !has(monthGroupings, monthFilters)) return undefined;
  return sql`document_rollup r where ${allOf([...inMonths(selection), ...rollupConditions(filters)])}`;
}

/** The same of what may be of a selection or not: its window goes beyond it. */
export function rolledAcross(selection: Owned<Selection>, reach: Reach): RawBuilder<unknown> | undefined {
  const { filters = {}, from, to } = selection;
  if (reach === undefined || !filtersIn(filters).every((name) => dayFilters.has(name))) return undefined;
  const days = [
    sql<boolean>`r.from_day <= ${to}`,
    sql<boolean>`r.to_day >= ${from}`,
    sql<boolean>`(r.from_day < ${from} or r.to_day > ${to})`,
  ];
  return sql`day_rollup r where ${allOf([...ofSelection(selection), ...days, ...rollupConditions(filters)])}`;
}

function documentRollupSource(question: Owned<Question>, reach: Reach): Source | undefined {
  const { filters = {}, groupBy } = question;
  const rows = rolledDocumentsOf(question, reach, groupBy);
  if (rows === undefined) return undefined;
  const conditions = [...statusAsked(filters, sql`r.status`), sql<boolean>`r.exclusion = ''`];
  return {
    name: 'roll-up',
    from: sql`${rows} and ${allOf(conditions)}`,
    group: (grouping) => sql.ref<string>(`r.${grouping}`),
    measure: rollupMeasure,
  };
}

function itemRollupSource(question: Owned<Question>, { name, groups }: ItemRollup): Source {
  const column = (group: string) => {
    if (group === groups[0]) return sql<string>`r.first_value`;
    return group === groups[1] ? sql<string>`r.second_value` : sql.ref<string>(`r.${group}`);
  };
  const { issuer, recipient, cfop, ncm, cst, class_trib, nature, unit } = question.filters ?? {};
  const [first] = groups;
  const leadsToFew = first !== 'item' && question.filters?.[first] !== undefined;
  const conditions = [
    sql<boolean>`r."grouping" = ${name}`,
    ...inMonths(question, leadsToFew),
    ...isParty(column('issuer'), issuer),
    ...isParty(column('recipient'), recipient),
    ...beginsWithOneOf(column('cfop'), cfop),
    ...beginsWithOneOf(column('ncm'), ncm),
    ...isOneOf(column('cst'), cst),
    ...isOneOf(column('class_trib'), class_trib),
    ...isOneOf(column('nature'), nature),
    ...isOneOf(column('unit'), unit),
  ];
  return {
    name: 'roll-up',
    from: sql`item_rollup r where ${allOf(conditions)}`,
    group: column,
    measure: rollupMeasure,
  };
}

/** What the roll-ups over documents can be grouped and filtered by: the one by days, and the one by months. */
const dayGroupings = new Set<Grouping>(['state', 'day', 'week', 'month', 'kind', 'status']);
const monthGroupings = new Set<Grouping>(['issuer', 'recipient', 'state', 'month', 'kind', 'status']);
const dayFilters = new Set<string>(['state', 'kind', 'status'] satisfies (keyof Filters)[]);
const monthFilters = new Set<string>([...dayFilters, 'issuer', 'recipient'] satisfies string[]);

function filtersIn(filters: Filters | undefined): string[] {
  return Object.entries(filters ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Whether a filter lets one value of a grouping in and no other. */
function isPinned(group: RolledGrouping, filters: Filters): boolean {
  if (group === 'item' || group === 'cfop' || group === 'ncm') return false;
  const [only, ...more] = filters[group] ?? [];
  const isRoot = (group === 'issuer' || group === 'recipient') && only?.length === 8;
  return only !== undefined && more.length === 0 && !isRoot;
}

/** The smallest roll-up that has all that the question groups and filters by. */
function itemRollupFor({ groupBy, measures, filters = {} }: Question): ItemRollup | undefined {
  const asked = [...groupBy.filter((grouping) => grouping !== 'month'), ...filtersIn(filters)];
  return itemRollups.find(
    ({ groups }) =>
      asked.every((one) => groups.some((group) => group === one)) &&
      // A document with several values of a group must not be counted several times in one row.
      (!measures.includes('count') ||
        groups.every((group) => groupBy.includes(group) || isPinned(group, filters))),
  );
}

/** A text and nothing else, asked in the grain of the sums by item. */
function isOfItemsByText({ groupBy, measures, filters = {} }: Question): boolean {
  const [only, ...more] = filtersIn(filters);
  return (
    only === 'text' &&
    more.length === 0 &&
    groupBy.every((grouping) => grouping === 'item' || grouping === 'month') &&
    (!measures.includes('count') || groupBy.includes('item'))
  );
}

/**
 * Of items whose description has every word of a text the sums, of the others that a text finds the items themselves,
 * in one shape: no description is in both.
 */
function itemsByText(question: Owned<Question>): Source {
  const asked = question.measures.filter(isRolledMeasure);
  const amounts = [...new Set(asked.includes('icms') ? [...asked, 'icms_credit' as const] : asked)];
  const names = amounts.flatMap((name) => [givenName(name), name]).map((name) => sql.ref(`r.${name}`));
  const sums = amounts.flatMap((name) => {
    const amount = sql.ref(`i.${name}`);
    return [
      sql`count(${amount}) as ${sql.ref(givenName(name))}`,
      sql`coalesce(sum(${amount}), 0) as ${sql.ref(name)}`,
    ];
  });
  const summed = [
    sql<boolean>`r."grouping" = 'item'`,
    ...inMonths(question, true),
    sql<boolean>`r.first_value in ${describedWholly(question)}`,
  ];
  const rolled = sql.join([sql`r.first_value, r.month, r.documents, r.items`, ...names]);
  const itself = sql.join([
    sql`${itemColumn('item')} as first_value, p.month, count(distinct p.document_id) as documents`,
    sql`sum(case when i.line > 0 then 1 else 0 end) as items`,
    ...sums,
  ]);
  return {
    name: 'roll-up',
    from: sql`(select ${rolled} from item_rollup r where ${allOf(summed)}
      union all select ${itself} from ${itemsFound(question, true)} group by 1, 2) r`,
    group: (grouping) =>
      grouping === 'item' ? sql<string>`r.first_value` : sql.ref<string>(`r.${grouping}`),
    measure: rollupMeasure,
  };
}

/** The sums kept beside the documents, where there are some in the grain of a question. */
export function rollupSource(question: Owned<Question>, reach: Reach): Source | undefined {
  if (!question.measures.every((name) => name === 'count' || name === 'items' || isRolledMeasure(name))) {
    return undefined;
  }
  if (basisOf(question) === 'documents') return documentRollupSource(question, reach);
  if (reach !== 'months') return undefined;
  if (isOfItemsByText(question)) return itemsByText(question);
  const rollup = itemRollupFor(question);
  return rollup && itemRollupSource(question, rollup);
}
