import * as z from 'zod';
import type { ReplyWarning } from '../../clients/documents/replies/results.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type Translator, warningLines } from '../../messages/index.ts';
import { sentences } from './answer-result.ts';
import { memoryShape, unlessEmpty } from './basis.ts';
import { texts } from './definition.ts';
import { periodOf, writeMoment } from './period.ts';
import { companyAsked } from './question.ts';

/** Output schema of a list's coverage. */
export const coverageShape = () => ({
  operation: z.string().describe('Upstream operation'),
  ...texts('company', 'from', 'to'),
  total: z.int().describe('How many in all'),
  shown: z.int(),
  next_cursor: z.string().optional(),
  ...memoryShape(),
  assumptions: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

/** Operation name when the user's files answered. */
export const FILES = 'files';

export interface Coverage {
  readonly operation: string;
  readonly company?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly total: number;
  readonly shown: number;
  readonly next_cursor?: string | undefined;
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
}

/** Coverage in the structured answer. */
export function coverageOutput({ assumptions, warnings, ...coverage }: Coverage) {
  return { ...coverage, assumptions: unlessEmpty(assumptions), warnings: unlessEmpty(warnings) };
}

/** Company and period of a list of the service, also as answers name them. @throws BadArguments, Unfulfilled */
export async function periodAsked(
  args: Parameters<typeof periodOf>[0] & Parameters<typeof companyAsked>[0],
  context: CallContext,
) {
  const company = await companyAsked(args, context);
  const period = periodOf(args, context);
  return {
    ...{ company, period },
    about: { company, from: writeMoment(period.from), to: writeMoment(period.to) },
  };
}

/** Format of dates on the wire, which the service does not document. */
export function dateAssumption({ company: { settings }, translator: { say } }: CallContext): string {
  const { dateFormat: date, timeFormat: time, timeZone: zone } = settings;
  return time === 'none'
    ? say('assumption.no_times', { date })
    : say('assumption.dates', { date, time, zone });
}

/** Warnings of a reply as sentences. */
export function replyWarnings(warnings: readonly ReplyWarning[], { tell }: Translator): string[] {
  return warnings.map(({ code, values }) => tell(`reply.${code}`, values));
}

/**
 * Opening sentences of a list: the question, the count, assumptions and oddities.
 * @param isWhole whether the service answered for every day; only then is "none" certain
 */
export function describeCoverage(
  coverage: Coverage,
  subject: string,
  translator: Translator,
  isWhole = coverage.operation !== FILES,
): string[] {
  const { say, period } = translator;
  const { company, from, to, total, shown, operation, next_cursor: cursor } = coverage;
  const about = sentences(
    subject,
    company !== undefined && say('cover.company', { company }),
    from !== undefined && to !== undefined && period({ from, to }),
  ).join(', ');
  const count = total === 0 && isWhole ? say('cover.none') : say('cover.count', { total, shown });
  const details = sentences(
    operation !== FILES && say('cover.operation', { operation }),
    coverage.assumptions,
    cursor !== undefined && say('cover.next', { cursor }),
  ).join('; ');
  return sentences(
    `${about}: ${count}.`,
    details !== '' && `(${details})`,
    warningLines(coverage.warnings, translator),
  );
}
