import type { Settings } from '../config/settings.ts';
import { readNamedFile } from '../disk/regular-file.ts';
import type { MissingVariables } from './account-setup.ts';

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
