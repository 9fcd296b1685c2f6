import { type RawBuilder, sql } from 'kysely';
import { checkPeriod } from '../../days.ts';
import { InvalidQuestion } from '../../errors.ts';
import { amountText } from '../schema/encoding.ts';
import { isItemAmount, isItemOnlyMeasure } from '../schema/measures.ts';
import type { Db, Session } from '../schema/schema.ts';
import { takeCensus } from './census.ts';
import { type Owned, ownedBy } from './conditions.ts';
import { basisOf, isItemGrouping, outsideOfPeriod, planSource, type Source } from './plan.ts';
import { averagePrice, priceText, quantitiesOf, shownUnits, unitColumns, unitOf } from './quantities.ts';
import type {
  Answer,
  AnswerRow,
  Beside,
  Grouping,
  Measure,
  PartyGrouping,
  Question,
  Selection,
  UnitQuantity,
} from './question.ts';

const partyGroupings = ['issuer', 'recipient', 'payer'] as const satisfies readonly PartyGrouping[];

/** A row as SQL gives it. */
type Row = Readonly<Record<string, string | number | null>>;

/** Limits and offsets are whole and not negative. */
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
  const known: readonly string[] = [...groupBy, ...measures];
  if (orderBy !== undefined && !known.includes(orderBy.by)) throw new InvalidQuestion('order', orderBy.by);
}

function groupColumn(grouping: Grouping): string {
  return `g_${grouping}`;
}

function measureColumn(measure: Measure): string {
  return `m_${measure}`;
}

/** The value of a group as it is shown and ordered. */
function shownGroup(grouping: Grouping, tenant: string): RawBuilder<string> {
  const column = sql.ref(`t.${groupColumn(grouping)}`);
  if (grouping !== 'item') return sql<string>`${column}`;
  return sql<string>`(select s.text from descriptions s where s.tenant = ${tenant} and s.id = cast(${column} as bigint))`;
}

function grouped({ groupBy, measures }: Question, source: Source): RawBuilder<unknown> {
  const groups = groupBy.map(
    (grouping) => sql`${source.group(grouping)} as ${sql.ref(groupColumn(grouping))}`,
  );
  const sums = measures.map(
    (measure) => sql`${source.measure(measure)} as ${sql.ref(measureColumn(measure))}`,
  );
  const by = sql.join(groupBy.map((_, index) => sql.lit(index + 1)));
  const units = measures.some(isItemOnlyMeasure) ? [unitColumns] : [];
  return sql`select ${sql.join([...groups, ...sums, ...units])} from ${source.from} ${groupBy.length > 0 ? sql`group by ${by}` : sql``}`;
}

function ordering({ tenant, groupBy, orderBy }: Owned<Question>): RawBuilder<unknown> {
  const parts = groupBy.filter((grouping) => grouping !== orderBy?.by).map((one) => shownGroup(one, tenant));
  if (orderBy === undefined) return parts.length > 0 ? sql`order by ${sql.join(parts)}` : sql``;
  const grouping = groupBy.find((one) => one === orderBy.by);
  const value = grouping === undefined ? sql.ref(`t.m_${orderBy.by}`) : shownGroup(grouping, tenant);
  const way = orderBy.descending ? sql`desc` : sql`asc`;
  return sql`order by ${sql.join([sql`case when ${value} is null then 1 else 0 end`, sql`${value} ${way}`, ...parts])}`;
}

async function groupRows(
  db: Db,
  question: Owned<Question>,
  source: Source,
): Promise<{ rows: Row[]; total: number }> {
  const { groupBy, measures, limit, offset = 0 } = question;
  const columns = [
    ...groupBy.map(
      (grouping) => sql`${shownGroup(grouping, question.tenant)} as ${sql.ref(groupColumn(grouping))}`,
    ),
    ...measures.map((measure) => {
      const name = measureColumn(measure);
      return sql`cast(${sql.ref(`t.${name}`)} as text) as ${sql.ref(name)}`;
    }),
    ...(measures.some(isItemOnlyMeasure) ? [shownUnits(groupBy)] : []),
  ];
  const groups = grouped(question, source);
  const { rows } = await sql<Row>`
    select ${sql.join(columns)}, count(*) over () as total_groups from (${groups}) t
    ${ordering(question)} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const [first] = rows;
  if (first !== undefined || offset === 0) return { rows, total: Number(first?.total_groups ?? 0) };
  const counted = await sql<{ groups: number }>`select count(*) as groups from (${groups}) t`.execute(db);
  return { rows, total: counted.rows[0]?.groups ?? 0 };
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

async function partyNames(
  { db, tenant }: Session,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap((row) => partyGroupings.map((grouping) => row[groupColumn(grouping)]));
  const asked = [...new Set(ids.filter((id) => typeof id === 'string' && id !== ''))].map(String);
  if (asked.length === 0) return new Map();
  const parties = await db
    .selectFrom('parties')
    .select(['tax_id', 'name'])
    .where('tenant', '=', tenant)
    .where('tax_id', 'in', asked)
    .execute();
  return new Map(parties.map(({ tax_id, name }) => [tax_id, name]));
}

function answerRow(
  question: Question,
  row: Row,
  names: ReadonlyMap<string, string>,
  quantities: readonly UnitQuantity[],
): AnswerRow {
  const group = Object.fromEntries(
    question.groupBy.flatMap((grouping) => {
      const value = row[groupColumn(grouping)];
      return value === undefined || value === null || value === '' ? [] : [[grouping, String(value)]];
    }),
  );
  const named = partyGroupings.flatMap((grouping) => {
    const name = names.get(group[grouping] ?? '');
    return name === undefined ? [] : [[grouping, name]];
  });
  const measures = question.measures.map((measure) => [measure, measureText(measure, row)]);
  return {
    group,
    names: Object.fromEntries(named),
    measures: Object.fromEntries(measures),
    ...(quantities.length > 0 ? { quantities } : {}),
    ...(unitOf(row) === undefined ? {} : { unit: unitOf(row) }),
  };
}

function unavailableByItem({ area, measures }: Question): readonly Measure[] {
  return area === 'nfe' ? measures.filter(isOfWholeDocument) : [];
}

/** What of an NF-e only the whole document has. */
function isOfWholeDocument(measure: Measure): boolean {
  if (measure === 'count' || measure === 'items' || isItemOnlyMeasure(measure)) return false;
  return measure === 'iss_withheld' || !isItemAmount(measure);
}

function meaningsOf({ measures }: Question, basis: Answer['basis']): Answer['meanings'] {
  const meaning = (measure: Measure) =>
    measure === 'count' ? 'documents' : measure === 'items' ? 'items' : basis;
  return Object.fromEntries(measures.map((measure) => [measure, meaning(measure)]));
}

const contributions: readonly Measure[] = ['csll', 'pis_withheld', 'cofins_withheld'];

/** What an answer about ICMS or about contributions kept back must say beside its sums. */
async function besideOf(db: Db, { measures }: Question, source: Source): Promise<Beside> {
  const leavesCredit = measures.includes('icms') && !measures.includes('icms_credit');
  const asksContributions = measures.some((measure) => contributions.includes(measure));
  const credit = leavesCredit ? source.measure('icms_credit') : sql`null`;
  const unsplit = asksContributions && source.unsplit !== undefined ? source.unsplit : sql`null`;
  if (!leavesCredit && !asksContributions) return {};
  const { rows } = await sql<{ credit: string | null; unsplit: string | null }>`
    select cast(${credit} as text) as credit, cast(${unsplit} as text) as unsplit from ${source.from}`.execute(
    db,
  );
  const [found] = rows;
  const given = (units: string | null | undefined) =>
    units === null || units === undefined || units === '0' ? undefined : amountText(units);
  const [icms_credit, contributions_withheld] = [given(found?.credit), given(found?.unsplit)];
  return {
    ...(icms_credit === undefined ? {} : { icms_credit }),
    ...(contributions_withheld === undefined ? {} : { contributions_withheld }),
  };
}

/** Whether the months of a selection hold no document that the selection does not. */
async function areMonthsWhole(db: Db, selection: Owned<Selection>): Promise<boolean> {
  const { rows } = await outsideOfPeriod(selection).execute(db);
  return rows[0]?.found === 0;
}

/** See `Archive.ask`. `useRollups` is off only where both ways are to be compared. */
export async function answerQuestion(session: Session, asked: Question, useRollups = true): Promise<Answer> {
  checkQuestion(asked);
  const { db } = session;
  const question = ownedBy(asked, session);
  const basis = basisOf(question);
  const isOneCompany = (question.others ?? []).length === 0;
  const monthsAreWhole = useRollups && isOneCompany && (await areMonthsWhole(db, question));
  const source = planSource(question, monthsAreWhole);
  const census = await takeCensus(db, question, basis, monthsAreWhole);
  const { rows, total } = await groupRows(db, question, source);
  const names = question.groupBy.some((grouping) => !isItemGrouping(grouping))
    ? await partyNames(session, rows)
    : new Map();
  const quantities = await quantitiesOf(db, question, source, rows);
  return {
    rows: rows.map((row, index) => answerRow(question, row, names, quantities[index] ?? [])),
    total_groups: total,
    ...census,
    basis,
    meanings: meaningsOf(question, basis),
    beside: await besideOf(db, question, source),
    unavailable: basis === 'items' ? unavailableByItem(question) : [],
    source: source.name,
  };
}
