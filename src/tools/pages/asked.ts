import { distance } from 'fastest-levenshtein';
import type { Archive, Selection } from '../../archive/archive.ts';
import { partyGroupings } from '../../archive/ask/question.ts';
import type { Direction, DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { addDays, firstDay, lastDay, monthOf, type Period } from '../../documents/days.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { pageMessages } from '../../messages/apart/pages.ts';
import type { Call, Notice, Page, Press } from '../../page/page.ts';
import type { QueryOutput } from '../query/rows.ts';
import type { basisShape } from '../shared/basis.ts';
import { todayOf } from '../shared/period.ts';
import type { Resolved } from '../shared/resolve.ts';
import {
  counted,
  daysIn,
  groupNoun,
  inBoth,
  isParty,
  periodName,
  present,
  type Subject,
  type Voice,
  withColumnWords,
} from './voice.ts';

/** Fields common to all answers about a period. */
export type Answered = Pick<QueryOutput, keyof ReturnType<typeof basisShape>>;

/** The question behind an answer, from which its page is made. */
export interface About {
  readonly tool: Call['tool'];
  readonly args: object;
  readonly areas: readonly DocumentArea[];
  readonly direction?: Direction | undefined;
  readonly archive: Archive;
  readonly resolved: readonly Resolved[];
  /** Sentences about the answer's basis, in the language of a call; the first repeats the question. */
  readonly linesIn: (context: CallContext) => readonly string[];
}

/** The question as tables need it, and their language. */
export interface Question {
  readonly call: Call;
  readonly subject: Subject;
  readonly voice: Voice;
}

/** The same for the whole page of an answer. */
export interface Asked extends Question {
  readonly company: Page['company'];
  readonly resolved: readonly Resolved[];
  readonly sentences: readonly string[];
}

/** Arguments that don't select documents within the period. */
const noFilters = new Set([
  ...['document', 'cnpj', 'from', 'to', 'by', 'direction', 'group_by', 'measures', 'share', 'compare'],
  ...['columns', 'order_by', 'limit', 'cursor', 'refresh', 'text_in', 'text_counts'],
]);

function filterValue(name: string, value: string, voice: Voice): string {
  if (name === 'min_total' || name === 'max_total') return voice.money(value);
  if (name === 'status') return voice.status(value);
  if (name === 'kind') return kindName(value);
  if (name.startsWith('due_')) return voice.day(value);
  return isParty(name) ? maskTaxId(value) : voice.name(name, value);
}

function givenFilters(args: object): [name: string, value: unknown][] {
  return Object.entries(args).filter(([name, value]) => value !== undefined && !noFilters.has(name));
}

/** The filters of a question in words; undefined for none. Some have words of their own, since they are no groupings. */
export function filtersOf({ call, resolved, subject, voice }: Asked): string | undefined {
  const words = givenFilters(call.args).map(([name, value]) => {
    const own = `filter.${name}`;
    const noun =
      own in pageMessages ? voice.pattern(own as 'filter.text') : groupNoun(name, subject.direction, voice);
    const names = resolved.filter(({ argument }) => argument === name).flatMap((one) => one.names);
    const isNamed = names.length > 0 && names.length <= 2;
    const values = [value].flat().map((one) => filterValue(name, String(one), voice));
    return `${noun} ${(isNamed ? names : values).join(', ')}`;
  });
  return words.length === 0 ? undefined : words.join('; ');
}

/** Arguments for repeating a call: names as given, without cursor and refresh. */
function askedAgain(args: object): Record<string, unknown> {
  const asGiven = (value: unknown) =>
    typeof value === 'object' && value !== null && 'given' in value ? value.given : value;
  const again = Object.entries(args).flatMap(([name, value]) =>
    value === undefined || name === 'cursor' || name === 'refresh'
      ? []
      : [[name, Array.isArray(value) ? value.map(asGiven) : value]],
  );
  return Object.fromEntries(again);
}

/** The page of an answer about a period, in both languages. */
export async function pageOfAnswer(
  { company, from, to }: Answered,
  { tool, args, areas, direction, archive, resolved, linesIn }: About,
  context: CallContext,
  write: (asked: Asked) => Page,
): Promise<Page> {
  const ids = company.split(', ');
  const names = ids.length === 1 ? await archive.partyNames(ids) : undefined;
  const asked = {
    company: { id: ids.map(maskTaxId).join(', '), name: names?.get(company) },
    call: { tool, args: { ...askedAgain(args), from, to } },
    resolved,
    subject: { areas, direction, from: from.slice(0, 10), to: to.slice(0, 10), today: todayOf(context) },
  };
  return inBoth((voice) => {
    const [, ...lines] = linesIn({ ...context, translator: voice });
    return write({ ...asked, voice, sentences: lines.map((line) => withColumnWords(line, voice.language)) });
  }, context);
}

/** Days without data: missing or not fetched yet. */
export function gapsOf({ missing = [], not_fetched_yet: unread = [] }: Answered): readonly Period[] {
  return [...missing, ...unread];
}

/** Ends a heading where days are missing: `, sem 3 dos 31 dias`. */
export function withoutDays(answer: Answered, { page }: Voice): string {
  const missing = daysIn(gapsOf(answer)).count;
  return missing === 0 ? '' : page('heading.without_days', { missing, days: daysIn([answer]).count });
}

const MOST_DAYS_NAMED = 6;

/** The parts of a page around its tables. Notices are what changes its reading: missing days, data of another day. */
export function surroundings(
  answer: Answered,
  { call, company, sentences, subject, voice }: Asked,
): Pick<Page, 'company' | 'notices' | 'basis' | 'presses'> {
  const { page, shortDay, day, dayOf, time } = voice;
  const { as_of: at, source, left_out: leftOut = [] } = answer;
  const { missing = [], not_fetched_yet: unread = [], unreadable = [] } = answer;
  const { from, to, today, areas } = subject;
  const named = (ranges: readonly Period[]) => {
    const { count, first } = daysIn(ranges, MOST_DAYS_NAMED);
    const days = first.map(shortDay).join(', ');
    const rest = count - first.length;
    return { count, days: rest > 0 ? `${days} … +${rest}` : days };
  };
  const moment = at && `${shortDay(dayOf(at))}, ${time(at)}`;
  const isOld = at !== undefined && dayOf(at) < today && source !== 'files';
  const notices = present<Notice>(
    missing.length > 0 && {
      strong: page('notice.missing', named(missing)),
      text: page('notice.missing_reason', { reason: missing[0]?.reason ?? '' }),
    },
    unread.length > 0 && { strong: page('notice.unread', named(unread)) },
    isOld && moment && { strong: voice.say('memory.as_of', { at: moment }), text: page('notice.as_of_more') },
    source === 'files' &&
      answer.documents > 0 && { strong: page('notice.files'), text: page('notice.files_more') },
    unreadable.length > 0 && { strong: page('notice.unreadable', { count: unreadable.length }) },
  );
  const left = leftOut.map(({ reason, count }) => voice.leftOut(reason, count));
  const line = present(
    page(call.args.by === 'entry' ? 'basis.entry' : 'basis.issue', {
      ...{ kinds: areas.map(kindName).join(', '), from: day(from), to: day(to) },
    }),
    left.length > 0 && page('basis.left_out', { words: left.join(', ') }),
    moment && page('basis.as_of', { at: moment }),
  ).join(' · ');
  const gaps = daysIn(gapsOf(answer)).count;
  const refresh = { ...call, args: { ...call.args, refresh: true }, text: page('press.refresh') };
  return {
    company,
    notices: present<Notice>(
      ...notices,
      from <= today &&
        to > today && { strong: voice.say('analysis.days_to_come', { today: shortDay(today) }) },
    ),
    basis: { line, sentences },
    presses: present<Press>(
      gaps > 0
        ? { ...call, text: page('press.days', { count: gaps }) }
        : notices.length > 0 && source !== 'files' && refresh,
    ),
  };
}

/** Days searched backwards for the nearest document. */
const DAYS_BACK = 60;
/** Typing errors up to which a name is suggested. */
const MOST_TYPING_ERRORS = 2;

/** The known name closest to an unknown one, with its argument. */
async function closestName({ args, archive, resolved }: About) {
  const argument = partyGroupings.find((name) => (args as Record<string, unknown>)[name] !== undefined);
  const unknown = resolved.find((one) => one.argument === argument && one.ids.length === 0);
  if (argument === undefined || unknown === undefined) return undefined;
  const given = unknown.given.toLowerCase();
  const near = (await archive.parties('', argument)).map(({ name }) => {
    const words = name.toLowerCase().split(' ');
    const beginning = words.slice(0, given.split(' ').length).join(' ');
    return { argument, name, errors: distance(given, beginning) };
  });
  const [closest] = near.sort((one, other) => one.errors - other.errors);
  return closest !== undefined && closest.errors <= MOST_TYPING_ERRORS ? closest : undefined;
}

/**
 * Suggestions for an empty answer: a similar name, the number of documents that the filters exclude, or else the last
 * earlier day with a document.
 */
export async function nearTo({ company, from, to }: Answered, about: About) {
  const { args, direction, areas, archive } = about;
  const hasFilters = givenFilters(args).length > 0;
  const closest = hasFilters ? await closestName(about) : undefined;
  const [area, ...others] = areas;
  if (area === undefined || others.length > 0 || company.includes(',')) return { closest };
  const by = 'by' in args && args.by === 'entry' ? 'entry' : 'issue';
  const days = { from: from.slice(0, 10), to: to.slice(0, 10) };
  const selection: Selection = { company, area, by, direction, ...days };
  if (hasFilters) return { closest, total: (await archive.list({ ...selection, limit: 1 })).total };
  const before = { from: addDays(days.from, -DAYS_BACK), to: addDays(days.from, -1) };
  const newest = { orderBy: { by: 'issued_at', descending: true }, limit: 1 } as const;
  const { documents } = await archive.list({ ...selection, ...before, ...newest });
  return { day: documents[0]?.summary.issued_at?.slice(0, 10) };
}

/** Arguments kept when filters are removed. */
const withoutFilters = ['document', 'cnpj', 'by', 'direction', 'group_by', 'measures', 'share', 'compare'];

/** The page of an empty answer, which states what was searched. */
export function emptyPage(
  answer: Answered,
  asked: Asked,
  { total = 0, day, closest }: Awaited<ReturnType<typeof nearTo>>,
): Page {
  const { subject, call, voice } = asked;
  const { page } = voice;
  const { from, to, areas, direction } = subject;
  const filters = filtersOf(asked);
  const hasGaps = gapsOf(answer).length > 0;
  const looked = { kinds: areas.map(kindName).join(', '), period: periodName(subject, voice) };
  const headingOf = () => {
    if (hasGaps) return page('empty.unknown', looked);
    if (filters !== undefined && total > 0)
      return page('empty.of_all', { counted: counted(areas[0] ?? '', total, voice), ...looked, filters });
    if (filters !== undefined) return page('empty.filtered', { ...looked, filters });
    return page(`empty.${direction ?? 'any'}`, looked);
  };
  const searched = () => {
    if (from > subject.today) return voice.say('analysis.not_begun', { today: voice.day(subject.today) });
    if (hasGaps) return page('empty.gaps');
    return page(answer.source === 'files' ? 'empty.files' : 'empty.complete');
  };
  const heading = headingOf();
  const month = monthOf(from);
  const isPartOfMonth = monthOf(to) === month && (from > firstDay(month) || to < lastDay(month));
  const press = (text: string, args: Press['args']): Press => ({ tool: call.tool, args, text });
  const see = (period: string, days: Period) =>
    press(page('press.see', { period }), { ...call.args, ...days });
  const kept = Object.entries(call.args).filter(([name]) => withoutFilters.includes(name));
  const around = surroundings(answer, asked);
  return {
    ...around,
    heading,
    answer: heading,
    figures: [],
    tables: [],
    reasons: present(
      total === 0 && searched(),
      day !== undefined && page('empty.nearest', { day: voice.day(day) }),
      closest && page('empty.similar', { name: closest.name }),
    ),
    presses: present(
      ...around.presses,
      closest && press(page('press.use', closest), { ...call.args, [closest.argument]: [closest.name] }),
      filters !== undefined && press(page('press.unfilter'), { ...Object.fromEntries(kept), from, to }),
      day !== undefined && see(voice.shortDay(day), { from: day, to: day }),
      isPartOfMonth && see(voice.month(month), { from: month, to: month }),
    ),
  };
}
