import { distance } from 'fastest-levenshtein';
import type { Selection } from '../../archive/archive.ts';
import { addDays, firstDay, lastDay, monthOf } from '../../archive/days.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Page, Press } from '../../page/page.ts';
import { type About, type Answered, type Asked, gapsOf, surroundings } from './asked.ts';
import { counted } from './groups.ts';
import { filtersOf, givenFilters, periodName, present } from './voice.ts';

/** Days searched backwards for the nearest document. */
const DAYS_BACK = 60;
/** Typing errors up to which a name is suggested. */
const MOST_TYPING_ERRORS = 2;

const parties = ['issuer', 'recipient', 'counterparty', 'payer'] as const;

/** The known name closest to an unknown one, with its argument. */
async function closestName({ args, archive, resolved }: About) {
  const argument = parties.find((name) => (args as Record<string, unknown>)[name] !== undefined);
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
  const selection = {
    company,
    area,
    by,
    direction,
    from: from.slice(0, 10),
    to: to.slice(0, 10),
  } as Selection;
  if (hasFilters) return { closest, total: (await archive.list({ ...selection, limit: 1 })).total };
  const before = { from: addDays(selection.from, -DAYS_BACK), to: addDays(selection.from, -1) };
  const newest = { orderBy: { by: 'issued_at', descending: true }, limit: 1 } as const;
  const { documents } = await archive.list({ ...selection, ...before, ...newest });
  return { day: documents[0]?.summary.issued_at?.slice(0, 10) };
}

type Near = Awaited<ReturnType<typeof nearTo>>;

function headingOf(answer: Answered, asked: Asked, filters: string | undefined, total = 0): string {
  const { subject, voice } = asked;
  const { direction, areas } = subject;
  const period = periodName(subject, voice);
  const kinds = areas.map(kindName).join(', ');
  if (gapsOf(answer).length > 0) return voice.page('empty.unknown', { kinds, period });
  if (filters !== undefined && total > 0)
    return voice.page('empty.of_all', { counted: counted(areas[0] ?? '', total, voice), period, filters });
  if (filters !== undefined) return voice.page('empty.filtered', { kinds, period, filters });
  const side = direction === 'inbound' || direction === 'outbound' ? direction : 'any';
  return voice.page(`empty.${side}`, { kinds, period });
}

/** What was searched without result. */
function lookedAt(answer: Answered, { subject }: Asked) {
  if (subject.from > subject.today) return 'empty.not_begun';
  if (gapsOf(answer).length > 0) return 'empty.gaps';
  return answer.source === 'files' ? 'empty.files' : 'empty.complete';
}

/** Arguments kept when filters are removed. */
const withoutFilters = ['document', 'cnpj', 'by', 'direction', 'group_by', 'measures', 'share', 'compare'];

/** The page of an empty answer, which states what was searched. */
export function emptyPage(answer: Answered, asked: Asked, { total, day, closest }: Near): Page {
  const { subject, call, voice } = asked;
  const { page } = voice;
  const { from, to } = subject;
  const filters = filtersOf(asked);
  const heading = headingOf(answer, asked, filters, total);
  const month = monthOf(from);
  const isPartOfMonth = monthOf(to) === month && (from > firstDay(month) || to < lastDay(month));
  const press = (text: string, args: Press['args']): Press => ({ tool: call.tool, args, text });
  const kept = Object.entries(call.args).filter(([name]) => withoutFilters.includes(name));
  const around = surroundings(answer, asked);
  return {
    ...around,
    heading,
    answer: heading,
    figures: [],
    tables: [],
    reasons: present(
      !total && page(lookedAt(answer, asked)),
      day !== undefined && page('empty.nearest', { day: voice.day(day) }),
      closest && page('empty.similar', { name: closest.name }),
    ),
    presses: present(
      ...around.presses,
      closest &&
        press(page('press.use', { name: closest.name }), {
          ...call.args,
          [closest.argument]: [closest.name],
        }),
      filters !== undefined && press(page('press.unfilter'), { ...Object.fromEntries(kept), from, to }),
      day !== undefined &&
        press(page('press.see', { period: voice.shortDay(day) }), { ...call.args, from: day, to: day }),
      isPartOfMonth &&
        press(page('press.see', { period: voice.month(month) }), { ...call.args, from: month, to: month }),
    ),
  };
}
