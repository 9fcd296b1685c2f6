/**
 * Why a text is not a document: `empty` has no element at all, `truncated` ends before its root is closed,
 * `too_deep` and `too_long` pass the limits.
 */
export type XmlErrorReason = 'empty' | 'truncated' | 'malformed' | 'doctype' | 'too_deep' | 'too_long';

/** A text that is not one whole well-formed document. The message holds nothing of the text. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly reason: XmlErrorReason;
  /** Characters from the start of this document to where it went wrong. */
  readonly position: number;

  constructor(reason: XmlErrorReason, position: number, detail = '') {
    super(`XML ${reason.replace('_', ' ')} at character ${position}${detail && ` (${detail})`}`);
    this.reason = reason;
    this.position = position;
  }
}
