import { type RawBuilder, sql } from 'kysely';
import { givenName, isRolledMeasure } from '../schema/measures.ts';
import { allOf, type Condition, isOneOf } from '../schema/sql.ts';
import { type ItemRollup, itemRollups, type RolledGrouping } from '../sums/rollups.ts';
import { beginsWithOneOf, isParty, type Owned, statusAsked } from './conditions.ts';
import type { Filters, Grouping, Measure, Question, Selection } from './question.ts';
import { basisOf, type Source, type Sums } from './source.ts';

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

/** Rows of a sums' table `r` of a selection: of months that were checked to be current, and of no other. */
function inMonths(selection: Owned<Selection>, { months }: Sums): Condition[] {
  return [...ofSelection(selection), ...isOneOf(sql`r.month`, months)];
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

/** Rows of sums over documents, and the grouping they are of. */
interface SummedRows {
  readonly grouping: 'days' | 'documents';
  readonly rows: RawBuilder<unknown>;
}

/** Those of a selection, with any status; undefined where none has all that is filtered or grouped by. */
export function summedDocuments(
  selection: Owned<Selection>,
  sums: Sums | undefined,
  groupBy: readonly Grouping[] = [],
): SummedRows | undefined {
  const { filters = {}, from, to } = selection;
  const has = (groupings: ReadonlySet<Grouping>, known: ReadonlySet<string>) =>
    groupBy.every((grouping) => groupings.has(grouping)) &&
    filtersIn(filters).every((name) => known.has(name));
  if (sums === undefined) return undefined;
  if (has(dayGroupings, dayFilters)) {
    const days = [
      sql<boolean>`r.from_day >= ${from}`,
      sql<boolean>`r.from_day <= ${to}`,
      sql<boolean>`r.to_day <= ${to}`,
    ];
    const conditions = [...inMonths(selection, sums), ...days, ...rollupConditions(filters)];
    return { grouping: 'days', rows: sql`day_rollup r where ${allOf(conditions)}` };
  }
  if (!sums.areWhole || !has(monthGroupings, monthFilters)) return undefined;
  const conditions = [...inMonths(selection, sums), ...rollupConditions(filters)];
  return { grouping: 'documents', rows: sql`document_rollup r where ${allOf(conditions)}` };
}

/** The same of what may be of a selection or not: its window goes beyond it. */
export function summedAcross(
  selection: Owned<Selection>,
  sums: Sums | undefined,
): RawBuilder<unknown> | undefined {
  const { filters = {}, from, to } = selection;
  if (sums === undefined || !filtersIn(filters).every((name) => dayFilters.has(name))) return undefined;
  const days = [
    sql<boolean>`r.from_day <= ${to}`,
    sql<boolean>`r.to_day >= ${from}`,
    sql<boolean>`(r.from_day < ${from} or r.to_day > ${to})`,
  ];
  return sql`day_rollup r where ${allOf([...inMonths(selection, sums), ...days, ...rollupConditions(filters)])}`;
}

function documentRollupSource(question: Owned<Question>, sums: Sums): Source | undefined {
  const { filters = {}, groupBy } = question;
  const summed = summedDocuments(question, sums, groupBy);
  if (summed === undefined) return undefined;
  const { grouping, rows } = summed;
  const conditions = [...statusAsked(filters, sql`r.status`), sql<boolean>`r.exclusion = ''`];
  return {
    name: 'roll-up',
    grouping,
    from: sql`${rows} and ${allOf(conditions)}`,
    group: (name) => sql.ref<string>(`r.${name}`),
    measure: rollupMeasure,
  };
}

function itemRollupSource(question: Owned<Question>, sums: Sums, { name, groups }: ItemRollup): Source {
  const column = (group: string) => {
    if (group === groups[0]) return sql<string>`r.first_value`;
    return group === groups[1] ? sql<string>`r.second_value` : sql.ref<string>(`r.${group}`);
  };
  const { issuer, recipient, cfop, ncm, cst, class_trib, nature, unit } = question.filters ?? {};
  const conditions = [
    sql<boolean>`r."grouping" = ${name}`,
    ...inMonths(question, sums),
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
    grouping: name,
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

/** The cached sums, where there are some in the grain of a question. */
export function sumsSource(question: Owned<Question>, sums: Sums | undefined): Source | undefined {
  const isSummed = (name: Measure) => name === 'count' || name === 'items' || isRolledMeasure(name);
  if (sums === undefined || !question.measures.every(isSummed)) return undefined;
  if (basisOf(question) === 'documents') return documentRollupSource(question, sums);
  if (!sums.areWhole) return undefined;
  const rollup = itemRollupFor(question);
  return rollup && itemRollupSource(question, sums, rollup);
}
