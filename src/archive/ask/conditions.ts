import { type RawBuilder, sql } from 'kysely';
import { BETWEEN_EVENTS, codesOfEvent } from '../../documents/events/event-names.ts';
import type { Period } from '../days.ts';
import { InvalidQuestion } from '../errors.ts';
import { declarationNumber } from '../schema/encoding.ts';
import { documentGroupings, isItemGrouping, itemGroupings, type Units, unitsOf } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import {
  allOf,
  anyOf,
  type Condition,
  groupOf,
  isNotVoid,
  isOneOf,
  placedDocuments,
  placedItems,
} from '../schema/sql.ts';
import type { Filters, Grouping, Selection } from './question.ts';
import { documentsWith, type Word, wordsOf } from './words.ts';

/** A question with its tenant and search words. */
export type Owned<Asked> = Asked & {
  readonly tenant: string;
  readonly words: readonly Word[];
  /** Selects ids of documents with all words, if whole documents count. */
  readonly worded: RawBuilder<unknown> | undefined;
};

/** Adds the tenant and the search words. */
export async function ownedBy<Asked extends Pick<Selection, 'filters'>>(
  asked: Asked,
  session: Session,
  basis: Basis,
): Promise<Owned<Asked>> {
  const { filters = {} } = asked;
  const words = filters.text === undefined ? [] : await wordsOf(session, filters.text, filters.text_in);
  const isOfItems = basis === 'items' && filters.text_counts !== 'documents' && asksSameItem(filters, words);
  const worded = words.length === 0 || isOfItems ? undefined : await documentsWith(session, words);
  return { ...asked, tenant: session.tenant, words, worded };
}

function companiesOf({ company, others = [] }: Pick<Selection, 'company' | 'others'>): RawBuilder<unknown> {
  return sql.join([company, ...others]);
}

export type Column = (grouping: Grouping) => RawBuilder<string>;

/** Groupings over a document `d`, its placement `p` and its item `i`, from the companies' point of view. */
export function columnsFor(selection: Pick<Selection, 'company' | 'others'>): Column {
  return (grouping) => groupOf(grouping, companiesOf(selection));
}

const when = <Value>(value: Value | undefined, condition: (value: Value) => Condition): Condition[] =>
  value === undefined ? [] : [condition(value)];

const lastCharacter = '\u{10FFFF}';

/** A range, since patterns use no index. */
function beginsWith(value: RawBuilder<unknown>, start: string): Condition {
  return start === ''
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${value} >= ${start} and ${value} < ${start + lastCharacter})`;
}

/** Ranges only: an `or` with anything else keeps SQLite from using the index. */
const beginsWithOneOf = (value: RawBuilder<unknown>, starts: readonly string[]): Condition =>
  anyOf(starts.map((start) => beginsWith(value, start)));

/** Matches any of these ids, or branches of these roots. */
function isParty(id: RawBuilder<unknown>, wanted: readonly string[]): Condition {
  const branches = wanted
    .filter(({ length }) => length === 8)
    .map((root) => sql<boolean>`(length(${id}) = 14 and ${beginsWith(id, root)})`);
  return anyOf([...isOneOf(id, wanted), ...branches]);
}

/** How filters are compared with the value of the grouping of their name; others ask for one of several values. */
const comparisons: Readonly<
  Partial<Record<string, (value: RawBuilder<unknown>, wanted: readonly string[]) => Condition>>
> = {
  ...{ issuer: isParty, recipient: isParty, counterparty: isParty, payer: isParty },
  ...{ cfop: beginsWithOneOf, ncm: beginsWithOneOf },
};

/** Names of the filters given. */
export function filtersIn(filters: Filters = {}): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Whether a filter asks for values of the grouping of its name. */
const isByGroup = (name: string): name is Grouping & keyof Filters =>
  name !== 'status' &&
  name !== 'event' &&
  [...documentGroupings, ...itemGroupings].some((one) => one === name);

/** Conditions of document and item filters over the given columns. */
export function groupingConditions(filters: Filters, column: Column, of: 'documents' | 'items'): Condition[] {
  return filtersIn(filters)
    .filter(isByGroup)
    .filter((name) => isItemGrouping(name) === (of === 'items'))
    .flatMap((name) => {
      const wanted = filters[name] ?? [];
      return comparisons[name]?.(column(name), wanted) ?? isOneOf(column(name), wanted);
    });
}

/** Whether these filters require items. */
export function asksItems(filters: Filters): boolean {
  return filtersIn(filters).some(isItemGrouping);
}

function amountUnits(text: string): Units {
  const units = unitsOf(text);
  if (units === undefined) throw new InvalidQuestion('amount', text);
  return units;
}

function hasHappened(asked: string): Condition {
  // Six-digit codes separated by blanks: no code matches across two.
  const isOneOfThem = anyOf(codesOfEvent(asked).map((code) => sql<boolean>`d.events like ${`%${code}%`}`));
  if (asked === 'none') return sql<boolean>`not ${isOneOfThem}`;
  // Some cancelled documents lack their cancellation event.
  return asked === 'cancellation' ? anyOf([isOneOfThem, sql<boolean>`d.status = 'cancelled'`]) : isOneOfThem;
}

/** Conditions on an instalment `n`. */
export function dueConditions({ due_from, due_to }: Filters): Condition[] {
  return [
    ...when(due_from, (from) => sql<boolean>`n.due_day >= ${from}`),
    // Instalments without a day have no due date.
    ...when(due_to, (to) => sql<boolean>`(n.due_day <= ${to} and n.due_day <> '')`),
  ];
}

/** Matching instalments `n` of a document `d`. */
export function installmentsOf(filters: Filters): RawBuilder<unknown> {
  const asked = [
    sql<boolean>`n.tenant = d.tenant`,
    sql<boolean>`n.document_id = d.id`,
    ...dueConditions(filters),
  ];
  return sql`installments n where ${allOf(asked)}`;
}

/** Conditions on a document `d` and its placement `p`, except status, items and text. */
function documentConditions(selection: Selection): Condition[] {
  const { filters = {} } = selection;
  const { number, source, min_total, max_total, credit_type, debit_type, event, di } = filters;
  return [
    ...groupingConditions(filters, columnsFor(selection), 'documents'),
    ...when(event, (all) => anyOf(all.map((one) => allOf(one.split(BETWEEN_EVENTS).map(hasHappened))))),
    ...when(di, (all) =>
      anyOf(all.map((one) => sql<boolean>`d.declarations like ${`% ${declarationNumber(one)} %`}`)),
    ),
    ...when(
      filters.due_from ?? filters.due_to,
      () => sql<boolean>`exists (select 1 from ${installmentsOf(filters)})`,
    ),
    ...isOneOf(sql`ltrim(d.number, '0')`, number),
    ...isOneOf(sql`d.source`, source),
    ...isOneOf(sql`d.credit_type`, credit_type),
    ...isOneOf(sql`d.debit_type`, debit_type),
    ...when(min_total, (least) => sql<boolean>`d.total >= ${amountUnits(least)}`),
    ...when(max_total, (most) => sql<boolean>`d.total <= ${amountUnits(most)}`),
  ];
}

/** A document's day may be known only as a window; condition on that window. */
export type Days = (
  period: Period,
  day: (column: 'from_day' | 'to_day') => RawBuilder<unknown>,
) => Condition[];

export const within: Days = ({ from, to }, day) => [
  sql<boolean>`${day('from_day')} >= ${from}`,
  sql<boolean>`${day('from_day')} <= ${to}`,
  sql<boolean>`${day('to_day')} <= ${to}`,
];

/** Across the period's edge, so perhaps outside. */
export const across: Days = ({ from, to }, day) => [
  sql<boolean>`${day('from_day')} <= ${to}`,
  sql<boolean>`${day('to_day')} >= ${from}`,
  sql<boolean>`(${day('from_day')} < ${from} or ${day('to_day')} > ${to})`,
];

/** A placement `p` of the companies; of several, the document's first. */
export function isPlaced(selection: Selection & Pick<Owned<Selection>, 'tenant'>, days: Days): Condition {
  const { tenant, others = [], direction } = selection;
  const placed = (table: 'p' | 'o'): Condition => {
    const place = (column: string) => sql.ref(`${table}.${column}`);
    return allOf([
      sql<boolean>`${place('tenant')} = ${tenant}`,
      sql<boolean>`${place('company')} in (${companiesOf(selection)})`,
      sql<boolean>`${place('date_field')} = ${selection.by}`,
      sql<boolean>`${place('area')} = ${selection.area}`,
      ...(direction === undefined ? [] : isOneOf(place('direction'), [direction, 'both'])),
      ...days(selection, place),
    ]);
  };
  if (others.length === 0) return placed('p');
  const isLater = sql<boolean>`exists (select 1 from placements o
    where o.document_id = p.document_id and o.company < p.company and ${placed('o')})`;
  return allOf([placed('p'), sql<boolean>`not ${isLater}`]);
}

/** Condition on the status; by default cancelled and denied documents are excluded. */
export function statusAsked({ status }: Filters, column: RawBuilder<unknown>): Condition[] {
  return status === undefined ? [isNotVoid(column)] : isOneOf(column, status);
}

/** Word conditions on an item `i` of a document `d`; a match may count the whole document. */
function wordsOfItem(
  { words, worded, filters = {} }: Owned<Selection>,
  form: 'inItem' | 'inItemOf',
): Condition[] {
  if (filters.text_counts === 'documents' && worded !== undefined) return [sql<boolean>`d.id in (${worded})`];
  return words.map((word) => anyOf(word.map((found) => found[form])));
}

/** Whether one item must satisfy everything; otherwise words may match in different items. */
function asksSameItem(filters: Filters, words: readonly Word[]): boolean {
  return asksItems(filters) || words.length > 1;
}

/** Matching items `i` with document and placement, from the first table to the last condition. */
export function itemsFound(question: Owned<Selection>): RawBuilder<unknown> {
  const { filters = {} } = question;
  const conditions = [
    isPlaced(question, within),
    ...documentConditions(question),
    ...groupingConditions(filters, columnsFor(question), 'items'),
    ...wordsOfItem(question, 'inItem'),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return sql`${placedItems} where ${allOf(conditions)}`;
}

/** A document `d` with an item that meets the item filters and these conditions. */
function hasItem(selection: Owned<Selection>, more: readonly Condition[] = []): Condition {
  const { tenant, filters = {} } = selection;
  const asked = [...groupingConditions(filters, columnsFor(selection), 'items'), ...more];
  return sql<boolean>`exists (select 1 from items i where i.tenant = ${tenant} and i.document_id = d.id and ${allOf(asked)})`;
}

/** What is counted: documents, items, or listed documents. */
export type Basis = 'documents' | 'items' | 'list';

function itemAndTextConditions(selection: Owned<Selection>, basis: Basis): Condition[] {
  const { filters = {}, words, worded } = selection;
  if (basis === 'items' && asksSameItem(filters, words))
    return [hasItem(selection, wordsOfItem(selection, 'inItemOf'))];
  return [
    ...(asksItems(filters) ? [hasItem(selection)] : []),
    ...(worded === undefined ? [] : [sql<boolean>`p.document_id in (${worded})`]),
  ];
}

/** Documents `d` placed by `p` that meet every filter except status, from the first table on. */
export function documentsFound(
  selection: Owned<Selection>,
  basis: Basis,
  days: Days,
  more: readonly Condition[] = [],
  tables: RawBuilder<unknown> = placedDocuments,
): RawBuilder<unknown> {
  const conditions = [
    isPlaced(selection, days),
    ...documentConditions(selection),
    ...itemAndTextConditions(selection, basis),
    ...more,
  ];
  return sql`${tables} where ${allOf(conditions)}`;
}
