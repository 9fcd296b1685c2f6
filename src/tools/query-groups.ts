import { isAvailable } from '../archive/ask/available.ts';
import type { AnswerRow, Answer as ArchiveAnswer, Order } from '../archive/ask/question.ts';
import type { DocumentArea } from '../archive/references.ts';
import {
  amountMeasures,
  documentGroupings,
  dueGroupings,
  isDueGrouping,
  isItemOnlyMeasure,
  itemGroupings,
  itemOnlyMeasures,
} from '../archive/schema/measures.ts';
import type { CallContext } from '../company/call-context.ts';
import { TAXES_IN_PRICE_FROM } from '../documents/rules/reform/calendar.ts';
import { kindName } from '../documents/summary/summary.ts';
import { csvLine } from '../messages/message.ts';
import { NOT_AVAILABLE, type Unavailable } from './query-available.ts';
import { othersThan, type Shares, sharedMeasures, sharesOf } from './query-shares.ts';
import { linesThatFit } from './shared/paging.ts';
import type { Part } from './shared/question.ts';

export const groupings = [...documentGroupings, ...itemGroupings, ...dueGroupings] as const;
export const measures = ['count', 'items', 'due', ...amountMeasures, ...itemOnlyMeasures] as const;

export type Grouping = (typeof groupings)[number];
export type Measure = (typeof measures)[number];

/** What groups are asked for, of every kind of document alike. */
export interface GroupsAsked {
  readonly groupBy: readonly Grouping[];
  readonly measures: readonly Measure[];
  readonly orderBy: Order<Grouping | Measure> | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Whether every row says what part of the sums it is. */
  readonly share: boolean;
}

/** The answer about one kind of document: a page of its groups, and the sums of them all. */
interface KindAnswer {
  readonly part: Part;
  readonly answer: Omit<ArchiveAnswer, 'rows'> & { readonly rows: readonly NamedRow[] };
  readonly sums: AnswerRow | undefined;
}

/** A row with the names of its codes. */
interface NamedRow extends Omit<AnswerRow, 'names'> {
  readonly names: { readonly [Name in Grouping]?: string };
}

async function withCities(rows: readonly AnswerRow[], groupBy: readonly Grouping[]): Promise<NamedRow[]> {
  const asked = (['city', 'iss_city'] as const).filter((name) => groupBy.includes(name));
  if (asked.length === 0) return [...rows];
  const { cityLabel } = await import('./shared/cities.ts');
  return rows.map((row) => {
    const cities = asked.map((name) => [name, cityLabel(row.group[name] ?? '')]);
    return { ...row, names: { ...row.names, ...Object.fromEntries(cities) } };
  });
}

function groupText(row: NamedRow, groupBy: readonly Grouping[], area: DocumentArea): string[] {
  return groupBy.map((grouping) =>
    isAvailable(grouping, area)
      ? [row.group[grouping], row.names[grouping]].filter((part) => part !== undefined).join(' ')
      : NOT_AVAILABLE,
  );
}

/** Units shown of one row; issuers spell theirs as they like, and a year of notes may have hundreds. */
const MOST_UNITS = 20;

/** A measure as text; where goods of several units would be added up, each unit by itself. */
function measureText({ measures: values, quantities = [], unit }: AnswerRow, name: Measure): string {
  const text = values[name] ?? undefined;
  if (text !== undefined && name === 'quantity' && unit !== undefined) return `${text} ${unit}`;
  if (text !== undefined || !isItemOnlyMeasure(name)) return text ?? '';
  const parts = quantities.flatMap(({ unit, ...one }) =>
    one[name] === undefined ? [] : `${one[name]} ${unit}`,
  );
  const more = parts.length - MOST_UNITS;
  return [...parts.slice(0, MOST_UNITS), ...(more > 0 ? [`… +${more}`] : [])].join(' | ');
}

function given(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function presentMeasures({ measures: values, quantities, unit }: AnswerRow, area: DocumentArea) {
  const available = Object.entries(values).filter(([name]) => isAvailable(name, area));
  return {
    measures: given(Object.fromEntries(available)),
    ...(unit && { unit }),
    ...(quantities && { quantities: quantities.slice(0, MOST_UNITS).map((one) => ({ ...one })) }),
    ...(quantities && quantities.length > MOST_UNITS && { more_units: quantities.length - MOST_UNITS }),
  };
}

/** Rows name the kind of document only where there are several. */
function presentRow(row: NamedRow, groupBy: readonly Grouping[], area: DocumentArea, isOfSeveral: boolean) {
  const named = groupBy.map((grouping) => [`${grouping}_name`, row.names[grouping]]);
  const group = given({ ...row.group, ...Object.fromEntries(named) });
  return { document: isOfSeveral ? area : undefined, group, ...presentMeasures(row, area) };
}

/** The sums of all groups: of the documents counted once, of the amounts over what the groups rest on. */
async function sumsOf(part: Part, answer: ArchiveAnswer, asked: GroupsAsked): Promise<AnswerRow | undefined> {
  const { selection, basis } = part;
  if (asked.groupBy.length === 0) return answer.rows[0];
  const isOfDue = asked.groupBy.some(isDueGrouping);
  const summed = asked.measures.filter((one) => (isOfDue ? one === 'due' : one !== 'count'));
  const all =
    summed.length === 0
      ? undefined
      : await basis.archive.ask({
          ...selection,
          groupBy: [],
          measures: summed,
          onItems: answer.basis === 'items',
          limit: 1,
        });
  const row = all?.rows[0];
  const counted = asked.measures.includes('count') ? { count: String(answer.documents) } : {};
  const values = { ...counted, ...row?.measures };
  const { quantities, unit } = row ?? {};
  return { group: {}, names: {}, measures: values, ...(quantities && { quantities }), ...(unit && { unit }) };
}

/** Pages run through the kinds of document one after the other, each in the order asked for. */
async function answersOf(parts: readonly Part[], asked: GroupsAsked): Promise<KindAnswer[]> {
  const answers: KindAnswer[] = [];
  let { offset, limit } = asked;
  for (const part of parts) {
    const { groupBy, measures: wanted, orderBy } = asked;
    const answer = await part.basis.archive.ask({
      ...part.selection,
      groupBy,
      measures: wanted,
      orderBy,
      limit: Math.max(1, limit),
      offset,
    });
    const rows = limit > 0 ? await withCities(answer.rows, groupBy) : [];
    answers.push({ part, answer: { ...answer, rows }, sums: await sumsOf(part, answer, asked) });
    offset = Math.max(0, offset - answer.total_groups);
    limit -= rows.length;
  }
  return answers;
}

/** Amounts that the layouts of the two years put together differently. */
const ofPrices: readonly Measure[] = ['total', 'products', 'average_price', 'min_price', 'max_price'];

/** Amounts that mean something else of an item than of a note. */
const ofWhole: readonly Measure[] = ['total', 'products', 'products_net'];

/** Whether the sums mix documents of no effect with others. */
function mixesStatuses(rows: readonly NamedRow[]): boolean {
  const statuses = new Set(rows.map(({ group }) => group.status));
  return statuses.size > 1 && (statuses.has('cancelled') || statuses.has('denied'));
}

/** What a reader must know of what the measures of an answer are. */
function meaningRemarks(
  { part: { selection }, answer }: KindAnswer,
  { groupBy, measures: wanted }: GroupsAsked,
  { translator }: CallContext,
): string[] {
  const { basis, beside, unavailable, rows } = answer;
  const isOfGoods = selection.area === 'nfe';
  const itemGroups = groupBy.filter((one) => itemGroupings.some((grouping) => grouping === one));
  const hasRest = isOfGoods && rows.some(({ group }) => itemGroups.some((one) => group[one] === undefined));
  const spansYears = selection.from < TAXES_IN_PRICE_FROM && selection.to >= TAXES_IN_PRICE_FROM;
  const { icms_credit, contributions_withheld } = beside;
  return [
    ...(basis === 'items' && isOfGoods && wanted.some((one) => ofWhole.includes(one))
      ? [translator.say('analysis.by_item')]
      : []),
    ...(hasRest ? [translator.say('analysis.no_items_part')] : []),
    ...(mixesStatuses(rows) ? [translator.say('analysis.all_statuses')] : []),
    ...(unavailable.length > 0
      ? [translator.say('analysis.items_basis', { unavailable: unavailable.join(', ') })]
      : []),
    ...(icms_credit === undefined
      ? []
      : [translator.say('analysis.beside_credit', { amount: translator.money(icms_credit) })]),
    ...(contributions_withheld === undefined
      ? []
      : [
          translator.say('analysis.beside_contributions', {
            amount: translator.money(contributions_withheld),
          }),
        ]),
    ...(isOfGoods && spansYears && wanted.some((one) => ofPrices.includes(one))
      ? [translator.say('analysis.turn_of_year')]
      : []),
  ];
}

/** A page of the answer to a question, as data and as text. */
export interface QuestionAnswer<Data extends object> {
  /** What was added up. */
  readonly basis: 'documents' | 'items';
  readonly documents: number;
  readonly leftOut: ArchiveAnswer['left_out'];
  /** Groups or documents in all, and those shown. */
  readonly total: number;
  readonly shown: number;
  readonly structured: Data;
  /** Measures asked for that items don't have. */
  readonly unavailable: readonly Unavailable[];
  /** How many there are, in words; none of a single row. */
  readonly count: readonly string[];
  /** What to know of the lines, in the language of a call. */
  readonly remarksIn: (context: CallContext) => readonly string[];
  readonly lines: readonly string[];
}

interface GroupsData {
  readonly total_groups: number;
  readonly rows: (ReturnType<typeof presentRow> & { share?: Shares; others?: boolean })[];
  readonly sums: ({ document: string } & ReturnType<typeof presentMeasures>)[];
  readonly meanings: Record<string, 'documents' | 'items'>;
  readonly beside: Record<string, string> | undefined;
}

/** Asks for the groups of each kind of document; what is of several kinds is never added up. */
export async function answerGroups(
  parts: readonly Part[],
  asked: GroupsAsked,
  opening: (documents: number, leftOut: ArchiveAnswer['left_out']) => readonly string[],
  context: CallContext,
): Promise<QuestionAnswer<GroupsData>> {
  const { translator } = context;
  const { groupBy, measures: wanted } = asked;
  const answers = await answersOf(parts, asked);
  const isOfSeveral = answers.length > 1;
  const documents = answers.reduce((sum, { answer }) => sum + answer.documents, 0);
  const leftOut = answers.flatMap(({ answer }) => answer.left_out);
  const total = answers.reduce((sum, { answer }) => sum + answer.total_groups, 0);
  const all = answers.flatMap((kind) =>
    kind.answer.rows.map((row) => ({ row, kind, area: kind.part.selection.area })),
  );
  const has = ({ part, answer }: KindAnswer, name: Measure) =>
    isAvailable(name, part.selection.area) && !answer.unavailable.includes(name);
  const had = wanted.filter((name) => answers.some((one) => has(one, name)));
  const columns = had.length > 0 ? had : wanted;
  const line = (first: readonly string[], row: AnswerRow, kind: KindAnswer) => {
    const cells = columns.map((name) => (has(kind, name) ? measureText(row, name) : NOT_AVAILABLE));
    return csvLine([...(isOfSeveral ? [kind.part.selection.area] : []), ...first, ...cells]);
  };
  const shared = (kind: KindAnswer) => (asked.share ? sharedMeasures(wanted, kind.answer.basis) : []);
  const basis = answers.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents';
  const shareColumns = asked.share ? sharedMeasures(columns, basis) : [];
  const shareOf = (row: AnswerRow, kind: KindAnswer) =>
    sharesOf(row.measures, kind.sums?.measures ?? {}, shared(kind));
  const sharedLine = (first: readonly string[], row: AnswerRow, kind: KindAnswer) => {
    const shares = shareOf(row, kind);
    const cells = shareColumns.map((name) => (shares[name] === undefined ? '' : `${shares[name]}%`));
    return [line(first, row, kind), ...cells].join(',');
  };
  const groupLines = all.map(({ row, kind, area }) => sharedLine(groupText(row, groupBy, area), row, kind));
  const fitting = linesThatFit(opening(documents, leftOut), groupLines);
  const blanks = groupBy.slice(1).map(() => '');
  const listed = all.slice(0, fitting.length);
  const others = answers.flatMap((kind) => {
    const rows = listed.filter((one) => one.kind === kind).map(({ row }) => row.measures);
    const isCut = asked.share && kind.sums !== undefined && rows.length < kind.answer.total_groups;
    if (!isCut) return [];
    const rest = othersThan(rows, kind.sums?.measures ?? {}, shared(kind));
    return [{ kind, area: kind.part.selection.area, row: { group: {}, names: {}, measures: rest } }];
  });
  const othersLines = others.map(({ row, kind }) =>
    sharedLine([translator.say('analysis.others_row'), ...blanks], row, kind),
  );
  const sums = answers.flatMap((kind) => {
    const { part, sums: row, answer } = kind;
    return row === undefined || answer.documents === 0 ? [] : [{ row, kind, area: part.selection.area }];
  });
  const word = translator.say('analysis.total_row');
  const sumLines =
    groupBy.length === 0 ? [] : sums.map(({ row, kind }) => line([word, ...blanks], row, kind));
  const shareNames = shareColumns.map((name) => `${name}_share`);
  const header = [...(isOfSeveral ? ['document'] : []), ...groupBy, ...columns, ...shareNames].join(',');
  const remarksIn = (said: CallContext) =>
    answers.flatMap((one) => {
      const remarks = meaningRemarks(one, asked, said);
      return isOfSeveral ? remarks.map((words) => `${kindName(one.part.selection.area)}: ${words}`) : remarks;
    });
  const beside = Object.assign({}, ...answers.map(({ answer }) => answer.beside));
  return {
    basis,
    documents,
    leftOut,
    total,
    shown: fitting.length,
    count: groupBy.length > 0 ? [translator.say('analysis.groups', { total, shown: fitting.length })] : [],
    structured: {
      total_groups: total,
      rows: [
        ...listed.map(({ row, area, kind }) => ({
          ...presentRow(row, groupBy, area, isOfSeveral),
          ...(asked.share && { share: shareOf(row, kind) }),
        })),
        ...others.map(({ row, area, kind }) => ({
          ...presentRow(row, [], area, isOfSeveral),
          others: true,
          share: shareOf(row, kind),
        })),
      ],
      sums: sums.map(({ row, area }) => ({ document: area, ...presentMeasures(row, area) })),
      meanings: Object.assign({}, ...answers.map(({ answer }) => answer.meanings)),
      beside: Object.keys(beside).length > 0 ? beside : undefined,
    },
    unavailable: answers.flatMap(({ part, answer }) =>
      answer.unavailable.map((value) => {
        const { area: document } = part.selection;
        return { argument: 'measures', value, document, reason: 'per_document_only' as const };
      }),
    ),
    remarksIn,
    lines: [header, ...fitting, ...othersLines, ...sumLines],
  };
}
