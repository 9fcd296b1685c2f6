import type { Translator } from '../messages/index.ts';
import type { Company } from './company.ts';
import type { Deadline } from './deadline.ts';

/** A file that a call has made. */
export type MadeFile = { readonly name: string } & (
  | { readonly bytes: Uint8Array }
  | {
      readonly path: string;
      /** What must be the same where it has to be made anew for the same call. */
      readonly holds: string;
    }
);

export interface FileLink {
  readonly url: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** How callers who are elsewhere get the files of a call: nothing is written where they say. */
export interface FileLinks {
  /** A new folder for a file that is written before it is linked to. */
  folder(): Promise<string>;
  /** A link that gives the file to the caller for some minutes. */
  link(file: MadeFile): Promise<FileLink>;
}

/** What the work behind a tool gets besides its arguments. */
export interface CallContext {
  readonly company: Company;
  readonly translator: Translator;
  /** Aborted when the client cancels or goes away, or when the call has to answer: what only reads ends with it. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels or goes away, and by no time: the reply to a write is waited for all the same. */
  readonly caller: AbortSignal;
  readonly deadline: Deadline;
  /** Whom a confirmation is bound to: the client's identity over HTTP, `local` over stdio. */
  readonly principal: string;
  /** Where files go over HTTP; undefined where they are saved in the user's download folder. */
  readonly links?: FileLinks | undefined;
  /** Whether the client shows views, so that an answer brings along what only they need. */
  readonly hasViews: boolean;
  /** Whether a sentence that a conversation needs once is due in this call. */
  readonly isDue: (sentence: string) => boolean;
  /** Tells a waiting client how far a long call is; silent where the client did not ask. */
  progress(done: number, total: number, message: string): Promise<void>;
}
