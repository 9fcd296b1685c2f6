import type { Problem } from '../documents/problems.ts';
import { analysisMessages } from './analysis.ts';
import { answerMessages } from './answers.ts';
import { argumentMessages } from './arguments.ts';
import { commandLineMessages } from './command-line.ts';
import { manifestationMessages } from './manifestation.ts';
import { createFormats, fill, type Language, type Message, textIn, wordsOf } from './message.ts';
import { problemMessages } from './problems.ts';
import { serverMessages } from './server.ts';
import { upstreamMessages } from './upstream.ts';

export { type Language, languages } from './message.ts';

/** Everything a person reads, in every language, but for the words of rules, which are a room of their own. */
export const catalogue = {
  ...analysisMessages,
  ...answerMessages,
  ...argumentMessages,
  ...commandLineMessages,
  ...manifestationMessages,
  ...problemMessages,
  ...serverMessages,
  ...upstreamMessages,
};

export type Catalogue = typeof catalogue;
export type MessageKey = keyof Catalogue;

type Values = Readonly<Record<string, string | number>>;

export type Translator = ReturnType<typeof createTranslator>;

/** Says things in one language, with amounts, days and times as it writes them; moments by the clock of a zone (IANA). */
export function createTranslator(language: Language, timeZone = 'America/Sao_Paulo') {
  const tell = (key: MessageKey, values: Values): string => fill(textIn(catalogue[key], language), values);
  const quote = (key: MessageKey, values: Values): string =>
    fill(textIn(catalogue[key], language), values, true);
  const formats = createFormats(language, timeZone);
  return {
    ...formats,
    language,
    say: wordsOf(catalogue, language),
    /** `say` for a key that is only known at run time. */
    tell,
    /** `tell` for values of a document: more than one word is quoted. */
    quote,
    /** A message outside the catalogue, such as a rule's, with values as `written`. */
    textOf(message: Message, values: Values): string {
      const texts = Object.entries(values).map(([name, value]) => [name, formats.written(String(value))]);
      return fill(textIn(message, language), Object.fromEntries(texts));
    },
    /** Names of variables; a list among them is a choice: `A; B, C or D`. */
    variables(names: readonly (string | readonly string[])[]): string {
      const or = new Intl.ListFormat(language, { type: 'disjunction' });
      const isPlain = names.every((one) => typeof one === 'string');
      return names.map((one) => (typeof one === 'string' ? one : or.format(one))).join(isPlain ? ', ' : '; ');
    },
    /** A period by its first and last day or moment (`YYYY-MM-DD[THH:mm:ss]`): `01/11/2026 a 30/11/2026`. */
    period({ from, to }: { readonly from: string; readonly to: string }): string {
      const written = (bound: string, edge: string) => {
        const [day = '', time = edge] = bound.split('T');
        return time === edge ? formats.day(day) : `${formats.day(day)} ${time}`;
      };
      return tell('cover.period', { from: written(from, '00:00:00'), to: written(to, '23:59:59') });
    },
    /** The words for a problem of the documents room. */
    problem: ({ code, values }: Problem) => quote(`problem.${code}`, values),
  };
}

/** Warnings that a text shows; all of them are in the structured content. */
const SHOWN = 20;

/** Warnings as lines of a text, limited in number. */
export function warningLines(warnings: readonly string[], translator: Translator): string[] {
  const more = warnings.length - SHOWN;
  return [
    ...warnings.slice(0, SHOWN).map((warning) => `⚠ ${warning}`),
    ...(more > 0 ? [`⚠ ${translator.say('answer.more_warnings', { count: more })}`] : []),
  ];
}
