import type { Problem } from '../documents/problems.ts';
import { fill, type Language, type ValuesOf } from './message.ts';
import { problemMessages } from './problems.ts';

export { type Language, languages } from './message.ts';

/** Everything a person reads, in every language. */
export const catalogue = { ...problemMessages };

export type Catalogue = typeof catalogue;
export type MessageKey = keyof Catalogue;

type ValuesArgument<K extends MessageKey> =
  ValuesOf<Catalogue[K]> extends Record<string, never> ? [] : [values: ValuesOf<Catalogue[K]>];

/** Says things in one language. */
export interface Translator {
  readonly language: Language;
  say<K extends MessageKey>(key: K, ...values: ValuesArgument<K>): string;
  /** The words for a problem of the documents room. */
  problem(problem: Problem): string;
}

export function createTranslator(language: Language): Translator {
  return {
    language,
    say: (key, ...values) => fill(catalogue[key][language], values[0] ?? {}),
    problem: ({ code, values }) => fill(catalogue[`problem.${code}`][language], values),
  };
}
