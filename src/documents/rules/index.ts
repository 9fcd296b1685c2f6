export { goodsExpectedBy, longestWait } from './carriage.ts';
export { type Checker, createChecker } from './checker.ts';
export type { Covered, Stretch } from './covered-days.ts';
export type { KnownNow, RegisteredEvent, RuleContext } from './facts.ts';
export { currentRules, type Judgement, judge } from './judgement.ts';
export type { Finding, Rule, RuleCode } from './rule.ts';
export { rules } from './table.ts';
