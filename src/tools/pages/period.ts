import type { CallContext } from '../../company/call-context.ts';
import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Figure, Notice, Page, Table } from '../../page/page.ts';
import {
  type About,
  type Asked,
  gapsOf,
  morePress,
  pageOfAnswer,
  surroundings,
  withoutDays,
} from './asked.ts';
import { emptyPage, nearTo } from './empty.ts';
import {
  type AnsweredGroups,
  counted,
  groupTable,
  isMoney,
  type KindGroups,
  kindsOf,
  shareOf,
} from './groups.ts';
import { type AnsweredList, listTable } from './list.ts';
import { crossTable, meanOf, periodTable, timeGrouping } from './periods.ts';
import { comparedName, filtersOf, groupedBy, periodName, present, subjectName, type Voice } from './voice.ts';

/** Groups or documents of one call at most. */
const MOST_ROWS = 500;
/** Figures beside the one that leads. */
const MOST_FIGURES = 3;

export type AnsweredPeriod = AnsweredGroups | AnsweredList;

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
      ? answer.total_groups
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

/** A sum for each kind. */
function kindFigures(sums: AnsweredPeriod['sums'], main: string, voice: Voice): Figure[] {
  return sums.slice(0, MOST_FIGURES + 1).map(({ document, measures }) => ({
    value: sumText(main, measures[main] ?? measures.count ?? '0', voice),
    note: counted(document, measures.count ?? '0', voice),
    leads: sums.length === 1,
  }));
}

function headingOf(answer: AnsweredPeriod, asked: Asked): string {
  const { subject, call, voice } = asked;
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  const about = `${subjectName(subject, voice)} ${periodName(subject, voice)}`;
  const isApart =
    about.includes(',') || (groupBy.length === 1 && /^(day|week|month)$/.test(groupBy[0] ?? ''));
  const by = groupBy.length > 0 && groupedBy(groupBy, subject.direction, voice);
  const filters = filtersOf(asked);
  const only = filters === undefined ? '' : ` ${voice.page('heading.filters', { filters })}`;
  return present(about, by).join(isApart ? ', ' : ' ') + only + withoutDays(answer, voice);
}

function pageOf(answer: AnsweredPeriod, asked: Asked): Page {
  const { voice, call } = asked;
  const around = surroundings(answer, asked);
  const isGroups = 'rows' in answer;
  const kinds = isGroups ? kindsOf(answer, asked) : [];
  const hasHeading = answer.sums.length > 1;
  const tables = [
    ...kinds.map((kind): Table => {
      const time = timeGrouping(kind);
      const table = time === undefined ? (crossTable(kind) ?? groupTable(kind)) : periodTable(kind, time);
      return { ...table, caption: kindName(kind.area), hasHeading };
    }),
    ...(isGroups ? [] : answer.sums.map(({ document }) => listTable(document, answer, asked))),
  ];
  const [[kind, ...others], [table]] = [kinds, tables];
  const figures =
    kind !== undefined && others.length === 0 && table !== undefined
      ? groupFigures(kind, table)
      : kindFigures(answer.sums, kind?.main ?? 'total', voice);
  const shown = isGroups ? kinds.reduce((sum, { rows }) => sum + rows.length, 0) : answer.listed.length;
  const total = isGroups ? answer.total_groups : answer.total;
  const part = isGroups &&
    shown < total && {
      strong: voice.page('notice.part', { shown, total }),
      text: voice.page('notice.part_more', { total }),
    };
  const heading = headingOf(answer, asked);
  const lead = figures.find(({ leads }) => leads);
  const hasGroups = (call.args.group_by as string[] | undefined)?.length;
  return {
    ...around,
    heading,
    answer: present(heading, lead?.value, lead?.strong && `${lead.strong} ${lead.note}`).join(' · '),
    figures,
    notices: present<Notice>(...around.notices, part),
    tables: isGroups && !hasGroups ? [] : tables,
    presses: [...around.presses, ...morePress(answer, asked, { shown, total, most: MOST_ROWS })],
  };
}

/** The page of an answer of `query_documents`. */
export async function periodPage(answer: AnsweredPeriod, about: About, context: CallContext): Promise<Page> {
  const near = answer.documents > 0 ? undefined : await nearTo(answer, about);
  return pageOfAnswer(answer, about, context, (asked) =>
    near === undefined ? pageOf(answer, asked) : emptyPage(answer, asked, near),
  );
}
