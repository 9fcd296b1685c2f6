import type { LeftOutOfFiles, LeftOutReason } from '../../archive/files/left-out.ts';
import { asWord } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';

/** Files named per reason. */
export const MOST_FILES_NAMED = 5;

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

/** A group as a line. */
export function leftOutLine({ reason, count, named }: LeftOutGroup, { say }: Translator): string {
  const words = named.slice(0, MOST_FILES_NAMED).map(asWord);
  const names = count > words.length ? [...words, '…'] : words;
  return say('files.odd', { count, reason: say(`files.left_out.${reason}`), names: names.join(', ') });
}
