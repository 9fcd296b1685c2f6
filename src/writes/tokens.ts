import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwnFile, syncFolder, systemCode } from '../disk/regular-file.ts';
import { canonicalJson } from './canonical-json.ts';
import type { DataFolder } from './data-folder.ts';
import { type SpentTokens, spentInFolder, writeNew } from './spent-tokens.ts';

/** The call to confirm. */
export interface ConfirmedCall {
  readonly tool: string;
  /** Arguments without the confirmation token. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The authenticated client over HTTP, `local` over stdio. */
  readonly principal: string;
  /**
   * What the person was shown, and the settings it is sent with; if it changed, the confirmation is void. The token
   * holds only a keyed hash.
   */
  readonly shown: unknown;
}

/**
 * Why a token was refused: foreign key, other principal, other tool or arguments, already spent, expired or dated in
 * the future, or the shown facts changed.
 */
export type TokenRefusal = 'forged' | 'other_principal' | 'changed' | 'used' | 'expired' | 'preview_changed';

export type Spending =
  | {
      readonly ok: true;
      /** Milliseconds since 1970. */
      readonly mintedAt: number;
    }
  | {
      readonly ok: false;
      readonly reason: TokenRefusal;
      /** Whether the clock was set back since this folder was last used. */
      readonly clockWentBack: boolean;
    };

export type Tokens = ReturnType<typeof createTokens>;

export const tokenLifetimeMs = 600_000;

/** Marks outlive tokens by a day, so that a clock set back revives none. */
const MARK_KEPT_MS = 86_400_000;

/** Tolerated clock difference between minting and spending. */
const CLOCK_TOLERANCE_MS = 120_000;
const KEY_BYTES = 32;
/** Bytes read from the key file; anything but 32 is damage. */
const LARGEST_KEY = 4096;
const KEY_FILE = 'confirmation.key';
const VERSION = 2;
const NONCE_BYTES = 16;
const DIGEST_BYTES = 16;
const MAC_BYTES = 32;
const SIGNED_BYTES = 1 + 6 + NONCE_BYTES + 3 * DIGEST_BYTES;
const TOKEN_FORM = /^[A-Za-z0-9_-]{138}$/;

/** Content of a token: digests and a time, not reversible. */
interface TokenContent {
  readonly mintedAt: number;
  readonly nonce: Buffer;
  readonly call: Buffer;
  readonly principal: Buffer;
  readonly shown: Buffer;
}

function keyed(key: Buffer, purpose: string, data: string | Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0`).update(data).digest();
}

function digestsOf(key: Buffer, { tool, args, principal, shown }: ConfirmedCall) {
  const digest = (purpose: string, text: string) => keyed(key, purpose, text).subarray(0, DIGEST_BYTES);
  return {
    call: digest('call', canonicalJson([tool, args])),
    principal: digest('principal', principal),
    shown: digest('shown', canonicalJson(shown)),
  };
}

function seal(key: Buffer, { mintedAt, nonce, call, principal, shown }: TokenContent): string {
  const head = Buffer.alloc(7);
  head.writeUInt8(VERSION, 0);
  head.writeUIntBE(mintedAt, 1, 6);
  const signed = Buffer.concat([head, nonce, call, principal, shown]);
  return Buffer.concat([signed, keyed(key, 'token', signed)]).toString('base64url');
}

function unseal(key: Buffer, token: string): TokenContent | undefined {
  if (!TOKEN_FORM.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // The last base64 character has unused bits: refuse aliases.
  if (bytes.toString('base64url') !== token) return undefined;
  const signed = bytes.subarray(0, SIGNED_BYTES);
  const mac = bytes.subarray(SIGNED_BYTES);
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, keyed(key, 'token', signed))) return undefined;
  if (signed.readUInt8(0) !== VERSION) return undefined;
  const digests = signed.subarray(7 + NONCE_BYTES);
  return {
    mintedAt: signed.readUIntBE(1, 6),
    nonce: signed.subarray(7, 7 + NONCE_BYTES),
    call: digests.subarray(0, DIGEST_BYTES),
    principal: digests.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    shown: digests.subarray(2 * DIGEST_BYTES),
  };
}

/** Creates the key if missing. Of concurrent processes one wins and all use its key. */
async function makeKey(folder: string): Promise<void> {
  const draft = join(folder, `${KEY_FILE}.${randomBytes(8).toString('hex')}`);
  try {
    await writeNew(draft, randomBytes(KEY_BYTES));
    await link(draft, join(folder, KEY_FILE));
    await syncFolder(folder);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKey(folder: DataFolder): Promise<Buffer | undefined> {
  const key = await folder.read((path) => readOwnFile(join(path, KEY_FILE), LARGEST_KEY));
  if (key !== undefined && key.length !== KEY_BYTES) throw folder.unusable('KEY_DAMAGED');
  return key;
}

export interface TokensOptions {
  /** Folder of the key, unless a key is shared. */
  readonly folder: DataFolder;
  /** Storage of spent tokens; the folder by default. */
  readonly spent?: SpentTokens;
  readonly now?: () => number;
  /** Signing key of 32 bytes shared by replicas; by default one is created in the folder. */
  readonly sharedKey?: (() => Promise<Buffer>) | undefined;
}

/**
 * Creates confirmation tokens: HMAC-SHA256 over tool, arguments, principal and the facts shown; valid for ten minutes
 * and one use, in all processes that share the key and the spent tokens. A token expires when the clock is set back
 * by more than two minutes.
 */
export function createTokens({
  folder,
  spent = spentInFolder(folder),
  now = Date.now,
  sharedKey,
}: TokensOptions) {
  const knownKey = (): Promise<Buffer | undefined> => sharedKey?.() ?? readKey(folder);
  const madeKey = async () => {
    const key = await knownKey();
    if (key !== undefined) return key;
    await folder.write(makeKey);
    return (await readKey(folder)) ?? Promise.reject(folder.unusable('KEY_DAMAGED'));
  };

  return {
    /** Mints a token and returns its expiry, ISO 8601, UTC. Throws `RecordUnusable`. */
    async mint(call: ConfirmedCall) {
      const key = await madeKey();
      const mintedAt = now();
      await spent.forget(mintedAt - tokenLifetimeMs - MARK_KEPT_MS);
      const token = seal(key, { mintedAt, nonce: randomBytes(NONCE_BYTES), ...digestsOf(key, call) });
      return { token, expiresAt: new Date(mintedAt + tokenLifetimeMs).toISOString() };
    },

    /**
     * Spends a token for its call; only a successful spend is recorded. Throws `RecordUnusable` if it can't be
     * recorded; the call must not be made then.
     */
    async spend(token: string, call: ConfirmedCall): Promise<Spending> {
      const key = await knownKey();
      const content = key === undefined ? undefined : unseal(key, token);
      if (key === undefined || content === undefined) return refused('forged');
      const expected = digestsOf(key, call);
      if (!timingSafeEqual(content.principal, expected.principal)) return refused('other_principal');
      if (!timingSafeEqual(content.call, expected.call)) return refused('changed');
      const mark = { mintedAt: content.mintedAt, nonce: content.nonce.toString('hex') };
      const { isSpent, latest, forgottenUntil } = await spent.lookUp(mark);
      const age = now() - content.mintedAt;
      const clockWentBack = age < -CLOCK_TOLERANCE_MS || now() < latest - CLOCK_TOLERANCE_MS;
      if (isSpent) return refused('used', clockWentBack);
      const isOld = age >= tokenLifetimeMs || content.mintedAt <= forgottenUntil;
      if (isOld || age < -CLOCK_TOLERANCE_MS) return refused('expired', clockWentBack);
      if (!timingSafeEqual(content.shown, expected.shown)) return refused('preview_changed', clockWentBack);
      return (await spent.spend(mark)) ? { ok: true, mintedAt: content.mintedAt } : refused('used');
    },
  };
}

function refused(reason: TokenRefusal, clockWentBack = false): Spending {
  return { ok: false, reason, clockWentBack };
}
