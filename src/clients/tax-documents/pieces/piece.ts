import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import type { Forms } from './forms.ts';
import type { ReplyLimits } from './limits.ts';

/**
 * What is inside all the packing and quoting of a reply, in order, the same for XML and JSON: a frame of named elements
 * with values, documents standing in it, or bare text.
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
  /** A document that can't be read, in the place where it stood; what follows it can. */
  | ({ readonly kind: 'unreadable' } & UnreadablePart)
  /** A file of a zip begins, for who takes documents. */
  | { readonly kind: 'file'; readonly name: string }
  /** Text outside of any frame, and whether there is more of it. In quotes it is known to be whole where it ends. */
  | { readonly kind: 'text'; readonly text: string; readonly isLast: boolean; readonly isQuoted: boolean }
  /** A string or an array with nothing in it. */
  | { readonly kind: 'empty'; readonly form: 'empty string' | 'empty array' }
  /** A PDF as it is, or an array of byte values, for who takes bytes. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** What stood in a document's place. */
export interface UnreadablePart {
  /** Its outermost element, where it has one. */
  readonly root?: string | undefined;
  /** What it is, where that is known, e.g. `MDF-e`. */
  readonly family?: string | undefined;
  /** In a few words, as in `Unreadable`. */
  readonly reason: string;
}

/** What a reader takes, beside frames and text. */
export interface Takes {
  /** Documents as such, also where others beside them can't be read; without it they are frames like any other. */
  readonly documents?: boolean;
  /** What a value that is XML itself (escaped or CDATA) says, instead of the value. */
  readonly markup?: boolean;
  /** Bare text that is long in parts as it comes; without it as a whole. */
  readonly textInParts?: boolean;
  /** A PDF, and a JSON array of byte values, as bytes. */
  readonly bytes?: boolean;
}

/** The decoding of one reply: what it is to give, and what it has met so far. */
export interface Reading {
  readonly limits: ReplyLimits;
  readonly takes: Takes;
  readonly forms: Forms;
  /** Documents that are behind, read or not. */
  documents: number;
  /** Whether the next one has begun. */
  isInDocument: boolean;
  /** The first characters of the text. */
  start: string;
}
