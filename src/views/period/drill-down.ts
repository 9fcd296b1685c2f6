import { textOf, type Unknown } from '../frame/reading.ts';
import type { Opening } from './columns.ts';

/** First and last day of a group of time, by what it is grouped by. */
export interface Times {
  readonly day: (value: string) => readonly [string, string];
  readonly week: (value: string) => readonly [string, string];
  readonly month: (value: string) => readonly [string, string];
}

const MS_PER_DAY = 86_400_000;

/** A day so many days later; the same text where it is no day. */
function later(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : new Date(at + days * MS_PER_DAY).toISOString().slice(0, 10);
}

function monthLater(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const at = new Date(Date.UTC(year, number - 1 + months, 1));
  return Number.isNaN(at.getTime()) ? month : at.toISOString().slice(0, 7);
}

/** A week is named by its Monday, a month by `YYYY-MM`. */
export const times: Times = {
  day: (day) => [day, day],
  week: (day) => [day, later(day, 6)],
  month: (month) => [`${month}-01`, later(`${monthLater(month, 1)}-01`, -1)],
};

/** The group of time before one. */
export function periodBefore(name: keyof Times, value: string): string {
  if (name === 'month') return monthLater(value, -1);
  return later(value, name === 'week' ? -7 : -1);
}

/** Groups whose value is the filter of another name, and those that no filter has. */
const filterNames: Readonly<Record<string, string>> = { issuer_root: 'issuer', recipient_root: 'recipient' };
const withoutFilter = new Set(['kind', 'item']);

/** The call that lists a group's documents: its values as filters, its time as first and last day. */
export function drillDown(group: Unknown, document: string, args: Unknown): Opening | undefined {
  const {
    group_by: _by,
    measures: _measures,
    order_by: _order,
    cursor: _cursor,
    limit: _limit,
    ...asked
  } = args;
  let filtered: Unknown = document === '' ? asked : { ...asked, document };
  for (const [name, given] of Object.entries(group)) {
    if (name.endsWith('_name')) continue;
    const value = textOf(given);
    if (value === undefined || withoutFilter.has(name)) return undefined;
    if (name in times) {
      const [first, last] = times[name as keyof Times](value);
      const { from, to } = filtered;
      const isDay = (text: unknown): text is string =>
        typeof text === 'string' && /^\d{4}-\d{2}-\d{2}/.test(text);
      filtered = {
        ...filtered,
        from: isDay(from) && from > first ? from : first,
        to: isDay(to) && to.slice(0, 10) < last ? to : last,
      };
    } else {
      filtered = { ...filtered, [filterNames[name] ?? name]: [value] };
    }
  }
  return Object.keys(group).length === 0 ? undefined : { what: 'group', args: filtered };
}
