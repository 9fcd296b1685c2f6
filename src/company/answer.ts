/** What a call answers: data for programs, and the same compactly for readers. */
export interface Answer<Output> {
  readonly structured: Output;
  /** Its lines. Each stays one, whatever stands in it. */
  readonly text: readonly string[];
}

/** A write that was checked and described, and not yet done. */
export interface Plan<Output> {
  /** What a person must know to say yes, line by line: what will happen, to what, what can't be undone. */
  readonly preview: readonly string[];
  /**
   * What must still be so when the yes comes, besides the preview's words: what is sent to the letter, and the earlier
   * writes that were known.
   */
  readonly rests_on: unknown;
  /**
   * Sends it. Called at most once, after the person's yes.
   * @throws Forestalled where something came between the preview and the sending; nothing was sent then
   */
  perform(): Promise<Answer<Output>>;
}

/** Between the preview and the sending another write to the same came first, so nothing was sent. */
export class Forestalled extends Error {
  constructor() {
    super('forestalled by another write');
    this.name = 'Forestalled';
  }
}
