import type { StoredDocument } from '../archive/archive.ts';
import type { LeftOut } from '../archive/ask/question.ts';
import { type Listed, listKnown } from '../archive/remember/listings.ts';
import { everyStatus } from '../archive/scope.ts';
import type { Direction } from '../clients/documents/parameters.ts';
import type { CallContext } from '../company/call-context.ts';
import { type FilesBasis, readUserFiles } from '../company/files-basis.ts';

/** What is asked of the files. */
export interface FilesQuestion {
  readonly asked: Listed;
  readonly direction: Direction | undefined;
  readonly approvedOnly?: boolean | undefined;
  /** Whether only what the service did not give is wanted. */
  readonly besideService: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly refresh?: boolean | undefined;
}

/** A page of what the user's files hold. */
export interface FilesPage {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
  readonly leftOut: readonly LeftOut[];
  readonly basis: FilesBasis;
}

/** Whether lists by day of issue come from the user's files alone, since there is no service to ask. */
export async function isFromFilesAlone({ company }: CallContext, by: Listed['by']): Promise<boolean> {
  return !company.hasService && by === 'issue' && (await company.files()) !== undefined;
}

/** A page of the documents that the files hold of a period; undefined where no files are configured. */
export async function listFromFiles(
  question: FilesQuestion,
  context: CallContext,
): Promise<FilesPage | undefined> {
  const { asked, direction, approvedOnly = false, besideService, limit, offset, refresh } = question;
  const deadline = context.deadline.fetchBy;
  const basis = await readUserFiles(asked.company, { deadline, refresh }, context);
  if (basis === undefined) return undefined;
  const archive = await context.company.archive();
  const filters = {
    status: approvedOnly ? (['authorized'] as const) : everyStatus,
    ...(besideService ? { source: ['files'] as const } : {}),
  };
  const page = await listKnown(archive, asked, { direction, filters }, { limit, offset });
  return { documents: page.documents, total: page.total, leftOut: page.left_out, basis };
}

/** What of the period is not in the list, and why. */
export function leftOutSentences(leftOut: readonly LeftOut[], { translator }: CallContext): string[] {
  const words = leftOut
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => translator.say(`left_out.${reason}`, { count }));
  return words.length === 0 ? [] : [translator.say('analysis.left_out', { words: words.join(', ') })];
}
