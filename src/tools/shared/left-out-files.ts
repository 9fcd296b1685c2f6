import type { LeftOutOfFiles, LeftOutReason } from '../../archive/files/left-out.ts';
import { asWord } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';

/** Files named for each reason. */
export const MOST_FILES_NAMED = 5;

/** How many files or parts of them gave no document for one reason, and some of them by name. */
export interface LeftOutGroup {
  readonly reason: LeftOutReason;
  readonly count: number;
  readonly named: readonly string[];
}

/** What an index knows of files without a document, by reason. */
export function knownGroups(leftOut: readonly LeftOutOfFiles[]): LeftOutGroup[] {
  return leftOut.map(({ reason, count, examples }) => {
    const named = examples.map(({ path, place }) => (place === undefined ? path : `${path}: ${place}`));
    return { reason, count, named: named.slice(0, MOST_FILES_NAMED) };
  });
}

/** A group in a line for a person. */
export function leftOutLine({ reason, count, named }: LeftOutGroup, { say }: Translator): string {
  const words = named.slice(0, MOST_FILES_NAMED).map(asWord);
  const names = count > words.length ? [...words, '…'] : words;
  return say('files.odd', { count, reason: say(`files.left_out.${reason}`), names: names.join(', ') });
}
