/** What makes an operation answer with status 400 instead of a string. */
export class BadRequest extends Error {}

/** What makes an operation answer with an envelope that carries a code other than success. */
export class RefusedInEnvelope extends Error {
  /** `cStat`, three digits. */
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}
