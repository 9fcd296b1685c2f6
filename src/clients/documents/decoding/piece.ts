import type { OtherDocument } from '../../../documents/layouts/other-models.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';

/**
 * The content of a reply without its packing and quoting, in order, the same for XML and JSON: a frame of named
 * elements with values, documents in it, or bare text.
 */
export type Piece =
  /** `isRoot` for the outermost element of an XML text, in whatever it is quoted. */
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: XmlAttributes;
      readonly isRoot: boolean;
    }
  /** The text of an element without children, trimmed, not empty; between its `open` and `close`. */
  | { readonly kind: 'value'; readonly name: string; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  /** A document that is whole and well-formed; `xml` is its own text. */
  | { readonly kind: 'document'; readonly xml: string; readonly summary: DocumentSummary }
  /** A document that can't be read, in its place; what follows it can. */
  | ({ readonly kind: 'unreadable' } & UnreadablePart)
  /** A file of a zip begins; for readers of documents. */
  | { readonly kind: 'file'; readonly name: string }
  /** Text outside of any frame. In quotes it is known to be whole. */
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** A string or an array with nothing in it. */
  | { readonly kind: 'empty'; readonly form: 'empty string' | 'empty array' }
  /** A PDF as it is, or an array of byte values; for readers of bytes. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A part of a reply in a document's place that can't be read. */
export interface UnreadablePart {
  /** Its outermost element, where it has one. */
  readonly root?: string | undefined;
  /** What it is, where that is known, e.g. `MDF-e`. */
  readonly family?: string | undefined;
  readonly outline?: OtherDocument | undefined;
  /** In a few words, as in `Unreadable`. */
  readonly reason: string;
}
