import { distance } from 'fastest-levenshtein';
import type { Selection } from '../../archive/archive.ts';
import { addDays, firstDay, lastDay, monthOf } from '../../archive/days.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Page, Press, Text } from '../../views/page.ts';
import type { Answered, Asked } from './answered.ts';
import { counted } from './groups.ts';
import { periodName } from './headings.ts';
import type { Voice } from './voice.ts';

/** How far back the nearest day with a document is looked for. */
const DAYS_BACK = 60;
/** Letters in which a name may differ from one that was meant. */
const MOST_TYPING_ERRORS = 2;

type Filters = ((voice: Voice) => string) | undefined;

const withoutFilters = ['document', 'cnpj', 'by', 'direction', 'group_by', 'measures', 'share', 'compare'];

function selectionOf({ company }: Answered, { subject, call }: Asked): Selection | undefined {
  const [area, ...others] = subject.areas;
  if (area === undefined || others.length > 0 || company.includes(',')) return undefined;
  const { from, to, direction } = subject;
  return {
    company,
    area,
    by: call.args.by === 'entry' ? 'entry' : 'issue',
    direction,
    from,
    to,
  } as Selection;
}

const partyFilters = ['issuer', 'recipient', 'counterparty', 'payer'] as const;

/** The name that comes closest to one that nobody has. */
async function closestName({ call, archive, resolved }: Asked) {
  const argument = partyFilters.find((name) => call.args[name] !== undefined);
  const unknown = resolved.find((one) => one.argument === argument && one.ids.length === 0);
  if (argument === undefined || unknown === undefined) return undefined;
  const given = unknown.given.toLowerCase();
  const near = (await archive.parties('', argument)).map(({ name }) => {
    const words = name.toLowerCase().split(' ');
    const beginning = words.slice(0, given.split(' ').length).join(' ');
    return { name, errors: distance(given, beginning) };
  });
  const [closest] = near.sort((one, other) => one.errors - other.errors);
  return closest !== undefined && closest.errors <= MOST_TYPING_ERRORS ? { argument, ...closest } : undefined;
}

/** The page of a question that no document answers, and that was looked at as far as it says. */
export async function emptyPage(
  answer: Answered,
  asked: Asked,
  filters: Filters,
): Promise<Pick<Page, 'heading' | 'answer' | 'figures' | 'tables' | 'reasons' | 'presses'>> {
  const { speak, subject, call, archive } = asked;
  const { from, to, direction } = subject;
  const selection = selectionOf(answer, asked);
  const gaps = [...(answer.missing ?? []), ...(answer.not_fetched_yet ?? [])];
  const kinds = subject.areas.map(kindName).join(', ');
  const side = direction === 'inbound' || direction === 'outbound' ? direction : 'any';
  const all = filters && selection && (await archive.list({ ...selection, limit: 1 })).total;
  const headingIn = (voice: Voice) => {
    const period = periodName(subject, voice);
    if (gaps.length > 0) return voice.page('empty.unknown', { kinds, period });
    if (filters === undefined) return voice.page(`empty.${side}`, { kinds, period });
    const words = filters(voice);
    return all
      ? voice.page('empty.of_all', {
          counted: counted(subject.areas[0] ?? '', all, voice),
          period,
          filters: words,
        })
      : voice.page('empty.filtered', { kinds, period, filters: words });
  };
  const closest = filters === undefined ? undefined : await closestName(asked);
  const before = { from: addDays(from, -DAYS_BACK), to: addDays(from, -1) };
  const [nearest] =
    selection === undefined || filters !== undefined
      ? []
      : (
          await archive.list({
            ...selection,
            ...before,
            orderBy: { by: 'issued_at', descending: true },
            limit: 1,
          })
        ).documents;
  const day = nearest?.summary.issued_at?.slice(0, 10);
  const month = monthOf(from);
  const reasons: Text[] = [
    ...(all
      ? []
      : [
          speak(({ page }) =>
            page(
              from > subject.today
                ? 'empty.not_begun'
                : gaps.length > 0
                  ? 'empty.gaps'
                  : answer.source === 'files'
                    ? 'empty.files'
                    : 'empty.complete',
            ),
          ),
        ]),
    ...(day === undefined ? [] : [speak((voice) => voice.page('empty.nearest', { day: voice.day(day) }))]),
    ...(closest === undefined ? [] : [speak(({ page }) => page('empty.similar', { name: closest.name }))]),
  ];
  const isOfDays = from > firstDay(month) || to < lastDay(monthOf(to));
  const again = { tool: call.tool, args: call.args };
  const presses: Press[] = [
    ...(closest === undefined
      ? []
      : [
          {
            ...again,
            args: { ...call.args, [closest.argument]: [closest.name] },
            text: speak(({ page }) => page('press.use', { name: closest.name })),
          },
        ]),
    ...(filters === undefined
      ? []
      : [
          {
            ...again,
            args: {
              ...Object.fromEntries(
                withoutFilters.flatMap((name) =>
                  call.args[name] === undefined ? [] : [[name, call.args[name]]],
                ),
              ),
              from,
              to,
            },
            text: speak(({ page }) => page('press.unfilter')),
          },
        ]),
    ...(day === undefined
      ? []
      : [
          {
            ...again,
            args: { ...call.args, from: day, to: day },
            text: speak((voice) => voice.page('press.see', { period: voice.shortDay(day) })),
          },
        ]),
    ...(isOfDays && monthOf(to) === month
      ? [
          {
            ...again,
            args: { ...call.args, from: month, to: month },
            text: speak((voice) => voice.page('press.see', { period: voice.month(month) })),
          },
        ]
      : []),
  ];
  return { heading: speak(headingIn), answer: speak(headingIn), figures: [], tables: [], reasons, presses };
}
