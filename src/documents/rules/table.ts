import { carriageRules } from './carriage.ts';
import { deadlineRules } from './deadlines.ts';
import { duplicateRules } from './duplicates.ts';
import { laterEventRules } from './later-events.ts';
import { numberingRules } from './numbering.ts';
import { operationRules } from './operations.ts';
import { reformAmountRules } from './reform/amounts.ts';
import { classificationRules } from './reform/classification.ts';
import { reformEventRules } from './reform/events.ts';
import { missingGroupRules } from './reform/missing-groups.ts';
import type { Rule } from './rule.ts';
import { serviceRules } from './services.ts';
import { situationRules } from './situations.ts';
import { totalRules } from './totals.ts';

/** Every fiscal check there is, with its words, how grave it is, where it is from and, where it is dated, since when. */
export const rules: readonly Rule[] = [
  ...totalRules,
  ...operationRules,
  ...situationRules,
  ...serviceRules,
  ...missingGroupRules,
  ...classificationRules,
  ...reformAmountRules,
  ...duplicateRules,
  ...numberingRules,
  ...laterEventRules,
  ...deadlineRules,
  ...reformEventRules,
  ...carriageRules,
];
