import {
  type LeftOutOfFiles,
  type LeftOutReason,
  type LeftOutTally,
  leftOutReasons,
} from '../archive/files/left-out.ts';
import type { LookProgress, LookResult } from '../archive/files/look-over.ts';
import type { Company } from '../company/company.ts';
import { asWord } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { progressLine } from './progress-line.ts';

/** No deadline: a command reads the files to the end. */
const LONGEST_READING_MS = 24 * 3_600_000;
/** Interval of progress lines outside a terminal. */
const PACE_MS = 2_000;
/** Files named for each reason. */
const MOST_NAMED = 5;

/**
 * Reads the user's own files to the end, with progress on standard error, and places the documents of the company that
 * most of them share; undefined where no files are configured.
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

/** How many files or parts of them gave no document for one reason, and some of them by name. */
export interface LeftOutGroup {
  readonly reason: LeftOutReason;
  readonly count: number;
  readonly named: readonly string[];
}

/** A tally by reason. */
export function groupsOf({ counts, named }: LeftOutTally): LeftOutGroup[] {
  return leftOutReasons.flatMap((reason) => {
    const count = counts[reason] ?? 0;
    const places = named.flatMap((part) => (part.reason === reason ? (part.place ?? []) : []));
    return count === 0 ? [] : [{ reason, count, named: places.slice(0, MOST_NAMED) }];
  });
}

/** What an index knows of files without a document, by reason. */
export function knownGroups(leftOut: readonly LeftOutOfFiles[]): LeftOutGroup[] {
  return leftOut.map(({ reason, count, examples }) => {
    const named = examples.map(({ path, place }) => (place === undefined ? path : `${path}: ${place}`));
    return { reason, count, named: named.slice(0, MOST_NAMED) };
  });
}

/** A group in a line for a person. */
export function leftOutLine({ reason, count, named }: LeftOutGroup, { say }: Translator): string {
  const words = named.slice(0, MOST_NAMED).map(asWord);
  const names = count > words.length ? [...words, '…'] : words;
  return say('files.odd', { count, reason: say(`files.left_out.${reason}`), names: names.join(', ') });
}
