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
  type TextPlace,
  textPlaces,
} from '../../archive/ask/question.ts';
import { isVoid } from '../../archive/schema/expressions.ts';
import { documentMeasures, isDueGrouping, isItemGrouping } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { isOfCancellation } from '../../documents/events/event-names.ts';
import type { Translator } from '../../messages/index.ts';
import { checkRoutes } from '../routes.ts';
import { basisOutput, basisSentences, basisShape, jointBasis, subjectLine } from '../shared/basis.ts';
import { readTool } from '../shared/definition.ts';
import { filterShape, filtersFrom, statuses } from '../shared/filters.ts';
import { unlessEmpty } from '../shared/memory-output.ts';
import { cursorAfter } from '../shared/paging.ts';
import { limit, shared } from '../shared/parameters.ts';
import { fetchParts, openQuestion, type Part } from '../shared/question.ts';
import { citiesAsked, resolvedSentences, resolvedShape, resolveNames } from '../shared/resolve.ts';
import { periodView } from '../view-data.ts';
import { unavailableOf, unavailableSentences } from './available.ts';
import { carriageOf, carriageSentences } from './carriage.ts';
import { comparedOrders, comparisons } from './compare.ts';
import { comparedWith, earlierAsked, earlierOutput, earlierSentences, fetchEarlier } from './earlier.ts';
import { answerGroups, groupings, measures } from './groups.ts';
import { answerList } from './list.ts';

/** List columns that are not measures. */
const ownColumns = listColumns.filter((name) => !documentMeasures.some((one) => one === name));

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

const measured = () => ({
  measures: z.record(z.string(), z.string()),
  unit: z.string().optional(),
  quantities: z.array(z.object({ unit: z.string(), quantity: z.string() }).loose()).optional(),
  more_units: z.int().optional(),
});

const compared = () => ({
  previous: z.record(z.string(), z.string()).optional().describe('The same of compared_with'),
  change: z.record(z.string(), z.string().nullable()).optional().describe('Percent; null: not told'),
});

const output = () =>
  z.object({
    ...basisShape(),
    ...resolvedShape(),
    total_groups: z.int().optional(),
    rows: z
      .array(
        z.object({
          document: z.string().optional().describe('Where several kinds were asked for'),
          group: z.record(z.string(), z.string()),
          ...measured(),
          ...compared(),
          share: z.record(z.string(), z.string()).optional().describe('Percent of sums'),
          others: z.boolean().optional().describe('What limit cut off, together'),
        }),
      )
      .optional()
      .describe('Sums; a measure no document gives is absent'),
    sums: z
      .array(z.object({ document: z.string(), ...measured(), ...compared() }))
      .describe('Of all groups or documents, by kind'),
    compared_with: z
      .looseObject({ from: z.string(), to: z.string(), complete: z.boolean() })
      .optional()
      .describe('The earlier period'),
    unavailable: z
      .array(z.object({ argument: z.string(), value: z.string(), document: z.string(), reason: z.string() }))
      .optional()
      .describe('What a kind does not have'),
    text_in: z.array(z.string()).optional().describe('Where text was looked for'),
    text_counts: z.string().optional().describe('documents: whole ones with the text were added up'),
    meanings: z.record(z.string(), z.enum(['documents', 'items'])).optional(),
    freight_paid_by: z.object({ own: z.string(), others: z.string() }).optional().describe('Of CT-e'),
    beside: z.record(z.string(), z.string()).optional().describe('In no sum'),
    total: z.int().optional(),
    listed: z.array(z.looseObject({ key: z.string().optional() })).optional(),
  });

/** Where the text was searched, and whether documents or items were summed. */
function textSentence(
  places: readonly TextPlace[],
  counts: 'documents' | 'items',
  { say }: Translator,
): string {
  const named = places.map((place) => say(`analysis.text_in.${place}`)).join(', ');
  return say(`analysis.text_${counts}`, { places: named });
}

/** @throws BadArguments for an unknown name */
function orderFrom<const T extends string>(
  text: string | undefined,
  names: readonly T[],
  { translator }: CallContext,
): Order<T> | undefined {
  if (text === undefined) return undefined;
  const by = names.find((name) => name === text.replace(/^[-+]/, ''));
  if (by !== undefined) return { by, descending: text.startsWith('-') };
  const words = translator.say('argument.order', { choices: names.join(', ') });
  throw new BadArguments([translator.say('argument.problem', { argument: 'order_by', words })]);
}

/** @throws BadArguments for an unknown column, or if no list is asked for */
function columnsFrom(names: readonly string[], isList: boolean, { translator }: CallContext): ListColumn[] {
  const refuse = (words: string) =>
    new BadArguments([translator.say('argument.problem', { argument: 'columns', words })]);
  if (names.length > 0 && !isList) throw refuse(translator.say('argument.columns_of_lists'));
  return [...new Set(names)].map((name) => {
    const column = listColumns.find((one) => one === name);
    if (column === undefined) {
      throw refuse(translator.say('argument.columns', { name, choices: listColumns.join(', ') }));
    }
    return column;
  });
}

const usualMeasures: readonly Measure[] = ['count', 'total'];
const dueMeasures: readonly Measure[] = ['count', 'due'];

/** @throws BadArguments for instalments grouped by item attributes */
function checkDue(groupBy: readonly Grouping[], { translator }: CallContext): void {
  const ofItems = groupBy.filter(isItemGrouping);
  if (!groupBy.some(isDueGrouping) || ofItems.length === 0) return;
  const words = translator.say('argument.due_of_items', { groups: ofItems.join(', ') });
  throw new BadArguments([translator.say('argument.problem', { argument: 'group_by', words })]);
}

export const queryDocuments = readTool({
  name: 'query_documents',
  group: 'analysis',
  description:
    'Sum documents of a period by group, or list them. Exact; cancelled ones only by status or number. Suppliers, customers: counterparty. Freight: cte, payer.',
  input,
  output,
  view: 'period',
  async run(args, context) {
    const { translator } = context;
    const { group_by: groupBy, order_by: order, by, direction } = args;
    const isByDue = groupBy.some(isDueGrouping);
    const { measures: wanted = isByDue ? dueMeasures : usualMeasures } = args;
    const isList = groupBy.length === 0 && args.measures === undefined && args.compare === undefined;
    const orders = [...groupBy, ...wanted, ...(args.compare === undefined ? [] : comparedOrders(wanted))];
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
    const asked = { companies, areas, ...days, by, direction };
    const fetched = await fetchParts(asked, context, { since });
    const earlier = earlierDays && (await fetchEarlier(earlierDays, asked, context, { since }));
    const [first, ...others] = fetched;
    const basis = jointBasis([first.basis, ...others.map((part) => part.basis)]);
    const { filters: named, resolved } = await resolveNames(
      args,
      { archive: basis.archive, companies },
      context,
      checked.cities,
    );
    // Grouping by status includes every status, and asking for cancellations includes cancelled documents.
    const isOfAll = groupBy.includes('status') || (args.event ?? []).some(isOfCancellation);
    const status = checked.filters.status ?? (isOfAll ? statuses : undefined);
    // Asking by number must show that the document is cancelled.
    const isByNumber = status === undefined && args.number !== undefined;
    const withVoid = (isList && isByNumber) || undefined;
    const filters: Filters = { ...checked.filters, ...named, status, withVoid };
    // Grouping by due day counts only notes with instalments, including those without a day.
    const dueFilters = isByDue && { due_from: filters.due_from ?? '' };
    const parts: Part[] = fetched.map((part) => ({
      ...part,
      selection: { ...part.selection, filters: { ...filters, ...dueFilters } },
    }));
    const lacking = unavailableOf(args, areas);
    const asksEvents = args.event !== undefined || groupBy.includes('event');
    const openingIn = (said: CallContext, documents: number, leftOut: readonly LeftOut[]) => [
      subjectLine(areas, company, { ...days, direction }, said.translator),
      ...resolvedSentences(resolved, said),
      ...unavailableSentences(lacking, said.translator),
      ...(by === 'entry' ? [said.translator.say('analysis.by_entry')] : []),
      ...(isByDue ? [said.translator.say('analysis.by_due')] : []),
      ...(asksEvents ? [said.translator.say('analysis.events_known')] : []),
      ...basisSentences(basis, documents, leftOut, said),
    ];
    const opening = (documents: number, leftOut: readonly LeftOut[]) =>
      openingIn(context, documents, leftOut);
    const page = { limit: args.limit, offset: place.offset };
    const compareWith = earlier && comparedWith(earlier, parts, context);
    const answer = isList
      ? await answerList(
          parts,
          { ...page, orderBy: checked.listOrder, columns: checked.columns },
          opening,
          context,
        )
      : await answerGroups(
          parts,
          {
            ...page,
            groupBy,
            measures: wanted,
            orderBy: checked.groupOrder,
            share: args.share && groupBy.length > 0,
            comparedWith: compareWith,
          },
          opening,
          context,
        );
    const { documents, leftOut, total, shown } = answer;
    const textCounts = answer.basis === 'items' && args.text_counts !== 'documents' ? 'items' : 'documents';
    const textIn = filters.text === undefined ? undefined : (args.text_in ?? textPlaces);
    const textSentences = (said: CallContext) =>
      textIn === undefined ? [] : [textSentence(textIn, textCounts, said.translator)];
    const isPartial = basis.pending.length + (earlier?.basis.pending.length ?? 0) > 0;
    const tellsChange = compareWith?.parts.some(({ isWhole }) => isWhole) ?? false;
    const carriage = await carriageOf(parts, answer.structured.sums, [...groupBy, ...args.columns]);
    const hidesVoid = isByNumber && leftOut.some(({ reason }) => isVoid(reason));
    const sentencesIn = (said: CallContext) => [
      ...textSentences(said),
      ...carriageSentences(carriage, said),
      ...(hidesVoid ? [`⚠ ${said.translator.say('analysis.void_by_number')}`] : []),
      ...(earlier === undefined ? [] : earlierSentences(earlier, answer.earlier ?? [], tellsChange, said)),
    ];
    const nextCursor = await cursorAfter({ offset: place.offset, total, shown, isPartial, since }, query);
    const remarks = [
      ...answer.count,
      ...answer.remarksIn(context),
      ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
    ];
    const structured = {
      company,
      ...days,
      documents,
      ...basisOutput(basis, leftOut, context),
      resolved: resolved.length > 0 ? resolved : undefined,
      ...answer.structured,
      freight_paid_by: carriage && { ...carriage },
      compared_with: earlier && earlierOutput(earlier, answer.earlier ?? []),
      text_in: textIn && [...textIn],
      text_counts: textIn && textCounts,
      unavailable: unlessEmpty([...lacking, ...answer.unavailable]),
      next_cursor: nextCursor,
    };
    const about = {
      tool: 'query_documents',
      args,
      areas,
      direction,
      archive: basis.archive,
      resolved,
      linesIn: (said: CallContext) => [
        ...openingIn(said, documents, leftOut),
        ...sentencesIn(said),
        ...answer.remarksIn(said),
      ],
    } as const;
    return {
      forView: await periodView(structured, about, context),
      structured,
      text: [
        ...opening(documents, leftOut),
        ...sentencesIn(context),
        ...(remarks.length > 0 ? [`${remarks.join('; ')}.`] : []),
        ...answer.lines,
      ],
    };
  },
});
