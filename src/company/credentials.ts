import type { AccountAuth } from '../clients/account/client.ts';
import type { Settings } from '../config/settings.ts';
import { readNamedFile } from '../disk/regular-file.ts';

/** A call needs settings that are missing. */
export class NotConfigured extends Error {
  readonly variables: MissingVariables;
  /** Whether the user's files are configured, which answer other questions. */
  readonly hasFiles: boolean;

  constructor(variables: MissingVariables, hasFiles = false) {
    super(`not configured: ${variables.flat().join(', ')}`);
    this.name = 'NotConfigured';
    this.variables = variables;
    this.hasFiles = hasFiles;
  }
}

/** The password file can't be read. Names only the variable. */
export class PasswordFileUnreadable extends Error {
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string;

  constructor(code: string) {
    super(`DFE_PASSWORD_FILE cannot be read (${code})`);
    this.name = 'PasswordFileUnreadable';
    this.code = code;
  }
}

/** Bytes; a password is sent in a URL of some thousand characters. */
const LARGEST_PASSWORD_FILE = 64 * 1024;

/** The documents service's password, from its setting or file. @throws NotConfigured, PasswordFileUnreadable */
export async function readPassword(settings: Settings): Promise<string> {
  if (settings.password) return settings.password.reveal();
  if (settings.passwordFile === undefined) throw new NotConfigured(['DFE_PASSWORD']);
  try {
    const content = await readNamedFile(settings.passwordFile, LARGEST_PASSWORD_FILE);
    return content.toString('utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new PasswordFileUnreadable(
      error instanceof Error && 'code' in error ? String(error.code) : 'unreadable',
    );
  }
}

/** The password in a database URL, encoded and decoded. */
function passwordIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function callSecrets(settings: Settings): string[] {
  const { password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey } = settings;
  return [password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey].flatMap(
    (one) => (one === undefined ? [] : [one.reveal()]),
  );
}

/** Values to redact from quoted service messages. */
export function secretValues(settings: Settings): string[] {
  return [...callSecrets(settings), ...passwordIn(settings.databaseUrl?.reveal())];
}

/**
 * All credentials and addresses used for calls, as one text. Input of a keyed hash only: a confirmation given under
 * other settings must not count.
 */
export async function sentAs(settings: Settings): Promise<string> {
  const { url, user, cnpj, eventTemplate, accountUrl, accountUser, accountOauthClientId } = settings;
  const { accountOauthTokenUrl, accountOauthScope } = settings;
  const password = await readPassword(settings).catch((error: unknown) => {
    if (error instanceof NotConfigured || error instanceof PasswordFileUnreadable) return error.name;
    throw error;
  });
  const documents = [url, user, password, cnpj, eventTemplate];
  const account = [accountUrl, accountUser, accountOauthClientId, accountOauthTokenUrl, accountOauthScope];
  return JSON.stringify([documents, account, callSecrets(settings)]);
}

/** Missing variables; a nested list means any one of its members. */
export type MissingVariables = readonly (string | readonly string[])[];

/** The account service as configured: where it is and how to authenticate. */
export interface AccountSetup {
  readonly url: string;
  readonly auth: AccountAuth;
}

const oneWayOfMany = [
  'DFE_ACCOUNT_API_KEY',
  'DFE_ACCOUNT_TOKEN',
  'DFE_ACCOUNT_USER',
  'DFE_ACCOUNT_OAUTH_CLIENT_ID',
];

/** Names without a value. */
export function missingOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value ? [] : [name]));
}

function authOf(settings: Settings): AccountAuth | { readonly missing: MissingVariables } {
  const { accountApiKey, accountToken, accountUser: user, accountLicenseKey: licenseKey } = settings;
  if (accountApiKey) return { type: 'api-key', key: () => accountApiKey.reveal() };
  if (accountToken) return { type: 'bearer', token: () => accountToken.reveal() };
  if (user && licenseKey) return { type: 'basic', user, licenseKey: () => licenseKey.reveal() };
  if (user || licenseKey) {
    return { missing: missingOf({ DFE_ACCOUNT_USER: user, DFE_ACCOUNT_LICENSE_KEY: licenseKey }) };
  }
  const { accountOauthTokenUrl: tokenUrl, accountOauthClientId: clientId } = settings;
  const { accountOauthClientSecret: clientSecret, accountOauthScope: scope } = settings;
  if (tokenUrl && clientId && clientSecret) {
    const parts = { tokenUrl, clientId, clientSecret: () => clientSecret.reveal() };
    return { type: 'oauth', ...parts, ...(scope ? { scope } : {}) };
  }
  if (!tokenUrl && !clientId && !clientSecret) return { missing: [oneWayOfMany] };
  return {
    missing: missingOf({
      DFE_ACCOUNT_OAUTH_TOKEN_URL: tokenUrl,
      DFE_ACCOUNT_OAUTH_CLIENT_ID: clientId,
      DFE_ACCOUNT_OAUTH_CLIENT_SECRET: clientSecret,
    }),
  };
}

/** The account service as configured, or the variables that are missing. */
export function accountSetup(settings: Settings): AccountSetup | { readonly missing: MissingVariables } {
  const { accountUrl: url } = settings;
  const auth = authOf(settings);
  if (url !== undefined && !('missing' in auth)) return { url, auth };
  return { missing: [...missingOf({ DFE_ACCOUNT_URL: url }), ...('missing' in auth ? auth.missing : [])] };
}

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
