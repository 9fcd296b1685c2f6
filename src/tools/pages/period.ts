import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import type { Figure, Page, Table, Text } from '../../views/page.ts';
import { sharesOf } from '../query/shares.ts';
import { type Asked, companyOf, morePress, surroundings, withoutDays } from './answered.ts';
import { emptyPage } from './empty.ts';
import { filtersOf } from './filters.ts';
import { type AnsweredGroups, counted, groupTable, type KindGroups, kindsOf } from './groups.ts';
import { comparedName, groupedBy, periodName, subjectName } from './headings.ts';
import { type AnsweredList, listTable } from './list.ts';
import { crossTable, meanOf, periodTable, timeGrouping } from './periods.ts';
import type { Voice } from './voice.ts';

/** Groups or documents of one call at most. */
const MOST_ROWS = 500;
/** Figures beside the one that leads. */
const MOST_FIGURES = 3;

type Answer = AnsweredGroups | AnsweredList;

function tableOf(kind: KindGroups, answer: AnsweredGroups, asked: Asked): Table {
  const time = timeGrouping(kind);
  if (time !== undefined) return periodTable(kind, time, answer, asked);
  return crossTable(kind, answer, asked) ?? groupTable(kind, answer, asked);
}

const isMoney = (name: string) => !['count', 'items', 'quantity', 'weight'].includes(name);

function sumText(name: string, value: string, voice: Voice): string {
  return isMoney(name) ? voice.money(value) : voice.amount(value).replace(/[.,]00$/, '');
}

/** What the three largest rows are of all, where there are more. */
function largestThree({ rows, main, parts, sums, others }: KindGroups): string | undefined {
  if (rows.length < 5 || !parts.includes(main) || others !== undefined) return undefined;
  const values = rows.map(({ measures }) => measures[main] ?? '0').toSorted(compareDecimals);
  return sharesOf({ [main]: addDecimals(values.slice(-3)) ?? null }, sums, [main as 'total'])[main];
}

function groupFigures(kind: KindGroups, table: Table, answer: AnsweredGroups, asked: Asked): Figure[] {
  const { sums, main, area, groupBy, measures, sumsWhole } = kind;
  const { speak, subject } = asked;
  const value = sums[main];
  if (value === undefined) return [];
  const count = speak((voice) => counted(area, sums.count ?? answer.documents, voice));
  const { compared_with: days } = answer;
  const change = sumsWhole?.change?.[main] ?? undefined;
  const isPartial = withoutDaysCount(answer) > 0;
  const against =
    days === undefined || change === undefined
      ? undefined
      : {
          strong: speak(({ percent }) => percent(change, true)),
          note: speak((voice) => voice.page('figure.against', { period: comparedName(days, voice) })),
        };
  const countNote: Text = isPartial
    ? speak((voice) =>
        voice.page('figure.at_least', { counted: counted(area, sums.count ?? answer.documents, voice) }),
      )
    : count;
  const lead: Figure = {
    value: speak((voice) => sumText(main, value, voice)),
    ...(against ?? { note: countNote }),
    leads: true,
  };
  const time = timeGrouping(kind);
  const side = subject.direction === 'inbound' ? 'supplier' : 'customer';
  const isOfSide =
    groupBy.length === 1 &&
    ['counterparty', side === 'supplier' ? 'issuer' : 'recipient'].includes(groupBy[0] ?? '') &&
    (days === undefined || kind.others === undefined);
  // A comparison brings along who had documents in the other period alone.
  const parties =
    days === undefined
      ? answer.total_groups
      : kind.rows.filter(({ measures: of }) => Number(of[main] ?? 0) !== 0).length;
  const mean = time === undefined ? undefined : meanOf(table, main);
  const three = time === undefined && groupBy.length === 1 ? largestThree(kind) : undefined;
  const others = measures.filter((name) => name !== main && name !== 'count' && sums[name] !== undefined);
  const beside: Figure[] = [
    ...(against === undefined && !isOfSide
      ? []
      : [
          {
            value: count,
            note: isOfSide ? speak(({ page }) => page(`figure.of_${side}s`, { count: parties })) : '',
          },
        ]),
    ...(mean === undefined
      ? []
      : [
          {
            value: speak(({ amount }) => amount(mean.value)),
            note: speak(({ page }) => page('figure.mean', { months: mean.months })),
          },
        ]),
    ...(three === undefined
      ? []
      : [{ value: speak(({ percent }) => percent(three)), note: speak(({ page }) => page('figure.three')) }]),
    ...others.map((name) => ({
      value: speak((voice) =>
        isMoney(name) ? voice.amount(sums[name] ?? '') : sumText(name, sums[name] ?? '', voice),
      ),
      note: speak((voice) =>
        isMoney(name)
          ? voice.page('column.reais', { name: voice.name('column', name) })
          : voice.name('column', name),
      ),
    })),
  ];
  const isNoteFree = against === undefined && isOfSide;
  return [
    isNoteFree ? { ...lead, note: isPartial ? countNote : '' } : lead,
    ...beside.slice(0, MOST_FIGURES),
  ];
}

const withoutDaysCount = ({ missing = [], not_fetched_yet: unread = [] }: Answer) =>
  missing.length + unread.length;

/** The sum of each kind by itself. */
function kindFigures(sums: Answer['sums'], main: string, { speak }: Asked): Figure[] {
  return sums.slice(0, MOST_FIGURES + 1).map(({ document, measures }) => ({
    value: speak((voice) => sumText(main, measures[main] ?? measures.count ?? '0', voice)),
    note: speak((voice) => counted(document, measures.count ?? '0', voice)),
    leads: sums.length === 1,
  }));
}

/** Says that a table has not all rows, where it hasn't. */
function partNotice(answer: AnsweredGroups, shown: number, { speak }: Asked): Page['notices'] {
  const total = answer.total_groups;
  if (shown >= total) return [];
  return [
    {
      strong: speak(({ page }) => page('notice.part', { shown, total })),
      text: speak(({ page }) => page('notice.part_more', { total })),
    },
  ];
}

/** The page of an answer of `query_documents`. */
export async function periodPage(answer: Answer, asked: Asked): Promise<Page> {
  const { speak, subject, call, archive } = asked;
  const company = await companyOf(answer.company, archive);
  const around = surroundings(answer, asked);
  const filters = filtersOf(asked);
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  if (answer.documents === 0) return { company, ...around, ...(await emptyPage(answer, asked, filters)) };
  const isGroups = 'rows' in answer;
  const headingIn = (voice: Voice) => {
    const about = `${subjectName(subject, voice)} ${periodName(subject, voice)}`;
    const by = groupBy.length > 0 ? groupedBy(groupBy, subject.direction, voice) : '';
    const isApart =
      about.includes(',') || (groupBy.length === 1 && /^(day|week|month)$/.test(groupBy[0] ?? ''));
    const only =
      filters === undefined ? '' : ` ${voice.page('heading.filters', { filters: filters(voice) })}`;
    return [about, by].filter(Boolean).join(isApart ? ', ' : ' ') + only + withoutDays(answer, voice);
  };
  const kinds = isGroups ? kindsOf(answer, asked) : [];
  const tables = isGroups
    ? kinds.map((kind) => tableOf(kind, answer, asked))
    : answer.sums.map(({ document }) => listTable(document, answer, asked));
  const [kind, ...others] = kinds;
  const [table] = tables;
  const figures =
    kind !== undefined && others.length === 0 && table !== undefined && isGroups
      ? groupFigures(kind, table, answer, asked)
      : kindFigures(answer.sums, kind?.main ?? 'total', asked);
  const shown = isGroups ? kinds.reduce((sum, { rows }) => sum + rows.length, 0) : answer.listed.length;
  const total = isGroups ? answer.total_groups : answer.total;
  const lead = figures.find(({ leads }) => leads);
  const textIn = (text: Text | undefined, voice: Voice) =>
    text === undefined || typeof text === 'string' ? (text ?? '') : text[voice.language === 'en' ? 1 : 0];
  return {
    company,
    heading: speak(headingIn),
    answer: speak((voice) =>
      [
        headingIn(voice),
        textIn(lead?.value, voice),
        lead?.strong ? `${textIn(lead.strong, voice)} ${textIn(lead.note, voice)}` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    figures,
    ...around,
    notices: [...around.notices, ...(isGroups ? partNotice(answer, shown, asked) : [])],
    tables: groupBy.length === 0 && isGroups ? [] : tables,
    presses: [...around.presses, ...morePress(answer, asked, { shown, total, most: MOST_ROWS })],
  };
}
