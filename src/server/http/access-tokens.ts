import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import type { ReadIdentityDocument } from '../../services/identity-documents.ts';

/**
 * The claims of an access token; undefined for what is no such token at all.
 * @throws OAuthError for one that is expired, foreign, forged or meant for another service, and where the issuer's keys
 * cannot be had
 */
export type TokenReader = (token: string) => Promise<JWTPayload | undefined>;

export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  /** Where its keys are; undefined: as it publishes. */
  readonly jwksUrl: string | undefined;
  readonly read: ReadIdentityDocument;
}

/** Asymmetric ones alone: with a shared secret whoever can check a token could make one. */
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

/** What is wrong with the issuer's keys, be they away or no keys: a token is not judged by that. */
const ofTheKeys = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

const unavailable = () =>
  new OAuthError(OAuthErrorCode.ServerError, "The identity provider's keys cannot be had at the moment");

function asJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

async function discover(issuer: string, read: ReadIdentityDocument): Promise<URL> {
  for (const address of descriptionsOf(issuer)) {
    const description = asJson(await read(address, AbortSignal.timeout(TIMEOUT_MS)));
    if (typeof description !== 'object' || description === null) continue;
    const { issuer: named, jwks_uri: keys } = description as Record<string, unknown>;
    if (named === issuer && typeof keys === 'string' && URL.canParse(keys)) return new URL(keys);
  }
  throw unavailable();
}

/** Reads JWTs of one issuer, meant for this service, signed with a key that it publishes. Nothing is fetched before. */
export function createTokenReader({ issuer, audience, jwksUrl, read }: Issuer): TokenReader {
  type Keys = ReturnType<typeof createRemoteJWKSet>;
  let known: Promise<Keys> | undefined;
  const keys = (): Promise<Keys> => {
    known ??= (jwksUrl === undefined ? discover(issuer, read) : Promise.resolve(new URL(jwksUrl)))
      .then((url) =>
        createRemoteJWKSet(url, {
          timeoutDuration: TIMEOUT_MS,
          cooldownDuration: COOLDOWN_MS,
          cacheMaxAge: KEYS_KEPT_MS,
          async [customFetch](address, { signal }) {
            const text = await read(address, signal);
            return new Response(text ?? null, { status: text === undefined ? 503 : 200 });
          },
        }),
      )
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
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
      return payload;
    } catch (error) {
      const isOfToken = error instanceof errors.JOSEError && !ofTheKeys.includes(error.code);
      throw isOfToken
        ? new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid')
        : unavailable();
    }
  };
}
