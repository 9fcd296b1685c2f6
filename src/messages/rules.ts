import type { Rule } from '../documents/rules/index.ts';
import { fill, type Language, textIn } from './message.ts';

/** Tells of rules in one language; apart from the translator, since only a check needs their words. */
export interface RuleTeller {
  title(code: string): string;
  /** What was found, or what to do about it; what is more than one word of a document stands in quotes. */
  tell(code: string, part: 'finding' | 'todo', values: Readonly<Record<string, string | number>>): string;
}

/** A teller of these rules in one language. */
export function createRuleTeller(rules: readonly Rule[], language: Language): RuleTeller {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const words = (code: string, part: 'title' | 'finding' | 'todo') =>
    textIn(byCode.get(code)?.[part] ?? [code, code], language);
  return {
    title: (code) => words(code, 'title'),
    tell: (code, part, values) => fill(words(code, part), values, true),
  };
}
