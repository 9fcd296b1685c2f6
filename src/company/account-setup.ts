import type { AccountAuth } from '../clients/account/client.ts';
import type { Settings } from '../config/settings.ts';

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
