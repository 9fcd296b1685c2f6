export { goodsExpectedBy, longestWait } from './carriage.ts';
export { type Checker, createChecker } from './checker.ts';
export type { Covered, Stretch } from './covered-days.ts';
export type { RuleContext } from './facts.ts';
export type { Finding, Rule, RuleCode } from './rule.ts';
export { rules } from './table.ts';
