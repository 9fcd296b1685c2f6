import type { Translator } from '../messages/index.ts';
import type { Services } from './services.ts';

/** The time within which a call has to answer. */
export interface CallTime {
  /** Aborted when the call has to answer with what it has. */
  readonly over: AbortSignal;
  /** Waits for a person: no time goes by meanwhile, and afterwards all of it is there again. */
  standStill<T>(person: Promise<T>): Promise<T>;
  /** Lets go of the timer. */
  end(): void;
}

/** What the work behind a tool gets besides its arguments. */
export interface CallContext {
  readonly services: Services;
  readonly translator: Translator;
  /** Aborted when the client cancels or goes away, or when the call has to answer: what only reads ends with it. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels or goes away, and by no time: the reply to a write is waited for all the same. */
  readonly caller: AbortSignal;
  readonly time: CallTime;
  /** Whom a confirmation is bound to: the client's identity over HTTP, `local` over stdio. */
  readonly principal: string;
  /** Tells a waiting client how far a long call is; silent where the client did not ask. */
  progress(done: number, total: number, message: string): Promise<void>;
}
