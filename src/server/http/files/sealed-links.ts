import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** What a link stands for: a file that was made for a caller, and the call that makes it again. */
export interface Linked {
  readonly tenant: string;
  /** The caller it was made for, and nobody else. */
  readonly principal: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Under which the replica that made the file keeps it. */
  readonly id: string;
  readonly name: string;
  /** What the file must hold where another replica makes it. */
  readonly holds: string | undefined;
}

/** A link that is none of ours, was altered, or whose time is over. */
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

/** Also told apart from whatever else may be made with the same key. */
const AUDIENCE = 'files';
const FORM = /^[\w-]+(?:\.[\w-]*){4}$/;

/**
 * Links that every replica with the same key understands and nobody else can read or change: they are encrypted, since
 * what stands in an address stands in the logs of proxies, too.
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
