import { asWord } from '../documents/untrusted.ts';
import type { Language } from './message.ts';

/** Amounts, days and times as a person writes them. What is none is shown as a stranger's value. */
export interface Formats {
  /** An amount in reais, exactly as many decimals as it has and at least two: `R$ 1.234,56`, `BRL 1,234.56`. */
  money(amount: string): string;
  /** A day (`YYYY-MM-DD`, or the day that a longer text begins with) or a month: `20/11/2026`, `Nov 20, 2026`. */
  day(day: string): string;
  /** The time of a moment in the configured zone, with the zone's name: `19h22 (horário de Brasília)`. */
  clock(moment: string): string;
  /** Day and time of a moment in the configured zone. */
  moment(moment: string): string;
}

const decimal = /^-?\d+(?:\.\d+)?$/;
const beginsWithDay = /^(\d{4}-\d{2})(?:$|-(\d{2})(?!\d))/;

/** Making one takes a hundred times as long as using it. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([language, options]);
  const format = dateFormats.get(name) ?? new Intl.DateTimeFormat(language, options);
  dateFormats.set(name, format);
  return format;
}

/** A zone without summer time is called "standard" by Intl, which nobody says. */
function zoneName(language: Language, timeZone: string, at: Date): string {
  const parts = dateFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return name.replace(/ (?:Padrão|Standard)\b/, '').replace(/^Horário/, 'horário');
}

/** Writes a day or a month in a language. */
export function dayFormat(language: Language): Formats['day'] {
  const inUtc = (text: string, options: Intl.DateTimeFormatOptions) =>
    dateFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(text));
  return (text) => {
    const [, month, day] = beginsWithDay.exec(text) ?? [];
    if (month === undefined || Number.isNaN(Date.parse(`${month}-${day ?? '01'}`))) return asWord(text);
    if (day !== undefined) {
      return inUtc(`${month}-${day}`, language === 'en' ? { dateStyle: 'medium' } : {});
    }
    return inUtc(month, { year: 'numeric', month: language === 'en' ? 'short' : '2-digit' });
  };
}

/** The formats of a language, with moments on the clock of a time zone. */
export function createFormats(language: Language, timeZone: string): Formats {
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
  return {
    money(amount) {
      if (!decimal.test(amount)) return asWord(amount);
      moneyFormat ??= new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'BRL',
        currencyDisplay: language === 'en' ? 'code' : 'symbol',
        maximumFractionDigits: 10,
      });
      // As text it is formatted exactly, however large; a number would be rounded.
      return moneyFormat.format(amount as `${number}`).replace(/\u00a0/g, ' ');
    },
    day: dayFormat(language),
    clock: (moment) => ofMoment(moment, clock),
    moment: (moment) =>
      ofMoment(moment, (at) => {
        const options: Intl.DateTimeFormatOptions = language === 'en' ? { dateStyle: 'medium' } : {};
        const day = dateFormat(language, { ...options, timeZone }).format(at);
        return `${day}${language === 'en' ? ', ' : ' às '}${clock(at)}`;
      }),
  };
}
