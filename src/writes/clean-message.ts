import { longest } from '../documents/untrusted.ts';

/** Names of credentials and persons in query strings and service messages. */
const SECRET_VALUE =
  /\b(usu[aá]rio|user(?:name)?|senha|password|passwd|pwd|token|sig|secret|api[_-]?key|authorization|bearer|basic)( ?[=:] ?| (?=\S*[\d=]))("[^"]*"|\S+)/giu;
const ADDRESS = /https?:\/\/\S+/gi;
const MAIL_ADDRESS = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu;
const CPF = /(?<![\p{L}\p{N}])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\p{L}\p{N}])/gu;

/**
 * Cleans a service's message for keeping: one line, no control or direction characters, no credentials, query
 * strings, CPFs or mail addresses, at most 300 characters.
 */
export function cleanMessage(message: string): string {
  const cleaned = message
    .slice(0, 10 * longest.message)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(ADDRESS, (address) => address.split('?', 1)[0] ?? '')
    .replace(SECRET_VALUE, '$1$2***')
    .replace(MAIL_ADDRESS, '***')
    .replace(CPF, '***')
    .trim();
  const characters = [...cleaned];
  if (characters.length <= longest.message) return cleaned;
  return `${characters.slice(0, longest.message - 1).join('')}…`;
}
