export { type Checker, createChecker } from './checker.ts';
export type { Finding, Rule, RuleCode, RuleContext, Validity } from './rule.ts';
export { rules } from './table.ts';
