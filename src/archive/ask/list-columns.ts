import { type RawBuilder, sql } from 'kysely';
import { wordsOfEvents } from '../../documents/events/event-names.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { referencesOf } from '../schema/encoding.ts';
import { type AmountMeasure, amountMeasures, amountText } from '../schema/measures.ts';
import type { Db } from '../schema/schema.ts';
import { isPostgres } from '../schema/sql.ts';
import { columnsFor, installmentsOf, type Owned } from './conditions.ts';
import type { ColumnValues, ListColumn, ListOrder, Selection } from './question.ts';

const BETWEEN_VALUES = '; ';

const amounts: ReadonlySet<string> = new Set<ListOrder>(['due', ...amountMeasures]);

/** Whether a column is an amount that can be summed. */
export function isAmountColumn(name: ListOrder): name is 'due' | AmountMeasure {
  return amounts.has(name);
}

const isParty = (column: ListColumn): column is 'payer' | 'counterparty' =>
  column === 'payer' || column === 'counterparty';

const nameOf = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select y.name from parties y where y.tenant = d.tenant and y.tax_id = ${id})`;

/** Distinct values of rows that belong to a document, in order. */
interface Several {
  readonly value: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
}

/** SQL of columns and orders over a document `d` placed by `p`. */
export function columnsOfList(selection: Owned<Selection>) {
  const { filters = {} } = selection;
  const group = columnsFor(selection);

  const several: Readonly<Partial<Record<ListColumn, Several>>> = {
    due_dates: { value: sql`n.due_day`, from: installmentsOf(filters) },
    nature: {
      value: group('nature'),
      from: sql`items i where i.tenant = d.tenant and i.document_id = d.id`,
    },
  };
  const single: Readonly<Partial<Record<ListOrder, RawBuilder<unknown>>>> = {
    count: sql`1`,
    items: sql`d.item_count`,
    due: sql`(select sum(n.due) from ${installmentsOf(filters)})`,
    // Municipal notes state the moment in their own file, without an event.
    cancelled_at: sql`coalesce(nullif(d.cancelled_at, ''), (select min(e.at) from events e
      where e.tenant = d.tenant and e.key = d.key and e.cancels = 1 and e.at <> ''))`,
    entered_on: sql`(select min(e.day) from placements e where e.tenant = d.tenant and e.company = p.company
      and e.date_field = 'entry' and e.document_id = d.id and e.day <> '')`,
    payer: group('payer'),
    counterparty: group('counterparty'),
  };

  /** A document's value, or the first of several. */
  const valueSql = (name: ListOrder): RawBuilder<unknown> => {
    const { value, from } = several[name as ListColumn] ?? {};
    if (value !== undefined && from !== undefined) {
      return sql`(select min(v) from (select ${value} as v from ${from}) s where v <> '')`;
    }
    return single[name] ?? sql.ref(`d.${name === 'references' ? 'reference_keys' : name}`);
  };

  return {
    valueSql,
    /** Ordering expression; parties are ordered by name. Null if the document lacks it. */
    orderOf(name: ListOrder): RawBuilder<unknown> {
      const value = valueSql(name);
      if (name === 'payer' || name === 'counterparty')
        return sql`coalesce(${nameOf(value)}, nullif(${value}, ''))`;
      const isNumber = isAmountColumn(name) || name === 'count' || name === 'items';
      return isNumber ? value : sql`nullif(${value}, '')`;
    },
    shown(db: Db, columns: readonly ListColumn[]): RawBuilder<unknown>[] {
      // The engines differ in the name.
      const joined = isPostgres(db) ? sql`string_agg` : sql`group_concat`;
      return columns.flatMap((name) => {
        const { value, from } = several[name] ?? {};
        if (value !== undefined && from !== undefined) {
          const values = sql`select distinct ${value} as v from ${from} order by v`;
          return [
            sql`(select ${joined}(v, ${BETWEEN_VALUES}) from (${values}) s where v <> '') as ${sql.ref(name)}`,
          ];
        }
        const own = valueSql(name);
        return [
          sql`cast(${own} as text) as ${sql.ref(name)}`,
          ...(isParty(name) ? [sql`${nameOf(own)} as ${sql.ref(`${name}_name`)}`] : []),
        ];
      });
    },
  };
}

type Row = Readonly<Record<string, string | number | null>>;

/** Values of a listed document, from its row. */
export function columnValues(
  columns: readonly ListColumn[],
  row: Row,
  summary: DocumentSummary,
): ColumnValues {
  const textOf = (name: ListColumn): string => {
    const text = String(row[name] ?? '');
    if (name === 'references') return referencesOf(summary).join(BETWEEN_VALUES);
    if (text === '') return '';
    if (name === 'events') return wordsOfEvents(text);
    return isAmountColumn(name) ? amountText(text) : text;
  };
  const given = columns.flatMap((name) => [
    [name, textOf(name)] as const,
    ...(isParty(name) ? [[`${name}_name`, String(row[`${name}_name`] ?? '')] as const] : []),
  ]);
  return Object.fromEntries(given.filter(([, text]) => text !== ''));
}
