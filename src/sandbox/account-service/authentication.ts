import { accountCredentials } from '../credentials.ts';
import type { Moment } from '../data/calendar.ts';
import { createRandom } from '../data/random.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { SandboxRequest } from '../request.ts';

/** Who may call the account service, and the OAuth tokens given out since the sandbox started. */
export interface Authentication {
  allows(authorization: string | undefined): boolean;
  /** Answers `POST /oauth/token`. */
  issueToken(request: SandboxRequest): Reply;
}

const TOKEN_LIFETIME_IN_SECONDS = 3_600;

function basic(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
}

/** The client's own credentials, as Basic or in the form. */
function isOurClient(request: SandboxRequest, form: URLSearchParams): boolean {
  const { clientId, clientSecret } = accountCredentials.oauth;
  if (request.headers.authorization !== undefined) {
    return (
      request.headers.authorization === basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret))
    );
  }
  return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
}

export function createAuthentication(seed: string, now: () => Moment): Authentication {
  const expiries = new Map<string, Moment>();
  const random = createRandom(seed, 'tokens');

  function allowsToken(token: string): boolean {
    const expiry = expiries.get(token);
    return token === accountCredentials.token || (expiry !== undefined && now() < expiry);
  }

  return {
    allows(authorization) {
      const { apiKey, user, licenseKey } = accountCredentials;
      if (authorization === apiKey || authorization === basic(user, licenseKey)) return true;
      const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '') ?? [];
      return token !== undefined && allowsToken(token);
    },

    issueToken(request) {
      const noStore = { 'cache-control': 'no-store' };
      if (request.method !== 'POST') return jsonReply(405, { error: 'invalid_request' }, { allow: 'POST' });
      const form = new URLSearchParams(request.body.toString('utf8'));
      if (!isOurClient(request, form)) {
        const challenge = { 'www-authenticate': 'Basic realm="sandbox"' };
        return jsonReply(401, { error: 'invalid_client' }, { ...noStore, ...challenge });
      }
      if (form.get('grant_type') !== 'client_credentials') {
        return jsonReply(400, { error: 'unsupported_grant_type' }, noStore);
      }
      const token = `sandbox-${random.digits(24)}`;
      expiries.set(token, now() + TOKEN_LIFETIME_IN_SECONDS);
      const scope = form.get('scope');
      const grant = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_IN_SECONDS };
      return jsonReply(200, scope ? { ...grant, scope } : grant, noStore);
    },
  };
}
