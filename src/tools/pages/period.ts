import type { CallContext } from '../../company/call-context.ts';
import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import { isVoid, kindName } from '../../documents/summary/summary.ts';
import type { Call, Column, Figure, Notice, Page, Press, Row, Table } from '../../page/page.ts';
import type { QueryOutput } from '../query/rows.ts';
import type { ListLine } from '../shared/listing.ts';
import {
  type About,
  type Asked,
  emptyPage,
  filtersOf,
  gapsOf,
  nearTo,
  pageOfAnswer,
  surroundings,
  withoutDays,
} from './asked.ts';
import {
  isMoney,
  type KindGroups,
  kindsOf,
  kindTable,
  meanOf,
  measureColumn,
  orderOf,
  shareOf,
  timeGrouping,
} from './groups.ts';
import {
  column,
  comparedName,
  counted,
  groupedBy,
  groupNoun,
  periodName,
  present,
  subjectName,
  type Voice,
} from './voice.ts';

const MOST_ROWS = 500;
/** Figures beside the one that leads. */
const MOST_FIGURES = 3;

/** Call that opens a document: by key, or an NFS-e by its issuer, number and day. */
function callForDocument(
  { key, number, issued_at: at, issuer }: Partial<ListLine>,
  document: string,
): Call | undefined {
  if (key !== undefined) return { tool: 'get_document', args: { document, key } };
  if (document !== 'nfse' || !number || !at || !issuer?.id) return undefined;
  const named = { number, issue_date: at.slice(0, 10), issuer_cnpj: issuer.id };
  return { tool: 'get_document', args: { document, ...named } };
}

/** The counterparty of a document; the company itself is in the page's heading. */
function otherParty({ issuer, recipient }: Partial<ListLine>, company: string): string | undefined {
  const party = issuer?.id === undefined || issuer.id === company ? (recipient ?? issuer) : issuer;
  return party?.name ?? party?.id;
}

const days = new Set(['authorized_at', 'cancelled_at', 'entered_on']);

/** Column requested by name: an amount, a day, or else text. */
function extraColumn(name: string, own: readonly Partial<ListLine>[], area: string, voice: Voice): Column {
  const isAmount = own.every(({ columns }) => /^(?:-?\d+\.\d+)?$/.test(String(columns?.[name] ?? '')));
  if (isAmount) return measureColumn(name, 'below', area, voice);
  const heading = voice.name('column', name);
  return column(name, heading, days.has(name) ? 'day' : 'text', 'below', heading);
}

/** Value of a requested column; codes in words. */
function valueOfColumn(name: string, value: unknown, area: string, voice: Voice): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = Array.isArray(value) ? value.map(String).join('; ') : String(value);
  const written = (write: (one: string) => string) => text.split(/;\s*/).map(write).join(', ');
  if (name === 'due_dates') return written(voice.day);
  const isCode = name === 'nature' || (name === 'purpose' && area === 'nfe');
  return isCode ? written((one) => voice.name(name, one)) : text;
}

/** The documents of one kind, with the sum of all of them. */
function listTable(
  area: string,
  lines: readonly Partial<ListLine>[],
  { company, sums: kinds }: QueryOutput,
  { call, subject, voice }: Asked,
): Table {
  const own = lines.filter(({ document = area }) => document === area);
  const sums = kinds.find(({ document }) => document === area)?.measures ?? {};
  const given = new Set(own.flatMap(({ columns = {} }) => Object.keys(columns)));
  // A name is more telling than its id.
  const extra = [...given].filter((name) => !given.has(`${name}_name`));
  const hasStatus = own.some(({ status }) => status !== undefined && status !== 'authorized');
  const hasEntry = own.some(({ entered_on: day }) => day !== undefined);
  const heading = (name: string) => voice.name('column', name);
  const other = groupNoun('counterparty', subject.direction, voice);
  const order = orderOf(call.args.order_by ?? '-issued_at');
  const count = Number(sums.count ?? own.length);
  return {
    layout: 'rows',
    caption: kindName(area),
    hasHeading: kinds.length > 1,
    columns: present<Column>(
      column('note', voice.page('heading.number', { party: other }), 'text', 'name'),
      column('day', heading('day'), 'day', 'below'),
      hasEntry && column('entered_on', heading('entered_on'), 'day', 'wide'),
      hasStatus && column('status', heading('status'), 'text', 'below'),
      ...extra.map((name) => extraColumn(name, own, area, voice)),
      measureColumn('total', 'value', area, voice),
      column('key', heading('key'), 'key', 'below'),
    ),
    rows: own.map((one): Row => {
      const { key, number, issued_at: at, entered_on: entry, status, totals, columns } = one;
      const party = otherParty(one, company);
      return {
        cells: {
          ...Object.fromEntries(
            extra.map((name) => [name, valueOfColumn(name, columns?.[name], area, voice)]),
          ),
          note: number ?? key,
          day: at?.slice(0, 10),
          entered_on: entry?.slice(0, 10),
          status: status && voice.status(status),
          total: totals?.total,
          key,
        },
        details: party === undefined ? undefined : { note: party },
        opens: callForDocument(one, area),
        tone: isVoid(status) ? 'bad' : undefined,
      };
    }),
    total: {
      cells: {
        note: voice.page(own.length < count ? 'row.total_shown' : 'row.total_of', {
          counted: counted(area, count, voice),
          shown: own.length,
        }),
        total: sums.total,
      },
    },
    sorted: { ...order, by: order.by === 'issued_at' ? 'day' : order.by },
  };
}

function sumText(name: string, value: string, voice: Voice): string {
  return isMoney(name) ? voice.money(value) : voice.amount(value).replace(/[.,]00$/, '');
}

/** Share of the three largest rows, if there are more. */
function largestThree(kind: KindGroups): string | undefined {
  const { rows, main, others, groupBy } = kind;
  if (rows.length < 5 || groupBy.length !== 1 || others !== undefined) return undefined;
  const values = rows.map(({ measures }) => measures[main] ?? '0').toSorted(compareDecimals);
  return shareOf({ measures: { [main]: addDecimals(values.slice(-3)) ?? '' } }, kind);
}

/** A measure beside the one that leads. */
function measureFigure(name: string, value: string, voice: Voice): Figure {
  const words = voice.name('column', name);
  return isMoney(name)
    ? { value: voice.amount(value), note: voice.page('column.reais', { name: words }) }
    : { value: sumText(name, value, voice), note: words };
}

function groupFigures(kind: KindGroups, table: Table): Figure[] {
  const { sum, main, area, groupBy, measures, rows, answer, subject, voice } = kind;
  const { page, percent } = voice;
  const sums = sum.measures;
  const value = sums[main];
  if (value === undefined) return [];
  const documents = counted(area, sums.count ?? answer.documents, voice);
  const count = gapsOf(answer).length > 0 ? page('figure.at_least', { counted: documents }) : documents;
  const { compared_with: before } = answer;
  const change = sum.change?.[main] ?? undefined;
  const against = before !== undefined &&
    change !== undefined && {
      strong: percent(change, true),
      note: page('figure.against', { period: comparedName(before, voice) }),
    };
  const side = subject.direction === 'inbound' ? 'supplier' : 'customer';
  const isOfSide =
    subject.direction !== undefined &&
    groupBy.length === 1 &&
    ['counterparty', side === 'supplier' ? 'issuer' : 'recipient'].includes(groupBy[0] ?? '') &&
    (before === undefined || kind.others === undefined);
  // A comparison adds groups with documents in the earlier period only.
  const parties =
    before === undefined
      ? (answer.total_groups ?? 0)
      : rows.filter(({ measures: of }) => Number(of[main] ?? 0) !== 0).length;
  const time = timeGrouping(kind);
  const mean = time === 'month' && table.mean !== undefined ? meanOf(table.rows, main) : undefined;
  const three = time === undefined ? largestThree(kind) : undefined;
  const beside = present<Figure>(
    (against !== false || isOfSide) && {
      value: documents,
      note: isOfSide ? page(`figure.of_${side}s`, { count: parties }) : '',
    },
    mean && { value: voice.amount(mean.value), note: page('figure.mean', { months: mean.months }) },
    three !== undefined && { value: percent(three), note: page('figure.three') },
    ...measures.flatMap((name) => {
      const other = name === main || name === 'count' ? undefined : sums[name];
      return other === undefined ? [] : [measureFigure(name, other, voice)];
    }),
  );
  const note = isOfSide && count === documents ? '' : count;
  return [
    { value: sumText(main, value, voice), ...(against || { note }), leads: true },
    ...beside.slice(0, MOST_FIGURES),
  ];
}

/** The rest of an answer: as many rows again, or from where the text of the answer was cut on. */
function morePress(answer: QueryOutput, { call, voice }: Asked, shown: number, total: number): Press[] {
  if (answer.next_cursor === undefined || shown >= total) return [];
  const limit = Number(call.args.limit ?? shown);
  const isCut = shown < limit || limit >= MOST_ROWS;
  const rest = isCut
    ? { cursor: answer.next_cursor }
    : { limit: Math.min(MOST_ROWS, Math.max(limit * 2, 50)) };
  const text = voice.page(isCut ? 'press.next' : 'press.more');
  return [{ tool: call.tool, args: { ...call.args, ...rest }, text, isMore: true }];
}

function headingOf(answer: QueryOutput, asked: Asked, groupBy: readonly string[]): string {
  const { subject, voice } = asked;
  const about = `${subjectName(subject, voice)} ${periodName(subject, voice)}`;
  const isApart =
    about.includes(',') || (groupBy.length === 1 && /^(day|week|month)$/.test(groupBy[0] ?? ''));
  const by = groupBy.length > 0 && groupedBy(groupBy, subject.direction, voice);
  const filters = filtersOf(asked);
  const only = filters === undefined ? '' : ` ${voice.page('heading.filters', { filters })}`;
  return present(about, by).join(isApart ? ', ' : ' ') + only + withoutDays(answer, voice);
}

function pageOf(answer: QueryOutput, asked: Asked): Page {
  const { voice, call } = asked;
  const { sums, rows: groups, listed = [] } = answer;
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  const kinds = groups === undefined ? [] : kindsOf(answer, asked);
  const tables =
    groups === undefined
      ? sums.map(({ document }) => listTable(document, listed as Partial<ListLine>[], answer, asked))
      : kinds.map(kindTable);
  const [[kind, ...others], [table]] = [kinds, tables];
  const main = kind?.main ?? 'total';
  const figures =
    kind !== undefined && others.length === 0 && table !== undefined
      ? groupFigures(kind, table)
      : sums.slice(0, MOST_FIGURES + 1).map(({ document, measures }) => ({
          value: sumText(main, measures[main] ?? measures.count ?? '0', voice),
          note: counted(document, measures.count ?? '0', voice),
          leads: sums.length === 1,
        }));
  const shown = groups === undefined ? listed.length : kinds.reduce((sum, { rows }) => sum + rows.length, 0);
  const total = (groups === undefined ? answer.total : answer.total_groups) ?? 0;
  const part = groups !== undefined &&
    shown < total && {
      strong: voice.page('notice.part', { shown, total }),
      text: voice.page('notice.part_more', { total }),
    };
  const heading = headingOf(answer, asked, groupBy);
  const lead: Figure | undefined = figures.find(({ leads }) => leads);
  const around = surroundings(answer, asked);
  return {
    ...around,
    heading,
    answer: present(heading, lead?.value, lead?.strong && `${lead.strong} ${lead.note}`).join(' · '),
    figures,
    notices: present<Notice>(...around.notices, part),
    tables: groups !== undefined && groupBy.length === 0 ? [] : tables,
    presses: [...around.presses, ...morePress(answer, asked, shown, total)],
  };
}

/** The page of an answer of `query_documents`. */
export async function periodPage(answer: QueryOutput, about: About, context: CallContext): Promise<Page> {
  const near = answer.documents > 0 ? undefined : await nearTo(answer, about);
  return pageOfAnswer(answer, about, context, (asked) =>
    near === undefined ? pageOf(answer, asked) : emptyPage(answer, asked, near),
  );
}
