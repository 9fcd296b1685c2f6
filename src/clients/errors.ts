/** The two upstream services. */
export type Service = 'documents' | 'account';

/** Which call an error is about. */
export interface Call {
  readonly service: Service;
  /** The service's operation, e.g. `Mercadoria/RetornaChaves`. */
  readonly operation: string;
}

/** The operation of errors of the OAuth token endpoint, which is another server than the account service. */
export const tokenOperation = 'OAuth/token';
export const tokenCall = { service: 'account', operation: tokenOperation } as const satisfies Call;

/** Outline of a reply that was not understood: enough to diagnose it, without secrets. */
export interface ReplySketch {
  /** E.g. `html`, `json object`, `xml <retFoo>`, `text`, `empty`. */
  readonly kind: string;
  readonly bytes: number;
  /** The first characters, redacted and without control characters; empty for HTML and for PDF. */
  readonly start: string;
}

/**
 * A failed call to an upstream service. The Error's message is English and for logs; the catalogue words the fields
 * for people. None carries a URL with a query string, a credential or upstream HTML.
 */
export abstract class UpstreamError extends Error implements Call {
  readonly service: Service;
  readonly operation: string;

  constructor(call: Call, message: string) {
    super(`${call.service} ${call.operation}: ${message}`);
    this.service = call.service;
    this.operation = call.operation;
  }
}

/** No connection, or one that broke. */
export class Unreachable extends UpstreamError {
  override readonly name = 'Unreachable';
  /** Host and port, never a path. */
  readonly host: string;
  /** The system's code, e.g. `ECONNREFUSED`; `PROXY_<status>`, or `PROXY_ADDRESS` for an invalid address. */
  readonly code: string;

  constructor(call: Call, host: string, code: string) {
    super(call, `${host} is unreachable (${code})`);
    this.host = host;
    this.code = code;
  }
}

/** No complete reply within the time allowed. */
export class TimedOut extends UpstreamError {
  override readonly name = 'TimedOut';
  readonly seconds: number;
  /** Whether the limit was the user's (`DFE_TIMEOUT`) or our own for one call of several. */
  readonly limit: 'setting' | 'own';

  constructor(call: Call, seconds: number, limit: TimedOut['limit'] = 'setting') {
    super(call, `no complete reply within ${seconds} s`);
    this.seconds = seconds;
    this.limit = limit;
  }
}

/** The call can't be sent: a credential has characters that a request can't carry. Nothing was sent. */
export class Unsendable extends UpstreamError {
  override readonly name = 'Unsendable';

  /** @param part name of the part that can't be sent */
  constructor(call: Call, part: string) {
    super(call, `cannot be sent: ${part}`);
  }
}

/** Reason of a refusal. */
export interface Refusal {
  /** HTTP status; undefined if a 200 carried the refusal. */
  readonly status?: number;
  /** The service's own code: a `cStat` or an error code of the account service. */
  readonly code?: string;
  /** The service's message, cleaned and bounded; undefined without one, or for HTML. */
  readonly message?: string;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number;
  /** When they are over: ISO 8601, UTC. */
  readonly retryAt?: string | undefined;
  /** Target of a 3xx, which is not followed: only host and port. */
  readonly redirectHost?: string;
}

/** The service answered the call with a refusal. */
export class Refused extends UpstreamError {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(call: Call, refusal: Refusal) {
    const parts = [refusal.status && `status ${refusal.status}`, refusal.code && `code ${refusal.code}`];
    super(call, `refused (${parts.filter(Boolean).join(', ') || 'no code'})`);
    this.refusal = refusal;
  }
}

/** A reply of unknown form, or a truncated one. Never means "nothing found". */
export class NotUnderstood extends UpstreamError {
  override readonly name = 'NotUnderstood';
  readonly reply: ReplySketch;
  /** In a word: what was missing, e.g. `truncated`, `unknown form`, `too large`. */
  readonly reason: string;
  /** Model of a document received instead that is not read, e.g. `MDF-e`. */
  readonly model: string | undefined;

  constructor(call: Call, reason: string, reply: ReplySketch, model?: string) {
    super(call, `reply not understood: ${reason} (${reply.kind}, ${reply.bytes} bytes)`);
    this.reason = reason;
    this.reply = reply;
    this.model = model;
  }
}

/** A write was sent and its outcome is unknown. */
export class OutcomeUnknown extends UpstreamError {
  override readonly name = 'OutcomeUnknown';
  override readonly cause: UpstreamError;

  constructor(cause: UpstreamError) {
    super(cause, `sent, outcome unknown (${cause.name})`);
    this.cause = cause;
  }
}

/** Not sent: calls are held back until a time, to spare the service. */
export class HeldBack extends UpstreamError {
  override readonly name = 'HeldBack';
  /** ISO 8601, UTC. */
  readonly until: string;
  /** Seconds until then, when the call was made. */
  readonly seconds: number;
  /** Failures in a row, a `Retry-After`, or cStat 656. */
  readonly reason: 'failing' | 'asked_to_wait' | 'undue_consumption';

  /** @param at, until milliseconds since 1970 */
  constructor(call: Call, at: number, until: number, reason: HeldBack['reason']) {
    const moment = new Date(until).toISOString();
    super(call, `held back until ${moment} (${reason})`);
    this.until = moment;
    this.seconds = Math.max(1, Math.ceil((until - at) / 1000));
    this.reason = reason;
  }
}

/** The caller disconnected or cancelled before the reply was complete. */
export class Cancelled extends UpstreamError {
  override readonly name = 'Cancelled';

  constructor(call: Call) {
    super(call, 'cancelled by the caller');
  }
}
