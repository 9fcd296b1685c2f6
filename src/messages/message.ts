import { asWord, inQuotes, oneLine } from '../documents/untrusted.ts';

/** The languages a person can be answered in (`DFE_LANGUAGE`). */
export const languages = ['pt-BR', 'en'] as const;

export type Language = (typeof languages)[number];

/**
 * One text in Portuguese and in English. `{name}` stands for a value, `{name:grupo|grupos}` for the word that goes with
 * a number: the first for one, the second for the rest; also for none in Portuguese, where CLDR says otherwise and
 * people write "0 grupos". Values of services and documents are in quotes: `"{name}"`. Each value is put in as one
 * line, and can't end its quotes.
 */
export type Message = readonly [portuguese: string, english: string];

/** The text of a message in one language. */
export function textIn(message: Message, language: Language): string {
  return message[language === 'en' ? 1 : 0];
}

type Inside<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Inside<Rest>
  : never;

type NameIn<Text extends string> = Text extends `${infer Name}:${string}` ? Name : Text;
type CountIn<Text extends string> = Text extends `${infer Name}:${string}` ? Name : never;

/** The values a message's words need; what a word depends on is a number. */
export type ValuesOf<M extends Message> = [Inside<M[1]>] extends [never]
  ? Record<string, never>
  : {
      readonly [Name in NameIn<Inside<M[1]>>]: Name extends CountIn<Inside<M[number]>>
        ? number
        : string | number;
    };

const placeholder = /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g;
/**
 * Fills in values, each as one clean line; a missing value leaves its placeholder. Values of strangers get
 * quotes.
 */
export function fill(
  text: string,
  values: Readonly<Record<string, string | number>>,
  ofStrangers = false,
): string {
  return text.replace(placeholder, (whole, name: string, singular?: string, plural?: string, at = 0) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (singular !== undefined && plural !== undefined) {
      return Number(value) === 1 ? singular : plural;
    }
    const line = oneLine(String(value));
    if (text[at - 1] === '"') return inQuotes(line);
    return ofStrangers ? asWord(line) : line;
  });
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const AMOUNT = /^-?\d+\.\d{2,}$/;
const beginsWithDay = /^(\d{4}-\d{2})(?:$|-(\d{2})(?!\d))/;

/** Making one takes a hundred times as long as using it. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([language, options]);
  const format = dateFormats.get(name) ?? new Intl.DateTimeFormat(language, options);
  dateFormats.set(name, format);
  return format;
}

/** Intl calls zones without summer time "standard", a word not in use. */
function zoneName(language: Language, timeZone: string, at: Date): string {
  const parts = dateFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return name.replace(/ (?:Padrão|Standard)\b/, '').replace(/^Horário/, 'horário');
}

/** Writes a day or a month in a language. */
export function dayFormat(language: Language) {
  const inUtc = (text: string, options: Intl.DateTimeFormatOptions) =>
    dateFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(text));
  return (text: string): string => {
    const [, month, day] = beginsWithDay.exec(text) ?? [];
    if (month === undefined || Number.isNaN(Date.parse(`${month}-${day ?? '01'}`))) return asWord(text);
    if (day !== undefined) {
      return inUtc(`${month}-${day}`, language === 'en' ? { dateStyle: 'medium' } : {});
    }
    return inUtc(month, { year: 'numeric', month: language === 'en' ? 'short' : '2-digit' });
  };
}

/**
 * Amounts, days and times as a person writes them in a language, with moments on the clock of a time zone. Invalid
 * values are quoted as untrusted text.
 */
export function createFormats(language: Language, timeZone: string) {
  const clock = (at: Date) => {
    const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const time = dateFormat(language, options).format(at);
    return `${language === 'pt-BR' ? time.replace(':', 'h') : time} (${zoneName(language, timeZone, at)})`;
  };
  const ofMoment = (moment: string, format: (at: Date) => string) => {
    const at = new Date(moment);
    return Number.isNaN(at.getTime()) ? asWord(moment) : format(at);
  };
  let moneyFormat: Intl.NumberFormat | undefined;
  let daysFormat: Intl.RelativeTimeFormat | undefined;
  const formats = {
    /** An amount in reais, exactly as many decimals as it has and at least two: `R$ 1.234,56`, `BRL 1,234.56`. */
    money(amount: string): string {
      if (!DECIMAL.test(amount)) return asWord(amount);
      moneyFormat ??= new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'BRL',
        currencyDisplay: language === 'en' ? 'code' : 'symbol',
        maximumFractionDigits: 10,
      });
      // As text it is formatted exactly, however large; a number would be rounded.
      return moneyFormat.format(amount as `${number}`).replace(/\u00a0/g, ' ');
    },
    /** A day (`YYYY-MM-DD`, or the day that a longer text begins with) or a month: `20/11/2026`, `Nov 20, 2026`. */
    day: dayFormat(language),
    /** The time of a moment in the configured zone, with the zone's name: `19h22 (horário de Brasília)`. */
    clock: (moment: string) => ofMoment(moment, clock),
    /** Days from today: `hoje`, `em 3 dias`, `há 5 dias`. */
    inDays(days: number): string {
      daysFormat ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
      return daysFormat.format(days, 'day');
    },
    /** Day and time of a moment in the configured zone. */
    moment: (moment: string) =>
      ofMoment(moment, (at) => {
        const options: Intl.DateTimeFormatOptions = language === 'en' ? { dateStyle: 'medium' } : {};
        const day = dateFormat(language, { ...options, timeZone }).format(at);
        return `${day}${language === 'en' ? ', ' : ' às '}${clock(at)}`;
      }),
    /** A value of undeclared kind: days and amounts are recognised by form, others are quoted as untrusted text. */
    written(value: string): string {
      if (DAY.test(value)) return formats.day(value);
      return AMOUNT.test(value) ? formats.money(value) : asWord(value);
    },
  };
  return formats;
}

/** A cell that a reader could take for the beginning of a sentence of ours, were it the first of its line. */
const WORDS = /^[^\d"].* /;

/** One line of comma-separated values, whatever is in them; quotes where a value needs them. */
export function csvLine(values: readonly (string | undefined)[]): string {
  return values
    .map((value = '') => oneLine(value))
    .map((value, index) =>
      /[",]/.test(value) || (index === 0 && WORDS.test(value)) ? `"${value.replaceAll('"', '""')}"` : value,
    )
    .join(',');
}

/** Fills the message of a key with its values. */
export type Words<M extends Readonly<Record<string, Message>>> = <K extends keyof M & string>(
  key: K,
  ...values: ValuesOf<M[K]> extends Record<string, never> ? [] : [values: ValuesOf<M[K]>]
) => string;

/** Returns `say` for a table of messages: the catalogue's, or one that a start need not load. */
export function wordsOf<M extends Readonly<Record<string, Message>>>(
  messages: M,
  language: Language,
): Words<M> {
  return (key, ...values) => {
    const message = messages[key];
    return message === undefined ? key : fill(textIn(message, language), values[0] ?? {});
  };
}
