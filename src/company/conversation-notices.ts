/** Silence after which a caller counts as a new conversation: the protocol has no conversation id. */
const LONGEST_SILENCE_MS = 30 * 60_000;

/** Sentences remembered for all callers together. */
const MOST_NOTICES = 1_000;

/** When each once-per-conversation sentence was last said, by caller. */
export type NoticeTimes = Map<string, number>;

/** Returns a predicate: whether a once-per-conversation sentence is due. Stable within a call. */
export function noticeDue(
  notices: NoticeTimes,
  principal: string,
  now: () => number,
): (sentence: string) => boolean {
  const due = new Map<string, boolean>();
  return (sentence) => {
    const known = due.get(sentence);
    if (known !== undefined) return known;
    const key = `${principal} ${sentence}`;
    const last = notices.get(key);
    const isDue = last === undefined || now() - last > LONGEST_SILENCE_MS;
    if (notices.size >= MOST_NOTICES) notices.clear();
    notices.set(key, now());
    due.set(sentence, isDue);
    return isDue;
  };
}
