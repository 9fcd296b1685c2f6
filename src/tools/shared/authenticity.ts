import type { X509Certificate } from 'node:crypto';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { errorCode, readNamedFile } from '../../disk/files.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import type { ContentCheck } from '../../documents/signatures/content.ts';
import type { SignerCheck } from '../../documents/signatures/signer.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { sentences } from './definition.ts';

/** Bytes; the roots of all browsers together take a quarter of a million. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/**
 * Reads the certificates that signatures are checked against; undefined when none is configured.
 * @throws Unfulfilled when the file is unreadable or has none
 */
export async function trustStore({ company }: CallContext): Promise<readonly X509Certificate[] | undefined> {
  const path = company.settings.trustStore;
  if (path === undefined) return undefined;
  const { certificatesIn } = await import('../../documents/signatures/signer.ts');
  try {
    const certificates = certificatesIn((await readNamedFile(path, LARGEST_BYTES)).toString('utf8'));
    if (certificates.length > 0) return certificates;
  } catch (error) {
    throw new Unfulfilled('failure.trust_store', { code: errorCode(error) ?? 'UNKNOWN' });
  }
  throw new Unfulfilled('failure.trust_store', { code: 'PEM' });
}

/** Whether the content is unchanged since it was signed. */
export function contentWords({ result, form, reason = 'not_signed' }: ContentCheck, { say }: Translator) {
  if (result === 'unchanged') return say(`verify.unchanged_${form ?? 'as_is'}`);
  return say(`verify.content_${result}`, { reason: say(`verify.reason_${reason}`) });
}

/** The signer, and whether it is the issuer. */
export function signerWords({ result, id, name, by }: SignerCheck, { say }: Translator): string {
  const who = [name && quoted(name), id && asWord(maskTaxId(id))].filter(Boolean).join(', ');
  if (who === '') return say('verify.signer_nameless');
  return say(by === 'national' ? 'verify.signer_national' : `verify.signer_${result}`, { who });
}

/** Whether the certificate was valid at issue and chains up to a trusted root. */
export function certificateWords({ valid_at_issue: isValid, chain }: SignerCheck, { say }: Translator) {
  return sentences(
    isValid !== undefined && say(isValid ? 'verify.valid' : 'verify.not_valid'),
    say(`verify.chain_${chain}`),
  ).join(', ');
}
