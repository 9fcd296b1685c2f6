import type { RuleCode } from '../../documents/rules/rule.ts';
import type { Message } from '../message.ts';
import { amongWords } from './among.ts';
import { operationWords } from './operations.ts';
import { reformWords } from './reform.ts';
import type { RuleWords } from './rule-words.ts';
import { serviceWords } from './services.ts';
import { situationWords } from './situations.ts';
import { totalWords } from './totals.ts';

const words: Readonly<Record<RuleCode, RuleWords>> = {
  ...totalWords,
  ...operationWords,
  ...situationWords,
  ...serviceWords,
  ...reformWords,
  ...amongWords,
};

type RuleKey = `rule.${RuleCode}.${keyof RuleWords}`;

/** Titles of the fiscal checks, what is said of a finding, and what to do about it. */
export const ruleMessages = Object.fromEntries(
  Object.entries(words).flatMap(([code, { title, finding, todo }]) => [
    [`rule.${code}.title`, title],
    [`rule.${code}.finding`, finding],
    [`rule.${code}.todo`, todo],
  ]),
) as Readonly<Record<RuleKey, Message>>;
