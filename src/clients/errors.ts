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
 * A call to an upstream service that did not give what was asked for. The message of the Error is for logs and is
 * English; what a person reads is made from the fields by the catalogue. None carries a URL with a query string, a
 * credential or upstream HTML.
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
  /** The system's code, e.g. `ECONNREFUSED`; `PROXY_<status>`, or `PROXY_ADDRESS` for an address that can't be read. */
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

/** The call can't be put on the wire: a credential has characters that there is no place for. Nothing was sent. */
export class Unsendable extends UpstreamError {
  override readonly name = 'Unsendable';

  /** @param part what can't be sent, by its name */
  constructor(call: Call, part: string) {
    super(call, `cannot be sent: ${part}`);
  }
}

/** Why a service said no. */
export interface Refusal {
  /** The HTTP status, or undefined where a 200 carried the refusal. */
  readonly status?: number;
  /** The service's own code: a `cStat` or an error code of the account service. */
  readonly code?: string;
  /** The service's own words, cleaned and bounded; undefined where it gave none or gave HTML. */
  readonly message?: string;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number;
  /** When they are over: ISO 8601, UTC. */
  readonly retryAt?: string | undefined;
  /** Where a 3xx pointed, which is never followed: host and port, nothing else of the address. */
  readonly redirectHost?: string;
}

/** The service understood the call, or at least answered it, and said no. */
export class Refused extends UpstreamError {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(call: Call, refusal: Refusal) {
    const parts = [refusal.status && `status ${refusal.status}`, refusal.code && `code ${refusal.code}`];
    super(call, `refused (${parts.filter(Boolean).join(', ') || 'no code'})`);
    this.refusal = refusal;
  }
}

/** A reply arrived whose form is not known, or that ends in the middle. Never to be read as "nothing found". */
export class NotUnderstood extends UpstreamError {
  override readonly name = 'NotUnderstood';
  readonly reply: ReplySketch;
  /** In a word: what was missing, e.g. `truncated`, `unknown form`, `too large`. */
  readonly reason: string;
  /** What came instead, where it is a document of a model that is not read, e.g. `MDF-e`. */
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

/** Not sent: calls are held back until a time, lest they make it worse. */
export class HeldBack extends UpstreamError {
  override readonly name = 'HeldBack';
  /** ISO 8601, UTC. */
  readonly until: string;
  /** How long that was when the call was made. */
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

/** The caller went away or cancelled before the reply was complete. */
export class Cancelled extends UpstreamError {
  override readonly name = 'Cancelled';

  constructor(call: Call) {
    super(call, 'cancelled by the caller');
  }
}
