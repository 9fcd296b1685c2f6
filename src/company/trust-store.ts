import type { X509Certificate } from 'node:crypto';
import { errorCode, readNamedFile } from '../disk/files.ts';
import type { CallContext } from './call-context.ts';
import { Unfulfilled } from './failures.ts';

/** Bytes; the roots of all browsers together take a quarter of a million. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/**
 * Reads the certificates that signatures are checked against; undefined when none is configured.
 * @throws Unfulfilled when the file is unreadable or has none
 */
export async function trustStore({ company }: CallContext): Promise<readonly X509Certificate[] | undefined> {
  const path = company.settings.trustStore;
  if (path === undefined) return undefined;
  const { certificatesIn } = await import('../documents/signatures/signer.ts');
  try {
    const certificates = certificatesIn((await readNamedFile(path, LARGEST_BYTES)).toString('utf8'));
    if (certificates.length > 0) return certificates;
  } catch (error) {
    throw new Unfulfilled('failure.trust_store', { code: errorCode(error) ?? 'UNKNOWN' });
  }
  throw new Unfulfilled('failure.trust_store', { code: 'PEM' });
}
