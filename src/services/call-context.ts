import type { Translator } from '../messages/index.ts';
import type { Services } from './services.ts';

/** What the work behind a tool gets besides its arguments. */
export interface CallContext {
  readonly services: Services;
  readonly translator: Translator;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Whom a confirmation is bound to: the client's identity over HTTP, `local` over stdio. */
  readonly principal: string;
  /** Tells a waiting client how far a long call is; silent where the client did not ask. */
  progress(done: number, total: number, message: string): Promise<void>;
}
