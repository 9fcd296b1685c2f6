import type { HttpClient } from '../http/client.ts';
import { createTokenSource } from './oauth.ts';
import type { OAuthSettings } from './token-request.ts';

/**
 * How the account service knows its caller. Secrets are functions, so that they are read where they are used and
 * nowhere kept. Source: docs/upstream-services.md.
 */
export type AccountAuth =
  | { readonly type: 'api-key'; readonly key: () => string }
  | { readonly type: 'bearer'; readonly token: () => string }
  | ({ readonly type: 'oauth' } & OAuthSettings)
  | { readonly type: 'basic'; readonly user: string; readonly licenseKey: () => string };

/** What goes into the `Authorization` header. */
export interface Authorization {
  /** @throws an UpstreamError of the operation `tokenOperation` where a token had to be fetched and was not had */
  credential(signal?: AbortSignal): Promise<string>;
  /** Whether a credential that was refused can be replaced by a new one. */
  readonly renewable: boolean;
  /** Makes the next `credential` a new one, unless it already is. */
  discard(credential: string): void;
}

export function createAuthorization(http: HttpClient, auth: AccountAuth): Authorization {
  switch (auth.type) {
    case 'api-key':
      return fixed(auth.key);
    case 'bearer':
      return fixed(() => `Bearer ${auth.token()}`);
    case 'basic':
      return fixed(
        () => `Basic ${Buffer.from(`${auth.user}:${auth.licenseKey()}`, 'utf8').toString('base64')}`,
      );
    case 'oauth': {
      const tokens = createTokenSource(http, auth);
      return {
        credential: async (signal) => `Bearer ${await tokens.token(signal)}`,
        renewable: true,
        discard: (credential) => tokens.discard(credential.slice('Bearer '.length)),
      };
    }
  }
}

function fixed(credential: () => string): Authorization {
  return { credential: async () => credential(), renewable: false, discard: () => {} };
}
