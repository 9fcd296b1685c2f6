import type { AnswerRow, Answer as ArchiveAnswer, Measure } from '../../archive/ask/question.ts';
import { isAvailable } from '../../archive/ask/question.ts';
import {
  documentGroupings,
  documentMeasures,
  dueGroupings,
  itemGroupings,
  itemOnlyMeasures,
} from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { csvLine } from '../../messages/message.ts';
import type { Part } from '../shared/fetching.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import { answersOf, type GroupsAsked, type KindAnswer, type Row } from './answers.ts';
import { changesOf } from './compare.ts';
import {
  groupText,
  headingOf,
  measureText,
  NOT_AVAILABLE,
  othersThan,
  presentMeasures,
  presentRow,
  type Shares,
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
  const { translator } = context;
  const { basis, beside, unavailable, rows } = answer;
  const isOfGoods = selection.area === 'nfe';
  const itemGroups = groupBy.filter((one) => itemGroupings.some((grouping) => grouping === one));
  const hasRest = isOfGoods && rows.some(({ group }) => itemGroups.some((one) => group[one] === undefined));
  const { from } = comparedWith?.parts[0]?.earlier.selection ?? selection;
  const { icms_credit, contributions_withheld } = beside;
  return [
    ...(gross === undefined
      ? []
      : [translator.say('analysis.gross_beside', { amount: translator.money(gross) })]),
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
    ...(wanted.some((one) => ofPrices.includes(one))
      ? turnOfYearSentences({ ...selection, from }, context)
      : []),
  ];
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

type Shown = ReturnType<typeof presentRow> & {
  previous?: Record<string, string>;
  change?: Record<string, string | null>;
};

interface GroupsData {
  readonly total_groups: number;
  readonly rows: (Shown & { share?: Shares; others?: boolean })[];
  readonly sums: ({ document: string } & Omit<Shown, 'document' | 'group'>)[];
  readonly meanings: Record<string, 'documents' | 'items'>;
  readonly beside: Record<string, string> | undefined;
}

/** A row with its kind. */
interface RowOfKind {
  readonly kind: KindAnswer;
  readonly row: Row;
}

/** Whether a kind's answer has a measure. */
function has({ part, answer }: KindAnswer, name: Measure): boolean {
  return isAvailable(name, part.selection.area) && !answer.unavailable.includes(name);
}

/** Writer of rows: lines under one header, and data. */
function writerOf(answers: readonly KindAnswer[], asked: GroupsAsked, translator: Translator) {
  const { groupBy, measures: wanted, share } = asked;
  const areas = answers.map(({ part }) => part.selection.area);
  const isOfSeveral = answers.length > 1;
  const isCompared = asked.comparedWith !== undefined;
  const tellsChange = isCompared && answers.some(({ isWhole }) => isWhole);
  const had = wanted.filter((name) => answers.some((one) => has(one, name)));
  const columns = had.length > 0 ? had : wanted;
  const basis = answers.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents';
  const shareColumns = share ? sharedMeasures(columns, basis) : [];
  const named = (names: readonly Measure[], suffix: string) => names.map((name) => `${name}_${suffix}`);
  const cells = ({ row, kind }: RowOfKind, of: AnswerRow = row) =>
    columns.map((name) => (has(kind, name) ? measureText(of, name) : NOT_AVAILABLE));
  const percents = (values: Readonly<Record<string, string | null>>, names: readonly Measure[]) =>
    names.map((name) => (typeof values[name] === 'string' ? `${values[name]}%` : ''));
  const changeOf = ({ row: { earlier, ...row }, kind }: RowOfKind) => {
    const measured = wanted.filter((name) => has(kind, name));
    return earlier === undefined ? {} : changesOf({ ...row, earlier }, measured, kind.isWhole);
  };
  const shareOf = ({ row, kind }: RowOfKind) => {
    const shared = share ? sharedMeasures(wanted, kind.answer.basis) : [];
    return sharesOf(row.measures, kind.sums?.measures ?? {}, shared);
  };
  return {
    header: [
      ...(isOfSeveral ? ['document'] : []),
      ...groupBy,
      ...columns.map((name) => headingOf(name, areas, translator)),
      ...(isCompared ? named(columns, 'previous') : []),
      ...(tellsChange ? named(columns, 'change') : []),
      ...named(shareColumns, 'share'),
    ].join(','),
    /** A text line; a sum line is complete and has no share. */
    line(first: readonly string[], one: RowOfKind, isSum = false): string {
      const { row, kind } = one;
      return csvLine([
        ...(isOfSeveral ? [kind.part.selection.area] : []),
        ...first,
        ...cells(one),
        ...(row.earlier === undefined ? [] : cells(one, row.earlier)),
        ...(tellsChange ? percents(changeOf(one), columns) : []),
        ...(isSum ? [] : percents(shareOf(one), shareColumns)),
      ]);
    },
    data(one: RowOfKind, isOfOthers = false): GroupsData['rows'][number] {
      const { row, kind } = one;
      const { area } = kind.part.selection;
      return {
        ...presentRow(row, isOfOthers ? [] : groupBy, area, isOfSeveral),
        ...(row.earlier && {
          previous: presentMeasures(row.earlier, area).measures,
          change: changeOf(one),
        }),
        ...(isOfOthers && { others: true }),
        ...(share && { share: shareOf(one) }),
      };
    },
  };
}

/** Sums of a kind minus the rows shown; undefined if all are shown. */
function othersOf(kind: KindAnswer, shown: readonly Row[], wanted: readonly Measure[]): RowOfKind[] {
  const { sums, answer } = kind;
  if (sums === undefined || shown.length >= answer.total_groups) return [];
  const names = sharedMeasures(wanted, answer.basis);
  const rest = (all: readonly AnswerRow[], of: AnswerRow) => ({
    ...{ group: {}, names: {} },
    measures: othersThan(
      all.map((row) => row.measures),
      of.measures,
      names,
    ),
  });
  const before = shown.flatMap(({ earlier }) => earlier ?? []);
  const earlier = sums.earlier && { earlier: rest(before, sums.earlier) };
  return [{ kind, row: { ...rest(shown, sums), ...earlier } }];
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
  const documents = answers.reduce((sum, { answer }) => sum + answer.documents, 0);
  const leftOut = answers.flatMap(({ answer }) => answer.left_out);
  const total = answers.reduce((sum, { answer }) => sum + answer.total_groups, 0);
  const gone = answers.reduce((sum, one) => sum + one.gone, 0);
  const writer = writerOf(answers, asked, translator);
  const all = answers.flatMap((kind) => kind.answer.rows.map((row) => ({ row, kind })));
  const lines = all.map((one) => writer.line(groupText(one.row, groupBy, one.kind.part.selection.area), one));
  const fitting = linesThatFit(opening(documents, leftOut), lines);
  const listed = all.slice(0, fitting.length);
  const others = answers.flatMap((kind) => {
    const shown = listed.filter((one) => one.kind === kind).map(({ row }) => row);
    return asked.share ? othersOf(kind, shown, asked.measures) : [];
  });
  const sums = answers.flatMap((kind) => {
    const { sums: row, answer, earlier } = kind;
    return row === undefined || answer.documents + (earlier?.documents ?? 0) === 0 ? [] : [{ row, kind }];
  });
  const titled = (title: string, one: RowOfKind, isSum: boolean) =>
    writer.line([title, ...groupBy.slice(1).map(() => '')], one, isSum);
  const remarksIn = (said: CallContext) =>
    answers.flatMap((one) => {
      const remarks = meaningRemarks(one, asked, said);
      const kind = kindName(one.part.selection.area);
      return answers.length > 1 ? remarks.map((words) => `${kind}: ${words}`) : remarks;
    });
  const beside = Object.assign(
    {},
    ...answers.map(({ answer, gross }) => ({ ...answer.beside, ...(gross && { services: gross }) })),
  );
  const counted = translator.say('analysis.groups', { total, shown: fitting.length });
  return {
    basis: answers.some(({ answer }) => answer.basis === 'items') ? 'items' : 'documents',
    documents,
    leftOut,
    total,
    shown: fitting.length,
    count:
      groupBy.length > 0
        ? [counted, ...(gone > 0 ? [translator.say('analysis.groups_gone', { count: gone })] : [])]
        : [],
    structured: {
      total_groups: total,
      rows: [...listed.map((one) => writer.data(one)), ...others.map((one) => writer.data(one, true))],
      sums: sums.map((one) => {
        const { document: _, group: __, share: ___, ...measured } = writer.data(one);
        return { document: one.kind.part.selection.area, ...measured };
      }),
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
    lines: [
      writer.header,
      ...fitting,
      ...others.map((one) => titled(translator.say('analysis.others_row'), one, false)),
      ...(groupBy.length === 0
        ? []
        : sums.map((one) => titled(translator.say('analysis.total_row'), one, true))),
    ],
    earlier: answers.flatMap(({ earlier }) => earlier ?? []),
  };
}
