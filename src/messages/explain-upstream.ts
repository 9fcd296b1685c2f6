import {
  Cancelled,
  HeldBack,
  NotUnderstood,
  OutcomeUnknown,
  Refused,
  TimedOut,
  tokenOperation,
  Unreachable,
  Unsendable,
  type UpstreamError,
} from '../clients/errors.ts';
import { asWord, quoted } from '../documents/untrusted.ts';
import type { Translator } from './index.ts';

/** A paragraph: what happened and what to do. The caller adds whether anything was changed. */
export function explainUpstream(error: UpstreamError, t: Translator): string {
  const service = serviceName(error, t);
  if (error instanceof Unreachable) {
    const { host, code } = error;
    const key = unreachable.find(([pattern]) => pattern.test(code))?.[1] ?? 'upstream.unreachable';
    return t.say(key, { service, host, code, variable: addressVariable(error) });
  }
  if (error instanceof TimedOut) {
    const key = error.limit === 'own' ? 'upstream.timed_out_own' : 'upstream.timed_out';
    return t.say(key, { service, seconds: error.seconds });
  }
  if (error instanceof Unsendable) return t.say(`upstream.unsendable_${error.service}`);
  if (error instanceof Refused) return explainRefused(error, t);
  if (error instanceof NotUnderstood) return explainNotUnderstood(error, t);
  if (error instanceof OutcomeUnknown) {
    return t.say('upstream.outcome_unknown', { service, what: whatWasLost(error.cause, t) });
  }
  if (error instanceof Cancelled) return t.say('upstream.cancelled');
  if (error instanceof HeldBack) {
    const wait = waitInWords(error.seconds, error.until, t);
    return t.say(`upstream.held_${error.reason}`, { service, wait });
  }
  return error.message;
}

function serviceName(error: UpstreamError, t: Translator): string {
  if (error.operation === tokenOperation) return t.say('upstream.service_token');
  return t.say(error.service === 'documents' ? 'upstream.service_documents' : 'upstream.service_account');
}

/** The setting that holds the address of the server the error is about. */
function addressVariable(error: UpstreamError): string {
  if (error.operation === tokenOperation) return 'DFE_ACCOUNT_OAUTH_TOKEN_URL';
  return error.service === 'documents' ? 'DFE_URL' : 'DFE_ACCOUNT_URL';
}

/** Messages by connection error code; the first match applies. */
const unreachable = [
  [/^PROXY_407$/, 'upstream.proxy_credentials'],
  [/^PROXY_/, 'upstream.unreachable_proxy'],
  [/^ENOTFOUND$/, 'upstream.unreachable_name'],
  // Certificates that no trusted authority can make valid.
  [
    /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_REVOKED|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    'upstream.unreachable_certificate_wrong',
  ],
  [/CERT|UNABLE_TO_VERIFY|ISSUER/, 'upstream.unreachable_certificate'],
] as const;

function explainRefused(error: Refused, t: Translator): string {
  const { status, code, message, retryAfter, retryAt, redirectHost } = error.refusal;
  const service = serviceName(error, t);
  const label = refusalLabel(error, t);
  const variable = addressVariable(error);

  if (status === undefined && code === 'address') return t.say('upstream.address', { service });
  if (redirectHost) return t.say('upstream.redirected', { service, host: redirectHost, variable });
  if (status === 407) return t.say('upstream.proxy_credentials', { service });
  if (status === 429 || isUnavailable(error)) {
    if (retryAfter === 0) return t.say('upstream.again_now', { service, label });
    const wait = retryAfter === undefined ? t.say('upstream.wait_some') : waitInWords(retryAfter, retryAt, t);
    return t.say(status === 429 ? 'upstream.rate_limited' : 'upstream.unavailable', { service, label, wait });
  }
  if (error.operation === tokenOperation) return t.say('upstream.token_refused', { service, label });
  if (status === 404 && /no action was found/i.test(message ?? '')) {
    return t.say('upstream.no_action', { service, variable });
  }
  if (status === 401) {
    return t.say(`upstream.unauthorized_${error.service}`, { service });
  }
  if (message) return t.say('upstream.refused_message', { service, label, message });
  if (status === 403) return t.say('upstream.forbidden', { service, label });
  if (status === 404) return t.say('upstream.not_found', { service, label, variable });
  return t.say('upstream.refused', { service, label });
}

/** How long to wait and until when; the end is rounded up to a minute, since the text has no seconds. */
function waitInWords(seconds: number, until: string | undefined, t: Translator): string {
  const wait = durationInWords(seconds, t);
  if (until === undefined) return wait;
  const minute = Math.ceil(Date.parse(until) / MINUTE_MS) * MINUTE_MS;
  return t.say('upstream.wait_until', { wait, at: t.moment(new Date(minute).toISOString()) });
}

const MINUTE_MS = 60_000;

/** Seconds up to two minutes; longer waits in the unit that a person counts them in, rounded up. */
function durationInWords(seconds: number, t: Translator): string {
  if (seconds <= 120) return t.say('upstream.wait_seconds', { count: seconds });
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 120) return t.say('memory.minutes', { count: minutes });
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return t.say('memory.hours', { count: hours });
  return t.say('memory.days', { count: Math.ceil(hours / 24) });
}

/** A server error is out of the caller's hands, unless the service has words for it. */
function isUnavailable({ refusal: { status = 0, message } }: Refused): boolean {
  return status === 408 || (status > 500 && status < 600) || (status === 500 && message === undefined);
}

function refusalLabel({ refusal: { status, code } }: Refused, t: Translator): string {
  const labels = [
    ...(status === undefined ? [] : [t.say('upstream.label_status', { status })]),
    ...(code === undefined ? [] : [t.say('upstream.label_code', { code: asWord(code) })]),
  ];
  return labels.join(', ') || t.say('upstream.label_none');
}

/** Messages of known reasons. */
const notUnderstood = [
  ['too large', 'upstream.too_large'],
  ['broken content encoding', 'upstream.encoding'],
  ['unknown content encoding', 'upstream.encoding'],
  ['truncated', 'upstream.truncated'],
  ['another document than the one asked for', 'upstream.another_document'],
] as const;

function explainNotUnderstood(error: NotUnderstood, t: Translator): string {
  const { model, reason, reply } = error;
  const { kind, bytes, start } = reply;
  const service = serviceName(error, t);
  const variable = addressVariable(error);
  const values = { service, variable, kind, bytes };
  const key = notUnderstood.find(([one]) => one === reason)?.[1];
  if (key !== undefined) return t.say(key, values);
  if (model !== undefined) return t.say('upstream.other_model', { ...values, model });
  const said = [kind, `${bytes} bytes`, ...(start === '' ? [] : [quoted(start)])].join(', ');
  return t.say('upstream.not_understood', { service, variable, reply: said });
}

/** Without advice: the next step is to look up the outcome of the write. */
function whatWasLost(cause: UpstreamError, t: Translator): string {
  if (cause instanceof TimedOut) return t.say('upstream.lost_time', { seconds: cause.seconds });
  if (cause instanceof Refused) return t.say('upstream.lost_status', { label: refusalLabel(cause, t) });
  if (cause instanceof NotUnderstood) {
    if (cause.reason.endsWith(' content encoding')) return t.say('upstream.lost_encoding');
    return t.say('upstream.lost_meaning', { kind: cause.reply.kind, bytes: cause.reply.bytes });
  }
  if (cause instanceof Cancelled) return t.say('upstream.lost_cancelled');
  return t.say('upstream.lost_connection');
}
