/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const hidden = '***';

const secretNames = [
  'senha',
  'usuario',
  'user(?:name)?',
  'pass(?:word|wd)?',
  'pwd',
  '(?:client[_-]?)?secret',
  '(?:access|refresh|id)?[_-]?token',
  'api[_-]?key',
  'licen[cs]e[_-]?key',
  'account[_-]?key',
  'sig(?:nature)?',
  'authorization',
].join('|');

const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A scheme's credential goes first: in `Authorization: Basic …` the rule for names would take the scheme for it.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, hidden],
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@"'<>]*@/gi, '$1'],
  [/\b(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1'],
  [new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'), `$1"${hidden}"`],
  [new RegExp(`(?<![\\w-])((?:${secretNames})\\s*=\\s*)(?!\\*\\*\\*)[^\\s&;,"'<>]+`, 'gi'), `$1${hidden}`],
];

/**
 * Takes out what looks like a secret: credentials by their parameter names, `Bearer` and `Basic` values, tokens,
 * the query string and the user part of addresses.
 */
export function redactSecrets(text: string): string {
  return rules.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}

/** A secret as it is, and as addresses, forms, JSON, markup and headers write it. */
function spellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [
    secret,
    encoded,
    encoded.replace(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(encoded),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}

/**
 * A `Redact` that also takes out secrets that are known, in whatever spelling.
 * Secrets shorter than four characters are left to the names around them: they would eat ordinary words.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(spellings)
    .sort((one, other) => other.length - one.length);
  const all = [...new Set(known)];
  return (text) => redactSecrets(all.reduce((cleaned, secret) => cleaned.replaceAll(secret, hidden), text));
}
