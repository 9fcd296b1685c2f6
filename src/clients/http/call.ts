import type { Call, Service } from '../errors.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** How texts of a reply are freed from secrets. */
export interface Redaction {
  /** For the service's own words: takes out secrets and what looks like one. */
  readonly redact: Redact;
  /** For values that are passed on: takes out known secrets alone. */
  readonly hide: Redact;
}

/** One call to a service. */
export interface HttpCall {
  readonly service: Service;
  /** Named in errors, e.g. `Mercadoria/RetornaChaves`. */
  readonly operation: string;
  /** CNPJ of the company that the call is about, where it names one. */
  readonly company?: string | undefined;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The whole address. May hold credentials in its query: it never leaves this room. */
  readonly url: string;
  /** Those that the client sets itself are named in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A `read` is repeated after a passing failure; a `write` is sent once at most. */
  readonly kind: 'read' | 'write';
  /** `public`: only to addresses of the public network, whatever the host's name means when it is connected to. */
  readonly network?: 'any' | 'public';
  /** A redirect is a reply like a 2xx. */
  readonly takesRedirects?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Once this is aborted the call is not begun any more; one under way goes on. */
  readonly startBy?: AbortSignal | undefined;
  /** Bytes of the decoded body that are read at most, 32 MiB by default. */
  readonly maxBytes?: number;
}

/** A 2xx reply. */
export interface HttpReply extends Redaction {
  /** The call that it answers, for errors. */
  readonly call: Call;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body, to be iterated once. */
  readonly body: AsyncIterable<Uint8Array>;
}
