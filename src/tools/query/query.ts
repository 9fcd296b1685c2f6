import * as z from 'zod';
import {
  type Filters,
  type Grouping,
  type LeftOut,
  type ListColumn,
  listColumns,
  listOrders,
  type Measure,
  type Order,
  textPlaces,
} from '../../archive/ask/question.ts';
import { everyStatus } from '../../archive/references.ts';
import { documentMeasures, isAmong, isDueGrouping, isItemGrouping } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Period } from '../../documents/days.ts';
import { isOfCancellation } from '../../documents/events/event-names.ts';
import { isVoid } from '../../documents/summary/summary.ts';
import { unfit } from '../shared/arguments.ts';
import { basisOutput, basisSentences, subjectLine, unlessEmpty } from '../shared/basis.ts';
import { pageForView, readTool, sentences } from '../shared/definition.ts';
import { fetchParts, jointBasis, type Part } from '../shared/fetching.ts';
import { filterShape, filtersFrom } from '../shared/filters.ts';
import { cursorAfter } from '../shared/paging.ts';
import { limit, shared } from '../shared/parameters.ts';
import { checkRoutes, openQuestion } from '../shared/question.ts';
import { citiesAsked, resolvedSentences, resolveNames } from '../shared/resolve.ts';
import { comparisons, earlierAsked, earlierOutput, earlierSentences } from './compare.ts';
import { answerGroups, groupings, measures } from './groups.ts';
import { answerList } from './list.ts';
import { othersThan, type QueryOutput, queryOutput, unavailableOf, unavailableSentences } from './rows.ts';

const isMeasure = isAmong(documentMeasures);
const ownColumns = listColumns.filter((name) => !isMeasure(name));

const input = () =>
  z.strictObject({
    document: shared.documents(),
    cnpj: shared.holders(),
    from: shared.firstDay(),
    to: shared.lastDay(),
    by: shared.by(),
    direction: shared.direction().optional(),
    ...filterShape(),
    group_by: z.array(z.enum(groupings)).max(4).default([]).describe('With none, documents are listed'),
    measures: z.array(z.enum(measures)).min(1).optional().describe('Default count, total; alone: one row'),
    share: z.boolean().default(false).describe('Percent of the sums, and a row for the others'),
    compare: z.enum(comparisons).optional().describe('With the sums of that period beside'),
    columns: z
      .array(z.string())
      .default([])
      .describe(`Of lists: measures or ${ownColumns.join(' ')}`),
    order_by: z.string().optional().describe('Name in the answer or column; -name descends'),
    limit: limit(50, 500),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });

/** @throws BadArguments for an unknown name */
function orderFrom<const T extends string>(
  text: string | undefined,
  names: readonly T[],
  context: CallContext,
): Order<T> | undefined {
  if (text === undefined) return undefined;
  const by = names.find((name) => name === text.replace(/^[-+]/, ''));
  if (by !== undefined) return { by, descending: text.startsWith('-') };
  const words = context.translator.say('argument.order', { choices: names.join(', ') });
  throw unfit('order_by', words, context);
}

/** @throws BadArguments for an unknown column, or if no list is asked for */
function columnsFrom(names: readonly string[], isList: boolean, context: CallContext): ListColumn[] {
  const { say } = context.translator;
  if (names.length > 0 && !isList) throw unfit('columns', say('argument.columns_of_lists'), context);
  return [...new Set(names)].map((name) => {
    const column = listColumns.find((one) => one === name);
    if (column !== undefined) return column;
    throw unfit('columns', say('argument.columns', { name, choices: listColumns.join(', ') }), context);
  });
}

/** @throws BadArguments for instalments grouped by item attributes */
function checkDue(groupBy: readonly Grouping[], context: CallContext): void {
  const ofItems = groupBy.filter(isItemGrouping);
  if (!groupBy.some(isDueGrouping) || ofItems.length === 0) return;
  const words = context.translator.say('argument.due_of_items', { groups: ofItems.join(', ') });
  throw unfit('group_by', words, context);
}

/** Freight of CT-e by payer: own and others'; undefined if the company pays all, or if the question is about payers. */
async function carriageOf(
  parts: readonly Part[],
  sums: QueryOutput['sums'],
  asked: readonly string[],
): Promise<{ own: string; others: string } | undefined> {
  const part = parts.find(({ selection }) => selection.area === 'cte');
  const { total } = sums.find(({ document }) => document === 'cte')?.measures ?? {};
  const isApart = part?.selection.filters?.payer !== undefined || asked.includes('payer');
  if (part === undefined || total === undefined || isApart) return undefined;
  const { selection, basis } = part;
  if (selection.direction === 'outbound') return undefined;
  const payer = [selection.company, ...(selection.others ?? [])];
  const filters = { ...selection.filters, payer, withVoid: undefined };
  const paid = { ...selection, filters, groupBy: [], measures: ['total'], limit: 1 } as const;
  const own = (await basis.archive.ask(paid)).sums.measures.total ?? '0.00';
  const others = othersThan([{ total: own }], { total }, ['total']).total ?? '0.00';
  return others === '0.00' ? undefined : { own, others };
}

export const queryDocuments = readTool({
  name: 'query_documents',
  group: 'analysis',
  description:
    'Sum documents of a period by group, or list them. Exact; cancelled ones only by status or number. Suppliers, customers: counterparty. Freight: cte, payer.',
  input,
  output: queryOutput,
  view: 'period',
  async run(args, context) {
    const { translator } = context;
    const { group_by: groupBy, order_by: order, by, direction, event: events = [] } = args;
    const isByDue = groupBy.some(isDueGrouping);
    const usual: readonly Measure[] = ['count', isByDue ? 'due' : 'total'];
    const { measures: wanted = usual } = args;
    const isList = groupBy.length === 0 && args.measures === undefined && args.compare === undefined;
    const compared = wanted.flatMap((name) => [`${name}_previous`, `${name}_change`]);
    const orders = [...groupBy, ...wanted, ...(args.compare === undefined ? [] : compared)];
    const checks = {
      listOrder: () => (isList ? orderFrom(order, listOrders, context) : undefined),
      groupOrder: () => (isList ? undefined : orderFrom(order, orders, context)),
      filters: () => filtersFrom(args, context),
      cities: () => citiesAsked(args, translator),
      routes: () => checkRoutes(args),
      due: () => checkDue(groupBy, context),
      columns: () => columnsFrom(args.columns, isList, context),
    };
    const question = await openQuestion(args, checks, context);
    const { days, companies, company, areas, query, place, since, checked } = question;
    const earlierDays = earlierAsked(args, days, context);
    const fetchFor = ({ from, to }: Period, mayBeEmpty = false) =>
      fetchParts({ companies, areas, from, to, by, direction }, context, { since, mayBeEmpty });
    const fetched = await fetchFor(days);
    const before = earlierDays && (await fetchFor(earlierDays, true));
    const basis = jointBasis(fetched);
    const { archive } = basis;
    const among = { archive, companies };
    const { filters: named, resolved } = await resolveNames(args, among, context, checked.cities);
    // Grouping by status includes every status, and asking for cancellations includes cancelled documents.
    const isOfAll = groupBy.includes('status') || events.some(isOfCancellation);
    const status = checked.filters.status ?? (isOfAll ? everyStatus : undefined);
    // Asking by number must show that the document is cancelled.
    const isByNumber = status === undefined && args.number !== undefined;
    const withVoid = (isList && isByNumber) || undefined;
    const filters: Filters = { ...checked.filters, ...named, status, withVoid };
    // Grouping by due day counts only notes with instalments, including those without a day.
    const dueFilters = isByDue && { due_from: filters.due_from ?? '' };
    const filtered = (part: Part): Part => ({
      ...part,
      selection: { ...part.selection, filters: { ...filters, ...dueFilters } },
    });
    const parts = fetched.map(filtered);
    const earlier = earlierDays &&
      before && { ...earlierDays, parts: before.map(filtered), basis: jointBasis(before) };
    const lacking = unavailableOf(args, areas);
    const opening = (documents: number, leftOut: readonly LeftOut[], said = context) => {
      const { say } = said.translator;
      return sentences(
        subjectLine(areas, company, { ...days, direction }, said.translator),
        resolvedSentences(resolved, said),
        unavailableSentences(lacking, said.translator),
        by === 'entry' && say('analysis.by_entry'),
        isByDue && say('analysis.by_due'),
        (events.length > 0 || groupBy.includes('event')) && say('analysis.events_known'),
        basisSentences(basis, documents, leftOut, said),
      );
    };
    const page = { limit: args.limit, offset: place.offset };
    const { listOrder, groupOrder, columns } = checked;
    const share = args.share && groupBy.length > 0;
    const groups = { ...page, groupBy, measures: wanted, orderBy: groupOrder, share, earlier };
    const answer = isList
      ? await answerList(parts, { ...page, orderBy: listOrder, columns }, opening, context)
      : await answerGroups(parts, groups, opening, context);
    const { documents, leftOut, total, shown } = answer;
    const textCounts = answer.basis === 'items' && args.text_counts !== 'documents' ? 'items' : 'documents';
    const textIn = filters.text === undefined ? undefined : (args.text_in ?? textPlaces);
    const isPartial = basis.pending.length + (earlier?.basis.pending.length ?? 0) > 0;
    const carriage = await carriageOf(parts, answer.structured.sums, [...groupBy, ...args.columns]);
    const hidesVoid = isByNumber && leftOut.some(({ reason }) => isVoid(reason));
    const sentencesIn = (said: CallContext) => {
      const { say, money } = said.translator;
      const places = textIn?.map((one) => say(`analysis.text_in.${one}`)).join(', ');
      return sentences(
        places !== undefined && say(`analysis.text_${textCounts}`, { places }),
        carriage &&
          say('analysis.carriage_paid', { own: money(carriage.own), others: money(carriage.others) }),
        hidesVoid && `⚠ ${say('analysis.void_by_number')}`,
        earlier && answer.earlier && earlierSentences(earlier, answer.earlier, said),
      );
    };
    const nextCursor = await cursorAfter({ place, total, shown, isPartial, since }, query);
    const remarks = sentences(
      answer.count,
      answer.remarksIn(context),
      nextCursor !== undefined && translator.say('cover.next', { cursor: nextCursor }),
    ).join('; ');
    const structured = {
      company,
      ...days,
      documents,
      ...basisOutput(basis, leftOut, context),
      resolved: unlessEmpty(resolved),
      ...answer.structured,
      freight_paid_by: carriage,
      compared_with: earlier && answer.earlier && earlierOutput(earlier, answer.earlier),
      text_in: textIn && [...textIn],
      text_counts: textIn && textCounts,
      unavailable: unlessEmpty([...lacking, ...answer.unavailable]),
      next_cursor: nextCursor,
    };
    const makePage = async () => {
      const { periodPage } = await import('../pages/period.ts');
      const linesIn = (said: CallContext) => [
        ...opening(documents, leftOut, said),
        ...sentencesIn(said),
        ...answer.remarksIn(said),
      ];
      const about = { tool: 'query_documents', args, areas, direction, archive, resolved, linesIn } as const;
      return periodPage(structured, about, context);
    };
    return {
      forView: await pageForView(context, makePage),
      structured,
      text: sentences(
        opening(documents, leftOut),
        sentencesIn(context),
        remarks !== '' && `${remarks}.`,
        answer.lines,
      ),
    };
  },
});
