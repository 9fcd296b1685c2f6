import type { RuleCode } from '../../documents/rules/rule.ts';
import type { Message } from '../message.ts';

/** What is said of a rule: its title, what it found, and what to do about it. */
export interface RuleWords {
  readonly title: Message;
  readonly finding: Message;
  readonly todo: Message;
}

/** The words of some rules, by code. */
export type WordsByRule = { readonly [Code in RuleCode]?: RuleWords };

/** What is said of an amount under a code that has none, or of a code without the amount it stands for. */
export const amountUnderCode: Message = {
  'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
  en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
};

/** What to do about a file whose amounts contradict each other: only its issuer can correct it. */
export const askIssuer: Message = {
  'pt-BR': 'Não escriture antes de esclarecer com o emitente qual dos valores vale.',
  en: 'Do not book it before the issuer has said which of the amounts holds.',
};
