import {
  type AnswerPage,
  type AnswerRow,
  type Answer as ArchiveAnswer,
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
import { csvLine } from '../../messages/message.ts';
import { unfit } from '../shared/arguments.ts';
import { sentences } from '../shared/definition.ts';
import type { Part } from '../shared/fetching.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import { cityLabels } from '../shared/resolve.ts';
import {
  areComparable,
  besideEarlier,
  changesOf,
  type EarlierParts,
  inComparedOrder,
  measuresOfNothing,
} from './compare.ts';
import {
  type GroupRow,
  headingOf,
  type Measured,
  measureText,
  NOT_AVAILABLE,
  othersThan,
  presentGroup,
  presentMeasures,
  sharedMeasures,
  sharesOf,
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
  readonly orderBy: Order<string> | undefined;
  /** Whether rows show their share of the sums. */
  readonly share: boolean;
  readonly earlier: EarlierParts | undefined;
}

/** A row, with its earlier counterpart when periods are compared. */
type Row = AnswerRow & { readonly earlier?: AnswerRow };

/** Answer for one kind: a page of groups, and the sums of all. */
interface KindAnswer {
  readonly part: Part;
  readonly answer: Omit<ArchiveAnswer, 'rows'>;
  readonly rows: readonly Row[];
  readonly sums: Row;
  readonly compared?: {
    readonly earlier: ArchiveAnswer;
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
  const { groupBy, measures: wanted, orderBy, earlier: period } = asked;
  const by = [...groupBy, ...wanted].find((name) => name === orderBy?.by);
  const ask = ({ selection, basis }: Part, range: Range) =>
    basis.archive.ask({
      ...selection,
      ...{ groupBy, measures: wanted, orderBy: orderBy && by && { ...orderBy, by } },
      ...range,
    });
  const before = period?.parts[index];
  if (period === undefined || before === undefined) {
    const { rows, ...answer } = await ask(part, { limit, offset });
    return { part, answer, rows, sums: answer.sums };
  }
  const everything = { limit: MOST_COMPARED, offset: 0 };
  const [answer, earlier] = [await ask(part, everything), await ask(before, everything)];
  if (Math.max(answer.total_groups, earlier.total_groups) > MOST_COMPARED) {
    const words = context.translator.say('argument.compare_many', { most: MOST_COMPARED });
    throw unfit('compare', words, context);
  }
  // Sums over no documents are zero, so that they can be compared.
  const orZero = ({ documents }: ArchiveAnswer, row: AnswerRow): AnswerRow =>
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
    rows: rows.slice(offset, offset + limit),
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

/** Whether a kind's answer has a measure. */
function has({ part, answer }: KindAnswer, name: Measure): boolean {
  return isAvailable(name, part.selection.area) && !answer.unavailable.includes(name);
}

/** Header of the lines, and a writer of rows as data and as lines; a title replaces the group. */
async function rowWriter(kinds: readonly KindAnswer[], asked: GroupsAsked, { translator }: CallContext) {
  const { groupBy, measures: wanted, share } = asked;
  const areas = kinds.map(({ part }) => part.selection.area);
  const isOfSeveral = kinds.length > 1;
  const tellsChange = kinds.some(({ compared }) => compared?.isWhole);
  const had = wanted.filter((name) => kinds.some((one) => has(one, name)));
  const columns = had.length > 0 ? had : wanted;
  const shareColumns = share ? sharedMeasures(columns, basisOf(kinds)) : [];
  const hasCities = groupBy.includes('city') || groupBy.includes('iss_city');
  const cityName = hasCities ? (await cityLabels()).label : undefined;
  const named = (names: readonly Measure[], suffix: string) => names.map((name) => `${name}_${suffix}`);
  const percents = (values: GroupRow['change'] = {}, names: readonly Measure[] = columns) =>
    names.map((name) => (typeof values[name] === 'string' ? `${values[name]}%` : ''));
  const header = [
    ...(isOfSeveral ? ['document'] : []),
    ...groupBy,
    ...columns.map((name) => headingOf(name, areas, translator)),
    ...(asked.earlier === undefined ? [] : named(columns, 'previous')),
    ...(tellsChange ? named(columns, 'change') : []),
    ...named(shareColumns, 'share'),
  ].join(',');
  function written(row: Row, kind: KindAnswer, title?: string) {
    const { part, answer, compared, sums } = kind;
    const { area } = part.selection;
    const { earlier } = row;
    const before = earlier && presentMeasures(earlier, area);
    const measured = wanted.filter((name) => has(kind, name));
    const data: GroupRow = {
      document: isOfSeveral ? area : undefined,
      group: presentGroup(row, cityName),
      ...presentMeasures(row, area),
      ...(earlier && {
        previous: before?.measures,
        change: changesOf({ ...row, earlier }, measured, compared?.isWhole === true),
      }),
      ...(share && { share: sharesOf(row.measures, sums.measures, sharedMeasures(wanted, answer.basis)) }),
    };
    const groups = groupBy.map((name) =>
      isAvailable(name, area)
        ? [data.group[name], data.group[`${name}_name`]].filter((one) => one !== undefined).join(' ')
        : NOT_AVAILABLE,
    );
    const cells = (of: Measured) =>
      columns.map((name) => (has(kind, name) ? measureText(of, name) : NOT_AVAILABLE));
    const text = csvLine([
      ...(isOfSeveral ? [area] : []),
      ...(title === undefined ? groups : [title, ...groupBy.slice(1).map(() => '')]),
      ...cells(data),
      ...(before === undefined ? [] : cells(before)),
      ...(tellsChange ? percents(data.change) : []),
      // A sum is whole and has no share.
      ...(row === sums ? [] : percents(data.share, shareColumns)),
    ]);
    return { kind, row, data, text };
  }
  return { header, written };
}

const basisOf = (kinds: readonly KindAnswer[]) =>
  kinds.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents';

/** Sums of a kind minus the rows shown; none if all are shown. */
function othersOf({ sums, answer }: KindAnswer, shown: readonly Row[], wanted: readonly Measure[]): Row[] {
  if (shown.length >= answer.total_groups) return [];
  const names = sharedMeasures(wanted, answer.basis);
  const rest = (rows: readonly AnswerRow[], all: AnswerRow): AnswerRow => {
    const given = rows.map((row) => row.measures);
    return { group: {}, names: {}, measures: othersThan(given, all.measures, names) };
  };
  const before = shown.flatMap(({ earlier }) => earlier ?? []);
  return [{ ...rest(shown, sums), ...(sums.earlier && { earlier: rest(before, sums.earlier) }) }];
}

/** Answers the groups of each kind, which are never summed together; pages run through the kinds in turn. */
export async function answerGroups(
  parts: readonly Part[],
  asked: GroupsAsked,
  opening: (documents: number, leftOut: ArchiveAnswer['left_out']) => readonly string[],
  context: CallContext,
) {
  const { say } = context.translator;
  const hasGroups = asked.groupBy.length > 0;
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
  const { header, written } = await rowWriter(kinds, asked, context);
  const all = kinds.flatMap((kind) => kind.rows.map((row) => written(row, kind)));
  const fitting = linesThatFit(
    opening(documents, leftOut),
    all.map(({ text }) => text),
  );
  const listed = all.slice(0, fitting.length);
  const others = (asked.share ? kinds : []).flatMap((kind) => {
    const shown = listed.filter((one) => one.kind === kind).map(({ row }) => row);
    return othersOf(kind, shown, asked.measures).map((row) => written(row, kind, say('analysis.others_row')));
  });
  const sums = kinds
    .filter(({ answer, compared }) => answer.documents + (compared?.earlier.documents ?? 0) > 0)
    .map((kind) => written(kind.sums, kind, say('analysis.total_row')));
  const remarksIn = (said: CallContext) =>
    kinds.flatMap((kind) => {
      const remarks = meaningRemarks(kind, asked, said);
      const name = kindName(kind.part.selection.area);
      return kinds.length > 1 ? remarks.map((words) => `${name}: ${words}`) : remarks;
    });
  const beside = Object.assign({}, ...kinds.map(({ answer }) => answer.beside));
  return {
    /** Rows that the sums add up. */
    basis: basisOf(kinds),
    documents,
    leftOut,
    total,
    shown: listed.length,
    /** The count in words; none for a single row. */
    count: sentences(
      hasGroups && say('analysis.groups', { total, shown: listed.length }),
      hasGroups && gone > 0 && say('analysis.groups_gone', { count: gone }),
    ),
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
    /** Requested measures that items don't have. */
    unavailable: kinds.flatMap(({ part: { selection }, answer }) =>
      answer.unavailable.map((value) => {
        const reason = 'per_document_only' as const;
        return { argument: 'measures', value, document: selection.area, reason };
      }),
    ),
    /** Remarks on the lines, in the language of a call. */
    remarksIn,
    lines: [header, ...fitting, ...[...others, ...(hasGroups ? sums : [])].map(({ text }) => text)],
    earlier: asked.earlier && {
      documents: sum(({ compared }) => compared?.earlier.documents ?? 0),
      leftOut: kinds.flatMap(({ compared }) => compared?.earlier.left_out ?? []),
      tellsChange: kinds.some(({ compared }) => compared?.isWhole),
    },
  };
}
