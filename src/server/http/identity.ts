import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import type { JWTPayload } from 'jose';
import { type Scope, scopes } from '../../config/access.ts';
import type { Member, TenantDefinition } from '../../config/tenants-file.ts';
import type { TokenReader } from './access-tokens.ts';

/** The authenticated caller. */
export interface Caller {
  /** Id of the tenant; empty without a tenants file. */
  readonly tenant: string;
  /** What confirmations, links and cursors are bound to; stable across replicas. */
  readonly principal: string;
  readonly scopes: readonly Scope[];
  /** Fingerprints of the entries of the tenants file that matched. */
  readonly memberships: readonly string[];
}

/** Wraps a caller as the SDK's `AuthInfo`. */
export function toAuthInfo(caller: Caller, token: string, expiresAt: number): AuthInfo {
  return {
    token,
    clientId: `${caller.tenant}/${caller.principal}`,
    scopes: [...caller.scopes],
    expiresAt,
    extra: { caller },
  };
}

/** Unwraps the caller of `toAuthInfo`. */
export function callerOf(auth: AuthInfo | undefined): Caller | undefined {
  return auth?.extra?.caller as Caller | undefined;
}

/** An authenticated caller who belongs to no tenant, or to several. */
export class NoSingleTenant extends Error {
  constructor(count: number) {
    super(`the caller belongs to ${count} tenants`);
    this.name = 'NoSingleTenant';
  }
}

export interface IdentityOptions {
  /** Reads access tokens of the identity provider; undefined where none is configured. */
  readonly accessTokens: TokenReader | undefined;
  /** The current tenants; undefined without a tenants file. */
  readonly tenants: () => readonly TenantDefinition[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A static token has no expiry of its own: it is looked up at every request. */
const STATIC_TOKEN_S = 60;

const invalid = () => new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid');

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

function holds(payload: JWTPayload, { claim, value }: { claim: string; value: string }): boolean {
  const found = payload[claim];
  return Array.isArray(found) ? found.includes(value) : found === value;
}

/** Verifies access tokens of the identity provider and static tokens of the tenants file. */
export function createIdentity({ accessTokens, tenants, now }: IdentityOptions): OAuthTokenVerifier {
  const belongs = (member: Member, hash: Buffer, payload: JWTPayload | undefined): boolean =>
    'tokenSha256' in member
      ? timingSafeEqual(member.tokenSha256, hash)
      : payload !== undefined && holds(payload, member);

  const callerIn = (
    definitions: readonly TenantDefinition[],
    hash: Buffer,
    payload: JWTPayload | undefined,
  ): Caller => {
    const named = payload === undefined ? undefined : scopesIn(payload);
    const found = definitions.flatMap(({ id, who }) => {
      // Compares all of them, so that timing reveals nothing.
      const memberships = who.filter((member) => belongs(member, hash, payload));
      if (memberships.length === 0) return [];
      const granted = new Set<Scope>(memberships.flatMap((member) => member.scopes));
      const kept = scopes.filter((one) => granted.has(one) && (named?.includes(one) ?? true));
      return [{ tenant: id, scopes: kept, memberships: memberships.map(fingerprintOf) }];
    });
    const [only] = found;
    if (only === undefined && payload === undefined) throw invalid();
    if (only === undefined || found.length > 1) throw new NoSingleTenant(found.length);
    return { ...only, principal: principalOf(hash, payload) };
  };

  return {
    async verifyAccessToken(token: string): Promise<AuthInfo> {
      const hash = createHash('sha256').update(token).digest();
      const payload = await accessTokens?.(token);
      const expiresAt = payload?.exp ?? Math.ceil(now() / 1000) + STATIC_TOKEN_S;
      const definitions = tenants();
      if (definitions !== undefined) {
        return toAuthInfo(callerIn(definitions, hash, payload), token, expiresAt);
      }
      if (payload === undefined) throw invalid();
      // Nothing grants more, so the least privilege.
      const named = scopesIn(payload) ?? ['documents:read'];
      const kept = scopes.filter((one) => named.includes(one));
      return toAuthInfo(
        { tenant: '', principal: principalOf(hash, payload), scopes: kept, memberships: [] },
        token,
        expiresAt,
      );
    },
  };
}

const FINGERPRINT_LENGTH = 32;
const hashed = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, FINGERPRINT_LENGTH);

/** Identifies an entry of the tenants file without revealing it. */
const fingerprintOf = (member: Member): string =>
  'tokenSha256' in member
    ? hashed('token', member.tokenSha256.toString('hex'))
    : hashed('claim', member.claim, member.value);

/**
 * Whether an entry that let a caller into a tenant still lets them read; needs no token.
 * @param memberships as their `Caller` had them
 */
export function mayStillRead(
  tenants: readonly TenantDefinition[] | undefined,
  tenant: string,
  memberships: readonly string[],
): boolean {
  if (tenants === undefined) return true;
  const who = tenants.find(({ id }) => id === tenant)?.who ?? [];
  return who.some(
    (member) => member.scopes.includes('documents:read') && memberships.includes(fingerprintOf(member)),
  );
}

function principalOf(hash: Buffer, payload: JWTPayload | undefined): string {
  return payload === undefined
    ? `token:${hash.toString('hex').slice(0, FINGERPRINT_LENGTH)}`
    : `user:${hashed(payload.iss, payload.sub)}`;
}
