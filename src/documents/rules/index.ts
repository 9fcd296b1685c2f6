export type { Covered, Stretch } from '../days.ts';
export { goodsExpectedBy, longestWait } from './carriage.ts';
export { createChecker, currentRules, type Judgement, judge } from './checker.ts';
export type { KnownNow, RegisteredEvent, RuleContext } from './facts.ts';
export type { Finding, Rule, RuleCode } from './rule.ts';
export { rules } from './table.ts';
