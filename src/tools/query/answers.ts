import type {
  AnswerRow,
  Answer as ArchiveAnswer,
  Grouping,
  Measure,
  Order,
} from '../../archive/ask/question.ts';
import { isDueGrouping } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { unfit } from '../shared/arguments.ts';
import type { Part } from '../shared/fetching.ts';
import {
  besideEarlier,
  type ComparedOrder,
  type ComparedRow,
  type ComparedWith,
  inComparedOrder,
  measuresOfNothing,
} from './compare.ts';
import { type NamedRow, othersThan, withCities } from './rows.ts';

/** A grouped question, common to all kinds. */
export interface GroupsAsked {
  readonly groupBy: readonly Grouping[];
  readonly measures: readonly Measure[];
  readonly orderBy: Order<Grouping | Measure | ComparedOrder> | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Whether rows show their share of the sums. */
  readonly share: boolean;
  readonly comparedWith: ComparedWith | undefined;
}

/** A row, with its earlier counterpart when periods are compared. */
export type Row = NamedRow & Partial<Pick<ComparedRow, 'earlier'>>;

/** Answer for one kind: a page of groups, and the sums of all. */
export interface KindAnswer {
  readonly part: Part;
  readonly answer: Omit<ArchiveAnswer, 'rows'> & { readonly rows: readonly Row[] };
  readonly sums: Row | undefined;
  /** Whether changes can be computed. */
  readonly isWhole: boolean;
  /** Groups of the earlier period only. */
  readonly gone: number;
  readonly earlier: Omit<ArchiveAnswer, 'rows'> | undefined;
  /** Gross amount of services when only the net total is shown. */
  readonly gross?: string;
}

/** The sum of all that is selected. */
async function sumOf(
  { basis }: Part,
  selection: Part['selection'],
  measures: readonly Measure[],
  onItems = false,
): Promise<AnswerRow | undefined> {
  const { rows } = await basis.archive.ask({ ...selection, groupBy: [], measures, onItems, limit: 1 });
  return rows[0];
}

/** Sums of all groups: distinct documents, and amounts on the groups' basis. */
async function sumsOf(part: Part, answer: ArchiveAnswer, asked: GroupsAsked): Promise<NamedRow | undefined> {
  if (asked.groupBy.length === 0) return answer.rows[0];
  const isOfDue = asked.groupBy.some(isDueGrouping);
  const summed = asked.measures.filter((one) => (isOfDue ? one === 'due' : one !== 'count'));
  const isOfItems = answer.basis === 'items';
  const row = summed.length > 0 ? await sumOf(part, part.selection, summed, isOfItems) : undefined;
  const counted = asked.measures.includes('count') ? { count: String(answer.documents) } : {};
  return { ...row, group: {}, names: {}, measures: { ...counted, ...row?.measures } };
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

function ask({ selection, basis }: Part, { groupBy, measures: wanted, orderBy }: GroupsAsked, page: Page) {
  const order = [...groupBy, ...wanted].find((name) => name === orderBy?.by);
  const own = orderBy && order && { ...orderBy, by: order };
  return basis.archive.ask({ ...selection, groupBy, measures: wanted, orderBy: own, ...page });
}

async function answerOf(part: Part, asked: GroupsAsked, { limit, offset }: Page): Promise<KindAnswer> {
  const answer = await ask(part, asked, { limit: Math.max(1, limit), offset });
  const rows = limit > 0 ? await withCities(answer.rows, asked.groupBy) : [];
  const sums = await sumsOf(part, answer, asked);
  return { part, answer: { ...answer, rows }, sums, isWhole: false, gone: 0, earlier: undefined };
}

/** Groups compared at most; both periods are held in memory. */
const MOST_COMPARED = 10_000;

/** @throws BadArguments for more groups than can be compared */
async function comparedAnswerOf(
  part: Part,
  asked: GroupsAsked,
  { limit, offset }: Page,
  { shift, earlier: earlierPart, isWhole }: Pick<ComparedWith, 'shift'> & ComparedWith['parts'][number],
  context: CallContext,
): Promise<KindAnswer> {
  const all = { limit: MOST_COMPARED, offset: 0 };
  // Sums over no documents are zero, so that they can be compared.
  const orZero = ({ documents }: ArchiveAnswer, some: readonly (NamedRow | undefined)[]) =>
    some.flatMap((row) => {
      if (row === undefined) return [];
      return documents > 0 ? row : { ...row, measures: measuresOfNothing(asked.measures) };
    });
  const answer = await ask(part, asked, all);
  const earlier = await ask(earlierPart, asked, all);
  if (Math.max(answer.total_groups, earlier.total_groups) > MOST_COMPARED) {
    const words = context.translator.say('argument.compare_many', { most: MOST_COMPARED });
    throw unfit('compare', words, context, { isAfterReading: true });
  }
  const beside = besideEarlier(orZero(answer, answer.rows), orZero(earlier, earlier.rows), asked, shift);
  const rows = asked.orderBy === undefined ? beside : inComparedOrder(beside, asked.orderBy);
  const shown = await withCities(rows.slice(offset, offset + limit), asked.groupBy);
  const [sums] = orZero(answer, [await sumsOf(part, answer, asked)]);
  const [before] = orZero(earlier, [await sumsOf(earlierPart, earlier, asked)]);
  return {
    part,
    answer: { ...answer, rows: shown, total_groups: rows.length },
    sums: sums && before && { ...sums, earlier: before },
    isWhole,
    gone: rows.length - answer.rows.length,
    earlier,
  };
}

/** Gross amount of services beside their net total; undefined when it adds nothing. */
async function grossOf(
  part: Part,
  { measures: wanted }: GroupsAsked,
  of: ArchiveAnswer['basis'],
): Promise<string | undefined> {
  const { selection } = part;
  if (selection.area !== 'nfse' || !wanted.includes('total') || wanted.includes('services')) return undefined;
  return (await sumOf(part, selection, ['services'], of === 'items'))?.measures.services ?? undefined;
}

/** Pages run through the kinds in turn, each in the requested order. */
export async function answersOf(
  parts: readonly Part[],
  asked: GroupsAsked,
  context: CallContext,
): Promise<KindAnswer[]> {
  const answers: KindAnswer[] = [];
  const { comparedWith } = asked;
  let { offset, limit } = asked;
  for (const [index, part] of parts.entries()) {
    const earlier = comparedWith?.parts[index];
    const page = { limit, offset };
    const answer =
      comparedWith === undefined || earlier === undefined
        ? await answerOf(part, asked, page)
        : await comparedAnswerOf(part, asked, page, { ...earlier, shift: comparedWith.shift }, context);
    const gross = await grossOf(part, asked, answer.answer.basis);
    answers.push(gross === undefined ? answer : { ...answer, gross });
    offset = Math.max(0, offset - answer.answer.total_groups);
    limit -= answer.answer.rows.length;
  }
  return answers;
}

/** Freight of CT-e by payer: own and others'; undefined if the company pays all, or if the question is about payers. */
export async function carriageOf(
  parts: readonly Part[],
  sums: readonly { readonly document: string; readonly measures: Readonly<Record<string, string>> }[],
  asked: readonly string[],
): Promise<{ own: string; others: string } | undefined> {
  const part = parts.find(({ selection }) => selection.area === 'cte');
  const { total } = sums.find(({ document }) => document === 'cte')?.measures ?? {};
  const isApart = part?.selection.filters?.payer !== undefined || asked.includes('payer');
  if (part === undefined || total === undefined || isApart) return undefined;
  if (part.selection.direction === 'outbound') return undefined;
  const { selection } = part;
  const payer = [selection.company, ...(selection.others ?? [])];
  const paid = { ...selection, filters: { ...selection.filters, payer, withVoid: undefined } };
  const own = (await sumOf(part, paid, ['total']))?.measures.total ?? '0.00';
  const others = othersThan([{ total: own }], { total }, ['total']).total ?? '0.00';
  return others === '0.00' ? undefined : { own, others };
}
