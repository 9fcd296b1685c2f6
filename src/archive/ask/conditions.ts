import { type RawBuilder, sql } from 'kysely';
import { BETWEEN_EVENTS, codesOfEvent } from '../../documents/events/event-names.ts';
import { declarationNumber } from '../schema/encoding.ts';
import { documentGroupings, isItemGrouping, itemGroupings, unitsOf } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import {
  allOf,
  anyOf,
  type Condition,
  groupOf,
  isNotVoid,
  isOneOf,
  matching,
  placedDocuments,
  placedItems,
} from '../schema/sql.ts';
import type { Filters, Grouping, Selection } from './question.ts';
import { documentsWith, rarestFirst, type Word, wordsOf } from './words.ts';

/** Rows counted: documents, items, or listed documents. */
export type Basis = 'documents' | 'items' | 'list';

/** A question with its tenant and search words. */
export type Owned<Asked> = Asked & {
  readonly tenant: string;
  readonly basis: Basis;
  /** To be found in an item or its document; empty if whole documents count. */
  readonly itemWords: readonly Word[];
  /** Selects ids of documents with all words, or with an item that has them and meets the filters of items. */
  readonly worded: RawBuilder<unknown> | undefined;
};

/** Adds the tenant and the search words. */
export async function ownedBy<Asked extends Selection>(
  asked: Asked,
  session: Session,
  basis: Basis,
): Promise<Owned<Asked>> {
  const { filters = {} } = asked;
  const written = filters.text === undefined ? [] : wordsOf(session, filters.text, filters.text_in);
  const isOfItems = basis === 'items' && filters.text_counts !== 'documents';
  const isOfSameItem = isOfItems && (written.length > 1 || asksItems(filters));
  const words = isOfSameItem && written.length > 1 ? await rarestFirst(session, written) : written;
  const isMet = isOfSameItem ? hasItem(asked, words) : undefined;
  const worded = words.length === 0 ? undefined : await documentsWith(session, words, isMet);
  return { ...asked, tenant: session.tenant, basis, itemWords: isOfItems ? words : [], worded };
}

export type Column = (grouping: Grouping) => RawBuilder<string>;

const companiesOf = ({ company, others = [] }: Pick<Selection, 'company' | 'others'>) =>
  sql.join([company, ...others]);

/** Groupings over a document `d`, its placement `p` and its item `i`, from the companies' point of view. */
export function columnsFor(selection: Pick<Selection, 'company' | 'others'>): Column {
  return (grouping) => groupOf(grouping, companiesOf(selection));
}

/** Names of the filters given. */
export function filtersIn(filters: Filters = {}): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Whether these filters require items. */
export function asksItems(filters: Filters): boolean {
  return filtersIn(filters).some(isItemGrouping);
}

const lastCharacter = '\u{10FFFF}';

/**
 * Ranges, since patterns use no index; an `or` with anything else keeps SQLite from using it.
 * @param whole length of a start that is a whole value: a longer one is another
 */
function beginsWithOneOf(value: RawBuilder<unknown>, starts: readonly string[], whole?: number): Condition {
  const range = (start: string) =>
    sql<boolean>`(${value} >= ${start} and ${value} <= ${start.length === whole ? start : start + lastCharacter})`;
  return starts.includes('') ? sql<boolean>`1 = 1` : anyOf(starts.map(range));
}

/** Matches any of these ids, or branches of these roots. */
function isParty(id: RawBuilder<unknown>, wanted: readonly string[]): Condition {
  const roots = wanted.filter(({ length }) => length === 8);
  return anyOf([
    isOneOf(id, wanted),
    roots.length > 0 && sql<boolean>`(length(${id}) = 14 and ${beginsWithOneOf(id, roots)})`,
  ]);
}

/** Digits of whole codes; a filter may name the beginning of one. */
export const wholeCodes = { cfop: 4, ncm: 8 } as const;

type GroupFilter = Exclude<Grouping & keyof Filters, 'status' | 'event'>;

/** How filters are compared with their grouping; others ask for one of several values. */
const comparisons: Readonly<Partial<Record<GroupFilter, typeof isOneOf>>> = {
  ...{ issuer: isParty, recipient: isParty, counterparty: isParty, payer: isParty },
  cfop: (value, wanted) => beginsWithOneOf(value, wanted, wholeCodes.cfop),
  ncm: (value, wanted) => beginsWithOneOf(value, wanted, wholeCodes.ncm),
};

/** Condition of the filters by these groupings over the given columns. */
export function groupingCondition(
  filters: Filters,
  column: Column,
  groupings: readonly Grouping[],
): Condition {
  const isFilter = (name: Grouping): name is GroupFilter => name !== 'status' && name !== 'event';
  const conditions = groupings.filter(isFilter).map((name) => {
    const wanted = filters[name];
    return wanted && (comparisons[name] ?? isOneOf)(column(name), wanted);
  });
  return allOf(conditions);
}

function hasHappened(asked: string): Condition {
  // Six-digit codes separated by blanks: no code matches across two.
  const isOneOfThem = anyOf(codesOfEvent(asked).map((code) => sql<boolean>`d.events like ${`%${code}%`}`));
  if (asked === 'none') return sql<boolean>`not ${isOneOfThem}`;
  // Some cancelled documents lack their cancellation event.
  return asked === 'cancellation' ? anyOf([isOneOfThem, sql<boolean>`d.status = 'cancelled'`]) : isOneOfThem;
}

/** Condition on an instalment `n`; instalments without a day have no due date. */
export function isDue({ due_from, due_to }: Filters): Condition {
  return allOf([
    due_from !== undefined && sql<boolean>`n.due_day >= ${due_from}`,
    due_to !== undefined && sql<boolean>`(n.due_day <= ${due_to} and n.due_day <> '')`,
  ]);
}

/** Matching instalments `n` of a document `d`. */
export function installmentsOf(filters: Filters): RawBuilder<unknown> {
  return sql`installments n where n.tenant = d.tenant and n.document_id = d.id and ${isDue(filters)}`;
}

/** Condition on a document `d` and its placement `p`, except status, items and text. */
function documentCondition(selection: Selection): Condition {
  const { filters = {} } = selection;
  const { number, source, min_total, max_total, credit_type, debit_type, event, di } = filters;
  const isDueAsked = filters.due_from !== undefined || filters.due_to !== undefined;
  const isDeclared = (one: string) => sql<boolean>`d.declarations like ${`% ${declarationNumber(one)} %`}`;
  return allOf([
    groupingCondition(filters, columnsFor(selection), documentGroupings),
    event && anyOf(event.map((one) => allOf(one.split(BETWEEN_EVENTS).map(hasHappened)))),
    di && anyOf(di.map(isDeclared)),
    isDueAsked && sql<boolean>`exists (select 1 from ${installmentsOf(filters)})`,
    number && isOneOf(sql`ltrim(d.number, '0')`, number),
    source && isOneOf(sql`d.source`, source),
    credit_type && isOneOf(sql`d.credit_type`, credit_type),
    debit_type && isOneOf(sql`d.debit_type`, debit_type),
    min_total !== undefined && sql<boolean>`d.total >= ${unitsOf(min_total)}`,
    max_total !== undefined && sql<boolean>`d.total <= ${unitsOf(max_total)}`,
  ]);
}

/** A document's day may be known only as a window: within the period, or across its edge, so perhaps outside. */
export type Days = 'within' | 'across';

/** A placement `p` of the companies; of several, the document's first. */
export function isPlaced(
  selection: Selection & Pick<Owned<Selection>, 'tenant'>,
  days: Days = 'within',
): Condition {
  const { tenant, by, area, from, to, others = [], direction } = selection;
  const placed = (table: 'p' | 'o'): Condition => {
    const [first, last] = [sql.ref(`${table}.from_day`), sql.ref(`${table}.to_day`)];
    return allOf([
      matching({ [`${table}.tenant`]: tenant, [`${table}.date_field`]: by, [`${table}.area`]: area }),
      sql<boolean>`${sql.ref(`${table}.company`)} in (${companiesOf(selection)})`,
      direction && isOneOf(sql.ref(`${table}.direction`), [direction, 'both']),
      days === 'within'
        ? sql<boolean>`${first} >= ${from} and ${first} <= ${to} and ${last} <= ${to}`
        : sql<boolean>`${first} <= ${to} and ${last} >= ${from} and (${first} < ${from} or ${last} > ${to})`,
    ]);
  };
  const isLater = sql<boolean>`exists (select 1 from placements o
    where o.document_id = p.document_id and o.company < p.company and ${placed('o')})`;
  return allOf([placed('p'), others.length > 0 && sql<boolean>`not ${isLater}`]);
}

/** Condition on the status; by default cancelled and denied documents are excluded. */
export function isOfStatus({ status }: Filters, column: RawBuilder<unknown> = sql`d.status`): Condition {
  return status === undefined ? isNotVoid(column) : isOneOf(column, status);
}

const isWorded = ({ worded }: Owned<Selection>) => worded && sql<boolean>`p.document_id in (${worded})`;

/** Condition of the item filters on an item `i`. */
function itemCondition(selection: Selection): Condition {
  return groupingCondition(selection.filters ?? {}, columnsFor(selection), itemGroupings);
}

/** Condition that a document `d` has an item that meets the filters of items and has all of these words. */
function hasItem(selection: Selection, words: readonly Word[]): Condition {
  return sql`exists (select 1 from items i where i.tenant = d.tenant and i.document_id = d.id
    and ${itemCondition(selection)} and ${allOf(words.map(({ isInItem }) => isInItem))})`;
}

/** Matching items `i` with document and placement, from the first table to the last condition. */
export function itemsFound(question: Owned<Selection>): RawBuilder<unknown> {
  const { filters = {}, itemWords } = question;
  const conditions = [
    isPlaced(question),
    documentCondition(question),
    itemCondition(question),
    isWorded(question),
    allOf(itemWords.map(({ isInItem }) => isInItem)),
    isOfStatus(filters),
    sql<boolean>`d.exclusion = ''`,
  ];
  return sql`${placedItems} where ${allOf(conditions)}`;
}

/** Documents `d` placed by `p` that meet every filter except status, from the first table on. */
export function documentsFound(
  selection: Owned<Selection>,
  {
    days,
    more,
    tables = placedDocuments,
  }: { readonly days?: Days; readonly more?: Condition; readonly tables?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const { filters = {}, itemWords } = selection;
  const conditions = [
    isPlaced(selection, days),
    documentCondition(selection),
    asksItems(filters) && itemWords.length === 0 && hasItem(selection, []),
    isWorded(selection),
    more,
  ];
  return sql`${tables} where ${allOf(conditions)}`;
}
