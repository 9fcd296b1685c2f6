/** Result of a call: structured data, and a compact text for readers. */
export interface Answer<Output> {
  readonly structured: Output;
  /** Lines; each is flattened to a single line. */
  readonly text: readonly string[];
}

/** A validated write that has not been sent. */
export interface Plan<Output> {
  /** Lines a person needs before confirming: the effect, its target, and whether it can be undone. */
  readonly preview: readonly string[];
  /** Facts besides the preview that the confirmation token signs: the exact payload and the earlier writes known. */
  readonly rests_on: unknown;
  /**
   * Sends the write. Called at most once, after confirmation.
   * @throws ConflictingWrite when another write came between preview and sending; nothing was sent
   */
  perform(): Promise<Answer<Output>>;
}

/** Another write to the same target came between preview and sending; nothing was sent. */
export class ConflictingWrite extends Error {
  constructor() {
    super('conflicting write');
    this.name = 'ConflictingWrite';
  }
}
