import * as z from 'zod';
import type { LeftOut, Order } from '../archive/ask/question.ts';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { type CompaniesAsked, companiesAsked } from '../company/files-basis.ts';
import { answerGroups, groupings, type Measure, measures } from './query-groups.ts';
import { answerList } from './query-list.ts';
import { checkRoutes } from './routes.ts';
import { allTogether } from './shared/all-problems.ts';
import { basisOutput, basisSentences, basisShape, jointBasis, subjectLine } from './shared/basis.ts';
import { readTool } from './shared/definition.ts';
import { filterProblems, filterShape, filtersFrom, statuses } from './shared/filters.ts';
import { cursorAfter, readPlace, refreshSince } from './shared/offset-cursor.ts';
import { limit, shared } from './shared/parameters.ts';
import { daysFrom } from './shared/period.ts';
import {
  type CitiesAsked,
  citiesAsked,
  resolvedSentences,
  resolvedShape,
  resolveNames,
} from './shared/resolve.ts';
import { fetchParts, type Part } from './shared/several-kinds.ts';
import { periodView } from './view-data.ts';

const input = () =>
  z.strictObject({
    document: shared.documents(),
    cnpj: shared.cnpjs(),
    from: shared.firstDay(),
    to: shared.lastDay(),
    by: shared.by(),
    direction: shared.direction().optional(),
    ...filterShape(),
    group_by: z.array(z.enum(groupings)).max(4).default([]).describe('With none, documents are listed'),
    measures: z.array(z.enum(measures)).min(1).optional().describe('Default count, total; alone: one row'),
    order_by: z.string().optional().describe('Name in the answer; -name descends'),
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
        }),
      )
      .optional()
      .describe('Sums; a measure no document gives is absent'),
    sums: z
      .array(z.object({ document: z.string(), ...measured() }))
      .describe('Of all groups or documents, by kind'),
    meanings: z.record(z.string(), z.enum(['documents', 'items'])).optional(),
    beside: z.record(z.string(), z.string()).optional().describe('In no sum'),
    total: z.int().optional(),
    listed: z.array(z.looseObject({ key: z.string().optional() })).optional(),
  });

type Arguments = z.output<ReturnType<typeof input>>;

/** @throws BadArguments for a name the answer does not have */
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

const usualMeasures: readonly Measure[] = ['count', 'total'];
const listOrders = ['issued_at', 'total'] as const;

/** What is asked for, checked as a whole. @throws BadArguments with all that is wrong with it */
function check(args: Arguments, companies: CompaniesAsked, cities: CitiesAsked, context: CallContext) {
  const { group_by: groupBy, measures: given, order_by: order } = args;
  const isList = groupBy.length === 0 && given === undefined;
  const wanted = given ?? usualMeasures;
  return {
    isList,
    measures: wanted,
    ...allTogether(
      {
        days: () => daysFrom(args, context),
        listOrder: () => (isList ? orderFrom(order, listOrders, context) : undefined),
        groupOrder: () => (isList ? undefined : orderFrom(order, [...groupBy, ...wanted], context)),
        filters: () => {
          const problems = filterProblems(args, context);
          if (problems.length > 0) throw new BadArguments(problems);
          return filtersFrom(args);
        },
        companies,
        cities,
        routes: () => checkRoutes(args),
      },
      context.translator,
    ),
  };
}

export const queryDocuments = readTool({
  name: 'query_documents',
  group: 'analysis',
  description:
    'Sum documents of a period by group, or list those that match. Exact; cancelled ones only when asked for by status.',
  input,
  output,
  view: 'period',
  async run(args, context) {
    const { translator } = context;
    const {
      isList,
      days,
      companies,
      measures: wanted,
      ...checked
    } = check(args, await companiesAsked(args, context), await citiesAsked(args, context), context);
    const { cursor, limit: size, from: _from, to: _to, ...rest } = args;
    const query = { ...rest, ...days, companies };
    const place = await readPlace(cursor, query, context);
    const since = refreshSince(args.refresh, place, context);
    const areas = [...new Set(args.document)];
    const { by, direction } = args;
    const fetched = await fetchParts({ companies, areas, ...days, by, direction }, context, { since });
    const [first, ...others] = fetched;
    const basis = jointBasis([first.basis, ...others.map((part) => part.basis)]);
    const { filters: named, resolved } = await resolveNames(args, basis.archive, context, checked.cities);
    // Who groups by status wants to see each of them.
    const status = checked.filters.status ?? (args.group_by.includes('status') ? statuses : undefined);
    const filters = { ...checked.filters, ...named, status };
    const parts: Part[] = fetched.map((part) => ({ ...part, selection: { ...part.selection, filters } }));
    const company = companies.join(', ');
    const openingIn = (said: CallContext, documents: number, leftOut: readonly LeftOut[]) => [
      subjectLine(areas, company, days, said.translator),
      ...resolvedSentences(resolved, said),
      ...(by === 'entry' ? [said.translator.say('analysis.by_entry')] : []),
      ...basisSentences(basis, documents, leftOut, said),
    ];
    const opening = (documents: number, leftOut: readonly LeftOut[]) =>
      openingIn(context, documents, leftOut);
    const page = { limit: size, offset: place.offset };
    const answer = isList
      ? await answerList(parts, { ...page, orderBy: checked.listOrder }, opening, context)
      : await answerGroups(
          parts,
          { ...page, groupBy: args.group_by, measures: wanted, orderBy: checked.groupOrder },
          opening,
          context,
        );
    const { documents, leftOut, total, shown } = answer;
    const isPartial = basis.pending.length > 0;
    const nextCursor = await cursorAfter({ offset: place.offset, total, shown, isPartial, since }, query);
    const remarks = [
      ...answer.count,
      ...answer.remarksIn(context),
      ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
    ];
    return {
      forView: await periodView(
        (said) => [...openingIn(said, documents, leftOut), ...answer.remarksIn(said)],
        context,
      ),
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(basis, leftOut, context),
        resolved: resolved.length > 0 ? resolved : undefined,
        ...answer.structured,
        next_cursor: nextCursor,
      },
      text: [
        ...opening(documents, leftOut),
        ...(remarks.length > 0 ? [`${remarks.join('; ')}.`] : []),
        ...answer.lines,
      ],
    };
  },
});
