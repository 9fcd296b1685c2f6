import { Cancelled, tokenCall } from '../errors.ts';
import { abortable } from '../http/abortable.ts';
import type { HttpClient } from '../http/client.ts';
import type { OAuthSettings } from './token-request.ts';

/** Access tokens, each kept until it nears its end. */
export interface TokenSource {
  /**
   * Callers that come while a token is being fetched share it. A caller that cancels does not take it from the others.
   *
   * @throws Refused, Unreachable, TimedOut, NotUnderstood or Cancelled, of the operation `tokenOperation`
   */
  token(signal?: AbortSignal): Promise<string>;
  /** Forgets a token that was refused; one fetched since stays. */
  discard(token: string): void;
}

interface Token {
  readonly value: string;
  /** On the clock of `performance.now()`. */
  readonly renewAt: number;
}

export function createTokenSource(http: HttpClient, settings: OAuthSettings): TokenSource {
  let kept: Token | undefined;
  let underWay: Promise<Token> | undefined;

  const fetchShared = (): Promise<Token> => {
    underWay ??= fetchToken(http, settings)
      .then((token) => {
        kept = token;
        return token;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };

  return {
    async token(signal) {
      if (signal?.aborted) throw new Cancelled(tokenCall);
      if (kept && performance.now() < kept.renewAt) return kept.value;
      return (await unlessCancelled(fetchShared(), signal)).value;
    },
    discard(token) {
      if (kept?.value === token) kept = undefined;
    },
  };
}

async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  try {
    return await abortable(work, signal);
  } catch (error) {
    throw signal.aborted ? new Cancelled(tokenCall) : error;
  }
}

async function fetchToken(http: HttpClient, settings: OAuthSettings): Promise<Token> {
  const { requestToken } = await import('./token-request.ts');
  const began = performance.now();
  const { access_token, expires_in } = await requestToken(http, settings);
  return { value: access_token, renewAt: began + usableSeconds(expires_in) * 1000 };
}

/** The time a token is used: a minute less than it lives, or a tenth less where that is shorter. */
function usableSeconds(lifetime: number | undefined): number {
  return lifetime === undefined ? Number.POSITIVE_INFINITY : lifetime - Math.min(60, lifetime / 10);
}
