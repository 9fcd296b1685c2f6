import type { HttpCall } from './call.ts';

const secretName = /^(?:senha|sig|signature|.*(?:password|secret|token))$/i;

/** Secrets in an address's query, also in that of an address which is itself a value there. */
function inAddress(address: string): string[] {
  if (!URL.canParse(address)) return [];
  return [...new URL(address).searchParams].flatMap(([name, value]) =>
    secretName.test(name) ? [value] : inAddress(value),
  );
}

/** The credential with and without its scheme, and of a Basic one the password. */
function inAuthorization(value: string): string[] {
  const [, scheme = '', credential = value] = /^(bearer|basic)\s+(.+)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credential];
  const pair = Buffer.from(credential, 'base64').toString();
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** What a call carries that must not show in anything that is said about it, whatever the service answers. */
export function secretsOf({ url, headers = {} }: HttpCall): string[] {
  const authorizations = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return [...inAddress(url), ...authorizations.flatMap(([, value]) => inAuthorization(value))];
}
