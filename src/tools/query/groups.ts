import {
  type AnswerPage,
  type Answer as ArchiveAnswer,
  type Grouping,
  isAvailable,
  type Measure,
  type Order,
  type Question,
} from '../../archive/ask/question.ts';
import {
  documentGroupings,
  documentMeasures,
  dueGroupings,
  isItemGrouping,
  itemGroupings,
  itemOnlyMeasures,
} from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { csvLine } from '../../messages/message.ts';
import { unfit } from '../shared/arguments.ts';
import { sentences } from '../shared/definition.ts';
import type { Part } from '../shared/fetching.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import {
  areComparable,
  besideEarlier,
  type ComparedOrder,
  type ComparedRow,
  changesOf,
  type EarlierParts,
  inComparedOrder,
  measuresOfNothing,
} from './compare.ts';
import {
  type GroupRow,
  groupCells,
  headingOf,
  type Measured,
  measureText,
  type NamedRow,
  NOT_AVAILABLE,
  othersThan,
  presentGroup,
  presentMeasures,
  type QuestionAnswer,
  sharedMeasures,
  sharesOf,
  withCities,
} from './rows.ts';

export const groupings = [...documentGroupings, ...itemGroupings, ...dueGroupings] as const;
export const measures = [...documentMeasures, ...itemOnlyMeasures] as const;

/** Amounts that the layouts of 2026 and 2027 compose differently. */
const ofPrices: readonly Measure[] = ['total', 'products', 'average_price', 'min_price', 'max_price'];

/** Amounts with another meaning for items than for notes. */
const ofWhole: readonly Measure[] = ['total', 'products', 'products_net'];

/** Groups compared at most; both periods are held in memory. */
const MOST_COMPARED = 10_000;

type Range = Required<AnswerPage>;

/** A page of groups, common to all kinds. */
interface GroupsAsked extends Range, Pick<Question, 'groupBy' | 'measures'> {
  readonly orderBy: Order<Grouping | Measure | ComparedOrder> | undefined;
  /** Whether rows show their share of the sums. */
  readonly share: boolean;
  readonly earlier: EarlierParts | undefined;
}

/** A row, with its earlier counterpart when periods are compared. */
type Row = NamedRow & Partial<Pick<ComparedRow, 'earlier'>>;

/** Answer for one kind: a page of groups, and the sums of all. */
interface KindAnswer {
  readonly part: Part;
  readonly answer: Omit<ArchiveAnswer, 'rows'>;
  readonly rows: readonly Row[];
  readonly sums: Row;
  readonly compared?: {
    readonly earlier: Omit<ArchiveAnswer, 'rows'>;
    /** Whether changes can be computed. */
    readonly isWhole: boolean;
    /** Groups of the earlier period only. */
    readonly gone: number;
  };
}

/** @throws BadArguments for more groups than can be compared */
async function kindAnswer(
  part: Part,
  index: number,
  asked: GroupsAsked,
  { limit, offset }: Range,
  context: CallContext,
): Promise<KindAnswer> {
  const { groupBy, measures: wanted, orderBy } = asked;
  const order = [...groupBy, ...wanted].find((name) => name === orderBy?.by);
  const ask = ({ selection, basis }: Part, range: Range) =>
    basis.archive.ask({
      ...selection,
      groupBy,
      measures: wanted,
      orderBy: orderBy && order && { ...orderBy, by: order },
      ...range,
    });
  const { earlier: period } = asked;
  const before = period?.parts[index];
  const everything = { limit: MOST_COMPARED, offset: 0 };
  const answer = await ask(part, before ? everything : { limit, offset });
  if (period === undefined || before === undefined)
    return { part, answer, rows: await withCities(answer.rows, groupBy), sums: answer.sums };
  const earlier = await ask(before, everything);
  if (Math.max(answer.total_groups, earlier.total_groups) > MOST_COMPARED) {
    const words = context.translator.say('argument.compare_many', { most: MOST_COMPARED });
    throw unfit('compare', words, context);
  }
  // Sums over no documents are zero, so that they can be compared.
  const orZero = ({ documents }: ArchiveAnswer, row: NamedRow): NamedRow =>
    documents === 0 ? { ...row, measures: measuresOfNothing(wanted) } : row;
  const beside = besideEarlier(
    answer.rows.map((row) => orZero(answer, row)),
    earlier.rows.map((row) => orZero(earlier, row)),
    asked,
    period.shift,
  );
  const rows = orderBy === undefined ? beside : inComparedOrder(beside, orderBy);
  return {
    part,
    answer: { ...answer, total_groups: rows.length },
    rows: await withCities(rows.slice(offset, offset + limit), groupBy),
    sums: { ...orZero(answer, answer.sums), earlier: orZero(earlier, earlier.sums) },
    compared: {
      earlier,
      isWhole: areComparable(part, before, context),
      gone: rows.length - answer.rows.length,
    },
  };
}

/** Remarks on the meaning of the measures. */
function meaningRemarks(
  { part: { selection }, answer, rows }: KindAnswer,
  { groupBy, measures: wanted, earlier }: GroupsAsked,
  context: CallContext,
): string[] {
  const { say, money } = context.translator;
  const { basis, beside, unavailable } = answer;
  const isOfGoods = selection.area === 'nfe';
  const itemGroups = groupBy.filter(isItemGrouping);
  const hasRest = isOfGoods && rows.some(({ group }) => itemGroups.some((one) => group[one] === undefined));
  const { services: gross, icms_credit: credit, contributions_withheld: withheld } = beside;
  const isOfItems = basis === 'items' && isOfGoods && wanted.some((one) => ofWhole.includes(one));
  const statuses = new Set(rows.map(({ group }) => group.status));
  const isMixed = statuses.size > 1 && (statuses.has('cancelled') || statuses.has('denied'));
  const { from } = earlier ?? selection;
  return sentences(
    gross !== undefined && say('analysis.gross_beside', { amount: money(gross) }),
    isOfItems && say('analysis.by_item'),
    hasRest && say('analysis.no_items_part'),
    isMixed && say('analysis.all_statuses'),
    unavailable.length > 0 && say('analysis.items_basis', { unavailable: unavailable.join(', ') }),
    credit !== undefined && say('analysis.beside_credit', { amount: money(credit) }),
    withheld !== undefined && say('analysis.beside_contributions', { amount: money(withheld) }),
    wanted.some((one) => ofPrices.includes(one)) && turnOfYearSentences({ ...selection, from }, context),
  );
}

/** A row with its kind, raw and as in the answer. */
interface Written {
  readonly kind: KindAnswer;
  readonly row: Row;
  readonly data: GroupRow;
}

/** Whether a kind's answer has a measure. */
function has({ part, answer }: KindAnswer, name: Measure): boolean {
  return isAvailable(name, part.selection.area) && !answer.unavailable.includes(name);
}

/** Writer of rows, as data and as lines under one header. A sum is whole and has no share. */
function rowWriter(kinds: readonly KindAnswer[], asked: GroupsAsked, translator: Translator) {
  const { groupBy, measures: wanted, share } = asked;
  const areas = kinds.map(({ part }) => part.selection.area);
  const isOfSeveral = kinds.length > 1;
  const tellsChange = kinds.some(({ compared }) => compared?.isWhole);
  const had = wanted.filter((name) => kinds.some((one) => has(one, name)));
  const columns = had.length > 0 ? had : wanted;
  const shareColumns = share ? sharedMeasures(columns, basisOf(kinds)) : [];
  const named = (names: readonly Measure[], suffix: string) => names.map((name) => `${name}_${suffix}`);
  const percents = (values: GroupRow['change'] = {}, names: readonly Measure[] = columns) =>
    names.map((name) => (typeof values[name] === 'string' ? `${values[name]}%` : ''));
  return {
    header: [
      ...(isOfSeveral ? ['document'] : []),
      ...groupBy,
      ...columns.map((name) => headingOf(name, areas, translator)),
      ...(asked.earlier === undefined ? [] : named(columns, 'previous')),
      ...(tellsChange ? named(columns, 'change') : []),
      ...named(shareColumns, 'share'),
    ].join(','),
    written(row: Row, kind: KindAnswer): Written {
      const { part, answer, compared, sums } = kind;
      const { area } = part.selection;
      const { earlier } = row;
      const measured = wanted.filter((name) => has(kind, name));
      const shared = sharedMeasures(wanted, answer.basis);
      const data = {
        document: isOfSeveral ? area : undefined,
        group: presentGroup(row),
        ...presentMeasures(row, area),
        ...(earlier && {
          previous: presentMeasures(earlier, area).measures,
          change: changesOf({ ...row, earlier }, measured, compared?.isWhole === true),
        }),
        ...(share && { share: sharesOf(row.measures, sums.measures, shared) }),
      };
      return { kind, row, data };
    },
    line({ kind, row, data }: Written, title?: string, isSum = false): string {
      const { area } = kind.part.selection;
      const cells = (of: Measured) =>
        columns.map((name) => (has(kind, name) ? measureText(of, name) : NOT_AVAILABLE));
      return csvLine([
        ...(isOfSeveral ? [area] : []),
        ...(title === undefined
          ? groupCells(row, groupBy, area)
          : [title, ...groupBy.slice(1).map(() => '')]),
        ...cells(data),
        ...(row.earlier === undefined ? [] : cells(presentMeasures(row.earlier, area))),
        ...(tellsChange ? percents(data.change) : []),
        ...(isSum ? [] : percents(data.share, shareColumns)),
      ]);
    },
  };
}

const basisOf = (kinds: readonly KindAnswer[]) =>
  kinds.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents';

/** Sums of a kind minus the rows shown; undefined if all are shown. */
function othersOf(
  { sums, answer }: KindAnswer,
  shown: readonly Row[],
  wanted: readonly Measure[],
): Row | undefined {
  if (shown.length >= answer.total_groups) return undefined;
  const names = sharedMeasures(wanted, answer.basis);
  const rest = (rows: readonly NamedRow[], all: NamedRow): NamedRow => {
    const given = rows.map((row) => row.measures);
    return { group: {}, names: {}, measures: othersThan(given, all.measures, names) };
  };
  const before = shown.flatMap(({ earlier }) => earlier ?? []);
  return { ...rest(shown, sums), ...(sums.earlier && { earlier: rest(before, sums.earlier) }) };
}

/** Answers the groups of each kind, which are never summed together; pages run through the kinds in turn. */
export async function answerGroups(
  parts: readonly Part[],
  asked: GroupsAsked,
  opening: (documents: number, leftOut: ArchiveAnswer['left_out']) => readonly string[],
  context: CallContext,
): Promise<QuestionAnswer> {
  const { translator } = context;
  const { groupBy } = asked;
  const kinds: KindAnswer[] = [];
  let { offset, limit } = asked;
  for (const [index, part] of parts.entries()) {
    const kind = await kindAnswer(part, index, asked, { limit, offset }, context);
    kinds.push(kind);
    offset = Math.max(0, offset - kind.answer.total_groups);
    limit -= kind.rows.length;
  }
  const sum = (of: (kind: KindAnswer) => number) => kinds.reduce((all, kind) => all + of(kind), 0);
  const documents = sum(({ answer }) => answer.documents);
  const leftOut = kinds.flatMap(({ answer }) => answer.left_out);
  const total = sum(({ answer }) => answer.total_groups);
  const gone = sum(({ compared }) => compared?.gone ?? 0);
  const { header, written, line } = rowWriter(kinds, asked, translator);
  const all = kinds.flatMap((kind) => kind.rows.map((row) => written(row, kind)));
  const fitting = linesThatFit(
    opening(documents, leftOut),
    all.map((one) => line(one)),
  );
  const listed = all.slice(0, fitting.length);
  const others = kinds.flatMap((kind) => {
    const shown = listed.filter((one) => one.kind === kind).map(({ row }) => row);
    const rest = asked.share ? othersOf(kind, shown, asked.measures) : undefined;
    return rest === undefined ? [] : [written(rest, kind)];
  });
  const sums = kinds.flatMap((kind) => {
    const isNothing = kind.answer.documents + (kind.compared?.earlier.documents ?? 0) === 0;
    return isNothing ? [] : [written(kind.sums, kind)];
  });
  const remarksIn = (said: CallContext) =>
    kinds.flatMap((kind) => {
      const remarks = meaningRemarks(kind, asked, said);
      const name = kindName(kind.part.selection.area);
      return kinds.length > 1 ? remarks.map((words) => `${name}: ${words}`) : remarks;
    });
  const beside = Object.assign({}, ...kinds.map(({ answer }) => answer.beside));
  const counted = sentences(
    translator.say('analysis.groups', { total, shown: fitting.length }),
    gone > 0 && translator.say('analysis.groups_gone', { count: gone }),
  );
  return {
    basis: basisOf(kinds),
    documents,
    leftOut,
    total,
    shown: fitting.length,
    count: groupBy.length > 0 ? counted : [],
    structured: {
      total_groups: total,
      rows: [...listed.map(({ data }) => data), ...others.map(({ data }) => ({ ...data, others: true }))],
      sums: sums.map(({ kind, data: { group: _, share: __, ...measured } }) => ({
        ...measured,
        document: kind.part.selection.area,
      })),
      meanings: Object.assign({}, ...kinds.map(({ answer }) => answer.meanings)),
      beside: Object.keys(beside).length > 0 ? beside : undefined,
    },
    unavailable: kinds.flatMap(({ part: { selection }, answer }) =>
      answer.unavailable.map((value) => {
        const reason = 'per_document_only' as const;
        return { argument: 'measures', value, document: selection.area, reason };
      }),
    ),
    remarksIn,
    lines: [
      header,
      ...fitting,
      ...others.map((one) => line(one, translator.say('analysis.others_row'))),
      ...(groupBy.length === 0
        ? []
        : sums.map((one) => line(one, translator.say('analysis.total_row'), true))),
    ],
    earlier: asked.earlier && {
      documents: sum(({ compared }) => compared?.earlier.documents ?? 0),
      leftOut: kinds.flatMap(({ compared }) => compared?.earlier.left_out ?? []),
      tellsChange: kinds.some(({ compared }) => compared?.isWhole),
    },
  };
}
