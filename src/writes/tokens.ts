import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readOwnFile, writeNewFile } from '../disk/files.ts';
import type { DataFolder } from './data-folder.ts';
import type { Journal } from './journal.ts';
import { canonicalJson } from './journal-lines.ts';

/** The call to confirm. */
export interface ConfirmedCall {
  readonly tool: string;
  /** Arguments without the confirmation token. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The authenticated client over HTTP, `local` over stdio. */
  readonly principal: string;
  /** What the person was shown, and the settings it is sent with; if it changed, the confirmation is void. */
  readonly shown: unknown;
}

/** `changed`: other tool or arguments. `expired`: or dated in the future. `preview_changed`: other facts were shown. */
export type TokenRefusal = 'forged' | 'other_principal' | 'changed' | 'used' | 'expired' | 'preview_changed';

export type Spending =
  /** In milliseconds since 1970. */
  | { readonly ok: true; readonly mintedAt: number }
  /** `clockWentBack`: the token is from the future. */
  | { readonly ok: false; readonly reason: TokenRefusal; readonly clockWentBack?: boolean };

export const tokenLifetimeMs = 600_000;
/** Tolerated clock difference between minting and spending. */
const CLOCK_TOLERANCE_MS = 120_000;

const KEY_BYTES = 32;
/** Bytes read of the key file; anything but 32 is damage. */
const LARGEST_KEY = 4096;
const keyFile = { name: 'confirmation', ending: 'key' };

/** Characters of a digest in a token, of 6 bits. */
const DIGEST_CHARACTERS = 22;

const keyed = (key: Buffer, purpose: string, data: string): string =>
  createHmac('sha256', key).update(`${purpose}\0${data}`).digest('base64url');

function digestsOf(key: Buffer, { tool, args, principal, shown }: ConfirmedCall) {
  const digest = (purpose: string, data: string) => keyed(key, purpose, data).slice(0, DIGEST_CHARACTERS);
  return {
    call: digest('call', canonicalJson([tool, args])),
    principal: digest('principal', principal),
    shown: digest('shown', canonicalJson(shown)),
  };
}

/** A token: when it was minted, its id of 128 random bits, and keyed digests of the call. Not reversible. */
const seal = (key: Buffer, parts: readonly string[]): string =>
  [...parts, keyed(key, 'token', parts.join('.'))].join('.');

/** The parts of a token; undefined for one of another key. */
function unseal(key: Buffer, token: string): string[] | undefined {
  const parts = token.split('.').slice(0, -1);
  const [given, expected] = [Buffer.from(token), Buffer.from(seal(key, parts))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? parts : undefined;
}

async function readKey(folder: DataFolder): Promise<Buffer | undefined> {
  const path = join(folder.path, `${keyFile.name}.${keyFile.ending}`);
  const key = await folder.read(() => readOwnFile(path, LARGEST_KEY));
  if (key !== undefined && key.length !== KEY_BYTES) throw folder.unusable('KEY_DAMAGED');
  return key;
}

/** Creates the key if missing. Of concurrent processes one wins and all use its key. */
async function makeKey(folder: DataFolder): Promise<Buffer> {
  const name = { ...keyFile, folder: folder.path };
  await folder.write(() => writeNewFile(name, [randomBytes(KEY_BYTES)], undefined, async () => true));
  return (await readKey(folder)) ?? Promise.reject(folder.unusable('KEY_DAMAGED'));
}

/**
 * Creates confirmation tokens: HMAC-SHA256 over tool, arguments, principal and the facts shown; valid for ten minutes
 * and one use, in all processes that share the key and the journal. A token expires when the clock is set back by
 * more than two minutes.
 */
export function createTokens({
  folder,
  journal,
  now = Date.now,
  sharedKey,
}: {
  /** Folder of the key, unless a key is shared. */
  readonly folder: DataFolder;
  readonly journal: Pick<Journal, 'isSpent' | 'spend'>;
  readonly now?: () => number;
  /** Signing key of 32 bytes shared by replicas; by default one is created in the folder. */
  readonly sharedKey?: (() => Promise<Buffer>) | undefined;
}) {
  const knownKey = (): Promise<Buffer | undefined> => sharedKey?.() ?? readKey(folder);

  return {
    /** Mints a token and returns its expiry, ISO 8601, UTC. Throws `RecordUnusable`. */
    async mint(call: ConfirmedCall) {
      const key = (await knownKey()) ?? (await makeKey(folder));
      const mintedAt = now();
      const id = randomBytes(16).toString('base64url');
      const { call: called, principal, shown } = digestsOf(key, call);
      const token = seal(key, [String(mintedAt), id, called, principal, shown]);
      return { token, expiresAt: new Date(mintedAt + tokenLifetimeMs).toISOString() };
    },

    /** Spends a token for its call. Throws `RecordUnusable` if it can't be recorded; the call must not be made then. */
    async spend(token: string, call: ConfirmedCall): Promise<Spending> {
      const refused = (reason: TokenRefusal): Spending => ({ ok: false, reason });
      const key = await knownKey();
      const parts = key && unseal(key, token);
      if (key === undefined || parts === undefined) return refused('forged');
      const [minted, id = '', called, principal, shown] = parts;
      const mintedAt = Number(minted);
      const expected = digestsOf(key, call);
      if (principal !== expected.principal) return refused('other_principal');
      if (called !== expected.call) return refused('changed');
      if (await journal.isSpent(id)) return refused('used');
      const age = now() - mintedAt;
      if (age < -CLOCK_TOLERANCE_MS) return { ok: false, reason: 'expired', clockWentBack: true };
      if (age >= tokenLifetimeMs) return refused('expired');
      if (shown !== expected.shown) return refused('preview_changed');
      return (await journal.spend(id)) ? { ok: true, mintedAt } : refused('used');
    },
  };
}
