/** What a call answers: data for programs, and the same compactly for readers. */
export interface Answer<Output> {
  readonly structured: Output;
  readonly text: string;
}

/** A write that was checked and described, and not yet done. */
export interface Plan<Output> {
  /** What a person must know to say yes: what will happen, to what, what can't be undone. */
  readonly preview: string;
  /** Sends it. Called at most once, after the person's yes. */
  perform(): Promise<Answer<Output>>;
}
