import type { HttpClient } from '../clients/http/client.ts';

/**
 * The text of a small public document of an identity provider; undefined where it cannot be had.
 * @param signal ends the attempt
 */
export type ReadIdentityDocument = (url: string, signal: AbortSignal) => Promise<string | undefined>;

const TIMEOUT_S = 5;
const AT_ONCE = 4;
const LARGEST_BYTES = 256 * 1024;

/** Reads what identity providers publish, through the same proxies and with the same limits as any other call. */
export function createIdentityDocuments(userAgent: string, env: NodeJS.ProcessEnv): ReadIdentityDocument {
  let opened: Promise<HttpClient> | undefined;
  const open = async (): Promise<HttpClient> => {
    const { createHttpClient } = await import('../clients/http/client.ts');
    return createHttpClient({ timeoutSeconds: TIMEOUT_S, concurrency: AT_ONCE, userAgent, env });
  };
  return async (url, signal) => {
    opened ??= open();
    const http = await opened;
    const call = {
      service: 'account',
      operation: 'identity',
      method: 'GET',
      kind: 'read',
      headers: { accept: 'application/json' },
      maxBytes: LARGEST_BYTES,
    } as const;
    try {
      return await http.call({ ...call, url, signal }, async ({ body }) => {
        const parts: Uint8Array[] = [];
        for await (const part of body) parts.push(part);
        return Buffer.concat(parts).toString('utf8');
      });
    } catch {
      // Whether it was refused, was too large or nobody answered: without it no token can be checked.
      return undefined;
    }
  };
}
