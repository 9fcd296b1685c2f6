import type { CallContext } from '../../company/call-context.ts';
import { dayInZone } from '../../documents/days.ts';
import { pageMessages } from '../../messages/apart/pages.ts';
import { columnMessages } from '../../messages/apart/views.ts';
import { createTranslator, type Language, languages, type Translator } from '../../messages/index.ts';
import { type Message, textIn, wordsOf } from '../../messages/message.ts';
import type { Column } from '../../page/page.ts';

const columns: Readonly<Record<string, Message>> = columnMessages;

/** A word of a column or one of its values; undefined where there is none. */
function columnWord(name: string, language: Language): string | undefined {
  const message = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return message && textIn(message, language);
}

/** Says what pages say, in a translator's language. */
export function createVoice(translator: Translator, { company }: CallContext) {
  const { timeZone } = company.settings;
  const { language } = translator;
  const year = String(new Date(company.now()).getFullYear());
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
    /** A column or one of its values; with its name as it is where there is no word. */
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

/** Writes a page in both languages, since the host's need not be the server's; texts that differ stand as pairs. */
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

/** A sentence with columns called by their words; other names, of files for one, stay. */
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

/** The parts that are there: what stands behind `condition &&` is left out where the condition fails. */
export function present<Part>(...parts: readonly (Part | undefined | false | '')[]): Part[] {
  return parts.filter((part): part is Part => part !== undefined && part !== false && part !== '');
}
