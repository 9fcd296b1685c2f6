import { addDays, firstDay, lastDay } from '../../archive/days.ts';
import { isItemOnlyMeasure } from '../../archive/schema/measures.ts';
import { addDecimals, compareDecimals, negateDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { cfopWords } from '../../documents/tables/cfop-words.ts';
import { pageMessages } from '../../messages/apart/views/pages.ts';
import type { Call, Column, Row, Table, Text } from '../../views/page.ts';
import { othersThan, sharedMeasures, sharesOf } from '../query/shares.ts';
import type { Answered, Asked } from './answered.ts';
import { comparedName, groupNoun } from './headings.ts';
import type { Voice } from './voice.ts';

type Measures = Readonly<Record<string, string>>;

export interface GroupRow {
  readonly document?: string | undefined;
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Measures;
  readonly unit?: string | undefined;
  readonly quantities?: readonly Readonly<Record<string, string>>[] | undefined;
  readonly share?: Measures | undefined;
  readonly others?: boolean | undefined;
  readonly previous?: Measures | undefined;
  readonly change?: Readonly<Record<string, string | null>> | undefined;
}

/** An answer of groups, as `query_documents` gives it. */
export interface AnsweredGroups extends Answered {
  readonly rows: readonly GroupRow[];
  readonly sums: readonly (Omit<GroupRow, 'group'> & { readonly document: string })[];
  readonly total_groups: number;
  readonly meanings?: Readonly<Record<string, 'documents' | 'items'>> | undefined;
  readonly compared_with?:
    | { readonly from: string; readonly to: string; readonly complete: boolean }
    | undefined;
}

/** One kind of document of an answer: its rows, its sums, and the measure that the page is about. */
export interface KindGroups {
  readonly area: string;
  readonly groupBy: readonly string[];
  readonly measures: readonly string[];
  readonly main: string;
  /** Measures of which rows are parts. */
  readonly parts: readonly string[];
  readonly rows: readonly GroupRow[];
  readonly others: GroupRow | undefined;
  readonly sums: Measures;
  readonly sumsWhole: AnsweredGroups['sums'][number] | undefined;
}

const parties = ['issuer', 'recipient', 'counterparty', 'payer'];
const counts = new Set(['count', 'items', 'quantity', 'weight']);

type MeasureName = Parameters<typeof sharedMeasures>[0][number];

/** The rows of each kind of document, which are never added up together. */
export function kindsOf(answer: AnsweredGroups, { call, subject }: Asked): KindGroups[] {
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  const basis = Object.values(answer.meanings ?? {}).includes('items') ? 'items' : 'documents';
  const areas = answer.sums.length > 0 ? answer.sums.map(({ document }) => document) : subject.areas;
  const order = String(call.args.order_by ?? '').replace(/^[-+]/, '');
  return areas.map((area) => {
    const own = answer.rows.filter(({ document = area }) => document === area);
    const sumsWhole = answer.sums.find(({ document }) => document === area);
    const sums = sumsWhole?.measures ?? {};
    const rows = own.filter(({ others }) => others !== true);
    const measures = [
      ...new Set([sums, ...rows.map((row) => row.measures)].flatMap((one) => Object.keys(one))),
    ];
    const parts = sharedMeasures(measures as MeasureName[], basis) as string[];
    const main = [order, 'total', 'due', 'services', ...parts, ...measures].find((name) =>
      measures.includes(name),
    );
    const isCut = areas.length === 1 ? rows.length < answer.total_groups : answer.next_cursor !== undefined;
    const rest = own.find(({ others }) => others === true);
    const left: GroupRow = {
      group: {},
      measures: plain(
        othersThan(
          rows.map((row) => row.measures),
          sums,
          parts as MeasureName[],
        ),
      ),
    };
    return {
      area,
      groupBy,
      measures,
      main: main ?? 'count',
      parts,
      rows,
      sums,
      sumsWhole,
      others: isCut && groupBy.length > 0 ? (rest ?? left) : undefined,
    };
  });
}

function plain(measures: object): Measures {
  return Object.fromEntries(
    Object.entries(measures).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** `NF-e`, `notas`: what is counted. */
export function counted(area: string, count: string | number, { page }: Voice): string {
  return page(
    area === 'nfe' ? 'count.nfe' : area === 'nfse' || area === 'cte' ? 'count.other' : 'count.documents',
    {
      count: Number(count),
      kind: kindName(area),
    },
  );
}

/** The value of a group in words. */
export function groupText(grouping: string, row: GroupRow, area: string, { speak }: Asked): Text {
  const value = row.group[grouping];
  const name = row.group[`${grouping}_name`];
  if (name !== undefined) return name;
  if (value === undefined || value === '') return speak(({ page }) => page('none_given'));
  if (parties.includes(grouping)) return maskTaxId(value);
  if (/month$|^competence$/.test(grouping)) return speak(({ month }) => month(value));
  if (/week$/.test(grouping)) return speak(({ page, shortDay }) => page('week_of', { day: shortDay(value) }));
  if (/day$/.test(grouping)) return speak(({ day }) => day(value));
  if (grouping === 'kind') return kindName(value);
  if (grouping === 'status') return speak(({ tell }) => tell(`status.${value}` as 'status.authorized', {}));
  if (grouping === 'purpose' && area !== 'nfe') return value;
  if (['nature', 'regime', 'purpose', 'event'].includes(grouping))
    return speak(({ name: named }) =>
      value
        .split('+')
        .map((one) => named(grouping, one.trim()))
        .join(', '),
    );
  return value;
}

/** How a measure is written, and where it goes in a narrow window. */
export function measureColumn(name: string, place: Column['place'], { speak }: Asked, area: string): Column {
  const isCount = counts.has(name);
  const heading = speak((voice) => {
    if (name === 'count') return voice.page(area === 'nfe' ? 'column.notes' : 'column.documents');
    return isCount
      ? voice.name('column', name)
      : voice.page('column.reais', { name: voice.name('column', name) });
  });
  const label =
    name === 'count'
      ? pageMessages[area === 'nfe' ? 'label.notes' : 'label.documents']
      : speak((voice) => `${voice.name('column', name)} {value}`);
  return { name, heading, kind: isCount ? 'number' : 'money', place, label };
}

/** A measure of a row; quantities in several units stand one beside the other. */
function measureText({ measures, unit, quantities = [] }: GroupRow, name: string): string | undefined {
  const value = measures[name];
  if (value !== undefined) return name === 'quantity' && unit !== undefined ? `${value} ${unit}` : value;
  if (!isItemOnlyMeasure(name)) return undefined;
  return (
    quantities.flatMap((one) => (one[name] === undefined ? [] : `${one[name]} ${one.unit}`)).join(' | ') ||
    undefined
  );
}

const dayRanges: Readonly<Record<string, (value: string) => readonly [string, string]>> = {
  day: (day) => [day, day],
  week: (day) => [day, addDays(day, 6)],
  month: (month) => [firstDay(month), lastDay(month)],
};

/** First and last day of a group of time; undefined for another grouping. */
export function daysOfGroup(grouping: string, value: string): readonly [string, string] | undefined {
  return dayRanges[grouping]?.(value);
}

const filterNames: Readonly<Record<string, string>> = { issuer_root: 'issuer', recipient_root: 'recipient' };
/** Groups that no filter lets in. */
const withoutFilter = new Set(['kind', 'item']);

/** The question for the documents of a group; undefined where no filter lets in just these. */
export function documentsOf(row: GroupRow, area: string, { call, subject }: Asked): Call | undefined {
  const {
    group_by: groupBy = [],
    measures: _,
    order_by: __,
    limit: ___,
    share: ____,
    compare: _____,
    ...asked
  } = call.args;
  let args: Record<string, unknown> = { ...asked, document: area, from: subject.from, to: subject.to };
  for (const grouping of groupBy as readonly string[]) {
    const value = row.group[grouping];
    if (value === undefined || value === '' || withoutFilter.has(grouping)) return undefined;
    const days = daysOfGroup(grouping, value);
    const due = grouping.startsWith('due_') ? daysOfGroup(grouping.slice(4), value) : undefined;
    if (days !== undefined) {
      const [first, last] = days;
      args = {
        ...args,
        from: first > subject.from ? first : subject.from,
        to: last < subject.to ? last : subject.to,
      };
    } else if (due !== undefined) args = { ...args, due_from: due[0], due_to: due[1] };
    else args = { ...args, [filterNames[grouping] ?? grouping]: [value] };
  }
  return (groupBy as readonly string[]).length === 0 ? undefined : { tool: 'query_documents', args };
}

/** What the largest row is to the bars. */
export function barScale(rows: readonly GroupRow[], main: string): (row: GroupRow) => number | undefined {
  const values = rows.map((row) => row.measures[main] ?? '0');
  const largest = Number(values.reduce((most, one) => (compareDecimals(one, most) > 0 ? one : most), '0'));
  return ({ measures }) => {
    const value = Number(measures[main] ?? 0);
    return largest > 0 && value > 0 ? Math.max(0.5, Math.round((value / largest) * 1000) / 10) : undefined;
  };
}

export const differenceOf = (later: string | undefined, earlier: string | undefined): string | undefined =>
  later === undefined || earlier === undefined ? undefined : addDecimals([later, negateDecimal(earlier)]);

/** A group's cells: its values, measures, share and comparison. */
function cellsOf(row: GroupRow, kind: KindGroups, asked: Asked): Row['cells'] {
  const { area, groupBy, measures, main, parts, sums } = kind;
  const share =
    row.share?.[main] ??
    sharesOf(row.measures, sums, parts.includes(main) ? [main as MeasureName] : [])[main];
  return {
    ...Object.fromEntries(groupBy.map((one) => [one, groupText(one, row, area, asked)])),
    ...Object.fromEntries(groupBy.map((one) => [`${one}_id`, row.group[`${one}_name`] && row.group[one]])),
    ...Object.fromEntries(measures.map((name) => [name, measureText(row, name)])),
    share,
    difference: differenceOf(row.measures[main], row.previous?.[main]),
    change: row.change?.[main] ?? undefined,
    previous: row.previous?.[main],
  };
}

function columnsOf(kind: KindGroups, answer: AnsweredGroups, asked: Asked): Column[] {
  const { groupBy, measures, main, parts, area, rows } = kind;
  const { speak, subject } = asked;
  const groups = groupBy.flatMap((one, at): Column[] => {
    const heading = speak((voice) => {
      const noun = groupNoun(one, subject.direction, voice);
      return noun.charAt(0).toUpperCase() + noun.slice(1);
    });
    const isNamed = parties.includes(one) && rows.some(({ group }) => group[`${one}_name`] !== undefined);
    return [
      { name: one, heading, kind: 'text', place: at === 0 ? 'name' : 'below' },
      ...(isNamed ? [{ name: `${one}_id`, heading: 'CNPJ', kind: 'id', place: 'wide' } as const] : []),
    ];
  });
  const others = measures.filter((name) => name !== main && name !== 'count');
  const { compared_with: compared = subject } = answer;
  const isFair = typeof kind.sumsWhole?.change?.[main] === 'string';
  const hasPrevious = !isFair && rows.some(({ previous }) => previous !== undefined);
  return [
    ...groups,
    ...(measures.includes('count') && main !== 'count' ? [measureColumn('count', 'below', asked, area)] : []),
    measureColumn(main, 'value', asked, area),
    ...(parts.includes(main)
      ? [
          {
            name: 'share',
            heading: speak(({ page }) => page('column.share')),
            kind: 'share',
            place: 'below',
          } as const,
        ]
      : []),
    ...(isFair
      ? ([
          {
            name: 'difference',
            heading: speak((voice) =>
              voice.page('column.difference', { period: comparedName(compared, voice) }),
            ),
            kind: 'difference',
            place: 'wide',
          },
          { name: 'change', heading: '%', kind: 'change', place: 'below' },
        ] as const)
      : []),
    // Of what is incomplete the amounts are shown, and no variation.
    ...(hasPrevious
      ? [
          {
            name: 'previous',
            heading: speak((voice) => voice.page('column.reais', { name: comparedName(compared, voice) })),
            kind: 'money',
            place: 'wide',
          } as const,
        ]
      : []),
    ...others.map((name) => measureColumn(name, 'below', asked, area)),
  ];
}

/** The rows of a kind of document as a table, the largest bar for the largest row. */
export function groupTable(kind: KindGroups, answer: AnsweredGroups, asked: Asked): Table {
  const { groupBy, rows, others, sums, sumsWhole, main, area } = kind;
  const { speak, call } = asked;
  const bar = barScale(rows, main);
  const order = String(call.args.order_by ?? (others === undefined ? `-${main}` : groupBy[0]));
  const largestFirst = (one: GroupRow, other: GroupRow) =>
    compareDecimals(other.measures[main] ?? '0', one.measures[main] ?? '0');
  const sorted = order === `-${main}` ? rows.toSorted(largestFirst) : rows;
  const left = answer.total_groups - rows.length;
  const isOne = answer.sums.length < 2;
  const first = groupBy[0] ?? 'total';
  return {
    layout: 'rows',
    caption: kindName(area),
    hasHeading: !isOne,
    columns: columnsOf(kind, answer, asked),
    groups: [],
    rows: sorted.map((row): Row => {
      const code = row.group.cfop;
      const words = code === undefined ? undefined : cfopWords(code);
      return {
        cells: cellsOf(row, kind, asked),
        ...(words && { details: { cfop: words } }),
        opens: documentsOf(row, area, asked),
        bar: bar(row),
      };
    }),
    others: others && {
      cells: {
        ...cellsOf(others, { ...kind, groupBy: [] }, asked),
        [first]: speak(({ page }) =>
          isOne ? page('row.others', { count: left }) : page('row.others_of_kind'),
        ),
      },
    },
    total: {
      cells: {
        ...cellsOf(
          {
            group: {},
            measures: sums,
            previous: sumsWhole?.previous,
            change: sumsWhole?.change,
            unit: sumsWhole?.unit,
            quantities: sumsWhole?.quantities,
          },
          { ...kind, groupBy: [] },
          asked,
        ),
        [first]: speak(({ page }) => page('row.total')),
      },
    },
    // Ids put parties into an order that is none to the eye.
    sorted: {
      by: parties.includes(order) ? '' : order.replace(/^[-+]/, ''),
      descending: order.startsWith('-'),
    },
  };
}
