import type { Archive } from '../../archive/archive.ts';
import type { Period } from '../../archive/days.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Call, Notice, Page, Press } from '../../page/page.ts';
import { todayOf } from '../shared/period.ts';
import type { Resolved } from '../shared/resolve.ts';
import { daysIn, inBoth, present, type Subject, type Voice, withColumnWords } from './voice.ts';

/** Fields common to all answers about a period. */
export interface Answered extends Period {
  readonly company: string;
  readonly documents: number;
  readonly complete: boolean;
  readonly missing?: readonly (Period & { readonly reason: string })[] | undefined;
  readonly not_fetched_yet?: readonly Period[] | undefined;
  readonly left_out?: readonly { readonly reason: string; readonly count: number }[] | undefined;
  readonly unreadable?: readonly object[] | undefined;
  readonly as_of?: string | undefined;
  readonly source?: string | undefined;
  readonly next_cursor?: string | undefined;
}

/** The question behind an answer, from which its page is made. */
export interface About {
  readonly tool: Call['tool'];
  readonly args: object;
  readonly areas: readonly DocumentArea[];
  readonly direction?: string | undefined;
  readonly archive: Archive;
  /** Parties that names were resolved to. */
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

/** Arguments for repeating a call: names as given, without cursor and refresh. */
function askedAgain(args: object): Record<string, unknown> {
  const isGiven = (value: unknown): value is { given: string } =>
    typeof value === 'object' && value !== null && 'given' in value;
  const again = ([name, value]: [string, unknown]) => {
    if (value === undefined || name === 'cursor' || name === 'refresh') return [];
    return [[name, Array.isArray(value) ? value.map((one) => (isGiven(one) ? one.given : one)) : value]];
  };
  return Object.fromEntries(Object.entries(args).flatMap(again));
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
    return write({
      ...asked,
      voice,
      sentences: lines.map((line) => withColumnWords(line, voice.language)),
    });
  }, context);
}

/** Days without data: missing or not fetched yet. */
export function gapsOf({ missing = [], not_fetched_yet: unread = [] }: Answered): readonly Period[] {
  return [...missing, ...unread];
}

/** Ends a heading where days are missing: `, sem 3 dos 31 dias`. */
export function withoutDays(answer: Answered, { page }: Voice): string {
  const missing = daysIn(gapsOf(answer)).length;
  return missing === 0 ? '' : page('heading.without_days', { missing, days: daysIn([answer]).length });
}

const MOST_DAYS_NAMED = 6;

/** What changes the reading of the page: days that are missing, data of another day, files alone. */
function noticesOf(answer: Answered, { subject, voice }: Asked): Notice[] {
  const { page, shortDay, dayOf, time } = voice;
  const { as_of: at, source, missing = [], not_fetched_yet: unread = [], unreadable = [] } = answer;
  const named = (ranges: readonly Period[]) => {
    const days = daysIn(ranges);
    const first = days.slice(0, MOST_DAYS_NAMED).map(shortDay).join(', ');
    const rest = days.length - MOST_DAYS_NAMED;
    return { count: days.length, days: rest > 0 ? `${first} … +${rest}` : first };
  };
  const isOld = at !== undefined && dayOf(at) < subject.today && source !== 'files';
  return present<Notice>(
    missing.length > 0 && {
      strong: page('notice.missing', named(missing)),
      text: page('notice.missing_reason', { reason: missing[0]?.reason ?? '' }),
    },
    unread.length > 0 && { strong: page('notice.unread', named(unread)) },
    isOld && {
      strong: page('notice.as_of', { at: `${shortDay(dayOf(at))}, ${time(at)}` }),
      text: page('notice.as_of_more'),
    },
    source === 'files' &&
      answer.documents > 0 && { strong: page('notice.files'), text: page('notice.files_more') },
    unreadable.length > 0 && { strong: page('notice.unreadable', { count: unreadable.length }) },
  );
}

function basisLine(answer: Answered, { subject, call, voice }: Asked): string {
  const { page, day, tell, shortDay, dayOf, time } = voice;
  const { as_of: at, left_out: leftOut = [] } = answer;
  const by = call.args.by === 'entry' ? 'entry' : 'issue';
  const kinds = subject.areas.map(kindName).join(', ');
  const left = leftOut.map(({ reason, count }) =>
    tell(`left_out.${reason}` as 'left_out.cancelled', { count }),
  );
  return present(
    page(`basis.${by}`, { kinds, from: day(subject.from), to: day(subject.to) }),
    left.length > 0 && page('basis.left_out', { words: left.join(', ') }),
    at !== undefined && page('basis.as_of', { at: `${shortDay(dayOf(at))}, ${time(at)}` }),
  ).join(' · ');
}

/** The parts of a page around its tables. */
export function surroundings(
  answer: Answered,
  asked: Asked,
): Pick<Page, 'company' | 'notices' | 'basis' | 'presses'> {
  const { call, company, sentences, subject, voice } = asked;
  const { from, to, today } = subject;
  const gaps = daysIn(gapsOf(answer)).length;
  const notices = noticesOf(answer, asked);
  const refresh = { ...call, args: { ...call.args, refresh: true }, text: voice.page('press.refresh') };
  return {
    company,
    notices: present<Notice>(
      ...notices,
      from <= today && to > today && { strong: voice.page('notice.to_come', { day: voice.shortDay(today) }) },
    ),
    basis: { line: basisLine(answer, asked), sentences },
    presses: present<Press>(
      gaps > 0
        ? { ...call, text: voice.page('press.days', { count: gaps }) }
        : notices.length > 0 && answer.source !== 'files' && refresh,
    ),
  };
}

/** The rest of an answer: as many rows again, or from where the text of the answer was cut on. */
export function morePress(
  answer: Answered,
  { call, voice }: Asked,
  { shown, total, most }: { readonly shown: number; readonly total: number; readonly most: number },
): Press[] {
  if (answer.next_cursor === undefined || shown >= total) return [];
  const limit = Number(call.args.limit ?? shown);
  const isCut = shown < limit || limit >= most;
  const rest = isCut ? { cursor: answer.next_cursor } : { limit: Math.min(most, Math.max(limit * 2, 50)) };
  const text = voice.page(isCut ? 'press.next' : 'press.more');
  return [{ tool: call.tool, args: { ...call.args, ...rest }, text, isMore: true }];
}
