import { type Answer as ArchiveAnswer, isAvailable, type Measure } from '../../archive/ask/question.ts';
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
import { sentences } from '../shared/definition.ts';
import type { Part } from '../shared/fetching.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import { answersOf, type GroupsAsked, type KindAnswer, type Row } from './answers.ts';
import { changesOf } from './compare.ts';
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
  type SumRow,
  sharedMeasures,
  sharesOf,
  type Unavailable,
} from './rows.ts';

export const groupings = [...documentGroupings, ...itemGroupings, ...dueGroupings] as const;
export const measures = [...documentMeasures, ...itemOnlyMeasures] as const;

/** Amounts that the layouts of 2026 and 2027 compose differently. */
const ofPrices: readonly Measure[] = ['total', 'products', 'average_price', 'min_price', 'max_price'];

/** Amounts with another meaning for items than for notes. */
const ofWhole: readonly Measure[] = ['total', 'products', 'products_net'];

/** Whether sums mix void documents with others. */
function mixesStatuses(rows: readonly Row[]): boolean {
  const statuses = new Set(rows.map(({ group }) => group.status));
  return statuses.size > 1 && (statuses.has('cancelled') || statuses.has('denied'));
}

/** Remarks on the meaning of the measures. */
function meaningRemarks(
  { part: { selection }, answer, gross }: KindAnswer,
  { groupBy, measures: wanted, comparedWith }: GroupsAsked,
  context: CallContext,
): string[] {
  const { say, money } = context.translator;
  const { basis, beside, unavailable, rows } = answer;
  const isOfGoods = selection.area === 'nfe';
  const itemGroups = groupBy.filter(isItemGrouping);
  const hasRest = isOfGoods && rows.some(({ group }) => itemGroups.some((one) => group[one] === undefined));
  const { from } = comparedWith?.parts[0]?.earlier.selection ?? selection;
  const { icms_credit: credit, contributions_withheld: withheld } = beside;
  const isOfItems = basis === 'items' && isOfGoods && wanted.some((one) => ofWhole.includes(one));
  return sentences(
    gross !== undefined && say('analysis.gross_beside', { amount: money(gross) }),
    isOfItems && say('analysis.by_item'),
    hasRest && say('analysis.no_items_part'),
    mixesStatuses(rows) && say('analysis.all_statuses'),
    unavailable.length > 0 && say('analysis.items_basis', { unavailable: unavailable.join(', ') }),
    credit !== undefined && say('analysis.beside_credit', { amount: money(credit) }),
    withheld !== undefined && say('analysis.beside_contributions', { amount: money(withheld) }),
    wanted.some((one) => ofPrices.includes(one)) && turnOfYearSentences({ ...selection, from }, context),
  );
}

/** A page of an answer, as data and text. */
export interface QuestionAnswer<Data extends object> {
  /** What was summed. */
  readonly basis: 'documents' | 'items';
  readonly documents: number;
  readonly leftOut: ArchiveAnswer['left_out'];
  /** Total and shown groups or documents. */
  readonly total: number;
  readonly shown: number;
  readonly structured: Data;
  /** Requested measures that items don't have. */
  readonly unavailable: readonly Unavailable[];
  /** The count in words; none for a single row. */
  readonly count: readonly string[];
  /** Remarks on the lines, in the language of a call. */
  readonly remarksIn: (context: CallContext) => readonly string[];
  readonly lines: readonly string[];
  /** The earlier period's counts by kind, if periods are compared. */
  readonly earlier?: readonly Pick<ArchiveAnswer, 'documents' | 'left_out'>[];
}

interface GroupsData {
  readonly total_groups: number;
  readonly rows: GroupRow[];
  readonly sums: SumRow[];
  readonly meanings: Record<string, 'documents' | 'items'>;
  readonly beside: Record<string, string> | undefined;
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

/** Converts a row for the answer. */
function writtenRow(row: Row, kind: KindAnswer, asked: GroupsAsked, isOfSeveral: boolean): Written {
  const { measures: wanted, share } = asked;
  const { area } = kind.part.selection;
  const { earlier } = row;
  const measured = wanted.filter((name) => has(kind, name));
  const shared = sharedMeasures(wanted, kind.answer.basis);
  const data = {
    document: isOfSeveral ? area : undefined,
    group: presentGroup(row),
    ...presentMeasures(row, area),
    ...(earlier && {
      previous: presentMeasures(earlier, area).measures,
      change: changesOf({ ...row, earlier }, measured, kind.isWhole),
    }),
    ...(share && { share: sharesOf(row.measures, kind.sums?.measures ?? {}, shared) }),
  };
  return { kind, row, data };
}

/** Writer of lines under one header. A sum is whole and has no share. */
function lineWriter(answers: readonly KindAnswer[], asked: GroupsAsked, translator: Translator) {
  const { groupBy, measures: wanted, comparedWith } = asked;
  const areas = answers.map(({ part }) => part.selection.area);
  const isOfSeveral = answers.length > 1;
  const tellsChange = comparedWith !== undefined && answers.some(({ isWhole }) => isWhole);
  const had = wanted.filter((name) => answers.some((one) => has(one, name)));
  const columns = had.length > 0 ? had : wanted;
  const shareColumns = asked.share ? sharedMeasures(columns, basisOf(answers)) : [];
  const named = (names: readonly Measure[], suffix: string) => names.map((name) => `${name}_${suffix}`);
  const percents = (values: GroupRow['change'] = {}, names: readonly Measure[] = columns) =>
    names.map((name) => (typeof values[name] === 'string' ? `${values[name]}%` : ''));
  const header = [
    ...(isOfSeveral ? ['document'] : []),
    ...groupBy,
    ...columns.map((name) => headingOf(name, areas, translator)),
    ...(comparedWith === undefined ? [] : named(columns, 'previous')),
    ...(tellsChange ? named(columns, 'change') : []),
    ...named(shareColumns, 'share'),
  ].join(',');
  const line = (first: readonly string[], { kind, row, data }: Written, isSum = false): string => {
    const { area } = kind.part.selection;
    const cells = (of: Measured) =>
      columns.map((name) => (has(kind, name) ? measureText(of, name) : NOT_AVAILABLE));
    return csvLine([
      ...(isOfSeveral ? [area] : []),
      ...first,
      ...cells(data),
      ...(row.earlier === undefined ? [] : cells(presentMeasures(row.earlier, area))),
      ...(tellsChange ? percents(data.change) : []),
      ...(isSum ? [] : percents(data.share, shareColumns)),
    ]);
  };
  return { header, line };
}

const basisOf = (answers: readonly KindAnswer[]) =>
  answers.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents';

/** Sums of a kind minus the rows shown; undefined if all are shown. */
function othersOf(kind: KindAnswer, shown: readonly Row[], wanted: readonly Measure[]): Row | undefined {
  const { sums, answer } = kind;
  if (sums === undefined || shown.length >= answer.total_groups) return undefined;
  const names = sharedMeasures(wanted, answer.basis);
  const rest = (rows: readonly NamedRow[], all: NamedRow): NamedRow => {
    const measures = rows.map((row) => row.measures);
    return { group: {}, names: {}, measures: othersThan(measures, all.measures, names) };
  };
  const before = shown.flatMap(({ earlier }) => earlier ?? []);
  return { ...rest(shown, sums), ...(sums.earlier && { earlier: rest(before, sums.earlier) }) };
}

/** Answers the groups of each kind; kinds are never summed together. */
export async function answerGroups(
  parts: readonly Part[],
  asked: GroupsAsked,
  opening: (documents: number, leftOut: ArchiveAnswer['left_out']) => readonly string[],
  context: CallContext,
): Promise<QuestionAnswer<GroupsData>> {
  const { translator } = context;
  const { groupBy } = asked;
  const answers = await answersOf(parts, asked, context);
  const isOfSeveral = answers.length > 1;
  const documents = answers.reduce((sum, { answer }) => sum + answer.documents, 0);
  const leftOut = answers.flatMap(({ answer }) => answer.left_out);
  const total = answers.reduce((sum, { answer }) => sum + answer.total_groups, 0);
  const gone = answers.reduce((sum, one) => sum + one.gone, 0);
  const { header, line } = lineWriter(answers, asked, translator);
  const written = (row: Row, kind: KindAnswer) => writtenRow(row, kind, asked, isOfSeveral);
  const all = answers.flatMap((kind) => kind.answer.rows.map((row) => written(row, kind)));
  const lines = all.map((one) => line(groupCells(one.row, groupBy, one.kind.part.selection.area), one));
  const fitting = linesThatFit(opening(documents, leftOut), lines);
  const listed = all.slice(0, fitting.length);
  const others = answers.flatMap((kind) => {
    const shown = listed.filter((one) => one.kind === kind).map(({ row }) => row);
    const rest = asked.share ? othersOf(kind, shown, asked.measures) : undefined;
    return rest === undefined ? [] : [written(rest, kind)];
  });
  const sums = answers.flatMap((kind) => {
    const isNothing = kind.answer.documents + (kind.earlier?.documents ?? 0) === 0;
    return kind.sums === undefined || isNothing ? [] : [written(kind.sums, kind)];
  });
  const titled = (title: string, one: Written, isSum: boolean) =>
    line([title, ...groupBy.slice(1).map(() => '')], one, isSum);
  const remarksIn = (said: CallContext) =>
    answers.flatMap((one) => {
      const remarks = meaningRemarks(one, asked, said);
      const kind = kindName(one.part.selection.area);
      return isOfSeveral ? remarks.map((words) => `${kind}: ${words}`) : remarks;
    });
  const beside = Object.assign(
    {},
    ...answers.map(({ answer, gross }) => ({ ...answer.beside, ...(gross && { services: gross }) })),
  );
  const counted = sentences(
    translator.say('analysis.groups', { total, shown: fitting.length }),
    gone > 0 && translator.say('analysis.groups_gone', { count: gone }),
  );
  return {
    basis: basisOf(answers),
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
      meanings: Object.assign({}, ...answers.map(({ answer }) => answer.meanings)),
      beside: Object.keys(beside).length > 0 ? beside : undefined,
    },
    unavailable: answers.flatMap(({ part: { selection }, answer }) =>
      answer.unavailable.map((value) => {
        const reason = 'per_document_only' as const;
        return { argument: 'measures', value, document: selection.area, reason };
      }),
    ),
    remarksIn,
    lines: [
      header,
      ...fitting,
      ...others.map((one) => titled(translator.say('analysis.others_row'), one, false)),
      ...(groupBy.length === 0
        ? []
        : sums.map((one) => titled(translator.say('analysis.total_row'), one, true))),
    ],
    earlier: answers.flatMap(({ earlier }) => earlier ?? []),
  };
}
