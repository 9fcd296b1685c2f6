import { partyGroupings } from '../../archive/ask/question.ts';
import type { Direction, DocumentArea } from '../../archive/references.ts';
import { isAmong } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import {
  addDays,
  dayInZone,
  daysBetween,
  firstDay,
  lastDay,
  later,
  monthOf,
  type Period,
} from '../../documents/days.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { pageMessages } from '../../messages/apart/pages.ts';
import { columnMessages } from '../../messages/apart/views.ts';
import { createTranslator, type Language, languages, type Translator } from '../../messages/index.ts';
import { type Message, textIn, wordsOf } from '../../messages/message.ts';
import type { Column } from '../../page/page.ts';
import { todayOf } from '../shared/period.ts';

const columns: Readonly<Record<string, Message>> = columnMessages;

/** Word for a column or one of its values; undefined if there is none. */
function columnWord(name: string, language: Language): string | undefined {
  const message = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return message && textIn(message, language);
}

/** Words and formats of pages, in a translator's language. */
export function createVoice(translator: Translator, context: CallContext) {
  const { timeZone } = context.company.settings;
  const { language } = translator;
  const year = todayOf(context).slice(0, 4);
  const inUtc = (text: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(text));
  const number = (text: string, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(language, options).format(text as `${number}`).replace('-', '−');
  const shortDay: Intl.DateTimeFormatOptions =
    language === 'en' ? { month: 'short', day: 'numeric' } : { month: '2-digit', day: '2-digit' };
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return {
    ...translator,
    page: wordsOf(pageMessages, language),
    /** The words of a page with their placeholders. */
    pattern: (key: keyof typeof pageMessages) => textIn(pageMessages[key], language),
    status: (status: string) => translator.tell(`status.${status}` as 'status.authorized', {}),
    leftOut: (reason: string, count: number) =>
      translator.tell(`left_out.${reason}` as 'left_out.cancelled', { count }),
    /** Word for a column or one of its values; its name without underscores if there is none. */
    name: (group: string, value: string) =>
      columnWord(`${group}.${value}`, language) ?? value.replaceAll('_', ' '),
    /** `12 de outubro` without the year where it is this one: `12/10`, `Oct 12`. */
    shortDay: (day: string) => inUtc(day, shortDay),
    /** `outubro`, and with its year where that isn't this one. */
    month: (month: string) =>
      inUtc(`${month}-01`, { month: 'long', ...(!month.startsWith(year) && { year: 'numeric' }) }),
    /** The time of a moment, without its zone: `8h09`. */
    time: (moment: string) => translator.clock(moment).replace(/ \(.*/, '').replace(/^0/, ''),
    /** The day of a moment where the company is: `2026-10-12`. */
    dayOf: (moment: string | number) => dayInZone(timeZone, new Date(moment)),
    /** `18.63` as `18,6%`. */
    percent: (text: string, isSigned = false) =>
      `${number(text, { ...oneDecimal, signDisplay: isSigned ? 'exceptZero' : 'auto' })}%`,
    /** An amount without its currency: `1.234,56`. */
    amount: (text: string) => number(text, { minimumFractionDigits: 2, maximumFractionDigits: 10 }),
  };
}

export type Voice = ReturnType<typeof createVoice>;

/** Writes a page in both languages, since the host's may differ from the server's; texts that differ become pairs. */
export function inBoth<Page>(write: (voice: Voice) => Page, context: CallContext): Page {
  const { translator, company } = context;
  const [portuguese, english] = languages.map((language) => {
    const isOwn = translator.language === language;
    return write(
      createVoice(isOwn ? translator : createTranslator(language, company.settings.timeZone), context),
    );
  });
  return paired(portuguese, english) as Page;
}

function paired(one: unknown, other: unknown): unknown {
  if (one === other || typeof one !== typeof other) return one;
  if (typeof one === 'string') return [one, other];
  if (Array.isArray(one)) return one.map((part, at) => paired(part, (other as unknown[])[at]));
  if (typeof one !== 'object' || one === null) return one;
  const others = other as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, paired(part, others[name])]));
}

/** Replaces column names in a sentence by their words; other names, such as those of files, stay. */
export function withColumnWords(line: string, language: Language): string {
  return line.replace(
    /\b(?:icms|[a-z]+_[a-z_]+)\b(?!\.\w)/g,
    (name) => columnWord(`column.${name}`, language) ?? name,
  );
}

/** A column of a table. */
export function column(
  name: string,
  heading: string,
  kind: Column['kind'],
  place: Column['place'],
  label?: string,
): Column {
  return { name, heading, kind, place, label };
}

/** Drops absent parts, as in `condition && part`. */
export function present<Part>(...parts: readonly (Part | undefined | false | '')[]): Part[] {
  return parts.filter((part): part is Part => part !== undefined && part !== false && part !== '');
}

/** Subject of a question, for headings. */
export interface Subject extends Period {
  readonly areas: readonly DocumentArea[];
  readonly direction?: Direction | undefined;
  readonly today: string;
}

/** `Entradas`, `Serviços tomados`; without a direction the kinds of document. */
export function subjectName({ areas, direction }: Subject, { page }: Voice): string {
  if (direction === undefined) return areas.map(kindName).join(', ');
  const [area = 'nfe', ...others] = areas;
  return page(`subject.${direction}.${others.length > 0 ? 'all' : area}`);
}

/** `de outubro`, `de agosto a outubro`, `de 2026`, `de novembro, até dia 22`, or the days themselves. */
export function periodName({ from, to, today }: Subject, { page, month, day, shortDay }: Voice): string {
  const [first, last] = [monthOf(from), monthOf(to)];
  const [year = '', lastYear] = [from, to].map((one) => one.slice(0, 4));
  const beginsYear = from.endsWith('-01-01') && year === lastYear;
  if (from === to) return page('period.of', { time: day(from) });
  if (from === firstDay(first) && to === lastDay(last)) {
    if (beginsYear && to.endsWith('-12-31')) return page('period.of', { time: year });
    if (first === last) return page('period.of', { time: month(first) });
    return page('period.between', { from: month(first), to: month(last) });
  }
  if (from === firstDay(first) && to === today) {
    if (first === last)
      return page('period.month_under_way', { month: month(first), day: Number(to.slice(8)) });
    if (beginsYear) return page('period.year_under_way', { year, day: shortDay(to) });
  }
  return page('period.between', { from: day(from), to: day(to) });
}

/** The period before one, as `compare` names it: `setembro`, or its days. */
export function comparedName({ from, to }: Period, voice: Voice): string {
  const isMonth = from === firstDay(monthOf(from)) && to === lastDay(monthOf(from));
  return isMonth ? voice.month(monthOf(from)) : voice.period({ from, to });
}

/** Noun for a row of a grouping: `fornecedor`, `CFOP`. */
export function groupNoun(grouping: string, direction: string | undefined, { page, name }: Voice): string {
  const isOther = (party: string) => grouping === 'counterparty' || grouping === party;
  if (direction === 'inbound' && isOther('issuer')) return page('noun.supplier');
  if (direction === 'outbound' && isOther('recipient')) return page('noun.customer');
  const named = name('column', `${grouping}_name`);
  const word = named.endsWith(' name') ? name('column', grouping) : named;
  return /^.[A-Z]/.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1);
}

/** `por fornecedor`, `mês a mês`, `por CFOP e mês`. */
export function groupedBy(groupBy: readonly string[], direction: string | undefined, voice: Voice): string {
  const [only, ...others] = groupBy;
  if (others.length === 0 && (only === 'month' || only === 'week' || only === 'day'))
    return voice.page(`by.${only}`);
  const nouns = groupBy.map((one) => groupNoun(one, direction, voice));
  const list = new Intl.ListFormat(voice.language, { type: 'conjunction' }).format(nouns);
  return voice.page('by.groups', { groups: list });
}

/** Number of distinct days in the ranges, and the first `most` of them. Never lists all: a range may span centuries. */
export function daysIn(ranges: readonly Period[], most = 0) {
  const days = ranges.map(({ from, to }) => ({ from: from.slice(0, 10), to: to.slice(0, 10) }));
  const first: string[] = [];
  let [count, seen] = [0, ''];
  for (const { from, to } of days.sort((one, other) => (one.from < other.from ? -1 : 1))) {
    const begin = from > seen ? from : addDays(seen, 1);
    const own = Math.max(0, daysBetween(begin, to) + 1);
    for (let at = 0; at < own && first.length < most; at += 1) first.push(addDays(begin, at));
    count += own;
    seen = later(seen, to);
  }
  return { count, first };
}

/** A count with its noun: `3 notas`. */
export function counted(area: string, count: string | number, { page }: Voice): string {
  return page(area === 'nfe' ? 'count.nfe' : 'count.other', { count: Number(count), kind: kindName(area) });
}

export const isParty = isAmong(partyGroupings);
