import type { Translator } from '../messages/index.ts';
import type { Company } from './company.ts';
import type { Deadline } from './deadline.ts';

/** Result of a call: structured data, and a compact text for readers. */
export interface Answer<Output> {
  readonly structured: Output;
  /** Lines; each is flattened to a single line. */
  readonly text: readonly string[];
}

/** A validated write that has not been sent. */
export interface Plan<Output> {
  /** Lines a person needs before confirming: the effect, its target, and whether it can be undone. */
  readonly preview: readonly string[];
  /** Facts besides the preview that the confirmation token signs: the exact payload and the earlier writes known. */
  readonly rests_on: unknown;
  /**
   * Sends the write. Called at most once, after confirmation.
   * @throws ConflictingWrite when another write came between preview and sending; nothing was sent
   */
  perform(): Promise<Answer<Output>>;
}

/** Another write to the same target came between preview and sending; nothing was sent. */
export class ConflictingWrite extends Error {
  constructor() {
    super('conflicting write');
    this.name = 'ConflictingWrite';
  }
}

/** A file produced by a call. */
export type MadeFile = { readonly name: string } & (
  | { readonly bytes: Uint8Array }
  | {
      readonly path: string;
      /** Digest of its content, compared when the file has to be rebuilt for the same call. */
      readonly holds: string;
    }
);

export interface FileLink {
  readonly url: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** File delivery over HTTP, where nothing is saved to a path the caller names. */
export interface FileLinks {
  /** Creates a folder for a file that is written before it is linked. */
  folder(): Promise<string>;
  /** Creates a link that is valid for some minutes. */
  link(file: MadeFile): Promise<FileLink>;
}

/** What a tool's handler receives besides its arguments. */
export interface CallContext {
  readonly company: Company;
  readonly translator: Translator;
  /** Aborted when the client cancels or disconnects, and at the deadline. For reads. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels or disconnects, not at the deadline. For writes, whose reply is awaited. */
  readonly caller: AbortSignal;
  readonly deadline: Deadline;
  /** Identity that confirmations are bound to: the client's over HTTP, `local` over stdio. */
  readonly principal: string;
  /** Defined over HTTP; otherwise files are saved to the download folder. */
  readonly links?: FileLinks | undefined;
  /** Whether the client shows views and needs their data. */
  readonly hasViews: boolean;
  /** Whether a once-per-conversation sentence is due in this call. */
  readonly isDue: (sentence: string) => boolean;
  /** Reports progress, if the client asked for it. */
  progress(done: number, total: number, message: string): Promise<void>;
}
