import type { Settings } from '../config/settings.ts';
import type { Translator } from '../messages/index.ts';

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Addresses that send credentials unencrypted to another machine; allowed, because the service is described so. */
export function plainHttpWarnings(settings: Settings, translator: Translator): string[] {
  const addresses = {
    DFE_URL: settings.url,
    DFE_ACCOUNT_URL: settings.accountUrl,
    DFE_ACCOUNT_OAUTH_TOKEN_URL: settings.accountOauthTokenUrl,
  };
  return Object.entries(addresses).flatMap(([variable, address]) => {
    if (address === undefined) return [];
    const { protocol, hostname } = new URL(address);
    return protocol === 'http:' && !loopback.test(hostname)
      ? [translator.say('cli.plain_http', { variable })]
      : [];
  });
}
