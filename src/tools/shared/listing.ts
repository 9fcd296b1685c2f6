import * as z from 'zod';
import type { StoredDocument } from '../../archive/archive.ts';
import type { LeftOut } from '../../archive/ask/question.ts';
import { everyStatus } from '../../archive/references.ts';
import { type Listed, listKnown } from '../../archive/remember/listings.ts';
import type { Direction } from '../../clients/documents/operations.ts';
import type { ReplyWarning } from '../../clients/documents/replies/results.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type Translator, warningLines } from '../../messages/index.ts';
import type { FilesBasis } from './basis.ts';
import { memoryShape, unlessEmpty } from './memory-output.ts';

/** Output schema of a list's coverage. */
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
  const { say } = translator;
  const { company, from, to, total, shown, operation, next_cursor: cursor } = coverage;
  const about = [
    subject,
    ...(company === undefined ? [] : [say('cover.company', { company })]),
    ...(from === undefined || to === undefined ? [] : [translator.period({ from, to })]),
  ].join(', ');
  const count = total === 0 && isWhole ? say('cover.none') : say('cover.count', { total, shown });
  const details = [
    ...(operation === FILES ? [] : [say('cover.operation', { operation })]),
    ...coverage.assumptions,
    ...(cursor === undefined ? [] : [say('cover.next', { cursor })]),
  ];
  const warnings = warningLines(coverage.warnings, translator);
  return [`${about}: ${count}.`, ...(details.length > 0 ? [`(${details.join('; ')})`] : []), ...warnings];
}

/** A page of documents from the user's files. */
export interface FilesPage {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
  readonly leftOut: readonly LeftOut[];
  readonly basis: FilesBasis;
}

export interface FilesQuestion {
  readonly asked: Listed;
  readonly direction: Direction | undefined;
  readonly approvedOnly?: boolean | undefined;
  /** Only documents the service did not return. */
  readonly besideService?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the files' documents of a period. */
export async function listFromFiles(
  { asked, direction, approvedOnly, besideService, limit, offset }: FilesQuestion,
  basis: FilesBasis,
  context: CallContext,
): Promise<FilesPage> {
  const filters = {
    status: approvedOnly ? (['authorized'] as const) : everyStatus,
    ...(besideService && { source: ['files'] as const }),
  };
  const archive = await context.company.archive();
  const page = await listKnown(archive, asked, { direction, filters }, { limit, offset });
  return { documents: page.documents, total: page.total, leftOut: page.left_out, basis };
}
