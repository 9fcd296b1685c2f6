/** A conversation is taken to be another one after so long a silence: the protocol names none. */
const LONGEST_SILENCE_MS = 30 * 60_000;

/** Sentences remembered at most, of all callers. */
const MOST_TOLD = 1_000;

/** When sentences that a conversation needs once were last due, by caller. */
export type Told = Map<string, number>;

/** Whether a sentence that a conversation needs once is due in a call: the same answer throughout the call. */
export function dueOnce(told: Told, principal: string, now: () => number): (sentence: string) => boolean {
  const due = new Map<string, boolean>();
  return (sentence) => {
    const known = due.get(sentence);
    if (known !== undefined) return known;
    const key = `${principal} ${sentence}`;
    const last = told.get(key);
    const isDue = last === undefined || now() - last > LONGEST_SILENCE_MS;
    if (told.size >= MOST_TOLD) told.clear();
    told.set(key, now());
    due.set(sentence, isDue);
    return isDue;
  };
}
