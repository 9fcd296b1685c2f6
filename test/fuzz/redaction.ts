import { createRedaction } from '../../src/clients/http/redact.ts';
import { spellings } from '../support/spellings.ts';
import type { Random } from './random.ts';

const signs = [...'abcXYZ0189', ...'&"\'/\\+=%#<>{}[] .-_~!?*', 'ç', 'Ã', 'é'];

const percentOf = (text: string, encoding: 'utf8' | 'latin1') =>
  [...Buffer.from(text, encoding)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Ways a sign may be written; which one is chosen sign by sign. */
const ways: readonly ((sign: string, code: number) => string)[] = [
  (sign) => sign,
  (sign) => percentOf(sign, 'utf8'),
  (sign) => percentOf(sign, 'utf8').toUpperCase(),
  (sign) => percentOf(sign, 'utf8').replaceAll('%', '%25'),
  (sign, code) => (code < 256 ? percentOf(sign, 'latin1') : sign),
  (_sign, code) => `&#${code};`,
  (_sign, code) => `&#x${code.toString(16)};`,
  (_sign, code) => `\\u${code.toString(16).padStart(4, '0')}`,
  (sign) => JSON.stringify(sign).slice(1, -1),
];

/** Invisible characters are taken out of a text before it is redacted. */
const whole = Object.entries(spellings).flatMap(([name, write]) => (/invisible/.test(name) ? [] : [write]));

function secretOf(random: Random): string {
  const length = 8 + random.below(40);
  const text = Array.from({ length }, () => random.of(signs)).join('');
  // A setting has no blank edges, and no run of them to speak of.
  const secret = text.trim().replace(/ +/g, ' ');
  return secret.length < 8 ? `${secret}Abcdefg9` : secret;
}

/** One round: a secret, spelt sign by sign in a way of its own or as a whole, in a text with other words. */
export async function fuzzRedaction(random: Random): Promise<string[]> {
  const secret = secretOf(random);
  // What looks like a code in a secret means another sign once each sign has a spelling of its own.
  const spelt =
    /[%\\]/.test(secret) || random.below(2) === 0
      ? random.of(whole)(secret)
      : [...secret].map((sign) => random.of(ways)(sign, sign.codePointAt(0) ?? 0)).join('');
  const text = `antes (${spelt}) depois`;
  const hidden = createRedaction([secret]).hide(text);
  const isGone = hidden === '***';
  return isGone
    ? []
    : [`${JSON.stringify(secret)} as ${JSON.stringify(spelt)} is left in ${JSON.stringify(hidden)}`];
}
