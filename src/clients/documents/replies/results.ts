import type { OtherDocument } from '../../../documents/layouts/other-models.ts';
import type { Problem } from '../../../documents/problems.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { HttpReply } from '../../http/call.ts';

/** A successful reply whose body is still being received. */
export type ReplyBody = Omit<HttpReply, 'status'>;

/** Every remark the decoder can make. The catalogue has words for each under `reply.<code>`. */
export type ReplyWarningCode =
  | 'empty_reply'
  | 'count_differs'
  | 'odd_code'
  | 'duplicates'
  | 'keys_rejected'
  | 'text_between_keys'
  | 'unreadable'
  | 'others_left_out';

/** A remark about a reply that was understood, as data; the words are in the message catalogue. */
export interface ReplyWarning {
  readonly code: ReplyWarningCode;
  readonly values: Readonly<Record<string, string>>;
}

/** The three values that name an NFS-e for its download. */
export interface NfseIdentifier {
  readonly number: string;
  /** `YYYY-MM-DD` where the service's form was known (ISO or `dd/MM/yyyy`), else as it came. */
  readonly issue_date: string;
  readonly issuer_cnpj: string;
}

/** A text in a key's place that is not a valid key. */
export interface RejectedKey {
  readonly text: string;
  readonly problem: Problem;
}

export interface KeyList {
  readonly warnings: readonly ReplyWarning[];
  /** Checked access keys (44 positions) and national NFS-e keys (50), in the order they came, each once. */
  readonly keys: readonly string[];
  readonly identifiers: readonly NfseIdentifier[];
  readonly rejected: readonly RejectedKey[];
}

/**
 * The service's own checks of a document (`vIntegridade`, `vSefaz`, `vCadastral`), as they came; their values are not
 * documented (`-` is among them).
 */
export type ServiceChecks = Readonly<Partial<Record<'integrity' | 'sefaz' | 'registration', string>>>;

/** A document out of a reply. */
export interface ReceivedDocument {
  /** The document's own text as it stood, without its XML declaration. */
  readonly xml: string;
  readonly summary: DocumentSummary;
}

/**
 * Why a part of a reply is none of its documents: its layout is not known, it has neither key nor number, it is not
 * well-formed, it ends in the middle, it is no document at all (words, a page), or it is damaged in another way
 * (packing, encoding).
 */
export type UnreadableReason =
  | 'unknown_layout'
  | 'no_identity'
  | 'malformed'
  | 'truncated'
  | 'no_document'
  | 'damaged';

/** What stood in a reply in a document's place and could not be read; the others were. */
export interface UnreadableDocument {
  /** Which one it is among the documents of the reply, counted from 1, e.g. `3`; the name of its file in a ZIP. */
  readonly place: string;
  /** The local name of its outermost element, where it has one. */
  readonly root?: string | undefined;
  /** What it is, where that is known, e.g. `MDF-e`, `NFS-e SmarAPD`. */
  readonly family?: string | undefined;
  readonly reason: UnreadableReason;
  /** A whole document of another model, as far as it is read: nothing is wrong with it. */
  readonly outline?: OtherDocument | undefined;
}

/** A reply that has documents, all of them or with some that could not be read. */
interface WithDocuments {
  readonly warnings: readonly ReplyWarning[];
  /** In the order they came; none where the answer is complete. */
  readonly unreadable: readonly UnreadableDocument[];
}

export interface DocumentList extends WithDocuments {
  /** How many documents were handed over. */
  readonly count: number;
}

/** One document, with the events that came in the same reply. */
export interface SingleDocument extends WithDocuments, ReceivedDocument {
  /** The forms met from the outside in, e.g. `['json string', 'xml envelope retDownload']`. */
  readonly forms: readonly string[];
  readonly service_checks: ServiceChecks | undefined;
  /** The same document with another text: of several the fullest counts, and none is lost. */
  readonly otherContents: readonly ReceivedDocument[];
  readonly events: readonly ReceivedDocument[];
}

/** A PDF, or where to fetch it. The URL is a secret: it may carry a shared-access signature. */
export type Pdf = Uint8Array | { readonly url: string };

/** An NFS-e download: the document, its PDF, or both; never neither. */
export interface NfseDownload extends WithDocuments {
  readonly forms: readonly string[];
  readonly document?: ReceivedDocument;
  readonly service_checks?: ServiceChecks | undefined;
  /** See `SingleDocument`. */
  readonly otherContents: readonly ReceivedDocument[];
  readonly pdf?: Pdf;
}

/** The outcome of an event as the service reports it; the meaning of `success` is not documented. */
export interface EventRecord {
  readonly key?: string;
  readonly event?: string;
  readonly message?: string;
  readonly success?: number;
}

/** An undocumented answer: records where it is XML or JSON, else its text. */
export type Undocumented = { readonly warnings: readonly ReplyWarning[] } & (
  | {
      /** Flat, one per repeated element or array entry; names are dotted paths below it, attributes begin with `@`. */
      readonly records: readonly Readonly<Record<string, string>>[];
      /** The values beside the records, in the same form. */
      readonly around?: Readonly<Record<string, string>>;
      /** How many the envelope says there are (`Quantidade`). */
      readonly total?: number;
    }
  | {
      /** Cleaned, at most 20,000 characters. */
      readonly text: string;
      readonly truncated: boolean;
    }
);
