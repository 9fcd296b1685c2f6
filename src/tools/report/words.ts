import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import type { Translator } from '../../messages/index.ts';
import { type Words, wordsOf } from '../../messages/message.ts';
import type { Cell } from '../../report/model.ts';
import type { Measures, Sums } from './questions.ts';

/** What a report is written with: its words, and amounts, days and names as they stand in it. */
export interface Pen {
  readonly say: Words<typeof reportMessages>;
  readonly translator: Translator;
  /** An amount without its currency, which a heading names; a dash where there is none. */
  amount(value: string | undefined): string;
  /** A percentage with one decimal. */
  percent(value: string): string;
  money(value: string | undefined): string;
  day(day: string): string;
  /** A stranger's name on one line. */
  name(name: string | undefined): string | undefined;
  id(id: string | undefined): string;
}

const NONE = '–';

/** The pen of one language. */
export function createPen(translator: Translator): Pen {
  const { language } = translator;
  const decimals = (least: number, most: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most });
  const [amounts, percents] = [decimals(2, 10), decimals(1, 1)];
  const written = (format: Intl.NumberFormat, value: string) =>
    /^-?\d+(?:\.\d+)?$/.test(value)
      ? format.format(value as `${number}`).replace('-', '\u2212')
      : oneLine(value);
  return {
    say: wordsOf(reportMessages, language),
    translator,
    amount: (value) => (value === undefined ? NONE : written(amounts, value)),
    percent: (value) => `${written(percents, value)}%`,
    money: (value) => (value === undefined ? NONE : translator.money(value)),
    day: translator.day,
    name: (name) => (name === undefined || name === '' ? undefined : oneLine(name, longest.name)),
    id: (id) => (id === undefined || id === '' ? '' : maskTaxId(id)),
  };
}

/** The sum over all groups; nothing where no document counts. */
export function sumOf({ sums: [sum] }: Sums): Measures {
  return sum?.measures ?? {};
}

/** A cell that holds words alone. */
export function cell(text: string | undefined): Cell {
  return { text: text ?? '' };
}
