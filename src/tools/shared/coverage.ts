import * as z from 'zod';
import type { ReplyWarning } from '../../clients/documents/replies/results.ts';
import type { CallContext } from '../../company/call-context.ts';
import { memoryShape } from '../../company/memory-output.ts';
import { type Translator, warningLines } from '../../messages/index.ts';

/** What every answer says about itself; part of the output schema of the tools that list. */
export const coverageShape = () => ({
  operation: z.string().describe('Upstream operation'),
  company: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  total: z.int().describe('How many in all'),
  shown: z.int(),
  next_cursor: z.string().optional(),
  ...memoryShape(),
  assumptions: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

/** What stands for an operation where the user's own files were asked. */
export const FILES = 'files';

export interface Coverage {
  operation: string;
  company?: string;
  from?: string;
  to?: string;
  total: number;
  shown: number;
  next_cursor?: string;
  assumptions: string[];
  warnings: string[];
}

/** What an answer says about itself as its data has it: without what is empty. */
export function coverageOutput({ assumptions, warnings, ...coverage }: Coverage) {
  return {
    ...coverage,
    assumptions: assumptions.length > 0 ? assumptions : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
  };
}

/** How dates were put on the wire, which the service does not document. */
export function dateAssumption({ company, translator }: CallContext): string {
  const { dateFormat: date, timeFormat: time, timeZone: zone } = company.settings;
  return time === 'none'
    ? translator.say('assumption.no_times', { date })
    : translator.say('assumption.dates', { date, time, zone });
}

/** The warnings of a reply as sentences. */
export function replyWarnings(warnings: readonly ReplyWarning[], translator: Translator): string[] {
  return warnings.map(({ code, values }) => translator.tell(`reply.${code}`, values));
}

/**
 * The sentences that open an answer: what was asked, how many there are, what was assumed, what is odd.
 *
 * @param isWhole whether the service answered for every day: only then is none an empty list of the service
 */
export function describeCoverage(
  coverage: Coverage,
  subject: string,
  translator: Translator,
  isWhole = coverage.operation !== FILES,
): string[] {
  const { company, from, to, total, shown, operation, next_cursor: cursor } = coverage;
  const about = [
    subject,
    ...(company === undefined ? [] : [translator.say('cover.company', { company })]),
    ...(from === undefined || to === undefined ? [] : [translator.period({ from, to })]),
  ].join(', ');
  const count =
    total === 0 && isWhole ? translator.say('cover.none') : translator.say('cover.count', { total, shown });
  const details = [
    ...(operation === FILES ? [] : [translator.say('cover.operation', { operation })]),
    ...coverage.assumptions,
    ...(cursor === undefined ? [] : [translator.say('cover.next', { cursor })]),
  ];
  const warnings = warningLines(coverage.warnings, translator);
  return [`${about}: ${count}.`, ...(details.length > 0 ? [`(${details.join('; ')})`] : []), ...warnings];
}
