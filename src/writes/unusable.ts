/**
 * What keeps the journal and the spent confirmations can't be used, so no write may be sent. Carries no path and no
 * address.
 */
export abstract class RecordUnusable extends Error {
  abstract readonly kind: string;
  /** The system's or the database's code. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
