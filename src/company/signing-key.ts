import { readNamedFile } from '../disk/regular-file.ts';

/** `DFE_SIGNING_KEY_FILE` can't be used, so nothing can be confirmed. Names only the variable. */
export class SigningKeyUnusable extends Error {
  /** The system's code, e.g. `ENOENT`; `KEY_TOO_SHORT` or `KEY_FORM` for invalid content. */
  readonly code: string;

  constructor(code: string) {
    super(`DFE_SIGNING_KEY_FILE cannot be used (${code})`);
    this.name = 'SigningKeyUnusable';
    this.code = code;
  }
}

const LEAST_BYTES = 32;
const LARGEST_BYTES = 64 * 1024;

function bytesOf(text: string): Buffer {
  const line = text.trim();
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(line);
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line)) throw new SigningKeyUnusable('KEY_FORM');
  const key = Buffer.from(line, isHex ? 'hex' : 'base64');
  if (key.length < LEAST_BYTES) throw new SigningKeyUnusable('KEY_TOO_SHORT');
  return key;
}

/**
 * Reads the signing key shared by replicas: at least 32 random bytes, base64 or hexadecimal, on one line. Derives a
 * key per tenant, so that one tenant's tokens are invalid for another.
 * @returns 32 bytes
 * @throws SigningKeyUnusable
 */
export async function readSigningKey(path: string, tenant: string): Promise<Buffer> {
  // Container platforms mount secrets as links owned by another user.
  const content = await readNamedFile(path, LARGEST_BYTES).catch((error: unknown) => {
    throw new SigningKeyUnusable(
      error instanceof Error && 'code' in error ? String(error.code) : 'unreadable',
    );
  });
  const { createHmac } = await import('node:crypto');
  return createHmac('sha256', bytesOf(content.toString('utf8')))
    .update(`docfiscal-mcp/${tenant}`)
    .digest();
}
