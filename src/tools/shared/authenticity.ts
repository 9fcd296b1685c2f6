import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import type { ContentCheck } from '../../documents/signatures/content.ts';
import type { SignerCheck } from '../../documents/signatures/signer.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { sentences } from './definition.ts';

/** Whether the content is what was signed. */
export function contentWords({ result, form, reason = 'not_signed' }: ContentCheck, { say }: Translator) {
  if (result === 'unchanged') return say(`verify.unchanged_${form ?? 'as_is'}`);
  return say(`verify.content_${result}`, { reason: say(`verify.reason_${reason}`) });
}

/** Who signed, and whether that is the issuer. */
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
