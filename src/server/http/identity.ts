import { createHash, timingSafeEqual } from 'node:crypto';
import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { collect } from '../../clients/http/exchange.ts';
import { once } from '../../company/once.ts';
import { isPlainHttp } from '../../config/setting-kinds.ts';
import { type Scope, scopes } from '../../config/settings.ts';
import type { Member, TenantDefinition } from '../../config/tenants-file.ts';
import { userAgent } from '../../config/version.ts';
import { isObject, parseJson } from '../../documents/untrusted.ts';

export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string | undefined;
  /** Allow keys over plain http from another machine. */
  readonly isInsecureAllowed: boolean;
  /** Source of the proxy variables. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Asymmetric only: a shared secret that verifies tokens also makes them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const JWT = /^[\w-]+\.[\w-]*\.[\w-]*$/;
const CLOCK_TOLERANCE_S = 5;
const LARGEST_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;
const COOLDOWN_MS = 30_000;
const KEYS_KEPT_MS = 600_000;

/** Errors of the issuer's keys, which say nothing about a token. */
const keyErrors = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

const unavailable = () =>
  new OAuthError(OAuthErrorCode.ServerError, "The identity provider's keys cannot be had at the moment");

const invalid = () => new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid');

/**
 * Creates a reader of the claims in access tokens of one issuer, whose keys are fetched with the first token. It answers
 * undefined for a text that is no JWT and throws OAuthError for an expired, foreign or forged token, one for another
 * audience, and when the issuer's keys are unavailable.
 */
function createTokenReader({ issuer, audience, jwksUrl, isInsecureAllowed, environment: env }: Issuer) {
  const http = once(async () => {
    const { createHttpClient } = await import('../../clients/http/client.ts');
    return createHttpClient({ timeoutSeconds: TIMEOUT_MS / 1000, concurrency: 4, userAgent, env });
  });
  /** The provider's metadata or keys at a URL; undefined if unavailable. */
  const read = async (url: string, signal?: AbortSignal): Promise<string | undefined> => {
    const call = { service: 'account', operation: 'identity', method: 'GET', kind: 'read' } as const;
    const limits = { headers: { accept: 'application/json' }, maxBytes: LARGEST_BYTES };
    try {
      const reply = (await http()).call({ ...call, ...limits, url, signal }, ({ body }) => collect(body));
      return Buffer.from(await reply).toString('utf8');
    } catch {
      return undefined;
    }
  };

  /** Source: OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3. */
  const discover = async (): Promise<URL> => {
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    for (const address of [
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ]) {
      const description = parseJson((await read(address)) ?? '');
      if (!isObject(description) || description.issuer !== issuer) continue;
      const { jwks_uri: found } = description;
      if (typeof found !== 'string' || !URL.canParse(found)) continue;
      if (isInsecureAllowed || !isPlainHttp(found)) return new URL(found);
    }
    throw unavailable();
  };

  const keys = once(async () =>
    createRemoteJWKSet(jwksUrl === undefined ? await discover() : new URL(jwksUrl), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEYS_KEPT_MS,
      async [customFetch](address, { signal }) {
        const text = await read(address, signal);
        return new Response(text ?? null, { status: text === undefined ? 503 : 200 });
      },
    }),
  );

  return async (token: string): Promise<JWTPayload | undefined> => {
    if (!JWT.test(token)) return undefined;
    const keySet = await keys();
    const requiredClaims = ['exp', 'sub'];
    const accepted = { issuer, audience, algorithms, requiredClaims, clockTolerance: CLOCK_TOLERANCE_S };
    const { payload } = await jwtVerify(token, keySet, accepted).catch((error: unknown) => {
      const isTokenError = error instanceof errors.JOSEError && !keyErrors.includes(error.code);
      throw isTokenError ? invalid() : unavailable();
    });
    if (typeof payload.sub !== 'string' || payload.sub.trim() === '') throw invalid();
    return payload;
  };
}

export interface Caller {
  /** Id of the tenant; empty without a tenants file. */
  readonly tenant: string;
  /** Owner of confirmations, links and cursors; stable across replicas. */
  readonly principal: string;
  readonly scopes: readonly Scope[];
  /** Fingerprints of the entries of the tenants file that matched. */
  readonly memberships: readonly string[];
}

export function toAuthInfo(caller: Caller, token: string, expiresAt: number): AuthInfo {
  return {
    token,
    clientId: `${caller.tenant}/${caller.principal}`,
    scopes: [...caller.scopes],
    expiresAt,
    extra: { caller },
  };
}

export const callerOf = (auth: AuthInfo | undefined) => auth?.extra?.caller as Caller;

/** A static token has no expiry of its own: it is looked up at every request. */
const STATIC_TOKEN_S = 60;

/** Scopes in a claim: none for any other type than text or list; undefined when absent. */
function scopesOfClaim(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return undefined;
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}

/**
 * Scopes that a token allows: the intersection of both claims; undefined when it has neither.
 * Source: RFC 8693 section 4.2; `scp` and lists are what identity providers write.
 */
function scopesIn({ scope, scp }: JWTPayload): readonly Scope[] | undefined {
  const [first, second] = [scopesOfClaim(scope), scopesOfClaim(scp)];
  if (first === undefined && second === undefined) return undefined;
  return scopes.filter((one) => (first ?? scopes).includes(one) && (second ?? scopes).includes(one));
}

function admits(member: Member, hash: Buffer, payload: JWTPayload | undefined): boolean {
  if ('tokenSha256' in member) return timingSafeEqual(member.tokenSha256, hash);
  const found = payload?.[member.claim];
  return Array.isArray(found) ? found.includes(member.value) : found === member.value;
}

const FINGERPRINT_LENGTH = 32;
const hashed = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, FINGERPRINT_LENGTH);

/** Identifies an entry of the tenants file without revealing it. */
const fingerprintOf = (member: Member): string =>
  'tokenSha256' in member
    ? hashed('token', member.tokenSha256.toString('hex'))
    : hashed('claim', member.claim, member.value);

export type Identity = ReturnType<typeof createIdentity>;

/**
 * Who may call: bearers of the issuer's access tokens, and of static tokens of the tenants file.
 * @param tenants the current ones; undefined without a tenants file
 */
export function createIdentity(
  provider: Issuer | undefined,
  tenants: () => readonly TenantDefinition[] | undefined,
) {
  const readToken = provider && createTokenReader(provider);
  return {
    issuer: provider?.issuer,
    async verifyAccessToken(token: string): Promise<AuthInfo> {
      const hash = createHash('sha256').update(token).digest();
      const payload = await readToken?.(token);
      const allowed = payload && scopesIn(payload);
      // Without tenants nothing grants more than the least privilege.
      const inNoTenant = { tenant: '', scopes: allowed ?? (['documents:read'] as const), memberships: [] };
      const found =
        tenants()?.flatMap(({ id, who }) => {
          // Compares all of them, so that timing reveals nothing.
          const memberships = who.filter((member) => admits(member, hash, payload));
          if (memberships.length === 0) return [];
          const granted = new Set<Scope>(memberships.flatMap((member) => member.scopes));
          const kept = scopes.filter((one) => granted.has(one) && (allowed?.includes(one) ?? true));
          return [{ tenant: id, scopes: kept, memberships: memberships.map(fingerprintOf) }];
        }) ?? (payload === undefined ? [] : [inNoTenant]);
      const [only, ...others] = found;
      if (only === undefined && payload === undefined) throw invalid();
      if (only === undefined || others.length > 0) {
        throw new OAuthError(OAuthErrorCode.AccessDenied, `The caller belongs to ${found.length} tenants`);
      }
      const principal =
        payload === undefined
          ? `token:${hash.toString('hex').slice(0, FINGERPRINT_LENGTH)}`
          : `user:${hashed(payload.iss, payload.sub)}`;
      const expiresAt = payload?.exp ?? Math.ceil(Date.now() / 1000) + STATIC_TOKEN_S;
      return toAuthInfo({ ...only, principal }, token, expiresAt);
    },
    /** Whether an entry that let a caller into a tenant still lets them read; needs no token. */
    mayStillRead({ tenant, memberships }: Pick<Caller, 'tenant' | 'memberships'>): boolean {
      const definitions = tenants();
      if (definitions === undefined) return true;
      const who = definitions.find(({ id }) => id === tenant)?.who ?? [];
      return who.some(
        (member) => member.scopes.includes('documents:read') && memberships.includes(fingerprintOf(member)),
      );
    },
  };
}
