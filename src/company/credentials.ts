import { createHmac } from 'node:crypto';
import type { AccountAuth } from '../clients/account/client.ts';
import { basic } from '../clients/http/call.ts';
import { accountWays, type Settings, variableOf } from '../config/settings.ts';
import { errorCode, readNamedFile } from '../disk/files.ts';

/** Missing variables; a nested list means any one of its members. */
export type MissingVariables = readonly (string | readonly string[])[];

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

/** A file that holds a secret can't be used. Names only the variable. */
export class SecretFileUnusable extends Error {
  readonly variable: 'DFE_PASSWORD_FILE' | 'DFE_SIGNING_KEY_FILE';
  /** The system's code, e.g. `ENOENT`; `KEY_TOO_SHORT` or `KEY_FORM` for an invalid signing key. */
  readonly code: string;

  constructor(variable: SecretFileUnusable['variable'], code: string) {
    super(`${variable} cannot be used (${code})`);
    this.name = 'SecretFileUnusable';
    this.variable = variable;
    this.code = code;
  }
}

/** Bytes; a password is sent in a URL of some thousand characters. */
const LARGEST_SECRET_FILE = 64 * 1024;

/** Container platforms mount secrets as links owned by another user. */
async function readSecretFile(variable: SecretFileUnusable['variable'], path: string): Promise<string> {
  try {
    return (await readNamedFile(path, LARGEST_SECRET_FILE)).toString('utf8');
  } catch (error) {
    throw new SecretFileUnusable(variable, errorCode(error) ?? 'unreadable');
  }
}

/** The documents service's password, from its setting or file. @throws NotConfigured, SecretFileUnusable */
export async function readPassword({
  password,
  passwordFile,
}: Pick<Settings, 'password' | 'passwordFile'>): Promise<string> {
  if (password) return password.reveal();
  if (passwordFile === undefined) throw new NotConfigured(['DFE_PASSWORD']);
  return (await readSecretFile('DFE_PASSWORD_FILE', passwordFile)).replace(/\r?\n$/, '');
}

const LEAST_KEY_BYTES = 32;

/**
 * Reads the signing key shared by replicas: at least 32 random bytes, base64 or hexadecimal, on one line. Derives a
 * key per tenant, so that one tenant's tokens are invalid for another.
 * @returns 32 bytes
 * @throws SecretFileUnusable
 */
export async function readSigningKey(path: string, tenant: string): Promise<Buffer> {
  const line = (await readSecretFile('DFE_SIGNING_KEY_FILE', path)).trim();
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(line);
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line)) {
    throw new SecretFileUnusable('DFE_SIGNING_KEY_FILE', 'KEY_FORM');
  }
  const key = Buffer.from(line, isHex ? 'hex' : 'base64');
  if (key.length < LEAST_KEY_BYTES) throw new SecretFileUnusable('DFE_SIGNING_KEY_FILE', 'KEY_TOO_SHORT');
  return createHmac('sha256', key).update(`docfiscal-mcp/${tenant}`).digest();
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
  const secrets = [password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey];
  return secrets.flatMap((one) => one?.reveal() ?? []);
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
    if (error instanceof NotConfigured || error instanceof SecretFileUnusable) return error.name;
    throw error;
  });
  const documents = [url, user, password, cnpj, eventTemplate];
  const account = [accountUrl, accountUser, accountOauthClientId, accountOauthTokenUrl, accountOauthScope];
  return JSON.stringify([documents, account, callSecrets(settings)]);
}

/** Names without a value. */
export function missingOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value ? [] : [name]));
}

const oneWayOfMany = [
  'DFE_ACCOUNT_API_KEY',
  'DFE_ACCOUNT_TOKEN',
  'DFE_ACCOUNT_USER',
  'DFE_ACCOUNT_OAUTH_CLIENT_ID',
];

function authOf(settings: Settings): AccountAuth | { readonly missing: MissingVariables } {
  const { accountApiKey, accountToken, accountUser: user, accountLicenseKey: licenseKey } = settings;
  const { accountOauthTokenUrl: tokenUrl, accountOauthClientId: clientId } = settings;
  const { accountOauthClientSecret: clientSecret, accountOauthScope: scope } = settings;
  if (accountApiKey) return { type: 'api-key', authorization: () => accountApiKey.reveal() };
  if (accountToken) return { type: 'bearer', authorization: () => `Bearer ${accountToken.reveal()}` };
  if (user && licenseKey) return { type: 'basic', authorization: () => basic(user, licenseKey.reveal()) };
  if (tokenUrl && clientId && clientSecret) {
    const parts = { tokenUrl, clientId, clientSecret: () => clientSecret.reveal() };
    return { type: 'oauth', ...parts, ...(scope && { scope }) };
  }
  const begun = Object.values(accountWays).find((way) => way.some((name) => settings[name]));
  return { missing: begun?.filter((name) => !settings[name]).map(variableOf) ?? [oneWayOfMany] };
}

/** Where the account service is and how to authenticate, or the variables that are missing. */
export function accountSetup(
  settings: Settings,
): { readonly url: string; readonly auth: AccountAuth } | { readonly missing: MissingVariables } {
  const { accountUrl: url } = settings;
  const auth = authOf(settings);
  if (url !== undefined && !('missing' in auth)) return { url, auth };
  return { missing: [...missingOf({ DFE_ACCOUNT_URL: url }), ...('missing' in auth ? auth.missing : [])] };
}
