import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Scope, scopes } from '../../config/scopes.ts';
import type { Member, TenantDefinition } from '../../config/tenants-file.ts';
import type { TokenReader } from './access-tokens.ts';
import { authInfoOf, type Caller } from './caller.ts';

/** A caller who is known and belongs to no tenant, or to several. */
export class NoSingleTenant extends Error {
  constructor(count: number) {
    super(`the caller belongs to ${count} tenants`);
    this.name = 'NoSingleTenant';
  }
}

export interface IdentityOptions {
  /** Reads access tokens of the identity provider; undefined where none is configured. */
  readonly accessTokens: TokenReader | undefined;
  /** The tenants of now; undefined where the process serves one company without a file. */
  readonly tenants: () => readonly TenantDefinition[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What is known of a token, whoever's it is. */
interface Known {
  readonly payload: JWTPayload | undefined;
  readonly expiresAt: number;
}

const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

const invalid = () => new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid');

/** The scopes a token names; undefined where it says nothing of scopes. Source: RFC 8693 section 4.2, and `scp`. */
function scopesIn({ scope, scp }: JWTPayload): readonly string[] | undefined {
  if (typeof scope === 'string') return scope.split(' ');
  if (Array.isArray(scp)) return scp.map(String);
  return typeof scp === 'string' ? scp.split(' ') : undefined;
}

function holds(payload: JWTPayload, { claim, value }: { claim: string; value: string }): boolean {
  const found = payload[claim];
  return Array.isArray(found) ? found.includes(value) : found === value;
}

/** Whoever calls with a token: an access token of the identity provider, or a static one of the tenants file. */
export function createIdentity({ accessTokens, tenants, now }: IdentityOptions): OAuthTokenVerifier {
  // By the token's hash: a verified token in clear stays nowhere.
  const verified = new LRUCache<string, Known>({ max: MOST_KEPT, ttl: KEPT_MS, perf: { now } });

  const read = async (token: string, hash: Buffer): Promise<Known> => {
    const name = hash.toString('base64');
    const kept = verified.get(name);
    if (kept !== undefined && kept.expiresAt * 1000 > now()) return kept;
    const payload = await accessTokens?.(token);
    if (payload === undefined) return { payload: undefined, expiresAt: Math.ceil((now() + KEPT_MS) / 1000) };
    const known = { payload, expiresAt: payload.exp ?? 0 };
    verified.set(name, known);
    return known;
  };

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
      // All of them are compared, so that time says nothing about which.
      const memberships = who.filter((member) => belongs(member, hash, payload));
      if (memberships.length === 0) return [];
      const granted = new Set<Scope>(memberships.flatMap((member) => member.scopes));
      const kept = scopes.filter((one) => granted.has(one) && (named?.includes(one) ?? true));
      return [{ tenant: id, scopes: kept }];
    });
    const [only] = found;
    if (only === undefined && payload === undefined) throw invalid();
    if (only === undefined || found.length > 1) throw new NoSingleTenant(found.length);
    return { ...only, principal: principalOf(hash, payload) };
  };

  return {
    async verifyAccessToken(token: string): Promise<AuthInfo> {
      const hash = createHash('sha256').update(token).digest();
      const { payload, expiresAt } = await read(token, hash);
      const definitions = tenants();
      if (definitions !== undefined) {
        return authInfoOf(callerIn(definitions, hash, payload), token, expiresAt);
      }
      if (payload === undefined) throw invalid();
      // Nobody has said what such a caller may do, so that it is the least.
      const named = scopesIn(payload) ?? ['documents:read'];
      const kept = scopes.filter((one) => named.includes(one));
      return authInfoOf(
        { tenant: '', principal: principalOf(hash, payload), scopes: kept },
        token,
        expiresAt,
      );
    },
  };
}

const principalOfToken = (hash: Buffer) => `token:${hash.toString('hex').slice(0, 32)}`;

/**
 * Whether a caller of before still belongs to a tenant, as far as can be told without their token: a tenant or a static
 * token that is in the file no more lets nobody in.
 * @param principal as a caller's `clientId` has it
 */
export function isStillKnown(
  tenants: readonly TenantDefinition[] | undefined,
  tenant: string,
  principal: string,
): boolean {
  if (tenants === undefined) return true;
  const who = tenants.find(({ id }) => id === tenant)?.who ?? [];
  const name = principal.slice(tenant.length + 1);
  return name.startsWith('token:')
    ? who.some((one) => 'tokenSha256' in one && principalOfToken(one.tokenSha256) === name)
    : who.some((one) => 'claim' in one);
}

function principalOf(hash: Buffer, payload: JWTPayload | undefined): string {
  return payload === undefined
    ? principalOfToken(hash)
    : `user:${createHash('sha256').update(`${payload.iss}\0${payload.sub}`).digest('hex').slice(0, 32)}`;
}
