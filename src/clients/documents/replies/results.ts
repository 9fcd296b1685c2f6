import type { UnreadFacts } from '../../../documents/layouts/other-models.ts';
import type { Problem } from '../../../documents/problems.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { HttpReply } from '../../http/call.ts';

/** A successful reply whose body is still being received. */
export type ReplyBody = Omit<HttpReply, 'status'>;

/** Warnings of the decoder, worded in the catalogue under `reply.<code>`. */
export type ReplyWarningCode =
  | 'empty_reply'
  | 'count_differs'
  | 'odd_code'
  | 'duplicates'
  | 'keys_rejected'
  | 'text_between_keys'
  | 'unreadable'
  | 'others_left_out';

/** A warning about an understood reply. */
export interface ReplyWarning {
  readonly code: ReplyWarningCode;
  readonly values: Readonly<Record<string, string>>;
}

/** The three values that identify an NFS-e for download, in tools as well. */
export interface NfseIdentifier {
  readonly number: string;
  /** `YYYY-MM-DD` for a known format (ISO or `dd/MM/yyyy`), else as received. */
  readonly issue_date: string;
  /** CNPJ or CPF without mask. */
  readonly issuer_cnpj: string;
}

/** An invalid key. */
export interface RejectedKey {
  readonly text: string;
  readonly problem: Problem;
}

export interface KeyList {
  readonly warnings: readonly ReplyWarning[];
  /** Checked access keys (44 positions) and national NFS-e keys (50), in the order received, each once. */
  readonly keys: readonly string[];
  readonly identifiers: readonly NfseIdentifier[];
  /** The first invalid keys; a warning counts all. */
  readonly rejected: readonly RejectedKey[];
}

/**
 * The service's own checks of a document (`vIntegridade`, `vSefaz`, `vCadastral`), as received; their values are
 * undocumented (`-` is among them).
 */
export type ServiceChecks = Readonly<Partial<Record<'integrity' | 'sefaz' | 'registration', string>>>;

/** A document of a reply. */
export interface ReceivedDocument {
  /** The document's text as received, without its XML declaration. */
  readonly xml: string;
  readonly summary: DocumentSummary;
}

/**
 * Why a part of a reply is unreadable: unknown layout, neither key nor number, malformed, truncated, no document (a
 * message, a page), announced and not sent, or other damage (packing, encoding).
 */
export type UnreadableReason =
  | 'unknown_layout'
  | 'no_identity'
  | 'malformed'
  | 'truncated'
  | 'no_document'
  | 'not_sent'
  | 'damaged';

/** An unreadable part of a reply in a document's place. */
export interface UnreadableDocument extends UnreadFacts {
  /** Its number among the reply's documents, from 1, e.g. `3`; in a ZIP the file's name. */
  readonly place: string;
  readonly reason: UnreadableReason;
}

/** A reply with documents, some perhaps unreadable. */
interface WithDocuments {
  readonly warnings: readonly ReplyWarning[];
  /** In the order received; empty for a complete reply. */
  readonly unreadable: readonly UnreadableDocument[];
}

export interface DocumentList extends WithDocuments {
  /** Documents yielded. */
  readonly count: number;
}

/** A PDF, or where to fetch it. The URL is a secret: it may carry a shared-access signature. */
export type Pdf = Uint8Array | { readonly url: string };

/** A download: a document, of an NFS-e also or only its PDF; never neither. */
export interface Download extends WithDocuments {
  readonly document: ReceivedDocument | undefined;
  readonly pdf: Pdf | undefined;
  readonly checks: ServiceChecks | undefined;
  /** Other texts of the same document: the fullest counts, and none is lost. */
  readonly otherContents: readonly ReceivedDocument[];
  /** Its events in the same reply. */
  readonly events: readonly ReceivedDocument[];
  /** Forms detected, from the outside in, e.g. `['json string', 'xml envelope retDownload']`. */
  readonly forms: readonly string[];
}

/** Outcome of an event, as reported; the meaning of `success` is undocumented. */
export interface EventRecord {
  readonly key?: string;
  readonly event?: string;
  readonly message?: string;
  readonly success?: number;
}

/** An undocumented reply: records for XML or JSON, else its text. */
export type Undocumented = { readonly warnings: readonly ReplyWarning[] } & (
  | {
      /** Flat, one per repeated element or array entry; names are dotted paths below it, attributes begin with `@`. */
      readonly records: readonly Readonly<Record<string, string>>[];
      /** Values outside the records, in the same form. */
      readonly around?: Readonly<Record<string, string>>;
      /** Total declared by the envelope (`Quantidade`). */
      readonly total?: number;
    }
  | {
      /** Cleaned, at most 20,000 characters. */
      readonly text: string;
      readonly truncated: boolean;
    }
);
