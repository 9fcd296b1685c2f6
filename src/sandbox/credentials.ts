/** What the sandbox's services let in. Nothing here opens anything else. */
export const documentsCredentials = { user: 'demo', password: 'demo' } as const;

/** One way to authenticate to the account service is enough. */
export const accountCredentials = {
  apiKey: 'sandbox-api-key',
  token: 'sandbox-token',
  user: 'demo',
  licenseKey: 'sandbox-license-key',
  oauth: { clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret', tokenPath: '/oauth/token' },
} as const;
