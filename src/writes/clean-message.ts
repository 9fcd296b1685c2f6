const LONGEST_MESSAGE = 300;

/** Names whose values are credentials or people, as they appear in query strings and in services' sentences. */
const SECRET_VALUE =
  /\b(usu[aá]rio|user(?:name)?|senha|password|passwd|pwd|token|sig|secret|api[_-]?key|authorization|bearer|basic)(\s*[=:]\s*|\s+(?=\S*[\d=]))("[^"]*"|\S+)/giu;
const QUERY_STRING = /(https?:\/\/[^\s?]+)\?\S*/gi;
const MAIL_ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu;
const CPF = /(?<![\p{L}\p{N}])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\p{L}\p{N}])/gu;

/**
 * A service's message as it may be kept: one line, no control or direction characters, no value of a credential,
 * no query string, no CPF or mail address, at most 300 characters.
 */
export function cleanMessage(message: string): string {
  const cleaned = message
    .slice(0, 10 * LONGEST_MESSAGE)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(QUERY_STRING, '$1')
    .replace(SECRET_VALUE, '$1$2***')
    .replace(MAIL_ADDRESS, '***')
    .replace(CPF, '***')
    .trim();
  const characters = [...cleaned];
  if (characters.length <= LONGEST_MESSAGE) return cleaned;
  return `${characters.slice(0, LONGEST_MESSAGE - 1).join('')}…`;
}
