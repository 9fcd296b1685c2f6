import { fill, type Language, type Message, textIn, type ValuesOf } from '../message.ts';

/** Says the things of one part of the words, which is loaded with what says them. */
export type Words<M extends Readonly<Record<string, Message>>> = <K extends keyof M & string>(
  key: K,
  ...values: ValuesOf<M[K]> extends Record<string, never> ? [] : [values: ValuesOf<M[K]>]
) => string;

/** The words of a part that isn't in the catalogue, so that a start doesn't load them. */
export function wordsOf<M extends Readonly<Record<string, Message>>>(
  messages: M,
  language: Language,
): Words<M> {
  return (key, ...values) => {
    const message = messages[key];
    return message === undefined ? key : fill(textIn(message, language), values[0] ?? {});
  };
}
