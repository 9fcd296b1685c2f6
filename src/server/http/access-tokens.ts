import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { collect } from '../../clients/http/exchange.ts';
import { once } from '../../company/once.ts';
import { parseJson } from '../../documents/untrusted.ts';
import { isPlainHttp } from './addresses.ts';

/**
 * Reads the claims of an access token; undefined for a text that is no JWT.
 * @throws OAuthError for an expired, foreign or forged token, one for another audience, and when the issuer's keys are
 * unavailable
 */
export type TokenReader = (token: string) => Promise<JWTPayload | undefined>;

/** The text of a small public document of an identity provider; undefined where it is unavailable. */
type ReadDocument = (url: string, signal: AbortSignal) => Promise<string | undefined>;

const LARGEST_BYTES = 256 * 1024;

/** Reads what identity providers publish through the shared client, with its proxies and limits. */
export function createIdentityDocuments(userAgent: string, env: NodeJS.ProcessEnv): ReadDocument {
  const http = once(async () => {
    const { createHttpClient } = await import('../../clients/http/client.ts');
    return createHttpClient({ timeoutSeconds: TIMEOUT_MS / 1000, concurrency: 4, userAgent, env });
  });
  return async (url, signal) => {
    const headers = { accept: 'application/json' };
    const limits = { kind: 'read', headers, maxBytes: LARGEST_BYTES } as const;
    const call = { service: 'account', operation: 'identity', method: 'GET', ...limits } as const;
    try {
      return await (await http()).call({ ...call, url, signal }, async ({ body }) =>
        Buffer.from(await collect(body)).toString('utf8'),
      );
    } catch {
      return undefined;
    }
  };
}

export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  /** Address of its keys; undefined to discover it. */
  readonly jwksUrl: string | undefined;
  /** Allow keys over plain http from another machine. */
  readonly isInsecureAllowed: boolean;
  readonly read: ReadDocument;
}

/** Asymmetric only: a shared secret that verifies tokens also makes them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const JWT = /^[\w-]+\.[\w-]*\.[\w-]*$/;
const CLOCK_TOLERANCE_S = 5;
const TIMEOUT_MS = 5_000;
const COOLDOWN_MS = 30_000;
const KEYS_KEPT_MS = 600_000;

/** Where an issuer publishes its own description. Source: OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3. */
function descriptionsOf(issuer: string): string[] {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, '');
  return [
    `${url.origin}${path}/.well-known/openid-configuration`,
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** Errors of the issuer's keys, which say nothing about a token. */
const keyErrors = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

const unavailable = () =>
  new OAuthError(OAuthErrorCode.ServerError, "The identity provider's keys cannot be had at the moment");

const invalid = () => new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid');

async function discover({ issuer, isInsecureAllowed, read }: Issuer): Promise<URL> {
  for (const address of descriptionsOf(issuer)) {
    const description = parseJson((await read(address, AbortSignal.timeout(TIMEOUT_MS))) ?? '');
    if (typeof description !== 'object' || description === null) continue;
    const { issuer: named, jwks_uri: keys } = description as Record<string, unknown>;
    if (named !== issuer || typeof keys !== 'string' || !URL.canParse(keys)) continue;
    if (isInsecureAllowed || !isPlainHttp(keys)) return new URL(keys);
  }
  throw unavailable();
}

/** Verifies JWTs of one issuer. Its keys are fetched with the first token. */
export function createTokenReader(provider: Issuer): TokenReader {
  const { issuer, audience, jwksUrl, read } = provider;
  const keys = once(async () => {
    const url = jwksUrl === undefined ? await discover(provider) : new URL(jwksUrl);
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEYS_KEPT_MS,
      async [customFetch](address, { signal }) {
        const text = await read(address, signal);
        return new Response(text ?? null, { status: text === undefined ? 503 : 200 });
      },
    });
  });
  return async (token) => {
    if (!JWT.test(token)) return undefined;
    const keySet = await keys();
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      if (typeof payload.sub !== 'string' || payload.sub.trim() === '') throw invalid();
      return payload;
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      const isTokenError = error instanceof errors.JOSEError && !keyErrors.includes(error.code);
      throw isTokenError ? invalid() : unavailable();
    }
  };
}
