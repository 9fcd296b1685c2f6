import { asWord, inQuotes, oneLine } from '../documents/untrusted.ts';

/** The languages a person can be answered in (`DFE_LANGUAGE`). */
export const languages = ['pt-BR', 'en'] as const;

export type Language = (typeof languages)[number];

/**
 * One text in Portuguese and in English. `{name}` stands for a value, `{name:grupo|grupos}` for the word that goes with
 * a number: the first for one, the second for the rest; also for none in Portuguese, where CLDR says otherwise and
 * people write "0 grupos". Values of services and documents stand in quotes: `"{name}"`. Each value is put in as one
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
 * Puts values into a text, each as one clean line. A placeholder without a value stays as it is, so that a mistake is
 * seen.
 *
 * @param ofStrangers the values come from documents or services: where the text has no quotes, they bring their own
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
