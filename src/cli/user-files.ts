import type { LookProgress, LookResult } from '../archive/files/look-over.ts';
import type { Company } from '../company/company.ts';
import { progressLine } from './progress-line.ts';

/** Commands read files without a deadline. */
const LONGEST_READING_MS = 24 * 3_600_000;
/** Interval of progress lines outside a terminal. */
const PACE_MS = 2_000;

/**
 * Reads the user's files completely, with progress on standard error, and assigns documents to the company that most
 * of them share. Undefined if no files are configured.
 */
export async function readUserFiles(company: Company, signal: AbortSignal): Promise<LookResult | undefined> {
  const files = await company.files();
  if (files === undefined) return undefined;
  const line = progressLine(PACE_MS);
  const onProgress = ({ read, documents }: LookProgress) =>
    line.tell(company.translator.say('files.reading_progress', { read, documents }));
  const { result } = await files
    .ready({ deadline: Date.now() + LONGEST_READING_MS, signal, onProgress })
    .finally(line.end);
  const { company: owner } = await files.whose();
  if (owner !== undefined) await files.adopt(owner);
  return result;
}
