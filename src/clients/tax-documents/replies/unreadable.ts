/** What the layers of the decoder throw; the entry points make a `NotUnderstood` of it. Holds nothing of the reply. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** In a few words, e.g. `truncated`, `document 3: malformed`. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
