import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** Content of a link: a file made for a caller, and the call that made it. */
export interface Linked {
  readonly tenant: string;
  /** The caller it was made for, and nobody else. */
  readonly principal: string;
  /** Entries of the tenants file that let the caller in; the link ends with them. */
  readonly memberships: readonly string[];
  /** Companies that the link ends with. */
  readonly companies: readonly string[];
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Cache key in the replica that made the file. */
  readonly id: string;
  readonly name: string;
  /** What the file must hold when another replica makes it. */
  readonly holds: string | undefined;
}

/** A foreign, altered or expired link. */
export class LinkRefused extends Error {
  readonly reason: 'unknown' | 'expired';

  constructor(reason: 'unknown' | 'expired') {
    super(`the link is ${reason}`);
    this.name = 'LinkRefused';
    this.reason = reason;
  }
}

export interface SealedLinks {
  /** @param expiresAt seconds since 1970 */
  seal(linked: Linked, expiresAt: number): Promise<string>;
  /** @throws LinkRefused */
  open(token: string): Promise<Linked>;
}

/** Separates links from other uses of the same key. */
const AUDIENCE = 'files';
const FORM = /^[\w-]+(?:\.[\w-]*){4}$/;

/**
 * Seals links as encrypted JWTs: every replica with the key can open them, and proxies that log URLs learn nothing.
 * @param key 32 bytes
 * @param now milliseconds since 1970
 */
export function createSealedLinks(key: Uint8Array, now: () => number): SealedLinks {
  return {
    seal({ principal, ...linked }, expiresAt) {
      return new EncryptJWT({ linked })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(principal)
        .setAudience(AUDIENCE)
        .setExpirationTime(expiresAt)
        .encrypt(key);
    },
    async open(token) {
      if (!FORM.test(token)) throw new LinkRefused('unknown');
      try {
        const { payload } = await jwtDecrypt<{ linked: Omit<Linked, 'principal'> }>(token, key, {
          audience: AUDIENCE,
          currentDate: new Date(now()),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp', 'sub'],
        });
        return { ...payload.linked, principal: payload.sub ?? '' };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        throw new LinkRefused(error instanceof errors.JWTExpired ? 'expired' : 'unknown');
      }
    },
  };
}
