import type { CallContext } from '../../company/call-context.ts';
import { columnMessages } from '../../messages/apart/views/columns.ts';
import { pageMessages } from '../../messages/apart/views/pages.ts';
import { createTranslator, type Language, languages, type Translator } from '../../messages/index.ts';
import { textIn, type Words, wordsOf } from '../../messages/message.ts';
import type { Text } from '../../views/page.ts';

/** Says what pages say, in one language. */
export interface Voice extends Translator {
  readonly page: Words<typeof pageMessages>;
  /** A column or one of its values; with its name as it is where there is no word. */
  name(group: string, value: string): string;
  /** `12 de outubro` without the year where it is this one: `12/10`, `Oct 12`. */
  shortDay(day: string): string;
  /** `outubro`, and with its year where that isn't this one. */
  month(month: string): string;
  /** `18.63` as `18,6%`. */
  percent(text: string, isSigned?: boolean): string;
  /** An amount without its currency: `1.234,56`. */
  amount(text: string): string;
}

/** A text in both languages. */
export type Speak = (write: (voice: Voice) => string) => Text;

function voiceOf(language: Language, { company, translator }: CallContext): Voice {
  const { timeZone } = company.settings;
  const year = new Date(company.now()).getFullYear();
  const inUtc = (text: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(text));
  const number = (text: string, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(language, options).format(text as `${number}`).replace('-', '−');
  const columns: Readonly<Record<string, readonly [string, string]>> = columnMessages;
  return {
    ...(translator.language === language ? translator : createTranslator(language, timeZone)),
    page: wordsOf(pageMessages, language),
    name(group, value) {
      const key = `${group}.${value}`;
      const message = Object.hasOwn(columns, key) ? columns[key] : undefined;
      return message === undefined ? value.replaceAll('_', ' ') : textIn(message, language);
    },
    shortDay: (day) =>
      inUtc(
        day,
        language === 'en' ? { month: 'short', day: 'numeric' } : { month: '2-digit', day: '2-digit' },
      ),
    month: (month) =>
      inUtc(`${month}-01`, { month: 'long', ...(Number(month.slice(0, 4)) !== year && { year: 'numeric' }) }),
    percent: (text, isSigned = false) =>
      `${number(text, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: isSigned ? 'exceptZero' : 'auto' })}%`,
    amount: (text) => number(text, { minimumFractionDigits: 2, maximumFractionDigits: 10 }),
  };
}

/** Says each text of a page in both languages: the host's need not be the server's. */
export function createSpeak(context: CallContext): Speak {
  const voices = languages.map((language) => voiceOf(language, context));
  return (write) => {
    const [portuguese = '', english = ''] = voices.map(write);
    return portuguese === english ? portuguese : [portuguese, english];
  };
}

/** Sentences that are made for a whole call, in both languages. */
export async function sentencesInBoth(
  linesIn: (context: CallContext) => readonly string[],
  context: CallContext,
): Promise<Text[]> {
  const { translator, company } = context;
  const [portuguese = [], english = []] = languages.map((language) => {
    const isOwn = translator.language === language;
    const said = isOwn ? translator : createTranslator(language, company.settings.timeZone);
    return linesIn({ ...context, translator: said });
  });
  return portuguese.map((line, at): Text => [withWords(line, 'pt-BR'), withWords(english[at] ?? line, 'en')]);
}

/** A sentence with columns called by their words; other names, of files for one, stay. */
function withWords(line: string, language: Language): string {
  const columns: Readonly<Record<string, readonly [string, string]>> = columnMessages;
  return line.replace(/\b(?:icms|[a-z]+_[a-z_]+)\b(?!\.\w)/g, (name) => {
    const message = Object.hasOwn(columns, `column.${name}`) ? columns[`column.${name}`] : undefined;
    return message === undefined ? name : textIn(message, language);
  });
}
