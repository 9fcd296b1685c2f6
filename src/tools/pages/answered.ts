import type { Archive } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import { dayInZone } from '../../documents/days.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Call, Notice, Page, Press, Text } from '../../views/page.ts';
import { daysIn, type Subject } from './headings.ts';
import type { Speak, Voice } from './voice.ts';

interface Days {
  readonly document: string;
  readonly from: string;
  readonly to: string;
}

/** What every answer about a period says, of what its tool answers. */
export interface Answered {
  readonly company: string;
  readonly from: string;
  readonly to: string;
  readonly documents: number;
  readonly complete: boolean;
  readonly missing?: readonly (Days & { readonly reason: string })[] | undefined;
  readonly not_fetched_yet?: readonly Days[] | undefined;
  readonly left_out?: readonly { readonly reason: string; readonly count: number }[] | undefined;
  readonly unreadable?: readonly object[] | undefined;
  readonly as_of?: string | undefined;
  readonly source?: string | undefined;
  readonly next_cursor?: string | undefined;
}

/** What a page about a period is made from beside the answer. */
export interface Asked {
  readonly call: Call;
  readonly archive: Archive;
  readonly speak: Speak;
  readonly subject: Subject;
  /** What the answer rests on, in full. */
  readonly sentences: readonly Text[];
  /** Whom names were taken for. */
  readonly resolved: readonly {
    readonly argument: string;
    readonly given: string;
    readonly ids: readonly string[];
    readonly names: readonly string[];
  }[];
  readonly context: CallContext;
}

/** Arguments as a call gives them again: names as they were given, and what only said where a page begins left out. */
export function askedAgain(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isGiven = (value: unknown): value is { given: string } =>
    typeof value === 'object' && value !== null && 'given' in value;
  const again = ([name, value]: [string, unknown]) => {
    if (value === undefined || name === 'cursor' || name === 'refresh') return [];
    return [[name, Array.isArray(value) ? value.map((one) => (isGiven(one) ? one.given : one)) : value]];
  };
  return Object.fromEntries(Object.entries(args).flatMap(again));
}

/** Today where the company is. */
export function todayOf({ company }: CallContext): string {
  return dayInZone(company.settings.timeZone, company.now());
}

/** Whose documents: with its name where a document gives it. */
export async function companyOf(company: string, archive: Archive): Promise<Page['company']> {
  const ids = company.split(', ');
  const names = ids.length === 1 ? await archive.names(ids) : undefined;
  return { id: ids.map(maskTaxId).join(', '), name: names?.get(company) };
}

/** A moment in few words: `22/11, 8h09`. */
function shortMoment(at: string, { shortDay, clock }: Voice, { company }: CallContext): string {
  const day = dayInZone(company.settings.timeZone, new Date(at));
  return `${shortDay(day)}, ${clock(at).replace(/ \(.*/, '').replace(/^0/, '')}`;
}

/** Ends a heading where days are missing: `, sem 3 dos 31 dias`. */
export function withoutDays(answer: Answered, { page }: Voice): string {
  const missing = daysIn([...(answer.missing ?? []), ...(answer.not_fetched_yet ?? [])], 0).count;
  return missing === 0 ? '' : page('heading.without_days', { missing, days: daysIn([answer], 0).count });
}

const MOST_DAYS_NAMED = 6;

function daysNotice(answer: Answered, { speak }: Asked): Notice[] {
  const { missing = [], not_fetched_yet: unread = [] } = answer;
  const named = (ranges: readonly Days[], { shortDay }: Voice) => {
    const { named: days, count } = daysIn(ranges, MOST_DAYS_NAMED);
    const rest = count > days.length ? ` … +${count - days.length}` : '';
    return { count, days: days.map(shortDay).join(', ') + rest };
  };
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            strong: speak((voice) => voice.page('notice.missing', named(missing, voice))),
            text: speak(({ page }) => page('notice.missing_reason', { reason: missing[0]?.reason ?? '' })),
          },
        ]),
    ...(unread.length === 0
      ? []
      : [{ strong: speak((voice) => voice.page('notice.unread', named(unread, voice))) }]),
  ];
}

/** What changes the reading of the page: days that are missing, data of another day, files alone. */
function noticesOf(answer: Answered, asked: Asked): Notice[] {
  const { speak, context, subject } = asked;
  const { as_of: at, source, unreadable = [] } = answer;
  const isOld =
    at !== undefined && dayInZone(context.company.settings.timeZone, new Date(at)) < subject.today;
  return [
    ...daysNotice(answer, asked),
    ...(isOld && source !== 'files'
      ? [
          {
            strong: speak((voice) => voice.page('notice.as_of', { at: shortMoment(at, voice, context) })),
            text: speak(({ page }) => page('notice.as_of_more')),
          },
        ]
      : []),
    ...(source === 'files' && answer.documents > 0
      ? [
          {
            strong: speak(({ page }) => page('notice.files')),
            text: speak(({ page }) => page('notice.files_more')),
          },
        ]
      : []),
    ...(unreadable.length > 0
      ? [{ strong: speak(({ page }) => page('notice.unreadable', { count: unreadable.length })) }]
      : []),
  ];
}

function basisLine(answer: Answered, { subject, context, call }: Asked, voice: Voice): string {
  const { page, day, tell } = voice;
  const { as_of: at, left_out: leftOut = [] } = answer;
  const by = call.args.by === 'entry' ? 'entry' : 'issue';
  const kinds = subject.areas.map(kindName).join(', ');
  const left = leftOut.map(({ reason, count }) =>
    tell(`left_out.${reason}` as 'left_out.cancelled', { count }),
  );
  return [
    page(`basis.${by}`, { kinds, from: day(subject.from), to: day(subject.to) }),
    ...(left.length > 0 ? [page('basis.left_out', { words: left.join(', ') })] : []),
    ...(at === undefined ? [] : [page('basis.as_of', { at: shortMoment(at, voice, context) })]),
  ].join(' · ');
}

/** A period of which some days are still to come. */
function toComeNotice({ speak, subject: { from, to, today } }: Asked): Notice[] {
  if (from > today || to <= today) return [];
  return [{ strong: speak(({ page, shortDay }) => page('notice.to_come', { day: shortDay(today) })) }];
}

/** What the page of every answer about a period has around its table. */
export function surroundings(answer: Answered, asked: Asked): Pick<Page, 'notices' | 'basis' | 'presses'> {
  const { speak, call, sentences } = asked;
  const gaps = [...(answer.missing ?? []), ...(answer.not_fetched_yet ?? [])];
  const notices = noticesOf(answer, asked);
  const again: Press[] =
    gaps.length > 0
      ? [{ ...call, text: speak(({ page }) => page('press.days', { count: daysIn(gaps, 0).count })) }]
      : notices.length > 0 && answer.source !== 'files'
        ? [
            {
              tool: call.tool,
              args: { ...call.args, refresh: true },
              text: speak(({ page }) => page('press.refresh')),
            },
          ]
        : [];
  return {
    notices: [...notices, ...toComeNotice(asked)],
    basis: { line: speak((voice) => basisLine(answer, asked, voice)), sentences },
    presses: again,
  };
}

/** The rest of an answer: as many rows again, or from where the text of the answer was cut on. */
export function morePress(
  answer: Answered,
  { call, speak }: Asked,
  { shown, total, most }: { readonly shown: number; readonly total: number; readonly most: number },
): Press[] {
  if (answer.next_cursor === undefined || shown >= total) return [];
  const limit = Number(call.args.limit ?? shown);
  const isCut = shown < limit || limit >= most;
  const args = isCut
    ? { ...call.args, cursor: answer.next_cursor }
    : { ...call.args, limit: Math.min(most, Math.max(limit * 2, 50)) };
  const text = speak(({ page }) => page(isCut ? 'press.next' : 'press.more'));
  return [{ tool: call.tool, args, text, isMore: true }];
}
