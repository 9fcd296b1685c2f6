import { NotUnderstood, Refused, Unreachable, Unsendable, type UpstreamError } from '../errors.ts';
import type { HttpCall } from './call.ts';
import { notPublic } from './public-address.ts';

/** The library's own codes for a connection that the other side ended before the reply was complete. */
const brokenOff: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * What an error of the connection means.
 *
 * @param mayHaveBeenSent once it may have, every error is one of the connection's: a write must not lose that it may
 *   have been performed
 * @throws the error itself where it is none of the connection's
 */
export function transportError(call: HttpCall, error: unknown, mayHaveBeenSent: boolean): UpstreamError {
  if (!(error instanceof Error)) throw error;
  const host = hostAndPort(new URL(call.url));
  // The library gives these no code.
  if (error.name === 'HTTPParserError') {
    if (error.message.includes('Invalid EOF')) return new Unreachable(call, host, 'ECONNRESET');
    return new NotUnderstood(call, 'not HTTP', { kind: 'unknown', bytes: 0, start: '' });
  }
  const proxyStatus = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (proxyStatus) return new Unreachable(call, host, `PROXY_${proxyStatus}`);
  const code = codeOf(error) ?? 'UNKNOWN';
  // Of what a request is made of only the credential is as the user gave it. The library's words name the header alone.
  if (!mayHaveBeenSent && code === 'UND_ERR_INVALID_ARG') return new Unsendable(call, error.message);
  if (!mayHaveBeenSent && code === 'UNKNOWN') throw error;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new NotUnderstood(call, 'head too large', { kind: 'unknown', bytes: 0, start: '' });
  }
  if (code === notPublic) return new Refused(call, { code: 'address' });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Unreachable(call, host, 'ETIMEDOUT');
  return new Unreachable(call, host, brokenOff.has(code) ? 'ECONNRESET' : code);
}

/** The code nearest to the system: that of a cause or of the first of several attempts goes before the wrapper's. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return codeOf(inner) ?? own;
}

/** Host and port, the port also where it is the scheme's usual one. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
