import type { OtherDocument } from '../../../documents/layouts/other-models.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { EncodingError } from '../../../documents/xml/encoding.ts';
import { type XmlAttributes, XmlError } from '../../../documents/xml/xml.ts';
import { formOfValue } from './forms.ts';
import { type ReplyLimits, Unreadable } from './limits.ts';

/** A text whose damage ends where it ends, so that what it is quoted in can be read on. */
export class UnreadableText extends Unreadable {
  /** Its outermost element, where it has one. */
  readonly root: string | undefined;

  constructor(reason: string, root?: string) {
    super(reason);
    this.root = root;
  }
}

/** The reason of an error of the decoder, in a few words; undefined for any other. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unreadable) return error.reason;
  if (error instanceof XmlError) {
    return error.reason === 'empty' ? 'truncated' : error.reason.replace('_', ' ');
  }
  return error instanceof EncodingError ? error.message : undefined;
}

/** The content of a reply without packing and quoting, the same for XML and JSON. */
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

/** The forms of a reply, as its decoding meets them. */
export class Forms {
  /** From the outside in, each once. */
  readonly met: string[] = [];
  /** The innermost kind, e.g. `html`, `json object`, `xml <retFoo>`, `text`; undefined while nothing is recognised. */
  kind: string | undefined;

  note(form: string, kind?: string): void {
    if (!this.met.includes(form)) this.met.push(form);
    if (kind !== undefined) this.noteKind(kind);
  }

  /** The outermost XML root names the reply, whatever is in it. */
  noteKind(kind: string): void {
    if (this.kind?.startsWith('xml <') !== true) this.kind = kind;
  }
}

/** The pieces a reader wants, beside frames and text. */
export interface Takes {
  /** Documents as such, also where others beside them can't be read; without it they are frames like any other. */
  readonly documents?: boolean;
  /** The content of a value that is XML itself (escaped or CDATA), instead of the value. */
  readonly markup?: boolean;
  /** A PDF, and a JSON array of byte values, as bytes. */
  readonly bytes?: boolean;
}

/** A text that is read while it arrives. */
export interface TextReader {
  write(text: string): void;
  /** @throws Unreadable where the text ends too early */
  end(): void;
}

/** The envelope's own elements; beside these an address is all there is. */
export const ENVELOPE_ELEMENTS: ReadonlySet<string> = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

/** Reasons that concern the whole reply: an attack, or more than there may be. */
const NO_DAMAGE = ['too large', 'too long', 'too deep', 'nested too deeply', 'doctype'];

/** The state of decoding one reply. */
export class Reading {
  readonly limits: ReplyLimits;
  readonly takes: Takes;
  readonly forms = new Forms();
  /** Documents that are behind, read or not. */
  documents = 0;
  /** Whether the next one has begun. */
  isInDocument = false;
  /** The first characters of the text. */
  start = '';
  /** Whether the reply has been read to its end. */
  isWhole = false;
  /** The first contents of the reply; the second tells that an address is not all there is. */
  readonly #contents: Piece[] = [];
  readonly #path: string[] = [];
  readonly #pieces: Piece[] = [];

  constructor(limits: ReplyLimits, takes: Takes) {
    this.limits = limits;
    this.takes = takes;
  }

  emit(piece: Piece): void {
    if (piece.kind === 'open') this.#path.push(piece.name);
    else if (piece.kind === 'close') this.#path.pop();
    else if (piece.kind === 'document' || piece.kind === 'unreadable') {
      this.isInDocument = false;
      this.documents++;
    }
    if (this.#contents.length < 2 && isContent(piece)) this.#contents.push(piece);
    this.#pieces.push(piece);
  }

  /** The address of which the reply consists; undefined for any other reply. */
  get url(): string | undefined {
    const [only, ...others] = this.#contents;
    if (!this.isWhole || others.length > 0 || only === undefined || !('text' in only)) return undefined;
    const form = formOfValue(only.text.trim());
    return form?.form === 'url' ? form.url : undefined;
  }

  /** The pieces since the last call. */
  taken(): readonly Piece[] {
    return this.#pieces.splice(0);
  }

  /** Reads one text among others: where it alone is damaged it becomes an unreadable piece, and its rest is ignored. */
  entry(text: TextReader): TextReader {
    if (this.takes.documents !== true) return text;
    const attempt = this.containing();
    return {
      write: (part) => attempt(() => text.write(part)),
      end: () => attempt(() => text.end()),
    };
  }

  /** Runs work until the first damage of its own. @param isSeparate documents before it prove nothing about its frame */
  containing(isSeparate = false): (work: () => void) => void {
    const [before, depth] = [this.documents, this.#path.length];
    let isDamaged = false;
    return (work) => {
      if (isDamaged) return;
      try {
        work();
      } catch (error) {
        if (!isOwnDamage(error, !isSeparate && this.documents > before)) throw error;
        isDamaged = true;
        const open = this.#path.slice(depth);
        const root = (error instanceof UnreadableText ? error.root : undefined) ?? open[0];
        this.emit({ kind: 'unreadable', root, reason: reasonOf(error) ?? '' });
        for (const name of open.toReversed()) this.emit({ kind: 'close', name });
      }
    };
  }

  /** An error in the middle of a document says which one it is. */
  placed(error: unknown): unknown {
    const reason = reasonOf(error);
    const isPlaced = this.isInDocument && reason !== undefined;
    return isPlaced ? new Unreadable(`document ${this.documents + 1}: ${reason}`) : error;
  }
}

function isContent(piece: Piece): boolean {
  if (piece.kind === 'value') return !ENVELOPE_ELEMENTS.has(piece.name);
  return piece.kind !== 'open' && piece.kind !== 'close' && piece.kind !== 'file';
}

/** Whether an error is the damage of one text, in which nothing was found before it. */
function isOwnDamage(error: unknown, hasDocuments: boolean): boolean {
  const reason = reasonOf(error);
  if (reason === undefined || NO_DAMAGE.includes(reason)) return false;
  return error instanceof UnreadableText || !hasDocuments;
}
