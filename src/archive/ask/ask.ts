import { type RawBuilder, sql } from 'kysely';
import { wordsOfEvents } from '../../documents/events/event-names.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { InvalidQuestion } from '../errors.ts';
import {
  amountText,
  isDueGrouping,
  isItemAmount,
  isItemGrouping,
  isItemOnlyMeasure,
} from '../schema/measures.ts';
import type { Db, Session } from '../schema/schema.ts';
import { refillSums, type StaleMonth, staleMonths, sumsFor } from '../write/sums.ts';
import { type Owned, ownedBy } from './conditions.ts';
import type {
  Answer,
  AnswerRow,
  Beside,
  Grouping,
  Measure,
  PartyGrouping,
  Question,
  UnitQuantity,
} from './question.ts';
import {
  averagePrice,
  basisOf,
  hasQuantities,
  planCensus,
  planSource,
  priceText,
  quantitiesOf,
  type Source,
  shownUnits,
  unitColumns,
  unitOf,
} from './source.ts';
import { partyNames } from './words.ts';

const partyGroupings = [
  'issuer',
  'recipient',
  'counterparty',
  'payer',
] as const satisfies readonly PartyGrouping[];

type Row = Readonly<Record<string, string | number | null>>;

/** @throws InvalidQuestion unless limit and offset are non-negative integers */
export function checkPage({ limit, offset = 0 }: { readonly limit: number; readonly offset?: number }): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new InvalidQuestion('limit', String(limit));
  if (!Number.isSafeInteger(offset) || offset < 0) throw new InvalidQuestion('offset', String(offset));
}

function checkQuestion(question: Question): void {
  const { groupBy, measures, orderBy } = question;
  checkPeriod(question);
  checkPage(question);
  if (measures.length === 0) throw new InvalidQuestion('measures', '');
  const repeated = groupBy.find((grouping, index) => groupBy.indexOf(grouping) !== index);
  if (repeated !== undefined) throw new InvalidQuestion('grouping', repeated);
  const mixed = groupBy.some(isDueGrouping) && groupBy.find(isItemGrouping);
  if (mixed) throw new InvalidQuestion('grouping', mixed);
  const known: readonly string[] = [...groupBy, ...measures];
  if (orderBy !== undefined && !known.includes(orderBy.by)) throw new InvalidQuestion('order', orderBy.by);
}

const groupColumn = (grouping: Grouping): string => `g_${grouping}`;
const measureColumn = (measure: Measure): string => `m_${measure}`;

/** A group's value for display and ordering. */
function shownGroup(grouping: Grouping, tenant: string): RawBuilder<string> {
  const column = sql.ref(`t.${groupColumn(grouping)}`);
  if (grouping !== 'item') return sql<string>`${column}`;
  return sql<string>`(select s.text from descriptions s where s.tenant = ${tenant} and s.id = cast(${column} as bigint))`;
}

const contributions: readonly Measure[] = ['csll', 'pis_withheld', 'cofins_withheld'];

/** Amounts that accompany sums of ICMS or withheld contributions. */
function besideMeasures(
  measures: readonly Measure[],
  { measure, unsplit }: Source,
): { readonly name: keyof Beside; readonly sum: RawBuilder<unknown> }[] {
  const leavesCredit = measures.includes('icms') && !measures.includes('icms_credit');
  const asksContributions = measures.some((one) => contributions.includes(one));
  return [
    ...(leavesCredit ? [{ name: 'icms_credit' as const, sum: measure('icms_credit') }] : []),
    ...(asksContributions && unsplit ? [{ name: 'contributions_withheld' as const, sum: unsplit }] : []),
  ];
}

const besideColumn = (name: keyof Beside): string => `b_${name}`;

function besideFrom(row: Row): Beside {
  const given = (['icms_credit', 'contributions_withheld'] as const).flatMap((name) => {
    const units = row[besideColumn(name)] ?? '0';
    return units === '0' ? [] : [[name, amountText(String(units))]];
  });
  return Object.fromEntries(given);
}

function grouped(question: Question, source: Source): RawBuilder<unknown> {
  const { groupBy, measures } = question;
  const groups = groupBy.map(
    (grouping) => sql`${source.group(grouping)} as ${sql.ref(groupColumn(grouping))}`,
  );
  const sums = measures.map(
    (measure) => sql`${source.measure(measure)} as ${sql.ref(measureColumn(measure))}`,
  );
  const by = sql.join(groupBy.map((_, index) => sql.lit(index + 1)));
  const units = hasQuantities(question) ? [unitColumns] : [];
  const beside = besideMeasures(measures, source).map(
    ({ name, sum }) => sql`${sum} as ${sql.ref(besideColumn(name))}`,
  );
  return sql`select ${sql.join([...groups, ...sums, ...units, ...beside])} from ${source.from} ${groupBy.length > 0 ? sql`group by ${by}` : sql``}`;
}

function ordering({ tenant, groupBy, orderBy }: Owned<Question>): RawBuilder<unknown> {
  const parts = groupBy.filter((grouping) => grouping !== orderBy?.by).map((one) => shownGroup(one, tenant));
  if (orderBy === undefined) return parts.length > 0 ? sql`order by ${sql.join(parts)}` : sql``;
  const grouping = groupBy.find((one) => one === orderBy.by);
  const value = grouping === undefined ? sql.ref(`t.m_${orderBy.by}`) : shownGroup(grouping, tenant);
  const way = orderBy.descending ? sql`desc` : sql`asc`;
  return sql`order by ${sql.join([sql`case when ${value} is null then 1 else 0 end`, sql`${value} ${way}`, ...parts])}`;
}

interface Groups {
  readonly rows: Row[];
  readonly total: number;
  readonly beside: Beside;
}

async function groupRows(db: Db, question: Owned<Question>, source: Source): Promise<Groups> {
  const { groupBy, measures, limit, offset = 0 } = question;
  const columns = [
    ...groupBy.map(
      (grouping) => sql`${shownGroup(grouping, question.tenant)} as ${sql.ref(groupColumn(grouping))}`,
    ),
    ...measures.map((measure) => {
      const name = measureColumn(measure);
      return sql`cast(${sql.ref(`t.${name}`)} as text) as ${sql.ref(name)}`;
    }),
    ...(hasQuantities(question) ? [shownUnits(groupBy)] : []),
  ];
  const groups = sql`with t as materialized (${grouped(question, source)})`;
  const all = sql.join([
    sql`(select count(*) from t) as total_groups`,
    ...besideMeasures(measures, source).map(
      ({ name }) =>
        sql`(select cast(sum(${sql.ref(besideColumn(name))}) as text) from t) as ${sql.ref(besideColumn(name))}`,
    ),
  ]);
  const { rows } = await sql<Row>`
    ${groups} select ${sql.join(columns)}, ${all} from t
    ${ordering(question)} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const beyond = rows.length === 0 && offset > 0;
  const [first = {}] = beyond ? (await sql<Row>`${groups} select ${all}`.execute(db)).rows : rows;
  return { rows, total: Number(first.total_groups ?? 0), beside: besideFrom(first) };
}

function measureText(measure: Measure, row: Row): string | null {
  const value = row[measureColumn(measure)];
  if (measure === 'count' || measure === 'items') return String(value ?? 0);
  if (value === null || value === undefined) return null;
  if (measure === 'average_price') return averagePrice(row) ?? null;
  return measure === 'min_price' || measure === 'max_price'
    ? priceText(String(value))
    : amountText(String(value));
}

function answerRow(
  question: Question,
  row: Row,
  names: ReadonlyMap<string, string>,
  quantities: readonly UnitQuantity[],
  unavailable: readonly Measure[],
): AnswerRow {
  const group = Object.fromEntries(
    question.groupBy.flatMap((grouping) => {
      const value = row[groupColumn(grouping)];
      if (value === undefined || value === null || value === '') return [];
      return [[grouping, grouping === 'event' ? wordsOfEvents(String(value)) : String(value)]];
    }),
  );
  const named = partyGroupings.flatMap((grouping) => {
    const name = names.get(group[grouping] ?? '');
    return name === undefined ? [] : [[grouping, name]];
  });
  const measures = question.measures.map((measure) => [
    measure,
    unavailable.includes(measure) ? null : measureText(measure, row),
  ]);
  return {
    group,
    names: Object.fromEntries(named),
    measures: Object.fromEntries(measures),
    ...(quantities.length > 0 ? { quantities } : {}),
    ...(unitOf(row) === undefined ? {} : { unit: unitOf(row) }),
  };
}

function unavailableIn({ area, measures, groupBy }: Question, basis: Answer['basis']): readonly Measure[] {
  if (groupBy.some(isDueGrouping)) return measures.filter((one) => one !== 'count' && one !== 'due');
  if (basis === 'documents') return [];
  return area === 'nfe' ? measures.filter(isOfWholeDocument) : [];
}

function isOfWholeDocument(measure: Measure): boolean {
  if (measure === 'count' || measure === 'items' || isItemOnlyMeasure(measure)) return false;
  return measure === 'iss_withheld' || !isItemAmount(measure);
}

function meaningsOf({ measures }: Question, basis: Answer['basis']): Answer['meanings'] {
  const meaning = (measure: Measure) =>
    measure === 'count' ? 'documents' : measure === 'items' ? 'items' : basis;
  return Object.fromEntries(measures.map((measure) => [measure, meaning(measure)]));
}

/** The answer, or the cached sums to refill first. */
async function answerOrStale(
  session: Session,
  asked: Question,
  useSums: boolean,
): Promise<Answer | readonly StaleMonth[]> {
  const { db } = session;
  const basis = basisOf(asked);
  const question = await ownedBy(asked, session, basis);
  // Cached sums can't deduplicate a document between two companies.
  const isSummed = question.by === 'issue' && (question.others ?? []).length === 0;
  const sums = useSums && isSummed ? await sumsFor(session, question) : undefined;
  const source = planSource(question, sums);
  const census = planCensus(question, basis, sums);
  const read = new Set([source.rollup, census.rollup].filter((rollup) => rollup !== undefined));
  const stale = sums === undefined ? [] : await staleMonths(session, question, sums, [...read]);
  if (stale.length > 0) return stale;
  const counted = await census.take(db);
  const { rows, total, beside } = await groupRows(db, question, source);
  const ids = rows.flatMap((row) => partyGroupings.flatMap((grouping) => row[groupColumn(grouping)] || []));
  const names = await partyNames(session, ids.map(String));
  const quantities = await quantitiesOf(db, question, source, rows);
  const unavailable = unavailableIn(question, basis);
  return {
    rows: rows.map((row, index) => answerRow(question, row, names, quantities[index] ?? [], unavailable)),
    total_groups: total,
    ...counted,
    basis,
    meanings: meaningsOf(question, basis),
    beside,
    unavailable,
  };
}

/** Refills before a question is answered from documents, if writers keep making its sums stale. */
const mostRefills = 3;

/** Answers a question about sums. `useSums` is disabled only to compare both paths. */
export async function answerQuestion(
  { read, write }: Connections,
  question: Question,
  useSums = true,
): Promise<Answer> {
  checkQuestion(question);
  for (let refills = 0; ; refills++) {
    const isCached = useSums && refills < mostRefills;
    const answer = await read((session) => answerOrStale(session, question, isCached));
    if ('rows' in answer) return answer;
    // Each month in its own transaction, so that other processes' writers don't wait for all of them.
    for (const stale of answer)
      await write(question.company, (session) => refillSums(session, question, stale));
  }
}
