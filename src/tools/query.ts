import * as z from 'zod';
import { referenceOf, resourceUri } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import type {
  AnswerRow,
  Answer as ArchiveAnswer,
  Filters,
  Order,
  Selection,
} from '../archive/store/ask/question.ts';
import {
  amountMeasures,
  documentGroupings,
  isItemOnlyMeasure,
  itemGroupings,
  itemOnlyMeasures,
} from '../archive/store/schema/measures.ts';
import { linesThatFit } from '../mcp/answer-result.ts';
import { companyOf } from '../mcp/coverage.ts';
import { readTool, type ToolAnswer } from '../mcp/definition.ts';
import { filterShape, filtersFrom } from '../mcp/filters.ts';
import { cursorAfter, readPlace, refreshSince } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { daysFrom } from '../mcp/period.ts';
import { csvLine } from '../messages/csv-line.ts';
import { kindName } from '../messages/kinds.ts';
import { type Basis, basisOutput, basisSentences, basisShape, ensureFetched } from '../questions/basis.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { documentRouteFor } from './routes.ts';

const groupings = [...documentGroupings, ...itemGroupings] as const;
const measures = ['count', 'items', ...amountMeasures, ...itemOnlyMeasures] as const;

const input = () =>
  z.strictObject({
    document: shared.document(),
    cnpj: shared.cnpj(),
    from: shared.firstDay(),
    to: shared.lastDay(),
    by: shared.by(),
    direction: shared.direction().optional(),
    ...filterShape(),
    group_by: z.array(z.enum(groupings)).max(4).default([]).describe('None: lists documents'),
    measures: z.array(z.enum(measures)).min(1).default(['count', 'total']).describe('Default count, total'),
    order_by: z.string().optional().describe('Name in the answer; -name descends'),
    limit: limit(50, 500),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });

const output = () =>
  z.object({
    ...basisShape(),
    total_groups: z.int().optional(),
    rows: z
      .array(
        z.object({
          group: z.record(z.string(), z.string()),
          measures: z.record(z.string(), z.string()),
          quantities: z.array(z.object({ unit: z.string(), quantity: z.string() }).loose()).optional(),
        }),
      )
      .optional()
      .describe('Sums; a measure no document gives is absent'),
    meanings: z.record(z.string(), z.enum(['documents', 'items'])).optional(),
    beside: z.record(z.string(), z.string()).optional().describe('In no sum'),
    total: z.int().optional(),
    listed: z.array(z.looseObject({ uri: z.string().optional() })).optional(),
  });

type Arguments = z.output<ReturnType<typeof input>>;
type Output = z.input<ReturnType<typeof output>>;
type Grouping = (typeof groupings)[number];
type Measure = (typeof measures)[number];

interface Asked {
  readonly args: Arguments;
  readonly selection: Selection;
  readonly offset: number;
  readonly since: Date | undefined;
  readonly basis: Basis;
  readonly query: unknown;
}

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

const groupOrder = (args: Arguments, context: CallContext) =>
  orderFrom<Grouping | Measure>(args.order_by, [...args.group_by, ...args.measures], context);
const listOrder = (args: Arguments, context: CallContext) =>
  orderFrom(args.order_by, ['issued_at', 'total'] as const, context);

function groupText({ group, names }: AnswerRow, groupBy: readonly Grouping[]): string[] {
  return groupBy.map((name) => {
    const value = group[name] ?? '';
    const person = name === 'issuer' || name === 'recipient' ? names[name] : undefined;
    return person === undefined ? value : `${value} ${person}`;
  });
}

/** A measure as text; where goods of several units would be added up, each unit by itself. */
function measureText({ measures, quantities = [] }: AnswerRow, name: Measure): string {
  const text = measures[name] ?? undefined;
  if (text !== undefined || !isItemOnlyMeasure(name)) return text ?? '';
  const parts = quantities.flatMap(({ unit, ...one }) =>
    one[name] === undefined ? [] : `${one[name]} ${unit}`,
  );
  return parts.join(' | ');
}

function present(row: AnswerRow) {
  const keep = (values: object) =>
    Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  const named = Object.entries(row.names).map(([name, value]) => [`${name}_name`, value]);
  const group = keep({ ...row.group, ...Object.fromEntries(named) });
  const quantities = row.quantities?.map((one) => ({ ...one }));
  return { group, measures: keep(row.measures), ...(quantities && { quantities }) };
}

function nextCursor(
  { offset, since, basis, query }: Asked,
  shown: number,
  total: number,
): Promise<string | undefined> {
  return cursorAfter({ offset, shown, total, isPartial: basis.pending.length > 0, since }, query);
}

function opening(
  { args, selection, basis }: Asked,
  documents: number,
  leftOut: ArchiveAnswer['left_out'],
  context: CallContext,
) {
  const { translator } = context;
  const { company, from, to } = selection;
  const subject = [
    kindName(args.document),
    translator.say('cover.company', { company }),
    translator.say('cover.period', { from, to }),
  ].join(', ');
  return [`${subject}.`, ...basisSentences(basis, documents, leftOut, context)];
}

/** The layout's goods have IBS, CBS and IS in their price from this day on. Source: docs/fiscal/reform.md. */
const taxesInPriceFrom = '2027-01-01';
/** Amounts that the layouts of the two years put together differently. */
const ofPrices: readonly Measure[] = ['total', 'products', 'average_price', 'min_price', 'max_price'];

/** What a reader must know of what the measures of an answer are. */
function meaningRemarks(
  answer: ArchiveAnswer,
  { args, selection }: Asked,
  { translator }: CallContext,
): string[] {
  const { basis, beside, unavailable, rows } = answer;
  const isOfGoods = args.document === 'nfe';
  const itemGroups = args.group_by.filter((one) => itemGroupings.some((grouping) => grouping === one));
  const hasRest = isOfGoods && rows.some(({ group }) => itemGroups.some((one) => group[one] === undefined));
  const spansYears = selection.from < taxesInPriceFrom && selection.to >= taxesInPriceFrom;
  const { icms_credit, contributions_withheld } = beside;
  return [
    ...(basis === 'items' && isOfGoods ? [translator.say('analysis.by_item')] : []),
    ...(hasRest ? [translator.say('analysis.no_items_part')] : []),
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
    ...(isOfGoods && spansYears && args.measures.some((one) => ofPrices.includes(one))
      ? [translator.say('analysis.turn_of_year')]
      : []),
  ];
}

async function answerGroups(asked: Asked, context: CallContext): Promise<ToolAnswer<Output>> {
  const { args, selection, offset, basis } = asked;
  const { translator } = context;
  const groupBy: readonly Grouping[] = args.group_by;
  const wanted: readonly Measure[] = args.measures;
  const orderBy = groupOrder(args, context);
  const answer = await basis.archive.ask({
    ...selection,
    groupBy,
    measures: wanted,
    orderBy,
    limit: args.limit,
    offset,
  });
  const first = opening(asked, answer.documents, answer.left_out, context);
  const lines = linesThatFit(
    first,
    answer.rows.map((row) =>
      csvLine([...groupText(row, groupBy), ...wanted.map((name) => measureText(row, name))]),
    ),
  );
  const rows = answer.rows.slice(0, lines.length);
  const cursor = await nextCursor(asked, rows.length, answer.total_groups);
  const remarks = [
    translator.say('analysis.groups', { total: answer.total_groups, shown: lines.length }),
    ...meaningRemarks(answer, asked, context),
    ...(cursor === undefined ? [] : [translator.say('cover.next', { cursor })]),
  ];
  return {
    structured: {
      company: selection.company,
      from: selection.from,
      to: selection.to,
      documents: answer.documents,
      ...basisOutput(basis, answer.left_out, context),
      total_groups: answer.total_groups,
      rows: rows.map(present),
      meanings: answer.meanings,
      beside: Object.keys(answer.beside).length > 0 ? { ...answer.beside } : undefined,
      next_cursor: cursor,
    },
    text: [...first, `${remarks.join('; ')}.`, [...groupBy, ...wanted].join(','), ...lines].join('\n'),
  };
}

function listedDocument({ summary, status }: StoredDocument) {
  const { kind, key, number, series, issued_at, issuer, recipient, totals } = summary;
  const reference = referenceOf(summary);
  return {
    kind,
    key,
    number: number || undefined,
    series: series || undefined,
    issued_at: issued_at || undefined,
    issuer: issuer && { id: issuer.id, name: issuer.name },
    recipient: recipient && { id: recipient.id, name: recipient.name },
    totals: { total: totals.total },
    status,
    uri: reference ? resourceUri(reference, 'summary') : undefined,
  };
}

async function answerList(asked: Asked, context: CallContext): Promise<ToolAnswer<Output>> {
  const { args, selection, offset, basis } = asked;
  const orderBy = listOrder(args, context);
  const listing = await basis.archive.list({
    ...selection,
    orderBy,
    limit: args.limit,
    offset,
  });
  const first = opening(asked, listing.total, listing.left_out, context);
  const found = listing.documents.map(listedDocument);
  const lines = linesThatFit(
    first,
    found.map((one) =>
      csvLine([
        one.number,
        one.issued_at?.slice(0, 10),
        one.issuer?.id,
        one.issuer?.name,
        one.totals.total,
        one.status,
        one.key,
      ]),
    ),
  );
  const listed = found.slice(0, lines.length);
  const cursor = await nextCursor(asked, listed.length, listing.total);
  for (const { summary } of listing.documents) {
    const reference = referenceOf(summary);
    if (reference) context.services.memory.seen.note(reference);
  }
  const { translator } = context;
  return {
    structured: {
      company: selection.company,
      from: selection.from,
      to: selection.to,
      documents: listing.total,
      ...basisOutput(basis, listing.left_out, context),
      total: listing.total,
      listed,
      next_cursor: cursor,
    },
    text: [
      ...first,
      translator.say('cover.count', { total: listing.total, shown: listed.length }),
      ...(cursor === undefined ? [] : [translator.say('cover.next', { cursor })]),
      'number,date,issuer_id,issuer,total,status,key',
      ...lines,
    ].join('\n'),
  };
}

export const queryDocuments = readTool({
  name: 'query_documents',
  group: 'analysis',
  description:
    'Sum documents of a period by group, or list those that match. Exact; cancelled ones only when asked for by status.',
  input,
  output,
  async run(args, context) {
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    const { cursor, limit: _, ...query } = args;
    const place = await readPlace(cursor, { ...query, company }, context);
    const since = refreshSince(args.refresh, place, context);
    const filters: Filters = filtersFrom(args, context);
    const isList = args.group_by.length === 0;
    // Said before anything is fetched, which may take long.
    documentRouteFor({ document: args.document, by: args.by }, 'query_documents');
    if (isList) listOrder(args, context);
    else groupOrder(args, context);
    const basis = await ensureFetched({ ...days, company, area: args.document, by: args.by }, context, {
      since,
    });
    const { by, direction, document: area } = args;
    const selection: Selection = { company, area, by, ...days, filters, direction };
    const { offset } = place;
    const asked = { args, selection, offset, since, basis, query: { ...query, company } };
    return isList ? answerList(asked, context) : answerGroups(asked, context);
  },
});
