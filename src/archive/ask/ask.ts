import { type RawBuilder, sql } from 'kysely';
import { wordsOfEvents } from '../../documents/events/event-names.ts';
import type { Connections } from '../engines/connections.ts';
import { amountText, isDueGrouping, isItemAmount, isItemOnlyMeasure } from '../schema/measures.ts';
import type { Db, Session } from '../schema/schema.ts';
import { findRows } from '../schema/sql.ts';
import { refillSums, type StaleMonth, staleMonths, sumsFor } from '../write/sums.ts';
import { type Owned, ownedBy } from './conditions.ts';
import {
  type Answer,
  type AnswerRow,
  type Grouping,
  type Measure,
  partyGroupings,
  type Question,
  type UnitQuantity,
} from './question.ts';
import {
  amountsBeside,
  basisOf,
  itemUnit,
  priced,
  pricedQuantity,
  rollUps,
  type Source,
  sourceOf,
  takeCensus,
  tallied,
} from './source.ts';
import { partyNames } from './words.ts';

/** A group's values by the names of its groupings and measures. */
type Row = Readonly<Record<string, string | number | null>>;

/** Groups by the first columns, of which there may be none. */
const byFirst = (count: number): RawBuilder<unknown> =>
  count === 0 ? sql`` : sql`group by ${sql.join(Array.from({ length: count }, (_, at) => sql.lit(at + 1)))}`;

const named = (value: RawBuilder<unknown>, name: string) => sql`${value} as ${sql.ref(name)}`;

/** Whether groups have quantities: those of instalments have none. */
const hasQuantities = ({ measures, groupBy }: Question) =>
  measures.some(isItemOnlyMeasure) && !groupBy.some(isDueGrouping);

const pricedAmounts = sql`cast(${priced} as text) as priced, cast(${pricedQuantity} as text) as priced_quantity`;
const unitColumns = sql`count(distinct ${itemUnit}) as units, max(${itemUnit}) as only_unit, ${pricedAmounts}`;

/** Orders groups `t` by a name and then by their values, items by their description. */
function ordering({ tenant, groupBy, orderBy }: Owned<Question>): RawBuilder<unknown> {
  const shown = (name: Grouping | Measure) =>
    name === 'item'
      ? sql`(select s.text from descriptions s where s.tenant = ${tenant} and s.id = cast(t.item as bigint))`
      : sql.ref(`t.${name}`);
  const groups = groupBy.filter((one) => one !== orderBy?.by).map(shown);
  const way = orderBy?.descending ? sql`desc` : sql`asc`;
  const all = [...(orderBy ? [sql`${shown(orderBy.by)} ${way} nulls last`] : []), ...groups];
  return all.length === 0 ? sql`` : sql`order by ${sql.join(all)}`;
}

/** Groups of a page, and the sums of all groups. Measures of items and counts don't add up over groups. */
async function groupRows(db: Db, question: Owned<Question>, source: Source) {
  const { groupBy, measures, limit, offset = 0 } = question;
  const besides = amountsBeside(question);
  const columns = [
    ...groupBy.map((one) => named(source.group(one), one)),
    ...[...measures, ...besides].map((one) => named(source.measure(one), one)),
    ...(hasQuantities(question) ? [unitColumns] : []),
  ];
  const shown = [
    ...groupBy.map((one) => sql.ref(`t.${one}`)),
    ...measures.map((one) => named(sql`cast(${sql.ref(`t.${one}`)} as text)`, one)),
    ...(hasQuantities(question) ? [sql`t.units, t.only_unit, t.priced, t.priced_quantity`] : []),
  ];
  const added = [...measures.filter((one) => one !== 'count' && !isItemOnlyMeasure(one)), ...besides];
  const sums = added.map((one) => named(sql`cast(sum(${sql.ref(one)}) as text)`, `sum_of_${one}`));
  const groups = sql`with t as materialized
      (select ${sql.join(columns)} from ${source.from} ${byFirst(groupBy.length)}),
    s as materialized (select ${sql.join([sql`count(*) as total_groups`, ...sums])} from t)`;
  const { rows } = await sql<Row>`${groups} select ${sql.join(shown)}, s.* from t, s
    ${ordering(question)} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const [first = {}] = rows.length > 0 ? rows : (await sql<Row>`${groups} select * from s`.execute(db)).rows;
  const summed = Object.fromEntries(added.map((one) => [one, first[`sum_of_${one}`] ?? null]));
  const beside = besides.flatMap((one) => {
    const units = String(summed[one] ?? '0');
    return units === '0' ? [] : [[one, amountText(units)]];
  });
  return { rows, summed, total: Number(first.total_groups ?? 0), beside: Object.fromEntries(beside) };
}

/** Quantities and prices of all groups together. */
async function summedQuantities(db: Db, question: Owned<Question>, source: Source): Promise<Row> {
  if (!hasQuantities(question)) return {};
  const measures = question.measures.filter(isItemOnlyMeasure);
  const all = { ...question, groupBy: [], measures, orderBy: undefined, limit: 1, offset: 0 };
  return (await groupRows(db, all, source)).rows[0] ?? {};
}

/** Millionths with four decimals. */
function priceText(units: string): string {
  const [whole = '', decimals = ''] = amountText(units).split('.');
  return `${whole}.${decimals.padEnd(4, '0')}`;
}

/** `products` divided by `quantity`, rounded half away from zero to four decimals; undefined without quantity. */
function averagePrice({ priced: sum, priced_quantity: quantity }: Row): string | undefined {
  if (sum == null || quantity == null || Number(quantity) === 0) return undefined;
  const halves = (BigInt(sum) * 20_000n) / BigInt(quantity);
  return priceText(String(((halves + (halves < 0n ? -1n : 1n)) / 2n) * 100n));
}

/** Quantities of each row with mixed units, most frequent unit first, by the row's group. */
async function quantitiesOf(
  db: Db,
  { groupBy, measures }: Question,
  source: Source,
  rows: readonly Row[],
): Promise<(row: Row) => readonly UnitQuantity[]> {
  const groupOf = (row: Row) => groupBy.map((one) => row[one]);
  const mixed = rows.filter(({ units }) => Number(units) > 1);
  const byGroup = new Map<string, UnitQuantity[]>();
  if (mixed.length > 0) {
    const groups = mixed.map((row) => sql`(${sql.join(groupOf(row))})`);
    const isMixed = sql`(${sql.join(groupBy.map((one) => sql.ref(one)))}) in (values ${sql.join(groups)})`;
    const columns = [...groupBy.map((one) => named(source.group(one), one)), named(itemUnit, 'one_unit')];
    const found = await sql<Row>`
      select * from (select ${sql.join(columns)}, ${pricedAmounts}, count(*) as lines,
          cast(sum(i.quantity) as text) as quantity, cast(min(i.unit_price) as text) as min_price,
          cast(max(i.unit_price) as text) as max_price
        from ${source.from} ${byFirst(columns.length)}) t
      where one_unit is not null and ${groupBy.length > 0 ? isMixed : sql`1 = 1`}
      order by lines desc, one_unit`.execute(db);
    for (const row of found.rows) {
      const key = JSON.stringify(groupOf(row));
      const average_price = averagePrice(row);
      const prices = (['min_price', 'max_price'] as const)
        .filter((one) => measures.includes(one) && row[one] !== null)
        .map((one) => [one, priceText(String(row[one]))]);
      const one = { unit: String(row.one_unit), quantity: amountText(String(row.quantity)) };
      const priced = { ...(average_price && { average_price }), ...Object.fromEntries(prices) };
      byGroup.set(key, [...(byGroup.get(key) ?? []), { ...one, ...priced }]);
    }
  }
  return (row) => byGroup.get(JSON.stringify(groupOf(row))) ?? [];
}

function measureText(measure: Measure, row: Row): string | null {
  const value = row[measure] ?? null;
  if (measure === 'count' || measure === 'items') return String(value ?? 0);
  if (value === null) return null;
  if (measure === 'average_price') return averagePrice(row) ?? null;
  return (measure === 'min_price' || measure === 'max_price' ? priceText : amountText)(String(value));
}

/** Measures that the basis lacks. */
function unavailableIn({ area, measures, groupBy, basis }: Owned<Question>): readonly Measure[] {
  if (groupBy.some(isDueGrouping)) return measures.filter((one) => one !== 'count' && one !== 'due');
  const isOfLines = (one: Measure) => one === 'count' || one === 'items' || isItemOnlyMeasure(one);
  const isOfItems = (one: Measure) => isOfLines(one) || (isItemAmount(one) && one !== 'iss_withheld');
  return basis === 'items' && area === 'nfe' ? measures.filter((one) => !isOfItems(one)) : [];
}

async function answerFrom(
  session: Session,
  question: Owned<Question>,
  rolled: ReturnType<typeof rollUps> | undefined,
): Promise<Answer> {
  const { db } = session;
  const { groupBy, measures } = question;
  const basis = basisOf(question);
  const source = sourceOf(question, rolled?.groups);
  const counted = await takeCensus(db, question, await tallied(db, question, rolled?.census));
  const { rows, summed, total, beside } = await groupRows(db, question, source);
  const whole = groupBy.length === 0 ? rows[0] : undefined;
  const quantities = whole ?? (await summedQuantities(db, question, source));
  const sums: Row = { ...quantities, ...summed, count: counted.documents };
  const textsIn = (names: readonly Grouping[]) =>
    rows.flatMap((row) => names.flatMap((name) => (row[name] ? [String(row[name])] : [])));
  const names = await partyNames(session, textsIn(partyGroupings));
  const items = textsIn(['item']).map(Number);
  const described = await findRows(session, 'descriptions', ['id', 'text'], 'id', items);
  const descriptions = new Map(described.map(({ id, text }) => [String(id), text]));
  const quantitiesIn = await quantitiesOf(db, question, source, rows);
  const quantitiesOfAll = whole
    ? quantitiesIn
    : await quantitiesOf(db, { ...question, groupBy: [] }, source, [sums]);
  const unavailable = unavailableIn(question);

  function textOf(grouping: Grouping, row: Row): string {
    const value = String(row[grouping] ?? '');
    if (grouping === 'item') return descriptions.get(value) ?? '';
    return grouping === 'event' && value !== '' ? wordsOfEvents(value) : value;
  }
  function answerRow(row: Row, quantities: readonly UnitQuantity[]): AnswerRow {
    const group = groupBy.map((one) => [one, textOf(one, row)]).filter(([, text]) => text !== '');
    const known = partyGroupings.map((one) => [one, names.get(String(row[one] ?? ''))]);
    const isOfOneUnit = Number(row.units) === 1 && row.only_unit !== '';
    return {
      group: Object.fromEntries(group),
      names: Object.fromEntries(known.filter(([, name]) => name !== undefined)),
      measures: Object.fromEntries(
        measures.map((one) => [one, unavailable.includes(one) ? null : measureText(one, row)]),
      ),
      ...(quantities.length > 0 && { quantities }),
      ...(isOfOneUnit && { unit: String(row.only_unit) }),
    };
  }
  return {
    rows: rows.map((row) => answerRow(row, quantitiesIn(row))),
    sums: answerRow(sums, quantitiesOfAll(sums)),
    total_groups: total,
    ...counted,
    basis,
    meanings: Object.fromEntries(
      measures.map((one) => [one, one === 'count' ? 'documents' : one === 'items' ? 'items' : basis]),
    ),
    beside,
    unavailable,
  };
}

/** The answer, or the cached sums to refill first. */
async function answerOrStale(
  session: Session,
  asked: Question,
  useSums: boolean,
): Promise<Answer | readonly StaleMonth[]> {
  const { by, others = [] } = asked;
  const question = await ownedBy(asked, session, basisOf(asked));
  // Cached sums can't deduplicate a document between two companies.
  const isCached = useSums && by === 'issue' && others.length === 0;
  const cached = isCached ? await sumsFor(session, question) : undefined;
  const rolled = cached && rollUps(question, cached);
  if (cached && rolled) {
    const read = [rolled.groups, rolled.census].flatMap((one) => one?.rollup ?? []);
    const stale = await staleMonths(session, question, cached, [...new Set(read)]);
    if (stale === undefined) return answerFrom(session, question, undefined);
    if (stale.length > 0) return stale;
  }
  return answerFrom(session, question, rolled);
}

/** Refills before a question is answered from documents, if writers keep making its sums stale. */
const mostRefills = 3;

/** Answers a question about sums. */
export async function answerQuestion({ read, write }: Connections, question: Question): Promise<Answer> {
  for (let refills = 0; ; refills++) {
    const answer = await read((session) => answerOrStale(session, question, refills < mostRefills));
    if ('rows' in answer) return answer;
    // Each month in its own transaction, so that other processes' writers don't wait for all of them.
    for (const stale of answer)
      await write(question.company, (session) => refillSums(session, question, stale));
  }
}
