import { type RawBuilder, sql } from 'kysely';
import { BETWEEN_EVENTS, codesOfEvent } from '../../documents/events/event-words.ts';
import type { Period } from '../days.ts';
import { InvalidQuestion } from '../errors.ts';
import { declarationNumber } from '../schema/encoding.ts';
import { groupOf, isNotVoid, placedDocuments, placedItems } from '../schema/expressions.ts';
import type { Session } from '../schema/schema.ts';
import { allOf, anyOf, type Condition, isOneOf } from '../schema/sql.ts';
import { type Units, unitsOf } from '../schema/units.ts';
import type { Filters, Grouping, Selection } from './question.ts';
import { documentsWith, type Word, wordsOf } from './words.ts';

/** A tenant's question, with the words of its text. */
export type Owned<Asked> = Asked & {
  readonly tenant: string;
  readonly words: readonly Word[];
  /** Selects the ids of the documents with all words, where they are what counts. */
  readonly worded: RawBuilder<unknown> | undefined;
};

/** The question with its tenant and its words. */
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

/** The companies asked about, as a list in SQL. */
function companiesOf({ company, others = [] }: Pick<Selection, 'company' | 'others'>): RawBuilder<unknown> {
  return sql.join([company, ...others]);
}

/** Gives the SQL of a grouping. */
export type Column = (grouping: Grouping) => RawBuilder<string>;

/** Groupings of a document `d`, placed by `p`, and of its item `i`, as the companies asked about see them. */
export function columnsFor(selection: Pick<Selection, 'company' | 'others'>): Column {
  return (grouping) => groupOf(grouping, companiesOf(selection));
}

/** Comes after every character that a code can have. */
const lastCharacter = '\u{10FFFF}';

/** As a range and not as a pattern, for which no index is used. */
function beginsWith(value: RawBuilder<unknown>, start: string): Condition {
  return start === ''
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${value} >= ${start} and ${value} < ${start + lastCharacter})`;
}

function beginsWithOneOf(value: RawBuilder<unknown>, starts: readonly string[]): Condition[] {
  // No condition beside the ranges: with an `or` that is no range SQLite goes by no index.
  return [starts.length === 0 ? sql<boolean>`1 = 0` : anyOf(starts.map((start) => beginsWith(value, start)))];
}

/** A party that is one of these ids, or a branch of one of these roots. */
function isParty(id: RawBuilder<unknown>, wanted: readonly string[]): Condition[] {
  const branches = wanted
    .filter(({ length }) => length === 8)
    .map((root) => sql<boolean>`(length(${id}) = 14 and ${beginsWith(id, root)})`);
  return [anyOf([...isOneOf(id, wanted), ...branches])];
}

const partyFilters = ['issuer', 'recipient', 'counterparty', 'payer'] as const;
const documentFilters = [
  'state',
  'city',
  'kind',
  'purpose',
  'competence',
  'regime',
  'iss_city',
  'origin_state',
  'destination_state',
] as const;
const codeFilters = ['cfop', 'ncm'] as const;
const itemFilters = ['nature', 'unit', 'cst', 'class_trib', 'pis_cofins_cst'] as const;

/** The filters that are given, by name. */
export function filtersIn(filters: Filters = {}): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Filters by groupings of documents and of items, over columns that stand for them. */
export function groupingConditions(filters: Filters, column: Column, of: 'documents' | 'items'): Condition[] {
  const met = <Name extends Grouping & keyof Filters>(
    names: readonly Name[],
    test: (value: RawBuilder<unknown>, wanted: readonly string[]) => Condition[],
  ) =>
    names.flatMap((name) => {
      const wanted = filters[name] as readonly string[] | undefined;
      return wanted === undefined ? [] : test(column(name), wanted);
    });
  return of === 'documents'
    ? [...met(partyFilters, isParty), ...met(documentFilters, isOneOf)]
    : [...met(codeFilters, beginsWithOneOf), ...met(itemFilters, isOneOf)];
}

/** Whether an answer to these filters is made of items. */
export function asksItems(filters: Filters): boolean {
  return [...codeFilters, ...itemFilters].some((name) => filters[name] !== undefined);
}

function amountUnits(text: string): Units {
  const units = unitsOf(text);
  if (units === undefined) throw new InvalidQuestion('amount', text);
  return units;
}

/** Whether what is asked for by one word or code has happened to a document `d`. */
function hasHappened(asked: string): Condition {
  // Codes are of six digits with a blank between, so that none is found across two.
  const isOneOfThem = anyOf(codesOfEvent(asked).map((code) => sql<boolean>`d.events like ${`%${code}%`}`));
  if (asked === 'none') return sql<boolean>`not ${isOneOfThem}`;
  // Of some cancelled documents the cancellation itself never came.
  return asked === 'cancellation' ? anyOf([isOneOfThem, sql<boolean>`d.status = 'cancelled'`]) : isOneOfThem;
}

function eventConditions({ event }: Filters): Condition[] {
  if (event === undefined) return [];
  return [anyOf(event.map((asked) => allOf(asked.split(BETWEEN_EVENTS).map(hasHappened))))];
}

/** Conditions on an instalment `n`. */
export function dueConditions({ due_from, due_to }: Filters): Condition[] {
  return [
    ...(due_from === undefined ? [] : [sql<boolean>`n.due_day >= ${due_from}`]),
    // Instalments without a day are due on none.
    ...(due_to === undefined ? [] : [sql<boolean>`(n.due_day <= ${due_to} and n.due_day <> '')`]),
  ];
}

/** The instalments `n` of a document `d` that a question lets in. */
export function installmentsOf(filters: Filters): RawBuilder<unknown> {
  const asked = [
    sql<boolean>`n.tenant = d.tenant`,
    sql<boolean>`n.document_id = d.id`,
    ...dueConditions(filters),
  ];
  return sql`installments n where ${allOf(asked)}`;
}

function hasInstallment(filters: Filters): Condition[] {
  const isAsked = filters.due_from !== undefined || filters.due_to !== undefined;
  return isAsked ? [sql<boolean>`exists (select 1 from ${installmentsOf(filters)})`] : [];
}

function declarationConditions({ di }: Filters): Condition[] {
  if (di === undefined) return [];
  return [anyOf(di.map((number) => sql<boolean>`d.declarations like ${`% ${declarationNumber(number)} %`}`))];
}

/** Conditions on a document `d` placed by `p`, but for its status, its items and the text in it. */
function documentConditions(selection: Selection): Condition[] {
  const { filters = {} } = selection;
  const { number, source, min_total, max_total, credit_type, debit_type } = filters;
  return [
    ...groupingConditions(filters, columnsFor(selection), 'documents'),
    ...eventConditions(filters),
    ...declarationConditions(filters),
    ...hasInstallment(filters),
    ...isOneOf(sql`ltrim(d.number, '0')`, number),
    ...isOneOf(sql`d.source`, source),
    ...isOneOf(sql`d.credit_type`, credit_type),
    ...isOneOf(sql`d.debit_type`, debit_type),
    ...(min_total === undefined ? [] : [sql<boolean>`d.total >= ${amountUnits(min_total)}`]),
    ...(max_total === undefined ? [] : [sql<boolean>`d.total <= ${amountUnits(max_total)}`]),
  ];
}

/** Conditions on the window that a document is known to be in. */
export type Days = (
  period: Period,
  day: (column: 'from_day' | 'to_day') => RawBuilder<unknown>,
) => Condition[];

/** Inside of the period. */
export const within: Days = ({ from, to }, day) => [
  sql<boolean>`${day('from_day')} >= ${from}`,
  sql<boolean>`${day('from_day')} <= ${to}`,
  sql<boolean>`${day('to_day')} <= ${to}`,
];

/** Across the edge of the period: the document may be in it or not. */
export const across: Days = ({ from, to }, day) => [
  sql<boolean>`${day('from_day')} <= ${to}`,
  sql<boolean>`${day('to_day')} >= ${from}`,
  sql<boolean>`(${day('from_day')} < ${from} or ${day('to_day')} > ${to})`,
];

/** A placement `p` of the companies; where several are asked about, the first one of its document. */
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

/** A status that is asked for, or does not exclude the document. */
export function statusAsked({ status }: Filters, column: RawBuilder<unknown>): Condition[] {
  return status === undefined ? [isNotVoid(column)] : isOneOf(column, status);
}

/** Conditions on an item `i` of a document `d`: whole documents may count where one has the words. */
function wordsOfItem(
  { words, worded, filters = {} }: Owned<Selection>,
  form: 'inItem' | 'inItemOf',
): Condition[] {
  if (filters.text_counts === 'documents' && worded !== undefined) return [sql<boolean>`d.id in (${worded})`];
  return words.map((word) =>
    word.length === 0 ? sql<boolean>`1 = 0` : anyOf(word.map((found) => found[form])),
  );
}

/** Whether one item must have all that is asked: several words may stand in several items of a document. */
function asksSameItem(filters: Filters, words: readonly Word[]): boolean {
  return asksItems(filters) || words.length > 1;
}

/** Each item `i` of a selection with its document and placement, from the first table to the last condition. */
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

/** A document `d` with an item that meets the filters of items and these conditions. */
function hasItem(selection: Owned<Selection>, more: readonly Condition[] = []): Condition {
  const { tenant, filters = {} } = selection;
  const asked = [...groupingConditions(filters, columnsFor(selection), 'items'), ...more];
  return sql<boolean>`exists (select 1 from items i where i.tenant = ${tenant} and i.document_id = d.id and ${allOf(asked)})`;
}

/** What is counted: documents summed up, their items, or documents as they are listed. */
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

/** Documents `d` placed by `p` that meet every filter but that of the status, from the first table on. */
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
