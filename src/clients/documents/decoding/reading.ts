import { createForms, type Forms, reasonOf, Unreadable, UnreadableText } from './forms.ts';
import type { ReplyLimits } from './limits.ts';
import type { Piece } from './piece.ts';

/** What a reader takes, beside frames and text. */
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

/** Reasons that are no damage of one text: an attack, or more than there may be. */
const NO_DAMAGE: ReadonlySet<string> = new Set([
  'too large',
  'too long',
  'too deep',
  'nested too deeply',
  'doctype',
]);

/** The decoding of one reply: its bounds, and what it has met so far. */
export class Reading {
  readonly limits: ReplyLimits;
  readonly takes: Takes;
  readonly forms: Forms = createForms();
  /** Documents that are behind, read or not. */
  documents = 0;
  /** Whether the next one has begun. */
  isInDocument = false;
  /** The first characters of the text. */
  start = '';
  readonly #path: string[] = [];
  #pieces: Piece[] = [];

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
    this.#pieces.push(piece);
  }

  /** The pieces since the last call. */
  taken(): readonly Piece[] {
    const pieces = this.#pieces;
    if (pieces.length > 0) this.#pieces = [];
    return pieces;
  }

  /**
   * Reads one text among others: where it is damaged, and only itself, it becomes an unreadable piece, and what is
   * written further is ignored.
   */
  entry(text: TextReader): TextReader {
    if (this.takes.documents !== true) return text;
    const attempt = this.containing();
    return {
      write: (part) => attempt(() => text.write(part)),
      end: () => attempt(() => text.end()),
    };
  }

  /**
   * Runs work until the first damage of its own.
   *
   * @param isSeparate whether documents before the damage prove nothing about the text around it
   * @throws errors that concern the whole reply
   */
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

/** Whether an error is the damage of one text, in which nothing was found before it. */
function isOwnDamage(error: unknown, hasDocuments: boolean): boolean {
  const reason = reasonOf(error);
  if (reason === undefined || NO_DAMAGE.has(reason)) return false;
  return error instanceof UnreadableText || !hasDocuments;
}
