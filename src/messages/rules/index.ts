import type { RuleCode } from '../../documents/rules/rule.ts';
import { fill, type Language } from '../message.ts';
import { amongWords } from './among.ts';
import { operationWords } from './operations.ts';
import { reformWords } from './reform.ts';
import type { RuleWords } from './rule-words.ts';
import { serviceWords } from './services.ts';
import { situationWords } from './situations.ts';
import { totalWords } from './totals.ts';

/** Titles of the fiscal checks, what is said of a finding, and what to do about it. */
export const ruleWords: Readonly<Record<RuleCode, RuleWords>> = {
  ...totalWords,
  ...operationWords,
  ...situationWords,
  ...serviceWords,
  ...reformWords,
  ...amongWords,
};

/** Tells of rules in one language; apart from the translator, since only a check needs their words. */
export interface RuleTeller {
  title(rule: RuleCode): string;
  /** What was found, or what to do about it; what is more than one word of a document stands in quotes. */
  tell(rule: RuleCode, part: 'finding' | 'todo', values: Readonly<Record<string, string | number>>): string;
}

/** A teller of rules in one language. */
export function createRuleTeller(language: Language): RuleTeller {
  return {
    title: (rule) => ruleWords[rule].title[language],
    tell: (rule, part, values) => fill(ruleWords[rule][part][language], values, true),
  };
}
