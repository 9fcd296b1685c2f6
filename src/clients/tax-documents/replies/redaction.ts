import { cleanText } from '../../../documents/untrusted.ts';
import { redactSecrets } from '../../http/redact.ts';

const MASKED_TAX_ID = /[0-9A-Z]{2,3}\.?[0-9A-Z]{3}\.[0-9A-Z]{3}[/-][0-9A-Z]{2,4}(?:-\d{2})?/g;
const LONG_IDENTIFIER = /[0-9A-Z]{11,}/g;
const E_MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
const ACCESS_KEY_LENGTH = 44;

function mask(identifier: string): string {
  if (!/\d{3}/.test(identifier)) return identifier;
  const shown = identifier.length >= ACCESS_KEY_LENGTH ? 4 : 2;
  return `${identifier.slice(0, shown)}…${identifier.slice(-shown)}`;
}

/**
 * A short piece of a reply fit for an error or a log: without secrets (the `sig` of a shared-access URL, passwords) and
 * e-mail addresses; of access keys and tax ids the ends only (`3517…3458`, `58…19`).
 */
export function redact(text: string): string {
  return redactSecrets(text)
    .replace(E_MAIL, '…@…')
    .replace(MASKED_TAX_ID, mask)
    .replace(LONG_IDENTIFIER, mask);
}

/** So many times what is shown is looked at: an identifier cut by the limit is masked as a whole. */
const REACH = 5;

/** A text from outside fit for a message: redacted, cleaned, on one line, at most `limit` characters. */
export function shownText(text: string, limit: number): string {
  return cleanText(redact(text.slice(0, limit * REACH)), limit).replace(/\s+/g, ' ');
}
