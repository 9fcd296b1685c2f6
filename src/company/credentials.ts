import type { Settings } from '../config/settings.ts';
import { readNamedFile } from '../disk/regular-file.ts';
import type { MissingVariables } from './account-setup.ts';

/** A call needs settings that are not there. */
export class NotConfigured extends Error {
  /** The variables to set. */
  readonly variables: MissingVariables;
  /** Whether the user's own files are configured, which answer other questions without them. */
  readonly hasFiles: boolean;

  constructor(variables: MissingVariables, hasFiles = false) {
    super(`not configured: ${variables.flat().join(', ')}`);
    this.name = 'NotConfigured';
    this.variables = variables;
    this.hasFiles = hasFiles;
  }
}

/** The password file could not be read. Only its variable is named. */
export class PasswordFileUnreadable extends Error {
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string;

  constructor(code: string) {
    super(`DFE_PASSWORD_FILE cannot be read (${code})`);
    this.name = 'PasswordFileUnreadable';
    this.code = code;
  }
}

/** Bytes; a password travels in an address of some thousand characters. */
const LARGEST_PASSWORD_FILE = 64 * 1024;

/** The documents service's password, from its setting or its file. @throws NotConfigured, PasswordFileUnreadable */
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

/** The password in a database's address, as it stands there and as it is meant. */
function passwordIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** What calls are authenticated with. */
function callSecrets(settings: Settings): string[] {
  const { password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey } = settings;
  return [password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey].flatMap(
    (one) => (one === undefined ? [] : [one.reveal()]),
  );
}

/** Values that must not show in a service's own words when they are passed on. */
export function secretValues(settings: Settings): string[] {
  return [...callSecrets(settings), ...passwordIn(settings.databaseUrl?.reveal())];
}

/**
 * Everything that calls are sent as and to, credentials included, as one text. It is for a keyed hash alone: a yes that
 * was given under other settings must not count.
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
