import {
  type LeftOutOfFiles,
  type LeftOutReason,
  type LeftOutTally,
  leftOutReasons,
  noneLeftOut,
} from '../../archive/files/left-out.ts';
import type { FilesState } from '../../archive/files/user-files.ts';
import type { CallContext } from '../../company/call-context.ts';
import { asWord } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';

/** Files named per reason. */
const MOST_FILES_NAMED = 5;

/** Files, or parts of them, without a document for one reason. */
export interface LeftOutGroup {
  readonly reason: LeftOutReason;
  readonly count: number;
  readonly named: readonly string[];
}

/** Groups of an index's left-out files by reason. */
export function knownGroups(leftOut: readonly LeftOutOfFiles[]): LeftOutGroup[] {
  return leftOut.map(({ reason, count, examples }) => {
    const named = examples.map(({ path, place }) => (place === undefined ? path : `${path}: ${place}`));
    return { reason, count, named: named.slice(0, MOST_FILES_NAMED) };
  });
}

/** A tally by reason. */
export function groupsOf({ counts, named }: LeftOutTally): LeftOutGroup[] {
  return leftOutReasons.flatMap((reason) => {
    const count = counts[reason] ?? 0;
    const places = named.flatMap((part) => (part.reason === reason ? (part.place ?? []) : []));
    return count === 0 ? [] : [{ reason, count, named: places.slice(0, MOST_FILES_NAMED) }];
  });
}

/** A group as a line. */
export function leftOutLine({ reason, count, named }: LeftOutGroup, { say }: Translator): string {
  const words = named.slice(0, MOST_FILES_NAMED).map(asWord);
  const names = count > words.length ? [...words, '…'] : words;
  return say('files.odd', { count, reason: say(`files.left_out.${reason}`), names: names.join(', ') });
}

/** Links and folders too deep are not read: warnings, once a conversation and wherever nothing was found. */
export function passedOver(
  { result }: FilesState,
  documents: number,
  { isDue, translator }: CallContext,
): string[] {
  const groups = groupsOf(result?.odd ?? noneLeftOut);
  const isTold = groups.length > 0 && (isDue('files passed over') || documents === 0);
  return isTold ? groups.map((group) => `⚠ ${leftOutLine(group, translator)}`) : [];
}
